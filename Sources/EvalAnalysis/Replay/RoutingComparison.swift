import EvalCore

/// What is fixed before anybody looks at a score.
package struct ComparisonSettings: Sendable, Hashable {
  /// The arms between which PGR, IBC, the coin and the quadrants stand. `nil` takes the nearest and the farthest boundary
  /// of the arms, the first and the last of several.
  package var weak: String?
  package var strong: String?
  /// The arms to draw alone; `nil` takes those that a policy may call, and the weak and the strong one.
  package var arms: [String]?
  /// Of the bootstrap.
  package var seed: UInt64 = 1
  package var resamples = 10_000
  /// The least share of scored trials that is ranked.
  package var floor = ReplayCoverage.floor
  /// What a US dollar and a second are worth in quality (λ and μ); `nil` for both leaves the utility out.
  package var dollarWorth: Double?
  package var secondWorth: Double?
  /// The least quality that is right, for the quadrants.
  package var rightAt = 0.5

  package init() {}
}

/// The cases by who of the weak and the strong arm is right: what there is to gain before any policy.
package struct RouteQuadrants: Sendable, Hashable {
  /// Only the strong arm is right: to be sent to it.
  package var rescue: [String] = []
  /// Only the weak arm is right: sending it on makes it worse.
  package var loss: [String] = []
  /// Both are right: may stay.
  package var safe: [String] = []
  /// Neither is right: nothing helps.
  package var hard: [String] = []
}

/// The best permitted arm of each case, known afterwards.
package struct OracleScore: Sendable, Hashable {
  package var quality: Estimate
  /// US dollars a case.
  package var cost: Estimate
  package var meanSeconds: Double?
  /// True when arms were chosen and scored on the same trials, so that luck counts as skill: fewer than two repeats.
  package var isBiased: Bool
  /// Cases that no arm may have.
  package var unpermitted: Int
}

/// Policies, arms alone, a coin and the oracle over the same recorded trials.
package struct RoutingComparison: Sendable {
  package var settings: ComparisonSettings
  /// The what-if that everything rests on; empty when it is what was recorded.
  package var scenario: [String]
  package var cases: Int
  package var repeats: Int
  /// Trials that every compared side has a quality for, of `cases × repeats`.
  package var pairedTrials: Int
  package var pairedCases: Int
  /// Clusters, or cases that stand alone, that the bootstrap draws.
  package var units: Int
  package var weak: String?
  package var strong: String?
  /// `Q_s − Q_w`.
  package var gap: Estimate
  /// `nil` without a weak and a strong arm.
  package var quadrants: RouteQuadrants?
  /// In the table's order.
  package var arms: [PolicyScore]
  /// As they were given.
  package var policies: [PolicyScore]
  /// `nil` when no arm is compared.
  package var oracle: OracleScore?
  /// The coin between arms, by rising cost; empty when no arm's cost is known.
  package var zeroRouter: [CostQuality]
  /// Sides that no other dominates, arms among them.
  package var pareto: [String]
  /// Policies and arms by falling quality, then rising cost; `nil` below the coverage floor.
  package var ranking: [String]?

  /// Paired trials of all, in 0…1.
  package var pairedShare: Double {
    cases * repeats > 0 ? Double(pairedTrials) / Double(cases * repeats) : 0
  }
}
