import EvalCore

/// The answer is not too short and not too long.
struct LengthGrader: Grader {
  enum Unit: String, CaseIterable { case characters, words, lines, sentences, tokens }

  static let descriptor = GraderDescriptor(
    name: "length",
    summary: "The answer has at least and at most so many characters, words, lines, sentences or tokens.",
    argument: [
      "type": "object", "additionalProperties": false, "minProperties": 1,
      "properties": ["min": ["type": "integer", "minimum": 0], "max": ["type": "integer", "minimum": 0]],
    ],
    options: [OptionSpec("unit", Shape.words(Unit.self), "What is counted: characters unless given.")],
    example: ["length": ["min": 10, "max": 200], "unit": "words"]
  ) { spec, _ throws(GraderProblem) in try LengthGrader(CheckReader(spec)) }

  private let unit: Unit
  private let min: Int?
  private let max: Int?

  init(_ reader: CheckReader) throws(GraderProblem) {
    unit = try reader.word("unit", default: .characters)
    guard let object = reader.argument.objectValue, !object.isEmpty else {
      throw reader.wrongArgument("an object with 'min', 'max' or both is needed")
    }
    for key in object.keys where key != "min" && key != "max" {
      throw GraderProblem(
        "'\(key)' is not a bound of a length", path: "length.\(key)",
        advice: suggestion(for: key, among: ["min", "max"]) ?? "the unit stands beside 'length', as 'unit'")
    }
    min = try LengthGrader.bound("min", object)
    max = try LengthGrader.bound("max", object)
    if let min, let max, min > max {
      throw GraderProblem("no length is at least \(min) and at most \(max)", path: "length.min")
    }
  }

  private static func bound(_ key: String, _ object: JSONObject) throws(GraderProblem) -> Int? {
    guard let value = object[key] else { return nil }
    guard let number = value.intValue, number >= 0 else {
      throw GraderProblem("'\(key)' is an integer, 0 or more", path: "length.\(key)")
    }
    return Int(number)
  }

  func grade(_ subject: Subject) async -> Verdict {
    guard let count = count(subject) else {
      return Verdict(.unscored(.notReported, "the provider did not report how many tokens the answer has"))
    }
    let bounds = [min.map { "at least \($0)" }, max.map { "at most \($0)" }].compactMap(\.self)
    let isRight = count >= min ?? 0 && count <= max ?? .max
    return Verdict(
      .verdict(isRight), "expected \(bounds.joined(separator: " and ")) \(unit.rawValue), found \(count)")
  }

  /// Tokens are those the provider reports without reasoning; the rest is counted in the text without white space at
  /// its ends.
  private func count(_ subject: Subject) -> Int? {
    if unit == .tokens {
      guard let usage = subject.usage, let output = usage.output else { return nil }
      return Swift.max(0, output - (usage.reasoning ?? 0))
    }
    let text = subject.answer.text.trimmedFast
    switch unit {
    case .characters: return text.count
    case .words: return LengthGrader.words(text)
    case .lines:
      return text.isEmpty
        ? 0 : text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
    case .sentences, .tokens: return LengthGrader.sentences(text)
    }
  }

  /// Runs of anything but white space with a letter or digit in them.
  static func words(_ text: String) -> Int {
    var count = 0
    var isCounted = false
    for scalar in text.unicodeScalars {
      if scalar.isWhite {
        isCounted = false
      } else if !isCounted, scalar.isWordPart {
        isCounted = true
        count += 1
      }
    }
    return count
  }

  /// Ends of sentences: `.`, `!`, `?` or `…` before white space or the end, perhaps with closing quotes between, and
  /// `。`, `！`, `？` anywhere. A last sentence without an end counts. Abbreviations are not known.
  static func sentences(_ text: String) -> Int {
    var count = 0
    var hasWord = false
    var isEnding = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case ".", "!", "?", "…": isEnding = hasWord
      case "。", "！", "？":
        if hasWord { count += 1 }
        (hasWord, isEnding) = (false, false)
      case "\"", "'", "”", "’", ")", "]", "*", "_": break
      default:
        if scalar.isWhite {
          if isEnding { count += 1 }
          if isEnding { hasWord = false }
          isEnding = false
        } else {
          isEnding = false
          if scalar.isWordPart { hasWord = true }
        }
      }
    }
    return hasWord ? count + 1 : count
  }
}
