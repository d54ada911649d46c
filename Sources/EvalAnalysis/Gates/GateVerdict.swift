package import EvalCore

/// What a gate, or all gates together, come to.
package enum GateOutcome: String, Sendable, Hashable, CaseIterable {
  case pass, fail
  /// The interval lies on both sides of the limit, or there is too little to judge.
  case inconclusive
  /// Too many infrastructure errors or too little judged: the numbers prove nothing, neither way.
  case invalid
}

/// One gate judged for one target.
package struct GateResult: Sendable, Hashable {
  package var gate: GateSpec
  package var unit: MeasureUnit
  /// `nil` for a gate that is about the run.
  package var target: String?
  /// Whom it is held against: a target's name, or the baseline's.
  package var reference: String?
  package var outcome: GateOutcome
  /// What was tested: the measure, or its change against the reference (a ratio for times); `nil` when there is
  /// nothing to test, and for gates over single cases.
  package var estimate: Estimate?
  /// Why it is not decided, in one clause without a full stop.
  package var reason: String?
  /// What would settle it; `nil` when nothing is known to.
  package var advice: String?
  /// Cases that a gate over single cases fails for; at most 20 of them.
  package var failingCases: [String] = []
  /// The chance that it fails although the truth lies at its limit, in 0…1; 0 for what is counted rather than
  /// estimated, `nil` for a gate on the point.
  package var falseAlarmRate: Double?

  package init(gate: GateSpec, unit: MeasureUnit, target: String?, outcome: GateOutcome) {
    self.gate = gate
    self.unit = unit
    self.target = target
    self.outcome = outcome
  }
}

/// The gates of a run, judged from its trials.
package struct GateVerdict: Sendable, Hashable {
  package var results: [GateResult]
  package var settings: GateSettings
  /// The part of the planned trials that was there when an unfinished run was looked at, in 0…1; `nil` for a finished
  /// run.
  package var earlyFraction: Double?

  package init(results: [GateResult], settings: GateSettings, earlyFraction: Double? = nil) {
    self.results = results
    self.settings = settings
    self.earlyFraction = earlyFraction
  }

  /// A real failure counts before everything that is in doubt; what proves nothing before what is undecided.
  package var outcome: GateOutcome {
    for outcome in [GateOutcome.fail, .invalid, .inconclusive] where count(outcome) > 0 { return outcome }
    return .pass
  }

  package func count(_ outcome: GateOutcome) -> Int { results.count { $0.outcome == outcome } }

  /// The chance that at least one gate fails although every truth lies at its limit: at most the sum (Bonferroni), in
  /// 0…1.
  package var falseAlarmRate: Double { min(1, results.reduce(0) { $0 + ($1.falseAlarmRate ?? 0) }) }
}
