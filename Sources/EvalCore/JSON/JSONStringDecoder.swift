/// Turns the checked bytes between two quotes into valid UTF-8.
enum JSONStringDecoder {
  /// The value of one hexadecimal digit.
  @inline(__always)
  static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte &- UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte &- UInt8(ascii: "a") &+ 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte &- UInt8(ascii: "A") &+ 10)
    default: nil
    }
  }

  /// The UTF-16 unit of the `\uXXXX` at `offset`; nil when none stands there.
  static func escapedUnit(_ content: UnsafeBufferPointer<UInt8>, at offset: Int) -> UInt16? {
    guard offset + 6 <= content.count, content[offset] == UInt8(ascii: "\\"),
      content[offset + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt32 = 0
    for index in offset + 2..<offset + 6 {
      guard let digit = hexDigit(content[index]) else { return nil }
      unit = unit << 4 | digit
    }
    return UInt16(unit)
  }

  /// Decodes `content` into `output`, which must hold three bytes for each of its bytes.
  ///
  /// - Returns: the number of bytes written.
  static func decode(_ content: UnsafeBufferPointer<UInt8>, into output: UnsafeMutablePointer<UInt8>) -> Int {
    guard let source = content.baseAddress else { return 0 }
    var position = 0
    var written = 0
    while position < content.count {
      let byte = source[position]
      if byte == UInt8(ascii: "\\") {
        let (scalar, length) = escape(content, at: position)
        written += write(scalar, to: output + written)
        position += length
      } else if byte < 0x80 {
        output[written] = byte
        written += 1
        position += 1
      } else {
        let length = validSequence(source + position)
        if length > 0 {
          for offset in 0..<length { output[written + offset] = source[position + offset] }
          written += length
          position += length
        } else {
          written += write(0xFFFD, to: output + written)
          position += -length
        }
      }
    }
    return written
  }

  /// The scalar of the checked escape at `position` and its length; a lone surrogate reads as U+FFFD.
  private static func escape(
    _ content: UnsafeBufferPointer<UInt8>, at position: Int
  ) -> (scalar: UInt32, length: Int) {
    switch content[position + 1] {
    case UInt8(ascii: "b"): return (0x08, 2)
    case UInt8(ascii: "f"): return (0x0C, 2)
    case UInt8(ascii: "n"): return (0x0A, 2)
    case UInt8(ascii: "r"): return (0x0D, 2)
    case UInt8(ascii: "t"): return (0x09, 2)
    case UInt8(ascii: "u"):
      let unit = escapedUnit(content, at: position) ?? 0xFFFD
      guard unit & 0xF800 == 0xD800 else { return (UInt32(unit), 6) }
      guard unit & 0xFC00 == 0xD800, let low = escapedUnit(content, at: position + 6), low & 0xFC00 == 0xDC00
      else { return (0xFFFD, 6) }
      return (surrogatePair(unit, low), 12)
    case let byte: return (UInt32(byte), 2)
    }
  }

  /// The scalar value of a surrogate pair.
  static func surrogatePair(_ high: UInt16, _ low: UInt16) -> UInt32 {
    0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(low & 0x3FF))
  }

  /// Writes the UTF-8 of `scalar` and returns its length.
  static func write(_ scalar: UInt32, to output: UnsafeMutablePointer<UInt8>) -> Int {
    switch scalar {
    case ..<0x80:
      output[0] = UInt8(scalar)
      return 1
    case ..<0x800:
      output[0] = 0xC0 | UInt8(scalar >> 6)
      output[1] = 0x80 | UInt8(scalar & 0x3F)
      return 2
    case ..<0x10000:
      output[0] = 0xE0 | UInt8(scalar >> 12)
      output[1] = 0x80 | UInt8(scalar >> 6 & 0x3F)
      output[2] = 0x80 | UInt8(scalar & 0x3F)
      return 3
    default:
      output[0] = 0xF0 | UInt8(scalar >> 18)
      output[1] = 0x80 | UInt8(scalar >> 12 & 0x3F)
      output[2] = 0x80 | UInt8(scalar >> 6 & 0x3F)
      output[3] = 0x80 | UInt8(scalar & 0x3F)
      return 4
    }
  }

  /// The length of the well-formed UTF-8 sequence at `bytes`, or minus the length of the maximal subpart to
  /// replace (Unicode 16, table 3-7 and "U+FFFD substitution of maximal subparts"). The closing quote of the
  /// string is no continuation byte, so no bounds are needed.
  static func validSequence(_ bytes: UnsafePointer<UInt8>) -> Int {
    let first = bytes[0]
    let second: ClosedRange<UInt8>
    let length: Int
    switch first {
    case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
    case 0xE0: (second, length) = (0xA0...0xBF, 3)
    case 0xED: (second, length) = (0x80...0x9F, 3)
    case 0xE1...0xEF: (second, length) = (0x80...0xBF, 3)
    case 0xF0: (second, length) = (0x90...0xBF, 4)
    case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
    case 0xF4: (second, length) = (0x80...0x8F, 4)
    default: return -1
    }
    guard second.contains(bytes[1]) else { return -1 }
    for index in 2..<max(2, length) where bytes[index] & 0xC0 != 0x80 { return -index }
    return length
  }
}
