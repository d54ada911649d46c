extension JSONParser {
  /// Reads the string whose opening quote is at `start`; escapes are checked here and decoded on demand.
  @inline(__always)
  mutating func string(at start: Int) -> Int {
    var tag = JSONTapeEntry.Tag.string
    var position = start &+ 1
    while true {
      let (step, highBits) = Self.scanStringBytes(load(position))
      if highBits != 0 { tag.bits |= JSONTapeEntry.Tag.nonASCII }
      position &+= step
      if step == 8 { continue }
      let byte = text[position]
      if byte == UInt8(ascii: "\"") { break }
      guard byte == UInt8(ascii: "\\") else { return failInString(at: position, start: start) }
      tag.bits |= JSONTapeEntry.Tag.escaped
      position = escape(at: position, start: start)
      if position < 0 { return position }
    }
    push(tag, from: start, to: position &+ 1)
    return position &+ 1
  }

  /// How many of eight bytes are plain string content (8: all), and the high bits among those.
  ///
  /// Each test borrows only from lower bytes that matched already, so the lowest match is exact; see
  /// "Determine if a word has a zero byte" in Anderson's *Bit Twiddling Hacks*.
  @inline(__always)
  static func scanStringBytes(_ word: UInt64) -> (step: Int, highBits: UInt64) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5c)
    let stops =
      (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
        | ((word &- ones &* 0x20) & ~word)) & highs
    if stops == 0 { return (8, word & highs) }
    let below = (stops & (0 &- stops)) &- 1
    return (stops.trailingZeroBitCount &>> 3, word & highs & below)
  }

  @inline(never)
  private mutating func escape(at position: Int, start: Int) -> Int {
    switch text[position + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return position + 2
    case UInt8(ascii: "u"):
      for index in position + 2..<position + 6 where JSONStringDecoder.hexDigit(text[index]) == nil {
        return index >= end ? fail(.unterminatedString, at: start) : fail(.badUnicodeEscape, at: position)
      }
      return position + 6
    default:
      return position + 1 >= end ? fail(.unterminatedString, at: start) : fail(.badEscape, at: position)
    }
  }

  @inline(never)
  private mutating func failInString(at position: Int, start: Int) -> Int {
    if position >= end { return fail(.unterminatedString, at: start) }
    switch text[position] {
    case 0x0A, 0x0D: return fail(.lineBreakInString, at: position)
    case 0x09: return fail(.tabInString, at: position)
    default: return fail(.controlInString, at: position)
    }
  }

  @inline(__always)
  private func isDigit(_ position: Int) -> Bool { text[position] &- UInt8(ascii: "0") < 10 }

  @inline(__always)
  private func skipDigits(_ start: Int) -> Int {
    var position = start
    while isDigit(position) { position &+= 1 }
    return position
  }

  /// Reads a number; its value is computed on demand.
  @inline(__always)
  mutating func number(at start: Int) -> Int {
    var position = start
    if text[position] == UInt8(ascii: "-") {
      position &+= 1
      guard isDigit(position) else { return fail(.digitAfterMinus, at: start) }
    }
    if text[position] == UInt8(ascii: "0"), isDigit(position &+ 1) { return fail(.leadingZero, at: start) }
    position = skipDigits(position &+ 1)
    switch text[position] {
    case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      return fraction(from: start, at: position)
    default:
      if position &- start > 300 { return checkRange(from: start, to: position, .plainInteger) }
      push(.plainInteger, from: start, to: position)
      return position
    }
  }

  private mutating func fraction(from start: Int, at point: Int) -> Int {
    var position = point
    if text[position] == UInt8(ascii: ".") {
      guard isDigit(position + 1) else { return fail(.digitAfterPoint, at: start) }
      position = skipDigits(position + 1)
    }
    var exponentDigits = 0
    if text[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if text[position] == UInt8(ascii: "+") || text[position] == UInt8(ascii: "-") { position += 1 }
      guard isDigit(position) else { return fail(.digitInExponent, at: start) }
      let digits = position
      position = skipDigits(position)
      exponentDigits = position - digits
    }
    if exponentDigits > 2 || position - start > 100 { return checkRange(from: start, to: position, .number) }
    push(.number, from: start, to: position)
    return position
  }

  /// Refuses what no double can hold, so that no reader meets an infinity.
  @inline(never)
  private mutating func checkRange(from start: Int, to position: Int, _ tag: JSONTapeEntry.Tag) -> Int {
    guard JSONNumber.double(text + start, count: position - start).isFinite else {
      return fail(.numberTooLarge, at: start)
    }
    push(tag, from: start, to: position)
    return position
  }
}
