import EvalCore

extension Measure {
  /// What an accepted answer takes. Without an upper end it can fail a limit, and never pass one.
  static func perAccepted(
    _ name: String, _ unit: MeasureUnit, _ summary: String,
    _ path: any KeyPath<AcceptanceSummary, AcceptanceSummary.PerAccepted> & Sendable
  ) -> Measure {
    var measure = Measure(
      info: MeasureInfo(name, unit, isLowerBetter: true, summary),
      source: .summary { target, run in
        guard let acceptance = target.acceptance else {
          return Reading(
            Estimate(value: nil, n: 0, method: .clusterBootstrap),
            problem: GateProblem("no check gives a verdict", advice: "give one a 'threshold'"))
        }
        return reading(acceptance[keyPath: path], unit, target, run)
      })
    measure.readsScores = true
    return measure
  }

  private static func reading(
    _ part: AcceptanceSummary.PerAccepted, _ unit: MeasureUnit, _ target: TargetSummary, _ run: RunInfo
  ) -> Reading {
    var estimate = part.perAccepted
    if let least = part.atLeast { estimate.interval = least...Double.infinity }
    if unit == .dollars, target.cost.unknown > 0 {
      return Reading(
        estimate,
        problem: GateProblem(
          "the cost of \(target.cost.unknown) of \(target.cost.attempts) calls is unknown",
          advice: "state `price` in the profiles, or `\"free\"`"))
    }
    if unit == .time, run.provenance == .recorded {
      return Reading(
        estimate,
        problem: GateProblem("recorded, not live: there is no latency to judge", advice: "run it live"))
    }
    return Reading(estimate)
  }
}
