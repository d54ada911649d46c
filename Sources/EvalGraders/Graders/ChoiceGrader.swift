import EvalCore

/// The answer chooses the right one of several options.
struct ChoiceGrader: Grader {
  static let descriptor = GraderDescriptor(
    name: "choice", summary: "The answer chooses this option, a letter or a word, and no other.",
    argument: Shape.any(["type": ["string", "number", "boolean", "null"]], Shape.strings),
    options: [
      OptionSpec(
        "options", ["type": "array", "items": ["type": "string", "minLength": 1], "minItems": 2],
        "All options; the letters A to H unless given."),
      OptionSpec(
        "pick", Shape.words(ChoiceReader.Pick.self),
        "Which statement counts when an answer makes several that differ: only, unless given, takes none; first; last."
      ),
    ],
    example: ["choice": "B", "options": ["A", "B", "C", "D"]]
  ) { spec, _ throws(GraderProblem) in try ChoiceGrader(CheckReader(spec)) }

  private static let letters = ["A", "B", "C", "D", "E", "F", "G", "H"]

  private let expected: ExpectedTexts
  private let choices: ChoiceReader
  private let known: Set<String>

  init(_ reader: CheckReader) throws(GraderProblem) {
    let options = try reader.strings("options") ?? ChoiceGrader.letters
    let known = Set(options.map { $0.trimmed.folded })
    guard options.count > 1, known.count == options.count, !known.contains("") else {
      throw GraderProblem("'options' are at least two different texts", path: "options")
    }
    self.known = known
    expected = try ExpectedTexts(reader) { $0.trimmed.folded }
    if case .value(let value) = Expected(reader.argument) {
      for text in ExpectedTexts.texts(of: value) ?? [] where !known.contains(text.trimmed.folded) {
        throw reader.wrongArgument(
          "'\(text)' is not one of the options \(Quote.list(options))",
          advice: reader.has("options")
            ? suggestion(for: text, among: options) : "list all of them as 'options'")
      }
    }
    do {
      choices = try ChoiceReader(
        options: options.map(\.trimmed), pick: reader.word("pick", default: ChoiceReader.Pick.only))
    } catch let error as Pattern.SyntaxError {
      throw GraderProblem("the options cannot be searched for: \(error.message)", path: "options")
    } catch let error as GraderProblem {
      throw error
    } catch {
      throw GraderProblem("\(error)", path: "options")
    }
  }

  func grade(_ subject: Subject) async -> Verdict {
    switch expected.texts(for: subject) {
    case .second(let verdict): return verdict
    case .first(let texts):
      guard texts.allSatisfy(known.contains) else {
        return Expected.unusable(
          "one of the options \(Quote.list(choices.options))", subject.reference ?? .null)
      }
      return judge(subject.answer.text, texts)
    }
  }

  private func judge(_ answer: String, _ right: [String]) -> Verdict {
    let wanted = Quote.alternatives(choices.options.filter { right.contains($0.folded) })
    switch choices.read(answer) {
    case .option(let option):
      let passed = right.contains(option.folded)
      return Verdict(.verdict(passed), "expected \(wanted), the answer chooses \(Quote.text(option))")
    case .ambiguous(let options):
      return Verdict(
        .verdict(false), "expected \(wanted), the answer is ambiguous: it names \(Quote.list(options))")
    case .none:
      return Verdict(.verdict(false), "expected \(wanted), no option found in \(Quote.text(answer))")
    case .tooExpensive:
      return Verdict(.unscored(.graderFailed, "the answer is too long to be searched for the options"))
    }
  }
}
