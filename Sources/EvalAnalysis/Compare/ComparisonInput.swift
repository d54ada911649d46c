package import EvalCore

/// One side of a comparison: a target's values case by case, from a run, a baseline file or anywhere else.
package struct ComparisonInput: Sendable {
  package var facts: ComparisonFacts
  /// In a stable order; no two of the same hash.
  package var cases: [ComparedCase]

  package init(facts: ComparisonFacts, cases: [ComparedCase]) {
    self.facts = facts
    self.cases = cases
  }

  /// Finished trials of all cases.
  package var trialCount: Int { cases.reduce(0) { $0 + $1.trials.count } }
}

/// What must be known of a side to say whether two are comparable.
package struct ComparisonFacts: Sendable {
  /// How the side is called in reports: the run's id or name, or the baseline's name.
  package var label: String
  /// The run that holds the trials and their texts; `nil` for a side that is in no database.
  package var runID: String?
  package var suiteName: String
  package var suiteHash: ContentHash
  /// Name, kind, hash and content of the target; the content of a baseline may be `.null`.
  package var target: RunInfo.TargetInfo
  package var provenance: Provenance
  /// Where recorded answers came from; `nil` for a live run.
  package var recording: String?
  package var status: RunStatus
  package var repeats: Int
  /// Trials of this target that were planned; never shrinks.
  package var plannedTrials: Int
  package var toolVersion: String
  package var machine: String
  /// The run's settings as stored with it; `.null` when not known.
  package var settings: JSONValue

  package init(label: String, run: RunInfo, target: RunInfo.TargetInfo) {
    self.label = run.scoreSet.map { "\(label), scores \($0.label)" } ?? label
    runID = run.id
    suiteName = run.suiteName
    suiteHash = run.suiteHash
    self.target = target
    provenance = run.provenance
    recording = run.recording
    status = run.status
    repeats = run.repeats
    plannedTrials = run.plannedTrials / max(1, run.targets.count)
    toolVersion = run.toolVersion
    machine = run.machine
    settings = run.settings
  }

  /// True when both are targets of one run.
  package func isSameRun(as other: ComparisonFacts) -> Bool {
    label == other.label && runID == other.runID
  }
}

/// One case of a side with its trials.
package struct ComparedCase: Sendable, Hashable {
  package var hash: ContentHash
  package var id: String
  package var tags: [String]
  /// Cases of one cluster share a source and count as one unit; `nil` stands alone.
  package var cluster: String?
  /// A check looks at the case, so that a trial without an answer has the score 0.
  package var hasChecks = false
  /// A trial has a score that nobody set a threshold for, so that no trial of it counts as not passed.
  package var isUngated = false
  /// A fingerprint of the names, kinds and weights of the checks that judged it; `nil` when none did.
  package var checks: UInt64?
  /// By rising repeat index, each at most once.
  package var trials: [ComparedTrial]

  package init(
    hash: ContentHash, id: String, tags: [String] = [], cluster: String? = nil,
    trials: [ComparedTrial] = []
  ) {
    self.hash = hash
    self.id = id
    self.tags = tags
    self.cluster = cluster
    self.trials = trials
  }
}

/// The values of one trial; `nil` is missing, never 0.
package struct ComparedTrial: Sendable, Hashable {
  /// 0-based.
  package var repeatIndex: Int
  /// The score in 0…1 of a judged answer.
  package var score: Double?
  /// The verdict on a judged answer.
  package var passed: Bool?
  /// There is no answer to judge: the strict score is 0 and the strict verdict a fail.
  package var hasNoAnswer = false
  /// It failed of something that is not the model's fault.
  package var isInfrastructureFailure = false
  /// Milliseconds of the user's wait over the trial's calls; only of trials whose every answer is whole.
  package var latency: Double?
  /// Milliseconds to the first token of the first turn.
  package var firstToken: Double?
  /// US dollars; `nil` when the cost of any attempt is unknown.
  package var dollars: Double?
  /// Whether anything left the device; `nil` when an attempt's boundary is not stated.
  package var leftDevice: Bool?
  /// A connection had to be made for it; `nil` where there is none.
  package var isCold: Bool?
  package var isRecorded = false

  package init(repeatIndex: Int) { self.repeatIndex = repeatIndex }

  /// The trial's own value, before a missing answer is counted.
  package func value(_ measure: ComparisonMeasure) -> Double? {
    switch measure {
    case .score, .scoreConditional: score
    case .pass, .passConditional: passed.map { $0 ? 1 : 0 }
    case .latency: latency
    case .firstToken: firstToken
    case .cost: dollars
    case .cloudShare: leftDevice.map { $0 ? 1 : 0 }
    }
  }
}
