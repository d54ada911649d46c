package import EvalCore

/// A run as replay takes it: its table, and what the table cannot know.
package struct RecordedRun: Sendable {
  package var run: RunInfo
  package var table: ReplayTable
  /// The profiles behind the table's arms, in their order, as they were when they ran.
  package var profiles: [Profile]
  /// Trials that the run planned for these profiles and did not finish, by profile; a profile with none is not in it.
  package var unfinished: [String: Int]
  /// Retries that the run made of a failed call.
  package var retryLimit: Int
  /// The median nanoseconds of the decisions that the run's own routes took; `nil` when it had none.
  package var routingNanoseconds: Int64?
  /// Where the counts of input tokens come from, in words, with how many cases × arms × turns each.
  package var tokenSources: [TokenSource: Int]

  /// Who says how many tokens a case takes with an arm.
  package enum TokenSource: String, Sendable, Hashable, CaseIterable {
    /// A route of the run had the arm count before it decided.
    case counted
    /// `TokenEstimate` over the stored texts.
    case estimated
    /// The texts are not stored; the arm's server said it with its answer.
    case reported
    /// Nobody.
    case unknown
  }

  package var settings: ReplaySettings {
    var settings = ReplaySettings()
    settings.retryLimit = retryLimit
    settings.routingNanoseconds = routingNanoseconds ?? 0
    return settings
  }
}
