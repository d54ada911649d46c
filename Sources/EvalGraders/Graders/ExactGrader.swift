import EvalCore

/// The answer is this text, or one of these.
struct ExactGrader: Grader {
  static let descriptor = GraderDescriptor(
    name: "exact", summary: "The answer is this text, or one of these texts.",
    argument: Shape.any(["type": ["string", "number", "boolean", "null"]], Shape.strings),
    options: [SharedOption.ignoreCase, SharedOption.trim, SharedOption.normalizeWhitespace],
    example: ["exact": "Paris", "ignoreCase": true]
  ) { spec, _ throws(GraderProblem) in try ExactGrader(CheckReader(spec)) }

  private let folding: TextFolding
  private let expected: ExpectedTexts

  init(_ reader: CheckReader) throws(GraderProblem) {
    let folding = TextFolding(
      ignoreCase: try reader.bool("ignoreCase", default: false), trim: try reader.bool("trim", default: true),
      normalizeWhitespace: try reader.bool("normalizeWhitespace", default: false))
    self.folding = folding
    expected = try ExpectedTexts(reader) { folding($0) }
  }

  func grade(_ subject: Subject) async -> Verdict {
    switch expected.texts(for: subject) {
    case .second(let verdict): return verdict
    case .first(let texts):
      let answer = folding(subject.answer.text)
      if texts.contains(answer) { return Verdict(.verdict(true), "the answer is \(Quote.text(answer))") }
      return Verdict(
        .verdict(false), "expected \(Quote.alternatives(texts)), the answer is \(Quote.text(answer))")
    }
  }
}
