/// What a splitter finds in the bytes it is shown.
enum Split: Equatable {
  /// A record, and where the search goes on.
  case record(Range<Int>, next: Int)
  /// The record goes on beyond the bytes shown.
  case needsMore
  case end
  /// The file stops being of its format here.
  case fault(offset: Int, message: String)
}

/// Cuts a file into its records without reading them. It is shown a part of the file and keeps no bytes.
protocol RecordSplitter {
  /// - Parameters:
  ///   - bytes: a part of the file.
  ///   - start: where to go on in it.
  ///   - isLast: nothing follows `bytes`.
  mutating func next(in bytes: UnsafeRawBufferPointer, from start: Int, isLast: Bool) -> Split
}

/// One JSON value a line. Blank lines and lines that begin with `//` are passed over.
struct LineSplitter: RecordSplitter {
  mutating func next(in bytes: UnsafeRawBufferPointer, from start: Int, isLast: Bool) -> Split {
    var start = start
    while start < bytes.count {
      var end = start
      var isBlank = true
      while end < bytes.count, bytes[end] != 0x0A {
        if bytes[end] > 0x20 { isBlank = false }
        end += 1
      }
      if end == bytes.count, !isLast { return .needsMore }
      let next = min(end + 1, bytes.count)
      if !isBlank, !isComment(bytes, from: start, to: end) { return .record(start..<end, next: next) }
      start = next
    }
    return isLast ? .end : .needsMore
  }

  private func isComment(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Bool {
    var first = start
    while first < end, bytes[first] <= 0x20 { first += 1 }
    return first + 1 < end && bytes[first] == UInt8(ascii: "/") && bytes[first + 1] == UInt8(ascii: "/")
  }
}

/// Comma-separated values as RFC 4180 writes them; LF, CR LF and CR end a record. Blank lines are passed over.
struct CSVSplitter: RecordSplitter {
  mutating func next(in bytes: UnsafeRawBufferPointer, from start: Int, isLast: Bool) -> Split {
    var start = start
    while start < bytes.count {
      guard let end = end(in: bytes, from: start) else {
        if !isLast { return .needsMore }
        return .record(start..<bytes.count, next: bytes.count)
      }
      // A CR at the end of the bytes shown may be half of a line end.
      if bytes[end] == 0x0D, end + 1 == bytes.count, !isLast { return .needsMore }
      let isPair = bytes[end] == 0x0D && end + 1 < bytes.count && bytes[end + 1] == 0x0A
      let next = end + (isPair ? 2 : 1)
      if end > start { return .record(start..<end, next: next) }
      start = next
    }
    return isLast ? .end : .needsMore
  }

  /// Where a line end stands outside quotes; a quote counts at the beginning of a field only.
  private func end(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var index = start
    var isFieldStart = true
    while index < bytes.count {
      let byte = bytes[index]
      if isFieldStart, byte == UInt8(ascii: "\"") {
        guard let after = CSVRow.afterQuotes(bytes, from: index) else { return nil }
        index = after
        isFieldStart = false
        continue
      }
      if byte == 0x0A || byte == 0x0D { return index }
      isFieldStart = byte == UInt8(ascii: ",")
      index += 1
    }
    return nil
  }
}

/// The elements of one JSON array, with comments and trailing commas where the relaxed dialect has them.
struct ArraySplitter: RecordSplitter {
  private enum State { case beforeArray, beforeFirst, beforeElement, afterElement, afterArray }

  /// Where the last record left off: a search that finds nothing leaves no trace, it will begin again.
  private var reached = State.beforeArray

  mutating func next(in bytes: UnsafeRawBufferPointer, from start: Int, isLast: Bool) -> Split {
    var index = start
    var state = reached
    while true {
      guard let found = afterBlank(bytes, from: index) else {
        if !isLast { return .needsMore }
        return state == .afterArray ? .end : .fault(offset: bytes.count, message: "unexpected end of text")
      }
      index = found
      let byte = bytes[index]
      switch (state, byte) {
      case (.beforeArray, UInt8(ascii: "[")): state = .beforeFirst
      case (.beforeArray, _): return .fault(offset: index, message: "expected an array of cases")
      case (.afterArray, _): return .fault(offset: index, message: "unexpected text after the array of cases")
      case (.beforeFirst, UInt8(ascii: "]")), (.beforeElement, UInt8(ascii: "]")),
        (.afterElement, UInt8(ascii: "]")):
        state = .afterArray
      case (.afterElement, UInt8(ascii: ",")): state = .beforeElement
      case (.afterElement, _): return .fault(offset: index, message: "expected ',' or ']' after a case")
      case (.beforeFirst, UInt8(ascii: ",")), (.beforeElement, UInt8(ascii: ",")):
        return .fault(offset: index, message: "expected a case before ','")
      case (.beforeFirst, _), (.beforeElement, _):
        guard let end = end(of: index, in: bytes) else {
          // What is left of a file that ends within a case tells its own fault when it is parsed.
          return isLast ? .record(index..<bytes.count, next: bytes.count) : .needsMore
        }
        reached = .afterElement
        return .record(index..<end, next: end)
      }
      index += 1
    }
  }

  /// The first byte that is no white space and no comment; `nil` when the bytes end before one.
  private func afterBlank(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "/") {
        guard let after = afterComment(bytes, from: index) else { return nil }
        if after == index { return index }
        index = after
      } else if bytes[index] <= 0x20 {
        index += 1
      } else {
        return index
      }
    }
    return nil
  }

  /// The end of a comment, `start` when there is none, `nil` when the bytes end within it.
  private func afterComment(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start + 1 < bytes.count else { return nil }
    var index = start + 2
    switch bytes[start + 1] {
    case UInt8(ascii: "/"):
      while index < bytes.count, bytes[index] != 0x0A { index += 1 }
      return index < bytes.count ? index : nil
    case UInt8(ascii: "*"):
      while index + 1 < bytes.count {
        if bytes[index] == UInt8(ascii: "*"), bytes[index + 1] == UInt8(ascii: "/") { return index + 2 }
        index += 1
      }
      return nil
    default: return start
    }
  }

  /// Where a value ends; brackets are only counted, the parser looks at them.
  private func end(of start: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    var index = start
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        guard let after = afterString(bytes, from: index) else { return nil }
        index = after
        if depth == 0 { return index }
        continue
      case UInt8(ascii: "/"):
        guard let after = afterComment(bytes, from: index) else { return nil }
        index = max(after, index + 1)
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if depth == 0 { return index }
        depth -= 1
        if depth == 0 { return index + 1 }
      case UInt8(ascii: ","), 0...0x20:
        if depth == 0 { return index }
      default: break
      }
      index += 1
    }
    return nil
  }

  private func afterString(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var index = start + 1
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\"): index += 2
      case UInt8(ascii: "\""): return index + 1
      default: index += 1
      }
    }
    return nil
  }
}
