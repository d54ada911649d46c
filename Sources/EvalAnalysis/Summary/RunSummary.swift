package import EvalCore

/// Everything that a report says of a run, in numbers that carry their n.
package struct RunSummary: Sendable {
  package var run: RunInfo
  /// In the order of the run.
  package var targets: [TargetSummary]
  package var concurrency: ConcurrencySummary
  /// Calls before the measurement, in no other number; empty when there were none.
  package var warmUps: [WarmUpSummary]
  /// `nil` when nobody judged or embedded.
  package var judging: JudgingSummary?
  /// What people should know before they believe the numbers, the run's own findings first.
  package var findings: [Finding]
  /// The gates that were stored with the run, judged; `nil` when there is none and no case must pass.
  package var verdict: GateVerdict?
  /// Which target is ahead in what, and how surely, score and pass rate first; empty with a single target.
  package var standings: [Standing] = []
  /// Where targets disagree; `nil` with one target, or without scores of two.
  package var caseMap: CaseMap?
  /// How good for what it costs; without a point where no target has a score and a cost.
  package var qualityCost: QualityCost?

  /// True when no measured answer was live.
  package var isRecorded: Bool { run.provenance == .recorded }

  /// Trials of all targets.
  package var planned: Int { targets.reduce(0) { $0 + $1.counts.planned } }
  package var finished: Int { targets.reduce(0) { $0 + $1.counts.finished } }
}

/// One column of the report: a profile or a route.
package struct TargetSummary: Sendable {
  package var name: String
  /// `profile` or `route`.
  package var kind: String
  package var hash: ContentHash
  package var counts: TrialCounts
  package var score: ScoreSummary
  /// In the order in which they were met.
  package var checks: [CheckSummary]
  /// One for each condition that was met, the live ones first.
  package var latency: [LatencyGroup]
  /// Live and recorded apart.
  package var decoding: [DecodingSummary]
  package var tokens: TokenSummary
  package var cost: CostSummary
  package var retries: RetrySummary
  /// `nil` when each case ran once.
  package var repeats: RepeatSummary?
  package var servedModels: [ServedModel]
  /// What an accepted answer takes; `nil` when no check gives a verdict.
  package var acceptance: AcceptanceSummary?
  /// Where its requests went and why; `nil` in a run without a route.
  package var route: RouteSummary?
  /// How its times went over the run; `nil` with too few live calls.
  package var drift: DriftSeries?

  /// The condition that headlines speak of: most calls, first turns, live before recorded; `nil` without an answer.
  package var headline: LatencyGroup? {
    let first = latency.filter { $0.condition.turn == .first && $0.calls > 0 }
    let live = first.filter { $0.condition.source == .live }
    return (live.isEmpty ? first : live).max { $0.calls < $1.calls }
  }
}

/// What became of a target's trials. `planned` never shrinks.
package struct TrialCounts: Sendable, Hashable {
  package var planned = 0
  /// Ended in any way but by the person.
  package var finished = 0
  package var ok = 0
  package var refused = 0
  package var empty = 0
  package var failed = 0
  package var blocked = 0
  package var cancelled = 0
  /// Finished with a value for the score.
  package var scored = 0
  /// Why finished trials have no value, most frequent first.
  package var unscored: [UnscoredCount] = []
  /// What failed trials failed of, most frequent first.
  package var failures: [FailureCount] = []

  package init() {}

  /// Planned and not there, cancelled ones included.
  package var unfinished: Int { max(0, planned - finished) }

  package struct UnscoredCount: Sendable, Hashable {
    /// `nil` when no check looks at the case.
    package var reason: UnscoredReason?
    package var count: Int
  }

  package struct FailureCount: Sendable, Hashable {
    package var kind: ErrorClass
    package var count: Int
  }

  /// Failures that are not the model's: they say nothing of its quality.
  package var infrastructureFailures: Int {
    failures.filter { $0.kind.blame != .model }.reduce(0) { $0 + $1.count }
  }
}

/// How good the answers were, with failures as 0 (strict) and without them (conditional).
package struct ScoreSummary: Sendable, Hashable {
  /// The mean of the trials' scores in 0…1; a trial without an answer counts 0, one that could not be judged is
  /// missing.
  package var strict: Estimate
  /// The mean over trials that have a score.
  package var conditional: Estimate
  /// Where the mean over all planned trials could lie if every missing or failed one were known.
  package var bounds: ClosedRange<Double>?
  /// The share of trials whose checks all passed; without an answer is not passed.
  package var passStrict: Estimate
  package var passConditional: Estimate
  package var passBounds: ClosedRange<Double>?
  /// Trials that passed, and those with a verdict.
  package var passes: Int
  package var verdicts: Int
  /// Cases that must pass and did not in every repeat; at most 20 of them.
  package var mustPassFailures: [String]
}

/// One check over all cases of a target.
package struct CheckSummary: Sendable, Hashable {
  package var name: String
  package var kind: String
  /// The share that passed of those judged; no value when the check has no threshold.
  package var passRate: Estimate
  package var passes: Int
  package var verdicts: Int
  /// The mean value in 0…1 of those judged.
  package var value: Estimate
  /// Not judged, by reason, most frequent first.
  package var unscored: [TrialCounts.UnscoredCount]
  /// Of a rubric; empty for other checks.
  package var criteria: [CriterionSummary] = []
}

/// What repeats of the same case show.
package struct RepeatSummary: Sendable, Hashable {
  package var repeats: Int
  /// The share of cases that both passed and failed.
  package var flipRate: Estimate
  /// For some k up to the repeats, the mean over cases.
  package var passAtK: [KEstimate]
  package var passHatK: [KEstimate]
  /// Cases that both passed and failed, nearest to even first; at most 20 of them.
  package var mixed: [MixedCase]

  package struct KEstimate: Sendable, Hashable {
    package var k: Int
    package var estimate: Estimate
  }

  package struct MixedCase: Sendable, Hashable {
    package var caseID: String
    package var passes: Int
    package var verdicts: Int
  }
}

/// How many calls were asked to be in flight, and how many were.
package struct ConcurrencySummary: Sendable, Hashable {
  /// `nil` when the run's settings do not say.
  package var asked: Int?
  /// The median over measured calls of the calls in flight at their start; `nil` without calls.
  package var heldMedian: Int?
  package var heldMaximum: Int?
  /// Calls behind `heldMedian`.
  package var n: Int

  /// False when the client held clearly fewer calls in flight than asked although there was enough to do.
  package var isHeld: Bool {
    guard let asked, let heldMedian, n >= 4 * asked else { return true }
    return Double(heldMedian) >= 0.9 * Double(asked)
  }
}

/// A profile's calls before the measurement.
package struct WarmUpSummary: Sendable, Hashable {
  package var profile: String
  package var calls: Int
  package var failures: Int
  /// Milliseconds to the end of the answer, answered calls only.
  package var total: Distribution
}

/// The name under which a server answered.
package struct ServedModel: Sendable, Hashable {
  package var profile: String
  /// The model that was asked for; `nil` when the run does not know the profile.
  package var requested: String?
  package var served: String
  package var calls: Int
}
