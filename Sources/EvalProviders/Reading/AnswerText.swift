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

  mutating func append(bytes more: some Sequence<UInt8>) -> Bool {
    let before = bytes.count
    bytes.append(contentsOf: more)
    return bytes.count > before
  }

  enum Growth { case same, longer, another }

  /// Becomes the text of a cumulative snapshot.
  mutating func grow(to snapshot: JSONView) -> Growth {
    guard snapshot.kind == .string else { return .same }
    var whole: [UInt8] = []
    var half: UInt16?
    snapshot.appendUTF8(to: &whole, joining: &half)
    let isLonger = whole.starts(with: bytes)
    if isLonger, whole.count == bytes.count { return .same }
    bytes = whole
    pendingHalf = nil
    return isLonger ? .longer : .another
  }

  mutating func append(_ text: String) -> Bool {
    if text.isEmpty { return false }
    bytes.append(contentsOf: text.utf8)
    return true
  }
}
