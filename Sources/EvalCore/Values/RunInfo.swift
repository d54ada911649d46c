/// What happened to a run.
package enum RunStatus: String, Sendable, Hashable, CaseIterable {
  /// Being worked on, or left so by a process that died.
  case running
  /// Every planned trial is there.
  case finished
  /// Stopped in order with trials missing; the same command goes on.
  case interrupted
  /// Given up for a fresh one.
  case abandoned
}

/// What is known of a run without its trials.
package struct RunInfo: Sendable {
  /// Sortable and short, for instance `20261130-071533-k3f9`.
  package var id: String
  /// A name the person gave; `nil` without.
  package var name: String?
  package var suiteName: String
  package var suitePath: String
  package var suiteHash: ContentHash
  package var planHash: ContentHash
  package var status: RunStatus
  package var seed: UInt64
  package var repeats: Int
  package var plannedTrials: Int
  package var caseCount: Int
  /// Seconds since 1970, the run's one wall-clock anchor, taken together with `startedMonotonic`.
  package var startedAt: Double
  package var startedMonotonic: Int64
  /// Seconds since 1970; `nil` while it runs.
  package var finishedAt: Double?
  /// Name, kind, hash and content of every target, for reports that outlive the suite file.
  package var targets: [TargetInfo]
  /// Profiles that are called only as arms of a route; targets are not among them.
  package var arms: [TargetInfo] = []
  /// How far content may travel, as the suite says; `nil` for a run that did not write it down.
  package var privacy: PrivacyRules?
  package var settings: JSONValue
  package var provenance: Provenance
  /// Where recorded answers came from, in the recording's own words; `nil` for a live run.
  package var recording: String?
  package var isPrivate: Bool
  package var toolVersion: String
  package var machine: String
  package var findings: [Finding]
  /// Whose scores its trials are read with; `nil` is the run's own grading.
  package var scoreSet: ScoreSetInfo?

  package struct TargetInfo: Sendable, Hashable {
    package var name: String
    package var kind: String
    package var hash: ContentHash
    /// `Profile.contentObject` or the policy.
    package var content: JSONValue

    package init(name: String, kind: String, hash: ContentHash, content: JSONValue) {
      self.name = name
      self.kind = kind
      self.hash = hash
      self.content = content
    }
  }

  package init(
    id: String, suiteName: String, suitePath: String, suiteHash: ContentHash, planHash: ContentHash,
    seed: UInt64, repeats: Int, plannedTrials: Int, caseCount: Int, startedAt: Double,
    startedMonotonic: Int64,
    targets: [TargetInfo], settings: JSONValue, provenance: Provenance, toolVersion: String, machine: String
  ) {
    self.id = id
    self.suiteName = suiteName
    self.suitePath = suitePath
    self.suiteHash = suiteHash
    self.planHash = planHash
    status = .running
    self.seed = seed
    self.repeats = repeats
    self.plannedTrials = plannedTrials
    self.caseCount = caseCount
    self.startedAt = startedAt
    self.startedMonotonic = startedMonotonic
    self.targets = targets
    self.settings = settings
    self.provenance = provenance
    self.toolVersion = toolVersion
    self.machine = machine
    isPrivate = false
    findings = []
  }
}
