/// Makes texts safe to print: no control sequence of a model reaches the terminal, and where it cannot show Unicode
/// nothing but ASCII does.
package struct TerminalText: Sendable {
  let unicode: Bool

  /// - Parameter unicode: false where nothing but ASCII can be shown.
  package init(unicode: Bool) { self.unicode = unicode }

  /// Line feeds stay, tabs become blanks, other controls and direction marks become `�`.
  package func clean(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x0A: result.append(scalar)
      case 0x09: result.append(contentsOf: "  ".unicodeScalars)
      case 0x0D: continue
      default: append(scalar, to: &result)
      }
    }
    return String(result)
  }

  /// The same on one line.
  package func line(_ text: String) -> String {
    var cleaned = clean(text)
    if cleaned.utf8.contains(0x0A) { cleaned = String(cleaned.map { $0.isNewline ? " " : $0 }) }
    return cleaned
  }

  private func append(_ scalar: Unicode.Scalar, to result: inout String.UnicodeScalarView) {
    if TerminalText.isUnsafe(scalar) {
      result.append(unicode ? "\u{FFFD}" : "?")
    } else if unicode || scalar.value < 0x80 {
      result.append(scalar)
    } else if let plain = TerminalText.plain[scalar] {
      result.append(contentsOf: plain.unicodeScalars)
    } else if scalar.properties.generalCategory != .nonspacingMark {
      result.append("?")
    }
  }

  /// Controls, line separators, and the marks that turn the direction of what follows.
  static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  private static let plain: [Unicode.Scalar: String] = [
    "—": "-", "–": "-", "·": "|", "…": "...", "×": "x", "≥": ">=", "≤": "<=", "±": "+/-", "✓": "+", "✗": "x",
    "─": "-", "’": "'", "‘": "'", "“": "\"", "”": "\"", "→": "->", "µ": "u", "¹": "1", "\u{00A0}": " ",
  ]
}
