import EvalCore

/// Which column, or member of a row, a case's key is read from.
struct FieldMapping: Sendable {
  enum Goal: Sendable, Hashable {
    /// A key of the case table, by its index.
    case key(Int)
    case variable(String)
    case signal(String)

    /// `input`, `variables.city`, `signals.task`; `nil` for anything else.
    init?(_ text: String) {
      if let index = ObjectTable<CaseDraft>.index(of: text) {
        self = .key(index)
      } else if text.hasPrefix("variables."), text.utf8.count > 10 {
        self = .variable(String(text.dropFirst(10)))
      } else if text.hasPrefix("signals."), text.utf8.count > 8 {
        self = .signal(String(text.dropFirst(8)))
      } else {
        return nil
      }
    }
  }

  struct Field: Sendable {
    var goal: Goal
    /// `nil` keeps the key from being read at all.
    var column: String?
    /// Where the suite says so.
    var place: SourceLocation
    var path: String?
  }

  /// Empty when the suite maps nothing: then rows are cases and every column must be known.
  var fields: [Field] = []

  static let schema: JSONValue = [
    "type": "object", "additionalProperties": ["type": ["string", "null"]],
    "propertyNames": ["pattern": .string(namePattern)],
  ]

  static let names = ObjectTable<CaseDraft>.caseTable.keys.map(\.text)

  private static let namePattern = "^(" + names.joined(separator: "|") + "|(variables|signals)\\..+)$"

  init() {}

  /// Notes goals that are no key of a case.
  init(_ view: JSONView, _ reader: Reader) {
    guard view.kind == .object else {
      reader.wrong(view, expected: "an object such as {\"input\": \"question\"}")
      return
    }
    for member in view.members {
      let name = member.key.string ?? ""
      guard let goal = Goal(name) else {
        reader.error(
          "'\(name)' is not a key of a case", at: member.key,
          advice: suggestion(for: name, among: Self.names)
            ?? "\(Self.names.joined(separator: ", ")), variables.NAME or signals.NAME")
        continue
      }
      if fields.contains(where: { $0.goal == goal }) {
        reader.error("'\(name)' is given twice", at: member.key, advice: "keep one of them")
      }
      guard member.value.kind == .string || member.value.isNull else {
        reader.wrong(member.value, expected: "a column's name")
        continue
      }
      fields.append(
        Field(
          goal: goal, column: member.value.string, place: reader.location(of: member.value),
          path: reader.path(of: member.value)))
    }
  }

  /// Whether a key of a case is mapped, or kept from being read.
  func isMapped(_ index: Int) -> Bool { fields.contains { $0.goal == .key(index) } }
}
