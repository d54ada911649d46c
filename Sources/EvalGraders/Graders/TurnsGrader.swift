import EvalCore

/// A check put to the answer of every turn, so that a conversation is judged as a whole.
struct TurnsGrader: Grader {
  static let everyTurn = GraderDescriptor(
    name: "everyTurn",
    summary: "This check passes for the answer of every turn; the value is the least of theirs.",
    argument: Shape.check, example: ["everyTurn": ["not": ["contains": "As an AI"]]]
  ) { spec, context throws(GraderProblem) in
    try TurnsGrader(CheckReader(spec, graded: true), context, isEvery: true)
  }

  static let anyTurn = GraderDescriptor(
    name: "anyTurn",
    summary: "This check passes for the answer of some turn; the value is the greatest of theirs.",
    argument: Shape.check, example: ["anyTurn": ["contains": "Paris"]]
  ) { spec, context throws(GraderProblem) in
    try TurnsGrader(CheckReader(spec, graded: true), context, isEvery: false)
  }

  private let check: NestedChecks.Check
  private let threshold: Double?
  private let isEvery: Bool

  init(_ reader: CheckReader, _ context: GraderContext, isEvery: Bool) throws(GraderProblem) {
    check = try NestedChecks.check(reader.argument, context, at: reader.spec.kind)
    threshold = reader.spec.threshold
    self.isEvery = isEvery
  }

  func grade(_ subject: Subject) async -> Verdict {
    var results: [NestedChecks.Result] = []
    for (turn, one) in (subject.earlier + [subject]).enumerated() {
      let verdict = await check.grader.grade(one)
      results.append(
        NestedChecks.Result(
          check: NestedChecks.Check(name: "turn \(turn + 1)", weight: 1, grader: check.grader),
          verdict: verdict))
      // A fail decides for every turn, a pass for any.
      if isEvery ? verdict.judgement == .verdict(false) : verdict.judgement == .verdict(true) { break }
    }
    return isEvery
      ? Verdict(results.all(threshold: threshold), results.explainAll("turn"), cost: results.cost)
      : Verdict(results.any(threshold: threshold), results.explainAny, cost: results.cost)
  }
}
