import EvalCore

/// How alike the answer and a text are.
struct SimilarityGrader: Grader {
  static let descriptor = GraderDescriptor(
    name: "similarity",
    summary: "How alike the answer and this text are, from 0 to 1; of several texts the most alike counts.",
    argument: Shape.any(["type": ["string", "number", "boolean", "null"]], Shape.strings),
    options: [
      OptionSpec(
        "metric", Shape.words(Similarity.self),
        "levenshtein (characters, unless given), rougeL (order of words) or tokenF1 (words in common)."),
      OptionSpec(
        "ignoreCase", Shape.bool, "Compare characters in lower case; false unless given. Words always are."),
      SharedOption.trim,
    ],
    example: ["similarity": "The capital of France is Paris.", "metric": "rougeL", "threshold": 0.6]
  ) { spec, _ throws(GraderProblem) in try SimilarityGrader(CheckReader(spec, graded: true)) }

  private let metric: Similarity
  private let folding: TextFolding
  private let expected: ExpectedTexts
  private let threshold: Double?

  init(_ reader: CheckReader) throws(GraderProblem) {
    metric = try reader.word("metric", default: .levenshtein)
    let folding = TextFolding(
      ignoreCase: try reader.bool("ignoreCase", default: false), trim: try reader.bool("trim", default: true))
    if reader.has("ignoreCase"), metric != .levenshtein {
      throw GraderProblem(
        "'ignoreCase' has no effect here: \(metric.rawValue) compares words in lower case", path: "ignoreCase"
      )
    }
    self.folding = folding
    expected = try ExpectedTexts(reader) { folding($0) }
    threshold = reader.spec.threshold
  }

  func grade(_ subject: Subject) async -> Verdict {
    switch expected.texts(for: subject) {
    case .second(let verdict): return verdict
    case .first(let texts):
      let answer = folding(subject.answer.text)
      var best = 0.0
      var closest = texts[0]
      for text in texts {
        guard let value = metric(answer, text) else {
          return Verdict(.unscored(.graderFailed, "texts longer than \(Similarity.limit) are not compared"))
        }
        if value > best { (best, closest) = (value, text) }
      }
      return Verdict(
        .graded(best, threshold: threshold),
        "\(metric.rawValue) \(Quote.share(best)) between \(Quote.text(closest)) and \(Quote.text(answer))")
    }
  }
}
