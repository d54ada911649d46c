import EvalCore

/// The answer contains texts: all of them, any of them or none of them.
struct ContainsGrader: Grader {
  enum Mode: String, CaseIterable { case all, any, none }

  static let descriptor = GraderDescriptor(
    name: "contains", summary: "The answer contains this text, or all, any or none of these texts.",
    argument: Shape.any(["type": ["string", "number", "boolean", "null"]], Shape.strings),
    options: [
      OptionSpec(
        "mode", Shape.words(Mode.self), "How many of the texts must be there: all unless given, any, or none."
      ),
      SharedOption.ignoreCase,
    ],
    example: ["contains": ["Paris", "Seine"], "mode": "any"]
  ) { spec, _ throws(GraderProblem) in try ContainsGrader(CheckReader(spec, graded: true)) }

  private let mode: Mode
  private let folding: TextFolding
  private let expected: ExpectedTexts
  private let threshold: Double?

  init(_ reader: CheckReader) throws(GraderProblem) {
    let folding = TextFolding(ignoreCase: try reader.bool("ignoreCase", default: false))
    self.folding = folding
    mode = try reader.word("mode", default: .all)
    expected = try ExpectedTexts(reader) { folding($0) }
    threshold = reader.spec.threshold
    if threshold != nil, mode != .all {
      throw GraderProblem(
        "a threshold is the share of texts to find, which only the mode 'all' counts", path: "threshold")
    }
  }

  func grade(_ subject: Subject) async -> Verdict {
    switch expected.texts(for: subject) {
    case .second(let verdict): return verdict
    case .first(let texts):
      let answer = folding(subject.answer.text)
      switch mode {
      case .all: return all(texts, in: answer)
      case .any:
        if let found = texts.first(where: { TextSearch.contains(answer, $0) }) {
          return Verdict(.verdict(true), "\(Quote.text(found)) is in the answer")
        }
        return Verdict(.verdict(false), "none of \(Quote.list(texts)) is in \(Quote.text(answer))")
      case .none:
        if let found = texts.first(where: { TextSearch.contains(answer, $0) }) {
          return Verdict(.verdict(false), "\(Quote.text(found)) is in the answer and must not be")
        }
        return Verdict(.verdict(true), "none of \(Quote.list(texts)) is in the answer")
      }
    }
  }

  private func all(_ texts: [String], in answer: String) -> Verdict {
    let missing = texts.filter { !TextSearch.contains(answer, $0) }
    let explanation =
      missing.isEmpty
      ? "\(Quote.list(texts)) \(texts.count == 1 ? "is" : "are") in the answer"
      : "\(Quote.list(missing)) \(missing.count == 1 ? "is" : "are") not in \(Quote.text(answer))"
    guard let threshold else { return Verdict(.verdict(missing.isEmpty), explanation) }
    let share = Double(texts.count - missing.count) / Double(texts.count)
    return Verdict(.graded(share, threshold: threshold), explanation)
  }
}
