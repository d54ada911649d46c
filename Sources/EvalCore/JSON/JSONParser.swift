/// Checks a text against the grammar and writes its tape. One pass, no recursion, no allocation: open
/// containers are chained through their unfinished tape entries.
struct JSONParser {
  let text: UnsafePointer<UInt8>
  let end: Int
  let tape: UnsafeMutablePointer<JSONTapeEntry>
  let relaxed: Bool

  private var tapeCount = 0
  private var open = JSONParser.none
  private var depth = 0
  private(set) var fault: (kind: JSONFault, offset: Int)?

  private static let none = UInt32.max
  /// Returned instead of a position after a fault.
  static let failed = -1

  init(
    text: UnsafePointer<UInt8>, count: Int, tape: UnsafeMutablePointer<JSONTapeEntry>, relaxed: Bool
  ) {
    self.text = text
    end = count
    self.tape = tape
    self.relaxed = relaxed
  }

  /// Parses the whole text; `false` leaves the reason in ``fault``.
  mutating func run() -> Bool {
    var position = skipBlank(skipByteOrderMark())
    while position >= 0 {
      position = value(at: position)
      while position >= 0 {
        position = skipBlank(position)
        if open == Self.none { return finish(at: position) }
        let isObject = tape[Int(open)].tag == .object
        let byte = text[position]
        if byte == UInt8(ascii: ",") {
          position = afterComma(position, isObject: isObject)
          if position >= 0, text[position] == Self.closer(isObject) {
            position = close(at: position)
            continue
          }
          if isObject { position = key(at: position, .expectedKey) }
          break
        }
        guard byte == Self.closer(isObject) else {
          position = fail(isObject ? .afterMember : .afterElement, at: position)
          break
        }
        position = close(at: position)
      }
    }
    return false
  }

  @inline(__always)
  private static func closer(_ isObject: Bool) -> UInt8 {
    isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
  }

  private mutating func finish(at position: Int) -> Bool {
    if fault != nil { return false }
    if position == end { return true }
    _ = fail(.textAfterValue, at: position)
    return false
  }

  /// The position of what follows a comma: a closer is let through in the relaxed dialect only.
  @inline(__always)
  private mutating func afterComma(_ comma: Int, isObject: Bool) -> Int {
    let position = skipBlank(comma + 1)
    if text[position] == Self.closer(isObject), !relaxed { return fail(.trailingComma, at: comma) }
    return position
  }

  /// Reads one value, or opens a container and leaves the position at its first value.
  @inline(__always)
  private mutating func value(at start: Int) -> Int {
    var start = start
    while true {
      switch text[start] {
      case UInt8(ascii: "\""):
        return string(at: start)
      case UInt8(ascii: "{"):
        var position = begin(.object, at: start)
        if position < 0 { return position }
        if text[position] == UInt8(ascii: "}") { return close(at: position) }
        position = key(at: position, .expectedKeyOrEnd)
        if position < 0 { return position }
        start = position
      case UInt8(ascii: "["):
        let position = begin(.array, at: start)
        if position < 0 { return position }
        if text[position] == UInt8(ascii: "]") { return close(at: position) }
        start = position
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        return number(at: start)
      case UInt8(ascii: "t"):
        return word(at: start, 0x6575_7274, length: 4, .true)
      case UInt8(ascii: "f"):
        return word(at: start, 0x65_736c_6166, length: 5, .false)
      case UInt8(ascii: "n"):
        return word(at: start, 0x6c6c_756e, length: 4, .null)
      default:
        return failAtValue(start)
      }
    }
  }

  @inline(__always)
  mutating func push(_ tag: JSONTapeEntry.Tag, from start: Int, to end: Int) {
    tape[tapeCount] = JSONTapeEntry(
      start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
      next: UInt32(truncatingIfNeeded: tapeCount &+ 1), tag: tag)
    tapeCount &+= 1
  }

  @inline(__always)
  private mutating func begin(_ tag: JSONTapeEntry.Tag, at start: Int) -> Int {
    if depth == jsonDepthLimit { return fail(.tooDeep, at: start) }
    depth &+= 1
    let index = UInt32(truncatingIfNeeded: tapeCount)
    push(tag, from: start, to: start)
    tape[Int(index)].next = open
    open = index
    return skipBlank(start &+ 1)
  }

  @inline(__always)
  private mutating func close(at position: Int) -> Int {
    let index = Int(open)
    open = tape[index].next
    tape[index].next = UInt32(truncatingIfNeeded: tapeCount)
    tape[index].end = UInt32(truncatingIfNeeded: position &+ 1)
    depth &-= 1
    return position &+ 1
  }

  /// Reads a key and its colon; the result is where the member's value begins.
  @inline(__always)
  private mutating func key(at start: Int, _ missing: JSONFault) -> Int {
    if start < 0 { return start }
    guard text[start] == UInt8(ascii: "\"") else { return fail(missing, at: start) }
    var position = string(at: start)
    if position < 0 { return position }
    position = skipBlank(position)
    guard text[position] == UInt8(ascii: ":") else { return fail(.expectedColon, at: position) }
    return skipBlank(position &+ 1)
  }

  /// Reads `true`, `false` or `null`, given as the little-endian number of its letters.
  @inline(__always)
  private mutating func word(at start: Int, _ letters: UInt64, length: Int, _ tag: JSONTapeEntry.Tag) -> Int {
    let mask = (UInt64(1) << UInt64(length &* 8)) &- 1
    guard load(start) & mask == letters, !Self.isWordByte(text[start &+ length]) else {
      return fail(.unexpectedWord, at: start)
    }
    push(tag, from: start, to: start &+ length)
    return start &+ length
  }

  /// Eight bytes of the text, the first in the lowest bits; the padding makes any offset up to the end safe.
  @inline(__always)
  func load(_ offset: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(text + offset).loadUnaligned(as: UInt64.self))
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: false
    }
  }

  /// Keeps the first fault, and turns one met at the end of the text into what it is.
  @inline(never)
  mutating func fail(_ kind: JSONFault, at offset: Int) -> Int {
    if fault == nil {
      let atEnd = offset >= end && kind != .tooLong
      fault = (atEnd ? .unexpectedEnd : kind, offset)
    }
    return Self.failed
  }
}
