extension JSONParser {
  /// The position of the next byte that is neither white space nor, if relaxed, part of a comment.
  @inline(__always)
  mutating func skipBlank(_ position: Int) -> Int {
    let byte = text[position]
    if byte > 0x20, byte != UInt8(ascii: "/") { return position }
    return skipBlankSlowly(position)
  }

  @inline(never)
  private mutating func skipBlankSlowly(_ start: Int) -> Int {
    var position = start
    while true {
      switch text[position] {
      case 0x20, 0x0A, 0x0D, 0x09:
        position += 1
      case UInt8(ascii: "/") where relaxed && text[position + 1] == UInt8(ascii: "/"):
        while position < end, text[position] != 0x0A, text[position] != 0x0D { position += 1 }
      case UInt8(ascii: "/") where relaxed && text[position + 1] == UInt8(ascii: "*"):
        position = skipBlockComment(position)
      case UInt8(ascii: "/")
      where text[position + 1] == UInt8(ascii: "/") || text[position + 1] == UInt8(ascii: "*"):
        _ = fail(.commentInStrict, at: position)
        return position
      default:
        return position
      }
    }
  }

  /// After a comment that never ends, the position is the end of the text and the fault is kept.
  private mutating func skipBlockComment(_ start: Int) -> Int {
    var position = start + 2
    while position < end {
      if text[position] == UInt8(ascii: "*"), text[position + 1] == UInt8(ascii: "/") { return position + 2 }
      position += 1
    }
    _ = fail(.unterminatedComment, at: start)
    return end
  }

  mutating func skipByteOrderMark() -> Int {
    guard load(0) & 0xFF_FFFF == 0xBF_BBEF else { return 0 }
    if !relaxed { _ = fail(.byteOrderMark, at: 0) }
    return 3
  }

  /// Chooses the most telling fault for a byte that begins no value.
  @inline(never)
  mutating func failAtValue(_ position: Int) -> Int {
    switch text[position] {
    case UInt8(ascii: "+"): fail(.leadingPlus, at: position)
    case UInt8(ascii: "."): fail(.digitBeforePoint, at: position)
    case let byte where Self.isWordByte(byte): fail(.unexpectedWord, at: position)
    default: fail(.expectedValue, at: position)
    }
  }

  /// The error for the kept fault, with the word or character that stands there.
  func syntaxError() -> JSONSyntaxError {
    let (kind, offset) = fault ?? (.unexpectedEnd, end)
    return JSONSyntaxError(offset: offset, message: kind.message(found: found(at: offset)))
  }

  /// At most 20 letters of the word at `offset`, or the one character there, in single quotes.
  private func found(at offset: Int) -> String {
    guard offset < end else { return "end of text" }
    var stop = offset
    while stop < end, stop - offset < 20, Self.isWordByte(text[stop]) { stop += 1 }
    if stop == offset {
      let scalar =
        String(
          decoding: UnsafeBufferPointer(start: text + offset, count: min(4, end - offset)), as: UTF8.self
        ).unicodeScalars.first ?? "\u{FFFD}"
      if scalar.value < 0x20 || scalar.value == 0x7F {
        return "control character U+00" + (scalar.value < 16 ? "0" : "")
          + String(scalar.value, radix: 16, uppercase: true)
      }
      return "'\(scalar)'"
    }
    return "'"
      + String(decoding: UnsafeBufferPointer(start: text + offset, count: stop - offset), as: UTF8.self) + "'"
  }
}
