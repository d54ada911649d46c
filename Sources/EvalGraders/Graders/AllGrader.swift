import EvalCore

/// Every check passes. Its value is the least of theirs; a fail decides whatever else is unscored.
struct AllGrader: Grader {
  static let descriptor = GraderDescriptor(
    name: "all", summary: "All of these checks pass; the value is the least of theirs.",
    argument: Shape.checks,
    example: ["all": [["contains": "Paris"], ["length": ["max": 200]]]]
  ) { spec, context throws(GraderProblem) in try AllGrader(CheckReader(spec, graded: true), context) }

  private let nested: NestedChecks
  private let threshold: Double?

  init(_ reader: CheckReader, _ context: GraderContext) throws(GraderProblem) {
    nested = try NestedChecks(reader, context)
    threshold = reader.spec.threshold
  }

  func grade(_ subject: Subject) async -> Verdict {
    // Nothing is less than a failed 0, so the rest need not run.
    let results = await nested.results(subject) { $0 == .verdict(false) }
    return Verdict(results.all(threshold: threshold), results.explainAll("check"), cost: results.cost)
  }
}

extension [NestedChecks.Result] {
  /// The least value; a fail decides whatever else is unscored.
  func all(threshold: Double?) -> Judgement {
    let least = values.min()
    if let least, let threshold, least < threshold { return .scored(value: least, passed: false) }
    if let least, threshold == nil, verdicts.contains(false) {
      return .scored(value: least, passed: false)
    }
    if let unscored { return unscored }
    guard let least else { return .unscored(.graderFailed, "no check gave a value") }
    if threshold != nil { return .graded(least, threshold: threshold) }
    return .scored(value: least, passed: verdicts.isEmpty ? nil : true)
  }

  /// - Parameter noun: what one result is of.
  func explainAll(_ noun: String) -> String {
    let failures = explanations(where: \.isFail)
    if !failures.isEmpty { return failures }
    let unscored = explanations { if case .unscored = $0 { true } else { false } }
    return unscored.isEmpty ? "all \(Quote.count(count, noun)) hold" : unscored
  }
}
