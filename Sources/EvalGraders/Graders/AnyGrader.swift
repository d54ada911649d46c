import EvalCore

/// At least one check passes. Its value is the greatest of theirs; a pass decides whatever else is unscored.
struct AnyGrader: Grader {
  static let descriptor = GraderDescriptor(
    name: "any", summary: "At least one of these checks passes; the value is the greatest of theirs.",
    argument: Shape.checks, example: ["any": [["exact": "yes"], ["startsWith": "Yes,"]]]
  ) { spec, context throws(GraderProblem) in try AnyGrader(CheckReader(spec, graded: true), context) }

  private let nested: NestedChecks
  private let threshold: Double?

  init(_ reader: CheckReader, _ context: GraderContext) throws(GraderProblem) {
    nested = try NestedChecks(reader, context)
    threshold = reader.spec.threshold
  }

  func grade(_ subject: Subject) async -> Verdict {
    let results = await nested.results(subject) { $0 == .verdict(true) }
    return Verdict(results.any(threshold: threshold), results.explainAny, cost: results.cost)
  }
}

extension [NestedChecks.Result] {
  var explainAny: String {
    let passes = explanations(where: \.isPass)
    return passes.isEmpty ? "none passes: \(explanations { _ in true })" : passes
  }

  /// The greatest value; a pass decides whatever else is unscored.
  func any(threshold: Double?) -> Judgement {
    let greatest = values.max()
    if let greatest, let threshold, greatest >= threshold { return .scored(value: greatest, passed: true) }
    if let greatest, threshold == nil, verdicts.contains(true) {
      return .scored(value: greatest, passed: true)
    }
    if let unscored { return unscored }
    guard let greatest else { return .unscored(.graderFailed, "no check gave a value") }
    if threshold != nil { return .graded(greatest, threshold: threshold) }
    return .scored(value: greatest, passed: verdicts.isEmpty ? nil : false)
  }
}
