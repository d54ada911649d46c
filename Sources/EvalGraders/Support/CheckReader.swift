import EvalCore

/// Typed access to a check's settings; every mistake becomes a problem at its key.
struct CheckReader {
  let spec: CheckSpec

  /// - Parameter graded: whether the grader's values lie between 0 and 1 too. One that can only pass or fail has no
  ///   use for a threshold, and a setting without effect is a mistake.
  init(_ spec: CheckSpec, graded: Bool = false) throws(GraderProblem) {
    self.spec = spec
    if spec.threshold != nil, !graded {
      throw GraderProblem(
        "the check '\(spec.kind)' passes or fails, so a threshold has no effect", path: "threshold",
        advice: "leave 'threshold' out")
    }
  }

  var argument: JSONValue { spec.argument }

  func wrongArgument(_ message: String, advice: String? = nil) -> GraderProblem {
    GraderProblem(message, path: spec.kind, advice: advice)
  }

  func has(_ key: String) -> Bool { spec.options[key] != nil }

  func bool(_ key: String, default fallback: Bool) throws(GraderProblem) -> Bool {
    guard let value = spec.options[key] else { return fallback }
    guard let flag = value.boolValue else { throw GraderProblem("'\(key)' is true or false", path: key) }
    return flag
  }

  /// A finite number, 0 or more; `nil` when the option is not there.
  func nonNegative(_ key: String) throws(GraderProblem) -> Double? {
    guard let value = spec.options[key] else { return nil }
    guard let number = value.doubleValue, number.isFinite, number >= 0 else {
      throw GraderProblem("'\(key)' is a number, 0 or more", path: key)
    }
    return number
  }

  /// One of the words of an enumeration.
  func word<Word: RawRepresentable & CaseIterable>(
    _ key: String, default fallback: Word
  ) throws(GraderProblem) -> Word where Word.RawValue == String {
    guard let value = spec.options[key] else { return fallback }
    return try parseWord(value, at: key)
  }

  func parseWord<Word: RawRepresentable & CaseIterable>(
    _ value: JSONValue, at path: String
  ) throws(GraderProblem) -> Word where Word.RawValue == String {
    let words = Word.allCases.map(\.rawValue)
    if let text = value.stringValue, let word = Word(rawValue: text) { return word }
    throw GraderProblem(
      "\(value.serialized()) is not one of \(words.joined(separator: ", "))", path: path,
      advice: value.stringValue.flatMap { suggestion(for: $0, among: words) })
  }

  /// An array of strings that is not empty; `nil` when the option is not there.
  func strings(_ key: String) throws(GraderProblem) -> [String]? {
    guard let value = spec.options[key] else { return nil }
    return try CheckReader.strings(value, at: key)
  }

  static func strings(_ value: JSONValue, at path: String) throws(GraderProblem) -> [String] {
    let texts = value.arrayValue?.compactMap(\.stringValue)
    guard let texts, !texts.isEmpty, texts.count == value.arrayValue?.count else {
      throw GraderProblem("an array of strings is needed, with at least one", path: path)
    }
    return texts
  }
}

/// The schema fragments that descriptors share.
enum Shape {
  static let string: JSONValue = ["type": "string"]
  static let bool: JSONValue = ["type": "boolean"]
  static let nonNegative: JSONValue = ["type": "number", "minimum": 0]
  static let strings: JSONValue = ["type": "array", "items": ["type": "string"], "minItems": 1]
  static let reference: JSONValue = ["enum": [true, .null]]
  static let check: JSONValue = ["$ref": "#/$defs/check"]
  static let checks: JSONValue = ["type": "array", "items": ["$ref": "#/$defs/check"], "minItems": 1]

  static func oneOf(_ words: [String]) -> JSONValue { ["enum": .array(words.map { .string($0) })] }

  static func words<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) -> JSONValue
  where Word.RawValue == String {
    oneOf(Word.allCases.map(\.rawValue))
  }

  static func any(_ shapes: JSONValue...) -> JSONValue { ["anyOf": .array(shapes)] }
}

/// The options that several text graders share.
enum SharedOption {
  static let ignoreCase = OptionSpec("ignoreCase", Shape.bool, "Compare in lower case; false unless given.")
  static let trim = OptionSpec(
    "trim", Shape.bool, "Leave out white space at both ends of both texts; true unless given.")
  static let normalizeWhitespace = OptionSpec(
    "normalizeWhitespace", Shape.bool, "Read every run of white space as one space; false unless given.")
  static let allowFence = OptionSpec(
    "allowFence", Shape.bool, "Accept JSON inside one Markdown code fence; true unless given.")
  static let allowProse = OptionSpec(
    "allowProse", Shape.bool,
    "Accept text before and after the JSON: its one fenced block, else its first object or array; false unless given."
  )
  static let tolerance = OptionSpec(
    "tolerance", Shape.nonNegative, "How far numbers may differ, as a distance; 0 unless given.")
  static let relativeTolerance = OptionSpec(
    "relativeTolerance", Shape.nonNegative,
    "How far numbers may differ, as a share of the expected one; 0 unless given.")
}
