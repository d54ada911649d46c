package import EvalCore

/// A policy to be scored over recordings.
package struct Contender: Sendable {
  /// How reports call it; no two alike.
  package var name: String
  package var policy: any Policy
  /// The policy's own privacy rules where it has some: a call that breaks them is a leak, even where the suite allows it.
  package var constraints: PrivacyRules?

  package init(name: String? = nil, policy: any Policy, constraints: PrivacyRules? = nil) {
    self.name = name ?? policy.name
    self.policy = policy
    self.constraints = constraints
  }
}

/// What left the device. Shares are of cases, repeats averaged; an attempt that sent nothing did not leave.
package struct CloudUse: Sendable, Hashable {
  /// Any attempt beyond the device.
  package var any: Estimate
  /// Any attempt at just this boundary.
  package var privateCloud: Estimate
  package var thirdParty: Estimate
  /// The last answer came from beyond the device.
  package var served: Estimate
  /// Tokens in and out of attempts that left, of all tokens; `missing` counts attempts that reported none.
  package var tokens: Estimate
}

/// What made a policy go on to another arm, and how that ended.
package struct FallbackUse: Sendable, Hashable {
  package struct ClassCount: Sendable, Hashable {
    package var kind: ErrorClass
    /// Trials in which an error of this class led to another arm.
    package var trials: Int
  }

  /// Cases with an attempt at another arm after an error.
  package var rate: Estimate
  /// From many to few.
  package var classes: [ClassCount]
  /// Of the trials that fell back, those that ended with an answer; no value when none fell back.
  package var recovery: Estimate
  /// Cases with an attempt at another arm because the answer was not good enough; not among the fallbacks.
  package var escalation: Estimate
  /// Cases that the policy ended without an answer.
  package var blocked: Estimate
}

/// Time and money for attempts whose answer nobody got, as means of a case; `nil` is unknown.
package struct RouteWaste: Sendable, Hashable {
  package var seconds: Double?
  package var dollars: Double?
  /// The part of it on the device.
  package var deviceSeconds: Double?
  package var deviceDollars: Double?
}

/// Calls that went where they may not, over all trials, scored or not. A count, never averaged.
package struct LeakCount: Sendable, Hashable {
  package var attempts = 0
  package var trials = 0
  package var rules: [Leak.Rule: Int] = [:]
  /// Up to 20 cases, in the table's order.
  package var caseIDs: [String] = []
}

/// A policy against the arms, a coin and the oracle, over the trials that all of them have. An estimate without a value
/// is one that the definition leaves out here (`Docs/RoutingScores.md`); intervals are paired.
package struct RelativeScore: Sendable, Hashable {
  /// `Q(π) − Q_w` and `Q(π) − Q_s`.
  package var qualityOverWeak: Estimate
  package var qualityOverStrong: Estimate
  /// Whether `Q(π) − Q_s` is more than chance: signs flipped by cluster, after Holm's correction over the compared policies.
  /// `nil` for an arm alone and without a strong arm.
  package var strongTest: PairedTest?
  /// `C(π) − C_s`, US dollars a case.
  package var costOverStrong: Estimate
  /// The share of cases with an attempt at the strong arm.
  package var strongShare: Double?
  /// The coin that calls the strong arm as often.
  package var randomMix: CostQuality?
  package var qualityOverMix: Estimate
  package var pgr: Estimate
  package var ibc: Estimate
  package var hullLift: Estimate
  /// US dollars a case.
  package var costSaving: Estimate
  /// Of this policy's point alone with the cheapest arm.
  package var aiq: Double?
  package var gapClosed: Estimate
  package var qualityRegret: Estimate
  package var costRegret: Estimate
  /// `nil` when no worth of a dollar or a second is stated.
  package var utilityRegret: Estimate?
  /// Who is at least as good and as cheap, one of both for sure.
  package var dominatedBy: [String]
}

/// What one policy, or one arm alone, is worth over a recording.
package struct PolicyScore: Sendable {
  package var name: String
  /// True for an arm alone.
  package var isArm: Bool
  package var coverage: ReplayCoverage
  /// False below the coverage floor: its numbers are over its own trials, and it is compared with nothing.
  package var isCompared: Bool
  /// Trials that the numbers below rest on.
  package var trials: Int
  /// `Σ w·q / Σ w` on what was served at last; failed and blocked trials count 0.
  package var quality: Estimate
  /// Mean US dollars of a case over all attempts and verifiers; no value when one is unknown.
  package var cost: Estimate
  /// True when some call may have cost more than is known.
  package var costIsLowerBound: Bool
  /// Milliseconds until the last answer of each trial, attempts one after another with waits and decisions; modeled.
  package var latency: Distribution
  /// Mean seconds of a case; `nil` when one was not measured.
  package var meanSeconds: Double?
  package var cloud: CloudUse
  package var fallbacks: FallbackUse
  package var waste: RouteWaste
  package var leaks: LeakCount
  /// `nil` when it is not compared.
  package var relative: RelativeScore?
}
