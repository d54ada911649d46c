import EvalCore

/// Text that grows by deltas. A surrogate pair that a producer cut in two is one scalar again.
struct AnswerText {
  private(set) var bytes: [UInt8] = []
  /// A high half that waits for its low half in the next delta.
  private var pendingHalf: UInt16?

  var isEmpty: Bool { bytes.isEmpty && pendingHalf == nil }

  /// The whole text; a half that never found its partner is U+FFFD.
  var text: String {
    String(decoding: bytes, as: UTF8.self) + (pendingHalf == nil ? "" : "\u{FFFD}")
  }

  /// What came after the first `count` bytes.
  func text(after count: Int) -> String { String(decoding: bytes[count...], as: UTF8.self) }

  /// - Returns: false when the value is no string or an empty one: then nothing was generated.
  mutating func append(_ view: JSONView) -> Bool {
    guard view.kind == .string, !view.isEmptyString else { return false }
    view.appendUTF8(to: &bytes, joining: &pendingHalf)
    return true
  }

  mutating func append(_ text: String) -> Bool {
    if text.isEmpty { return false }
    bytes.append(contentsOf: text.utf8)
    return true
  }
}
