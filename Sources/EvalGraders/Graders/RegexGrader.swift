import EvalCore

/// The answer matches a regular expression, and a part of the match is what is expected.
struct RegexGrader: Grader {
  static let descriptor = GraderDescriptor(
    name: "regex", summary: "A regular expression (PCRE2) matches somewhere in the answer.",
    argument: ["type": "string", "minLength": 1],
    options: [
      OptionSpec(
        "flags", ["type": "string", "pattern": "^[imsxU]*$"],
        "i ignores case, m lets ^ and $ match at every line, s lets a dot match line breaks, x allows white space and comments, U turns greediness round."
      ),
      OptionSpec(
        "capture", Shape.any(["type": "integer", "minimum": 0], ["type": "string", "minLength": 1]),
        "The group, by number or name, that 'equals' looks at; the whole match, 0, unless given."),
      OptionSpec(
        "equals", ["type": ["string", "number", "boolean", "null", "array"]],
        "What the group must hold: a text, one of several, or true for the case's reference."),
      SharedOption.ignoreCase,
    ],
    example: ["regex": "(?i)answer:\\s*(\\d+)", "capture": 1, "equals": "42"]
  ) { spec, _ throws(GraderProblem) in try RegexGrader(CheckReader(spec)) }

  private let source: String
  private let pattern: Pattern
  private let group: Int
  private let folding: TextFolding
  private let expected: ExpectedTexts?

  init(_ reader: CheckReader) throws(GraderProblem) {
    guard let source = reader.argument.stringValue, !source.isEmpty else {
      throw reader.wrongArgument("a regular expression is a text that is not empty")
    }
    self.source = source
    pattern = try RegexGrader.compile(source, flags: RegexGrader.flags(reader))
    group = try RegexGrader.group(reader, pattern)
    let folding = TextFolding(ignoreCase: try reader.bool("ignoreCase", default: false), trim: true)
    self.folding = folding
    expected = reader.has("equals") ? try ExpectedTexts(reader, at: "equals") { folding($0) } : nil
    if expected == nil, reader.has("capture") || reader.has("ignoreCase") {
      let path = reader.has("capture") ? "capture" : "ignoreCase"
      throw GraderProblem(
        "'\(path)' has no effect without 'equals'", path: path,
        advice: path == "ignoreCase" ? "write \"flags\": \"i\" to let the pattern ignore case" : nil)
    }
  }

  func grade(_ subject: Subject) async -> Verdict {
    switch pattern.firstMatch(in: subject.answer.text) {
    case .tooExpensive:
      return Verdict(
        .unscored(.graderFailed, "the pattern \(Quote.text(source)) is too expensive on this answer"))
    case .noMatch:
      return Verdict(
        .verdict(false), "\(Quote.text(source)) does not match \(Quote.text(subject.answer.text))")
    case .match(let match):
      guard let expected else {
        return Verdict(.verdict(true), "\(Quote.text(source)) matches \(Quote.text(match.groups[0] ?? ""))")
      }
      return compare(match, expected, subject)
    }
  }

  private func compare(_ match: Pattern.Match, _ expected: ExpectedTexts, _ subject: Subject) -> Verdict {
    switch expected.texts(for: subject) {
    case .second(let verdict): return verdict
    case .first(let texts):
      guard let captured = match.groups[group] else {
        return Verdict(.verdict(false), "group \(group) took no part in the match")
      }
      let value = folding(captured)
      if texts.contains(value) { return Verdict(.verdict(true), "captured \(Quote.text(captured))") }
      return Verdict(
        .verdict(false), "expected \(Quote.alternatives(texts)), captured \(Quote.text(captured))")
    }
  }

  private static func flags(_ reader: CheckReader) throws(GraderProblem) -> String {
    guard let value = reader.spec.options["flags"] else { return "" }
    guard let flags = value.stringValue, flags.allSatisfy({ Pattern.option($0) != nil }) else {
      throw GraderProblem("'flags' is a text of the letters i, m, s, x and U", path: "flags")
    }
    return flags
  }

  private static func compile(_ source: String, flags: String) throws(GraderProblem) -> Pattern {
    do {
      return try Pattern(source, flags: flags)
    } catch {
      let place = Quote.text(String(source.dropFirst(error.offset)))
      throw GraderProblem(
        "the pattern does not compile: \(error.message), at character \(error.offset)", path: "regex",
        advice: error.offset < source.count ? "look before \(place)" : "look at the pattern's end")
    }
  }

  private static func group(_ reader: CheckReader, _ pattern: Pattern) throws(GraderProblem) -> Int {
    switch reader.spec.options["capture"] {
    case nil: return 0
    case .integer(let number)?:
      if (0...Int64(pattern.groupCount)).contains(number) { return Int(number) }
      throw GraderProblem(
        "the pattern has \(Quote.count(pattern.groupCount, "group")), there is no group \(number)",
        path: "capture")
    case .string(let name)?:
      if let number = pattern.group(named: name) { return number }
      throw GraderProblem("the pattern has no group called '\(name)'", path: "capture")
    default: throw GraderProblem("'capture' is a group's number or name", path: "capture")
    }
  }
}
