import EvalCore

/// The checks inside a combinator.
struct NestedChecks: Sendable {
  struct Check: Sendable {
    var name: String
    var weight: Double
    var grader: any Grader
  }

  /// One check with its verdict.
  struct Result: Sendable {
    var check: Check
    var verdict: Verdict
  }

  let checks: [Check]

  init(_ reader: CheckReader, _ context: GraderContext) throws(GraderProblem) {
    guard let items = reader.argument.arrayValue, !items.isEmpty else {
      throw reader.wrongArgument("'\(reader.spec.kind)' is an array of checks that is not empty")
    }
    var checks: [Check] = []
    for (index, item) in items.enumerated() {
      checks.append(try NestedChecks.check(item, context, at: "\(reader.spec.kind)[\(index)]"))
    }
    self.checks = checks
  }

  static func check(
    _ json: JSONValue, _ context: GraderContext, at place: String
  ) throws(GraderProblem) -> Check {
    do {
      let spec = try CheckSpec.decode(json, graders: GraderRegistry.all)
      return Check(name: spec.name, weight: spec.weight, grader: try context.makeNested(spec))
    } catch {
      let path = error.path.isEmpty ? place : "\(place).\(error.path)"
      throw GraderProblem(error.message, path: path, advice: error.advice)
    }
  }

  /// Runs the checks in order until one decides.
  func results(_ subject: Subject, until decides: (Judgement) -> Bool = { _ in false }) async -> [Result] {
    var results: [Result] = []
    for check in checks {
      let verdict = await check.grader.grade(subject)
      results.append(Result(check: check, verdict: verdict))
      if decides(verdict.judgement) { break }
    }
    return results
  }
}

extension Array where Element == NestedChecks.Result {
  /// The values of the scored checks.
  var values: [Double] {
    compactMap { if case .scored(let value, _) = $0.verdict.judgement { value } else { nil } }
  }

  var verdicts: [Bool] {
    compactMap { if case .scored(_, let passed) = $0.verdict.judgement { passed } else { nil } }
  }

  /// The first unscored judgement with the check's name in its reason.
  var unscored: Judgement? {
    for result in self {
      if case .unscored(let reason, let why) = result.verdict.judgement {
        return .unscored(reason, "\(result.check.name): \(why)")
      }
    }
    return nil
  }

  /// What the checks cost together; `nil` when none makes calls.
  var cost: Cost? {
    let costs = compactMap(\.verdict.cost)
    if costs.isEmpty { return nil }
    let known = costs.compactMap(\.dollars)
    return Cost(
      dollars: known.count == costs.count ? known.reduce(0, +) : nil,
      isLowerBound: costs.contains(where: \.isLowerBound))
  }

  /// The explanations of the checks for which `isWanted` holds, each after its name.
  func explanations(where isWanted: (Judgement) -> Bool) -> String {
    filter { isWanted($0.verdict.judgement) }.prefix(3).map { result in
      "\(result.check.name): \(result.verdict.explanation ?? result.verdict.judgement.words)"
    }.joined(separator: "; ")
  }
}

extension Judgement {
  var words: String {
    switch self {
    case .scored(let value, let passed):
      passed.map { $0 ? "passed" : "failed" } ?? Quote.share(value)
    case .unscored(let reason, let why): "\(reason.rawValue), \(why)"
    }
  }

  var isFail: Bool { if case .scored(_, false?) = self { true } else { false } }
  var isPass: Bool { if case .scored(_, true?) = self { true } else { false } }
}
