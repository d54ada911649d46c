/// What an accepted answer takes when a user asks again until one is: the cost of being wrong.
///
/// An answer is accepted when all checks with a verdict pass. A trial without an answer is not accepted; one that could
/// not be judged is missing.
package struct AcceptanceSummary: Sendable, Hashable {
  /// The share of trials that were accepted.
  package var rate: Estimate
  /// US dollars; for recorded answers what they would cost live.
  package var cost: PerAccepted
  /// Milliseconds that a user waits, retries and waits in it; live or recorded as the run is.
  package var wait: PerAccepted
  /// What repeats say of the assumption that asking again is a new draw; `nil` when no case was judged twice.
  package var again: Again?

  /// A mean and what it comes to for each accepted answer.
  package struct PerAccepted: Sendable, Hashable {
    /// The mean over the trials that it rests on.
    package var perAsk: Estimate
    /// `mean / acceptance rate` over the same trials; no value when none was accepted, or so few that there is no upper
    /// end.
    package var perAccepted: Estimate
    /// The least that it can be, where `perAccepted` has no value; `nil` when that cannot be said either.
    package var atLeast: Double?
    /// Why there is no value; `nil` when there is one.
    package var reason: Reason?
  }

  package enum Reason: String, Sendable, Hashable, CaseIterable {
    /// No check gave a verdict on a trial for which the number is known.
    case noVerdict
    case noneAccepted
    case fewAccepted
  }

  /// Cases that were judged at least twice.
  package struct Again: Sendable, Hashable {
    package var cases: Int
    /// Cases of which no repeat was accepted.
    package var never: Int
    /// How many that would be if the accepted answers fell on the trials at random.
    package var neverExpected: Double
    /// That cases differ so much by chance; `nil` when all trials ended alike.
    package var pValue: Double?

    /// The share of these cases that was never accepted.
    package var share: Estimate { Proportion.estimate(never, of: cases) }
  }
}
