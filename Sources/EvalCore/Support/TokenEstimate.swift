/// How many tokens a text takes, without a tokenizer: an estimate, to be marked as one wherever it is shown.
///
/// The text is cut as tokenizers cut it first, into words, digits, punctuation and letters of other scripts, and each
/// piece costs what it costs on average. The costs were fitted by non-negative least squares to the mean of three
/// vocabularies (o200k, Llama 3, Qwen 3) over manual pages, licences, prose and source code in 24 languages. Mean
/// absolute error against that mean, by text of some hundred tokens: English 4 %, source code 5–7 %, Japanese, Korean,
/// Chinese and Russian 6–7 %, Spanish, French, Italian and German 10–12 %, languages with long words, such as Finnish
/// and Hungarian, up to 16 %. The vocabularies differ among themselves by little for English and by half for scripts
/// that one of them hardly knows; those of small or older models (SmolLM, cl100k) can take twice as many tokens there.
/// The error against llama.cpp's own tokenizer, by language, is in `Docs/Metrics.md`, "Token estimates".
package enum TokenEstimate {
  /// What a message costs besides its text: the marks of its role, beginning and end.
  package static let perMessage = 4

  /// The estimate for a text; 0 for an empty one.
  package static func tokens(in text: String) -> Int { count(in: text).tokens }

  /// The estimate for a value that travels as compact JSON, such as a tool's schema.
  package static func tokens(in value: JSONValue) -> Int { tokens(in: value.serialized(.compact)) }

  /// The estimate with its bounds, which depend on the scripts of the text.
  package static func count(in text: String) -> InputCount {
    if text.isEmpty { return .none }
    var counter = TokenCounter()
    for scalar in text.unicodeScalars { counter.take(scalar) }
    counter.endRun()
    // A tokenizer that knows nothing of a script spends a token on each byte, and none spends more.
    let most = text.utf8.count + 1
    return InputCount(
      tokens: max(1, Int(counter.total.rounded())), low: Int(counter.low),
      high: min(most, Int(counter.high.rounded(.up))), most: most, source: .estimate)
  }
}

/// How far a real count lies from the estimate: over the vocabularies of current models (o200k, Llama 3, Qwen) no text of
/// `Tests/Fixtures/tokens` is outside. The lower one also holds for small vocabularies, which need more.
struct EstimateMargin: Sendable, Hashable {
  var low: Double
  var high: Double

  /// English and code, with digits and punctuation.
  static let plain = EstimateMargin(low: 0.85, high: 1.2)
  /// Another language in Latin letters.
  static let foreign = EstimateMargin(low: 0.7, high: 1.35)
  /// Han, kana, Hangul.
  static let eastAsian = EstimateMargin(low: 0.7, high: 1.4)
  static let cyrillic = EstimateMargin(low: 0.75, high: 1.45)
  /// Scripts that one vocabulary knows well and another hardly.
  static let other = EstimateMargin(low: 0.5, high: 1.9)
}

/// Reads a text scalar by scalar and adds up its pieces.
private struct TokenCounter {
  private enum Script {
    case latin, space, digit, punctuation, han, kana, hangul, cyrillic, greek, arabic, hebrew, indic, thai,
      other
  }

  /// Cost of digits, punctuation and blanks.
  private var rest = 0.0
  /// Cost of the words, were the text English or code.
  private var plain = 0.0
  /// Cost of the words, were it another language in Latin letters.
  private var foreign = 0.0
  private var eastAsian = 0.0
  private var cyrillic = 0.0
  /// Cost of letters of all other scripts.
  private var other = 0.0
  private var letters = 0
  private var accents = 0
  private var run: (script: Script, count: Int)?
  private var endsLower = false
  private var hasNewline = false

  /// A text of another language shows it by its accents: more than one letter in two hundred has one.
  private var isForeign: Bool { accents * 200 > letters }
  private var latin: Double { rest + (isForeign ? foreign : plain) }

  var total: Double { latin + eastAsian + cyrillic + other }
  var low: Double { bound(\.low) }
  var high: Double { bound(\.high) }

  private func bound(_ side: KeyPath<EstimateMargin, Double>) -> Double {
    let latinMargin = isForeign ? EstimateMargin.foreign : .plain
    return latin * latinMargin[keyPath: side] + eastAsian * EstimateMargin.eastAsian[keyPath: side]
      + cyrillic * EstimateMargin.cyrillic[keyPath: side] + other * EstimateMargin.other[keyPath: side]
  }

  mutating func take(_ scalar: Unicode.Scalar) {
    let script = Self.script(of: scalar)
    let isUpper = (0x41...0x5A).contains(scalar.value)
    // camelCase is two words.
    if let run, run.script == script, !(script == .latin && isUpper && endsLower) {
      self.run = (script, run.count + 1)
    } else {
      endRun()
      run = (script, 1)
    }
    endsLower = script == .latin && !isUpper
    if script == .space { hasNewline = hasNewline || scalar == "\n" }
    if script == .latin {
      letters += 1
      if scalar.value > 0x7F {
        accents += 1
        foreign += 0.49
      }
    }
  }

  mutating func endRun() {
    guard let (script, count) = run else { return }
    run = nil
    let size = Double(count)
    switch script {
    case .latin:
      plain += 0.89 + 0.09 * max(0, size - 4)
      foreign += 0.53 + 0.47 * max(0, size - 4)
    case .space:
      // One space goes with the word after it.
      if count > 1, !hasNewline { rest += 0.51 }
      hasNewline = false
    case .digit: rest += 1.7 * (size / 3).rounded(.up)
    case .punctuation: rest += 1.15 + 0.05 * (size - 1)
    case .cyrillic: cyrillic += 0.29 * size
    case .han: eastAsian += 0.69 * size
    case .kana: eastAsian += 0.60 * size
    case .hangul: eastAsian += 0.73 * size
    case .greek: other += 0.60 * size
    case .arabic: other += 0.42 * size
    case .hebrew: other += 0.71 * size
    case .indic: other += 0.68 * size
    case .thai: other += 0.53 * size
    case .other: other += 1.84 * size
    }
  }

  private static func script(of scalar: Unicode.Scalar) -> Script {
    let value = scalar.value
    if value < 0x80 {
      switch value {
      case 0x41...0x5A, 0x61...0x7A: return .latin
      case 0x30...0x39: return .digit
      case 0x00...0x20, 0x7F: return .space
      default: return .punctuation
      }
    }
    switch value {
    case 0xC0..<0x250, 0x300..<0x370, 0x1E00..<0x1F00: return .latin
    case 0x370..<0x400, 0x1F00..<0x2000: return .greek
    case 0x400..<0x530: return .cyrillic
    case 0x590..<0x600: return .hebrew
    case 0x600..<0x780, 0xFB50..<0xFE00: return .arabic
    case 0x900..<0xE00: return .indic
    case 0xE00..<0x1100: return .thai
    case 0x1100..<0x1200, 0xAC00..<0xD7B0: return .hangul
    case 0x3040..<0x3100, 0x31F0..<0x3200: return .kana
    case 0x3400..<0xA000, 0xF900..<0xFB00, 0x20000..<0x32000: return .han
    case 0x80..<0xC0, 0x2000..<0x2070, 0x3000..<0x3040, 0xFF00..<0xFF66: return .punctuation
    default: return .other
    }
  }
}
