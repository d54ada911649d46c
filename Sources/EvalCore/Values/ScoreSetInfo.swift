/// A grading of a run's stored answers besides the run's own, with where it comes from.
package struct ScoreSetInfo: Sendable, Hashable {
  /// Above 0 within its run; 0 is the run's own grading, which is no `ScoreSetInfo`. 0 before the store has numbered it.
  package var number: Int
  /// A name that the person gave; `nil` without.
  package var name: String?
  /// Seconds since 1970.
  package var createdAt: Double
  /// Seconds since 1970; `nil` while trials are left to grade.
  package var finishedAt: Double?
  /// The identity of what graded: checks by case, rubrics, judges' profiles, and the tool's version.
  package var hash: ContentHash
  package var suiteName: String
  package var suitePath: String
  package var suiteHash: ContentHash
  package var toolVersion: String
  /// Where judges' verdicts came from; `live` where nobody judged.
  package var provenance: Provenance
  /// Finished trials of the run when the set was last worked on.
  package var trials: Int
  /// Of these, trials of cases that the suite has unchanged: what the set covers when it is finished.
  package var planned: Int
  /// Trials that it has scores of.
  package var covered: Int
  /// Cases of the run that are not scored.
  package var skipped: [SkippedCase]
  /// How many cases of the run are not scored; more than `skipped` lists when they are very many.
  package var skippedCount: Int
  /// Who judged, by what and with which words, as a run stores it; `nil` where nobody did.
  package var judging: JSONValue?

  /// A case of the run that a set says nothing about.
  package struct SkippedCase: Sendable, Hashable {
    package enum Reason: String, Sendable, Hashable {
      /// The suite has a case of this id with another input: the stored answer answers something else.
      case inputChanged
      /// The suite has no such case.
      case notInSuite
    }

    package var id: String
    package var reason: Reason

    package init(id: String, reason: Reason) {
      self.id = id
      self.reason = reason
    }
  }

  package init(
    name: String?, createdAt: Double, hash: ContentHash, suiteName: String, suitePath: String,
    suiteHash: ContentHash, toolVersion: String, provenance: Provenance, trials: Int, planned: Int,
    skipped: [SkippedCase], skippedCount: Int, judging: JSONValue?
  ) {
    number = 0
    covered = 0
    self.name = name
    self.createdAt = createdAt
    self.hash = hash
    self.suiteName = suiteName
    self.suitePath = suitePath
    self.suiteHash = suiteHash
    self.toolVersion = toolVersion
    self.provenance = provenance
    self.trials = trials
    self.planned = planned
    self.skipped = skipped
    self.skippedCount = skippedCount
    self.judging = judging
  }

  /// `2`, or `2 (strict)`.
  package var label: String { name.map { "\(number) (\($0))" } ?? "\(number)" }
}
