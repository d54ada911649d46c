#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Cuts a body into lines at 0x0A, whatever the reads; blank lines and a byte order mark are dropped.
///
/// A line that lies in one read is not copied.
struct NDJSONSplitter {
  /// A line that came in more than one read; valid until the next call.
  private(set) var joined: [UInt8] = []
  private(set) var isOverflown = false
  private var joinedIsSpent = false
  private var isFirstLine = true

  /// The next line that ends in `bytes`: its place there, or an empty range when it is in `joined`.
  ///
  /// - Parameter position: where to go on; begins at 0 for each buffer.
  /// - Returns: `nil` when the buffer is used up; what it began is kept.
  mutating func next(in bytes: UnsafeRawBufferPointer, from position: inout Int) -> Range<Int>? {
    dropSpent()
    while position < bytes.count, !isOverflown {
      let start = position
      guard let base = bytes.baseAddress,
        let found = memchr(base + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
      else {
        position = bytes.count
        joined.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start...]))
        if joined.count > SSESplitter.limit { isOverflown = true }
        return nil
      }
      let end = UnsafeRawPointer(found) - base
      position = end + 1
      if joined.isEmpty {
        let line = trim(bytes, start..<end)
        if !line.isEmpty { return line }
        continue
      }
      joined.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
      if spendJoined() { return 0..<0 }
      dropSpent()
    }
    return nil
  }

  /// Whether the body ended in a line without its line end, which is then in `joined`.
  mutating func finish() -> Bool {
    dropSpent()
    return !joined.isEmpty && spendJoined()
  }

  /// Trims `joined`; false when nothing is left of it.
  private mutating func spendJoined() -> Bool {
    joinedIsSpent = true
    let line = joined.withUnsafeBytes { trim($0, 0..<$0.count) }
    if line.count < joined.count { joined = Array(joined[line]) }
    return !joined.isEmpty
  }

  private mutating func dropSpent() {
    guard joinedIsSpent else { return }
    joinedIsSpent = false
    joined.removeAll(keepingCapacity: true)
  }

  private mutating func trim(_ bytes: UnsafeRawBufferPointer, _ whole: Range<Int>) -> Range<Int> {
    var (start, end) = (whole.lowerBound, whole.upperBound)
    if isFirstLine {
      isFirstLine = false
      if whole.count >= 3, bytes[start] == 0xEF, bytes[start + 1] == 0xBB, bytes[start + 2] == 0xBF {
        start += 3
      }
    }
    while start < end, JSONBlank.contains(bytes[start]) { start += 1 }
    while end > start, JSONBlank.contains(bytes[end - 1]) { end -= 1 }
    return start..<end
  }
}

/// The white space of RFC 8259.
enum JSONBlank {
  @inline(__always)
  static func contains(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
}
