/// Cuts one JSON array into its elements as their closing brackets arrive, whatever the reads.
///
/// It follows depth and strings only: whether an element is JSON is for its parser to say. Elements that are no objects
/// or arrays are passed over.
struct JSONArraySplitter {
  /// The element that ended last; valid until the next call.
  private(set) var element: [UInt8] = []
  private(set) var isOverflown = false
  /// True after the bracket that closes the whole.
  private(set) var isClosed = false

  private var depth = 0
  private var inString = false
  private var isEscaped = false
  private var isComplete = false

  /// Whether an element ended in `bytes`; it is then in `element`.
  ///
  /// - Parameter position: where to go on; begins at 0 for each buffer.
  /// - Returns: false when the buffer is used up; what it began is kept.
  mutating func next(in bytes: UnsafeRawBufferPointer, from position: inout Int) -> Bool {
    if isComplete {
      isComplete = false
      element.removeAll(keepingCapacity: true)
    }
    var start = position
    while position < bytes.count, !isClosed, !isOverflown {
      let byte = bytes[position]
      position += 1
      if inString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          inString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): inString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if depth == 1 { start = position - 1 }
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth <= 0 { isClosed = true }
        if depth == 1 {
          element.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
          isComplete = true
          return true
        }
      default: break
      }
    }
    if depth > 1 {
      element.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
      if element.count > SSESplitter.limit { isOverflown = true }
    }
    return false
  }
}
