import EvalCore

/// The weighted mean of several checks: `Σ w·value / Σ w`.
struct WeightedGrader: Grader {
  static let descriptor = GraderDescriptor(
    name: "weighted",
    summary: "The mean of these checks by their weights; a number unless a threshold says what passes.",
    argument: Shape.checks,
    example: ["weighted": [["contains": "Paris", "weight": 3], ["length": ["max": 80]]], "threshold": 0.7]
  ) { spec, context throws(GraderProblem) in try WeightedGrader(CheckReader(spec, graded: true), context) }

  private let nested: NestedChecks
  private let threshold: Double?

  init(_ reader: CheckReader, _ context: GraderContext) throws(GraderProblem) {
    nested = try NestedChecks(reader, context)
    threshold = reader.spec.threshold
  }

  func grade(_ subject: Subject) async -> Verdict {
    let results = await nested.results(subject)
    // A mean without one of its parts would be the mean of something else.
    if let unscored = results.unscored { return Verdict(unscored, cost: results.cost) }
    var sum = 0.0
    var weights = 0.0
    for (result, value) in zip(results, results.values) {
      sum += result.check.weight * value
      weights += result.check.weight
    }
    let parts = zip(results, results.values).map { "\($0.check.name) \(Quote.share($1))" }
    return Verdict(
      .graded(sum / weights, threshold: threshold), parts.joined(separator: ", "), cost: results.cost)
  }
}
