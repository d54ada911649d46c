/// Texts in XML 1.0.
enum XMLText {
  /// The content of an element or of an attribute in double quotes. What XML 1.0 cannot hold at all, and controls that
  /// nobody wants to hold, become `�`.
  static func escape(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && !isSpecial($0) }) { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count + 16)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      // In text only as a part of `]]>`, which it may not hold.
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      // A reader makes blanks of these in an attribute, and of a lone CR a line feed, unless they are spelled out.
      case "\t", "\n", "\r": result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(isForbidden(scalar) ? "\u{FFFD}" : scalar)
      }
    }
    return result
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
      || byte == UInt8(ascii: "\"")
  }

  /// Outside `Char` of the XML 1.0 recommendation (fifth edition, 2.2), or one of the controls it advises against.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: true
    default: false
    }
  }
}
