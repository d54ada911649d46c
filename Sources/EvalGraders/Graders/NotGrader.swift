import EvalCore

/// The opposite of a check. What could not be judged stays so: an error negated is still an error.
struct NotGrader: Grader {
  static let descriptor = GraderDescriptor(
    name: "not", summary: "This check does not pass; what could not be judged stays unscored.",
    argument: Shape.check, example: ["not": ["contains": "As an AI"]]
  ) { spec, context throws(GraderProblem) in try NotGrader(CheckReader(spec, graded: true), context) }

  private let check: NestedChecks.Check
  private let threshold: Double?

  init(_ reader: CheckReader, _ context: GraderContext) throws(GraderProblem) {
    check = try NestedChecks.check(reader.argument, context, at: "not")
    threshold = reader.spec.threshold
  }

  func grade(_ subject: Subject) async -> Verdict {
    let verdict = await check.grader.grade(subject)
    let judgement: Judgement =
      switch verdict.judgement {
      case .unscored: verdict.judgement
      case .scored(let value, _) where threshold != nil: .graded(1 - value, threshold: threshold)
      case .scored(let value, let passed): .scored(value: 1 - value, passed: passed.map { !$0 })
      }
    return Verdict(judgement, verdict.explanation.map { "not: \($0)" }, cost: verdict.cost)
  }
}
