/// Writes elements of one SVG; every text and attribute is escaped.
struct SVGWriter {
  private(set) var text = ""

  typealias Attributes = KeyValuePairs<String, SVGValue>

  mutating func open(_ name: String, _ attributes: Attributes = [:]) {
    start(name, attributes)
    text += ">"
  }

  mutating func close(_ name: String) { text += "</\(name)>\n" }

  mutating func element(_ name: String, _ attributes: Attributes) {
    start(name, attributes)
    text += "/>\n"
  }

  /// An element with nothing but words in it.
  mutating func element(_ name: String, _ attributes: Attributes = [:], words: String) {
    start(name, attributes)
    text += ">\(SVGText.escape(words))</\(name)>\n"
  }

  private mutating func start(_ name: String, _ attributes: Attributes) {
    text += "<\(name)"
    for (key, value) in attributes {
      guard let words = value.text else { continue }
      text += " \(key)=\"\(words)\""
    }
  }
}

/// The value of an attribute, made safe; `nil` leaves the attribute out.
struct SVGValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  let text: String?

  init(stringLiteral value: String) { text = SVGText.escape(value) }

  init(_ words: String?) { text = words.map(SVGText.escape) }

  init(_ number: Double) { text = SVGNumber.text(number) }
}

/// Coordinates: one decimal, the same on every machine.
enum SVGNumber {
  static func text(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e8 else { return "0" }
    let tenths = Int((value * 10).rounded())
    let (whole, rest) = (tenths.magnitude / 10, tenths.magnitude % 10)
    return (tenths < 0 ? "-" : "") + String(whole) + (rest == 0 ? "" : ".\(rest)")
  }
}

enum SVGText {
  /// Words of strangers as text or in an attribute: no markup, no control, nothing that turns the direction of what
  /// follows.
  static func escape(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return XMLText.escape(text) }
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\t", "\r": safe.append(" ")
      default: safe.append(TerminalText.isUnsafe(scalar) ? "\u{FFFD}" : scalar)
      }
    }
    return XMLText.escape(String(safe))
  }

  /// About how wide words are in the system's sans serif, in the unit of the font's size; rather too wide than too narrow.
  static func width(_ text: String, size: Double) -> Double {
    text.reduce(0.0) { $0 + width($1) } * size
  }

  private static func width(_ character: Character) -> Double {
    switch character {
    case "i", "j", "l", "I", ".", ",", ":", ";", "'", "|", "!", " ": 0.32
    case "f", "r", "t", "(", ")", "[", "]", "/", "-": 0.42
    case "m", "w", "M", "W", "@", "%", "—", "…": 0.95
    case "A"..."Z": 0.72
    default: DisplayWidth.of(character) == 2 ? 1.05 : 0.59
    }
  }

  /// Cut to a width, with `…` at its end.
  static func cut(_ text: String, to width: Double, size: Double) -> String {
    guard self.width(text, size: size) > width else { return text }
    var rest = width - self.width("…", size: size)
    var kept = ""
    for character in text {
      rest -= self.width(character) * size
      if rest < 0 { break }
      kept.append(character)
    }
    return kept + "…"
  }
}
