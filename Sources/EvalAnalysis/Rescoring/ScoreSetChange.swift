package import EvalCore

/// Two gradings of the same answers side by side.
package struct ScoreSetChange: Sendable {
  package var run: RunInfo
  /// `nil` is the run's own grading.
  package var before: ScoreSetInfo?
  package var after: ScoreSetInfo
  /// In the order of the run.
  package var targets: [TargetChange]

  /// What changed for one target, over the trials that both gradings cover.
  package struct TargetChange: Sendable {
    package var target: String
    /// Finished trials.
    package var trials: Int
    /// Of these, those that both gradings cover.
    package var covered: Int
    /// Score and pass rate of whole trials, a trial without an answer counting 0; without what no trial has.
    package var whole: [PairedDifference]
    /// Cases that are passed by one grading and not by the other, those that fell first.
    package var flips: [Flip]
    /// In the order of the suite, the checks of the earlier grading first.
    package var checks: [CheckChange]
  }

  /// What changed in one check.
  package struct CheckChange: Sendable {
    package var check: String
    /// 0-based; `nil` for a check of the whole case.
    package var turn: Int?
    package var before: Counts
    package var after: Counts
    /// The verdicts, then the values where they are more than verdicts; over the trials that both gradings judged.
    package var differences: [PairedDifference]
    /// Cases that the check judged otherwise, those that fell first.
    package var flips: [Flip]

    /// The check is in both gradings.
    package var isPaired: Bool { before.trials > 0 && after.trials > 0 }
  }

  /// What one grading says of a check; trials without a judgement are counted, never 0.
  package struct Counts: Sendable, Hashable {
    /// The check's kind; empty where the grading does not have it.
    package var kind = ""
    package var trials = 0
    package var unscored = 0
    package var verdicts = 0
    package var passes = 0
    /// Of the values in 0…1.
    package var sum = 0.0

    package var scored: Int { trials - unscored }
    /// The mean of the values; `nil` without one.
    package var mean: Double? { scored > 0 ? sum / Double(scored) : nil }
  }
}

extension ScoreSetChange {
  /// Reads both gradings of a run, one after the other.
  ///
  /// - Parameters:
  ///   - before: the run with the earlier grading.
  ///   - after: the same run with another.
  /// - Throws: what the sources throw.
  package init(
    before: some TrialSource, after: some TrialSource, set: ScoreSetInfo
  ) throws {
    var reader = ScoreSetReader(run: before.run)
    try before.forEachTrial { reader.add(before: $0) }
    try after.forEachTrial { reader.add(after: $0) }
    run = before.run
    run.scoreSet = nil
    self.before = before.run.scoreSet
    self.after = set
    targets = reader.targets(seed: before.run.seed)
  }
}
