import EvalCore

/// Text in explanations: short, on one line, in quotes.
enum Quote {
  /// The most characters of a text that an explanation shows.
  static let limit = 120

  static func text(_ text: String) -> String { "'" + shortened(text) + "'" }

  static func json(_ value: JSONValue) -> String { shortened(value.serialized()) }

  static func list(_ texts: [String]) -> String {
    let shown = texts.prefix(5).map(text).joined(separator: ", ")
    return texts.count > 5 ? "\(shown) and \(texts.count - 5) more" : shown
  }

  /// `'a'`, or `one of 'a', 'b'`.
  static func alternatives(_ texts: [String]) -> String {
    texts.count == 1 ? text(texts[0]) : "one of \(list(texts))"
  }

  /// The text on one line, cut after `limit` characters with an ellipsis.
  static func shortened(_ text: String, to limit: Int = limit) -> String {
    if text.utf8.count <= limit, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var short: [UInt8] = []
    var count = 0
    // One character is left out for the ellipsis, if there is one.
    var end = 0
    for scalar in text.unicodeScalars {
      if count == limit {
        short.removeSubrange(end...)
        return String(decoding: short, as: UTF8.self) + "…"
      }
      end = short.count
      count += 1
      if breaksLine(scalar) {
        short.append(0x20)
      } else if scalar.value < 0x80 {
        short.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        short.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
      }
    }
    return String(decoding: short, as: UTF8.self)
  }

  /// Control characters, and what some terminals take for a line's end.
  private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
    default: false
    }
  }

  /// A number without a needless fraction: `3`, `0.25`.
  static func number(_ value: Double) -> String {
    if value == value.rounded(), value.magnitude < 1e15 { return String(Int64(value)) }
    return value.description
  }

  /// A value in 0…1 with at most three decimals.
  static func share(_ value: Double) -> String { number((value * 1000).rounded() / 1000) }

  /// `1 word`, `2 words`.
  static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
