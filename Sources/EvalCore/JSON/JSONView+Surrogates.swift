/// Producers that count in UTF-16 cut a surrogate pair over two strings: one ends with `\ud83d`, the next
/// begins with `\ude00`.
extension JSONView {
  /// The high surrogate escape that ends the string without its low half; ``string`` shows it as one final
  /// U+FFFD. Nil when the string ends otherwise, or the value is no string.
  package var trailingHighSurrogate: UInt16? {
    escapedContent.flatMap(Self.trailingHigh)
  }

  /// The low surrogate escape that begins the string without its high half; ``string`` shows it as one first
  /// U+FFFD. Nil when the string begins otherwise, or the value is no string.
  package var leadingLowSurrogate: UInt16? {
    escapedContent.flatMap(Self.leadingLow)
  }

  /// Appends the decoded string as ``appendUTF8(to:)`` does, but joins a pair that was cut between the string
  /// before and this one.
  ///
  /// - Parameter pending: the high half that the string before ended with, held back until now; afterwards
  ///   the one that this string ends with. An empty string keeps it. What is pending when no string follows
  ///   stands for one U+FFFD.
  package func appendUTF8(to bytes: inout [UInt8], joining pending: inout UInt16?) {
    guard let high = pending else {
      if trailingHighSurrogate == nil { return appendUTF8(to: &bytes) }
      return appendHalves(to: &bytes, &pending)
    }
    guard kind == .string, !isEmptyString else { return }
    let low = leadingLowSurrogate
    let scalar = low.map { JSONStringDecoder.surrogatePair(high, $0) } ?? 0xFFFD
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4) { room in
      guard let start = room.baseAddress else { return }
      let count = JSONStringDecoder.write(scalar, to: start)
      bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
    }
    pending = nil
    appendHalves(to: &bytes, &pending, droppingFirst: low != nil)
  }

  /// Appends the string without the half at its end, which becomes pending, or the one at its beginning.
  private func appendHalves(to bytes: inout [UInt8], _ pending: inout UInt16?, droppingFirst: Bool = false) {
    let storage = storage
    let entry = storage.pointee.tape[Int(index)]
    pending = trailingHighSurrogate
    let content = storage.pointee.content(entry)
    let middle = content.dropFirst(droppingFirst ? 6 : 0).dropLast(pending == nil ? 0 : 6)
    storage.pointee.withRepaired(UnsafeBufferPointer(rebasing: middle)) { bytes.append(contentsOf: $0) }
  }

  /// The bytes between the quotes of a string that holds escapes.
  private var escapedContent: UnsafeBufferPointer<UInt8>? {
    let storage = storage
    let entry = storage.pointee.tape[Int(index)]
    return entry.tag.isString && entry.tag.isEscaped ? storage.pointee.content(entry) : nil
  }

  private static func leadingLow(_ content: UnsafeBufferPointer<UInt8>) -> UInt16? {
    guard let unit = JSONStringDecoder.escapedUnit(content, at: 0), unit & 0xFC00 == 0xDC00 else {
      return nil
    }
    return unit
  }

  private static func trailingHigh(_ content: UnsafeBufferPointer<UInt8>) -> UInt16? {
    guard content.count >= 6, let unit = JSONStringDecoder.escapedUnit(content, at: content.count - 6),
      unit & 0xFC00 == 0xD800
    else { return nil }
    // The backslash begins an escape only when an even number of backslashes stands before it.
    let before = content.dropLast(6).reversed().prefix { $0 == UInt8(ascii: "\\") }.count
    return before.isMultiple(of: 2) ? unit : nil
  }
}
