/// Texts in HTML.
enum HTMLText {
  /// The content of an element or of an attribute in double quotes, whoever wrote the text.
  ///
  /// Line feeds and tabs stay. Other controls and the marks that turn the direction of what follows become `�`, as in
  /// a terminal: on a page they would make one text look like another.
  static func escape(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count + 64)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += Array("&amp;".utf8)
      case "<": result += Array("&lt;".utf8)
      case ">": result += Array("&gt;".utf8)
      case "\"": result += Array("&quot;".utf8)
      case "'": result += Array("&#39;".utf8)
      case "\n", "\t": result.append(UInt8(scalar.value))
      // Parsers make a line feed of a lone one, and one of both.
      case "\r": continue
      default: result += Array((isForbidden(scalar) ? "\u{FFFD}" : scalar).utf8)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The same on one line, for titles and attributes.
  static func line(_ text: String) -> String {
    escape(text.utf8.contains(0x0A) ? String(text.map { $0.isNewline ? " " : $0 }) : text)
  }

  /// A word for the fragment of an address: small letters, digits and hyphens, `part` where nothing is left.
  static func anchor(_ title: String) -> String {
    var result = ""
    for scalar in title.lowercased().unicodeScalars {
      if ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) {
        result.unicodeScalars.append(scalar)
      } else if !result.isEmpty, !result.hasSuffix("-") {
        result += "-"
      }
    }
    while result.hasSuffix("-") { result.removeLast() }
    return result.isEmpty ? "part" : String(result.prefix(60))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
    default: byte == 0x0A || (byte >= 0x20 && byte < 0x7F)
    }
  }

  /// What `TerminalText` keeps from a terminal, and what Unicode keeps from exchange.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    TerminalText.isUnsafe(scalar) || scalar.value & 0xFFFE == 0xFFFE
      || (0xFDD0...0xFDEF).contains(scalar.value)
  }
}
