import EvalCore

/// The trial cost at most so many dollars.
struct CostGrader: Grader {
  static let descriptor = GraderDescriptor(
    name: "cost",
    summary: "The trial's calls cost at most so many US dollars together; only of live answers.",
    argument: AtMost.shape(["type": "number", "minimum": 0]), example: ["cost": ["atMost": 0.001]]
  ) { spec, _ throws(GraderProblem) in try CostGrader(CheckReader(spec)) }

  private let limit: Double

  init(_ reader: CheckReader) throws(GraderProblem) {
    let (value, path) = try AtMost.value(reader)
    guard let limit = value.doubleValue, limit >= 0, limit.isFinite else {
      throw GraderProblem("a cost is a number of US dollars, 0 or more", path: path)
    }
    self.limit = limit
  }

  func grade(_ subject: Subject) async -> Verdict {
    guard subject.provenance == .live else {
      return Verdict(.unscored(.notMeasured, "the answer is a recording, it cost nothing now"))
    }
    guard let dollars = subject.cost.dollars, dollars.isFinite else {
      return Verdict(
        .unscored(.notReported, "the cost is not known: the profile has no price or no usage was reported"))
    }
    let isWithin = dollars <= limit
    if isWithin, subject.cost.isLowerBound {
      return Verdict(.unscored(.notReported, "at least $\(dollars) was spent, the whole cost is not known"))
    }
    let amount = (subject.cost.isLowerBound ? "at least " : "") + "$\(dollars)"
    return Verdict(.verdict(isWithin), "expected at most $\(limit), it cost \(amount)")
  }
}
