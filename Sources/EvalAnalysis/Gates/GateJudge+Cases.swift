import EvalCore

extension GateJudge {
  /// A rule over single cases: k of n repeats, or all of them for cases that must pass.
  func judgeCases(_ gate: GateSpec, _ target: String) -> GateResult {
    var (least, all) = (run.repeats, run.repeats)
    if case .passes(let k, let n) = gate.demand { (least, all) = (k, n) }
    let cases = gate.demand == .mustPass ? tally.mustPassMarks(target) : tally.marks(GateSlice(gate), target)
    var failing: [String] = []
    var unknown: [String] = []
    for one in cases {
      switch one.marks.passes(least, of: all) {
      case true?: continue
      case false?: failing.append(tally.table.ids[one.number])
      case nil: unknown.append(tally.table.ids[one.number])
      }
    }
    var result = undecided(gate, target, "")
    result.unit = .count
    result.reason = nil
    result.falseAlarmRate = 0
    if !failing.isEmpty {
      result.outcome = .fail
      result.failingCases = Array(failing.prefix(20))
      result.reason = "\(failing.count) of \(cases.count) cases: \(FindingRules.some(failing))"
    } else if cases.isEmpty {
      result.reason = "no case of it is finished"
    } else if all > run.repeats, !unknown.isEmpty {
      result.reason = "the run has \(run.repeats) of \(all) repeats"
      result.advice = "run it with --repeats \(all)"
    } else if !unknown.isEmpty {
      result.reason =
        "\(unknown.count) of \(cases.count) cases could not be judged: \(FindingRules.some(unknown))"
      result.advice = "see why with 'evalrun show \(run.id) \(unknown[0])'"
    } else if early != nil {
      result.reason = "the run is not finished"
      result.advice = "the same command goes on with the run"
    } else {
      result.outcome = .pass
    }
    return result
  }
}
