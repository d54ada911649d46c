import EvalCore

extension GateJudge {
  /// Non-inferiority: the paired change against the reference, case by case.
  ///
  /// Pass when the whole interval of `target − reference` lies above `−margin`, fail when all of it lies below. The
  /// margin is part of the rule, written before the run.
  func judgePairs(
    _ gate: GateSpec, _ target: String, _ reference: GateSpec.Reference, _ margin: Double
  ) -> GateResult {
    guard let measure = Measure.named(gate.measure), let pair = measure.comparison else {
      return undecided(gate, target, "'\(gate.measure)' cannot be held against another target")
    }
    guard let part = part(gate, target),
      let candidate = sides.first(where: { $0.facts.target.name == target })
    else { return undecided(gate, target, "no trial of it is finished") }
    let found = side(reference, for: target)
    guard let other = found.side else {
      return undecided(gate, target, found.problem.message, found.problem.advice)
    }
    var result = undecided(gate, target, "")
    result.reference = other.facts.target.name
    if reference == .baseline { result.reference = other.facts.label }
    let sample = paired(other, candidate, gate)
    if let problem = invalidity(measure, part) ?? invalidity(measure, gate, other, reference, sample) {
      result.outcome = .invalid
      (result.reason, result.advice) = (problem.message, problem.advice)
      return result
    }
    let compared = run.leadsConditional ? pair.conditional : pair.strict
    if let problem = tooEarly(for: gate, measure) ?? recorded(compared, candidate, other) {
      (result.reason, result.advice) = (problem.message, problem.advice)
      return result
    }
    let change = PairedDifference(
      compared, sample, tag: gate.tag, confidence: confidence ?? 0.95, seed: run.seed
    ).change
    result.estimate = change
    result.reason = change.value == nil ? "no case has a value on both sides" : nil
    decide(&result, test(compared, margin, isPoint: gate.isPoint))
    return result
  }

  private func test(_ measure: ComparisonMeasure, _ margin: Double, isPoint: Bool) -> GateTest {
    var test =
      measure.isHigherBetter
      ? GateTest(comparison: .atLeast, limit: -margin, isPoint: isPoint)
      : GateTest(comparison: .atMost, limit: margin, isPoint: isPoint)
    if measure.scale == .ratio {
      test.limit = measure.isHigherBetter ? 1 / (1 + margin) : 1 + margin
      test.isLinear = false
    }
    return test
  }

  private func side(
    _ reference: GateSpec.Reference, for target: String
  ) -> (side: ComparisonInput?, problem: GateProblem) {
    switch reference {
    case .target(let name):
      let problem = GateProblem("the run leaves '\(name)' out", advice: "run it without --target")
      return (sides.first { $0.facts.target.name == name && !$0.cases.isEmpty }, problem)
    case .baseline:
      let side = baseline.first { $0.facts.target.name == target }
      return baseline.isEmpty
        ? (nil, GateProblem("there is no baseline to hold it against", advice: "name one with --baseline"))
        : (side, GateProblem("the baseline has no target '\(target)'", advice: "set the baseline anew"))
    }
  }

  private func paired(
    _ other: ComparisonInput, _ candidate: ComparisonInput, _ gate: GateSpec
  ) -> CasePairing {
    var (other, candidate) = (other, candidate)
    if let id = gate.caseID {
      candidate.cases.removeAll { $0.id != id }
      let hashes = Set(candidate.cases.map(\.hash))
      other.cases.removeAll { !hashes.contains($0.hash) }
    }
    return CasePairing(reference: other, candidate: candidate)
  }

  /// Why the other side proves nothing.
  private func invalidity(
    _ measure: Measure, _ gate: GateSpec, _ other: ComparisonInput, _ reference: GateSpec.Reference,
    _ pairing: CasePairing
  ) -> GateProblem? {
    if case .target(let name) = reference {
      if let part = part(gate, name), let problem = invalidity(measure, part) {
        return GateProblem("of \(name), \(problem.message)", advice: problem.advice)
      }
    } else {
      let trials = other.cases.lazy.flatMap(\.trials)
      let errors = trials.count { $0.isInfrastructureFailure }
      if Double(errors) > settings.maxErrorRate * Double(other.trialCount) {
        return GateProblem(
          "of the baseline, \(errors) of \(other.trialCount) trials failed for reasons that are not the model's",
          advice: "set the baseline anew")
      }
    }
    // A sampled run against a whole baseline is all there; a baseline of another suite is not.
    let all = pairing.pairs.count + pairing.onlyCandidate.count
    guard early == nil, Double(pairing.pairs.count) < settings.minCoverage * Double(all) else { return nil }
    return GateProblem(
      "only \(pairing.pairs.count) of \(all) cases are in both",
      advice: reference == .baseline ? "the cases were edited: set the baseline anew" : nil)
  }

  private func recorded(
    _ measure: ComparisonMeasure, _ candidate: ComparisonInput, _ other: ComparisonInput
  ) -> GateProblem? {
    guard measure.scale == .ratio else { return nil }
    guard candidate.facts.provenance == .recorded || other.facts.provenance == .recorded else { return nil }
    return GateProblem("recorded, not live: there is no latency to judge", advice: "run it live")
  }
}
