import EvalCore

extension JSONView {
  /// The member, when it is there and not null: servers write null for what they leave out.
  func given(_ key: StaticString) -> JSONView? {
    guard let member = self[key], !member.isNull else { return nil }
    return member
  }

  /// The number as an integer, also one that is written as text; nil for anything else.
  var integer: Int64? { int ?? string.flatMap { Int64($0) } }
}
