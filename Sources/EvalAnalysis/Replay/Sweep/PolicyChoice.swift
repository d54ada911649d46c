import EvalCore

/// The best policy within limits, chosen on some cases and looked at on others.
package struct PolicyChoice: Sendable {
  package var objective: SweepObjective
  package var constraints: [SweepConstraint]
  package var split: CaseSplit
  package var seed: UInt64
  /// Of every policy, on the cases for choosing.
  package var scores: [SweepScore]
  /// Policies above the coverage floor that keep every constraint there.
  package var feasible: [Int]
  /// The chosen policy; `nil` when none is feasible.
  package var chosen: Int?
  /// Its scores on the held-out cases: what to expect of it.
  package var heldOut: SweepScore?
  /// The objective on the held-out cases less that on the others. What is lost was luck: the best of many looks better
  /// than it is. The interval is a bootstrap of the clusters of both, for metrics that are means of cases.
  package var difference: Estimate
  /// Constraints that the held-out cases do not keep.
  package var broken: [SweepConstraint]
}

extension PolicySweep {
  /// Chooses the policy with the best objective among those that keep the constraints, on one part of the cases, and
  /// scores it on the other.
  ///
  /// Of equally good ones the cheapest, then the first.
  /// - Parameters:
  ///   - share: the part of the cases to choose on, in 0…1.
  ///   - seed: of the split and of the bootstrap.
  package func choose(
    _ policies: [Contender], _ objective: SweepObjective, subjectTo constraints: [SweepConstraint],
    share: Double = 0.5, seed: UInt64 = 1, resamples: Int = 10_000
  ) async -> PolicyChoice {
    let split = CaseSplit(replayer.table.cases, share: share, seed: seed)
    let tuning = selecting(split.tuning)
    let scores = await tuning.run(policies)
    let feasible = scores.indices.filter { index in
      scores[index].isCompared && scores[index][objective.metric] != nil
        && constraints.allSatisfy { $0.isKept(by: scores[index]) }
    }
    var choice = PolicyChoice(
      objective: objective, constraints: constraints, split: split, seed: seed, scores: scores,
      feasible: feasible, chosen: nil, heldOut: nil,
      difference: Estimate(value: nil, n: 0, method: .clusterBootstrap), broken: [])
    func order(_ index: Int) -> (Double, Double, Int) {
      let value = scores[index][objective.metric] ?? .infinity
      return (objective.isHigherBetter ? -value : value, scores[index].costPerCase ?? .infinity, index)
    }
    guard let chosen = feasible.min(by: { order($0) < order($1) }) else { return choice }
    choice.chosen = chosen
    let rest = selecting(split.heldOut)
    let heldOut = rest.walk(policies[chosen])
    choice.heldOut = heldOut
    choice.broken = constraints.filter { !$0.isKept(by: heldOut) }
    choice.difference = PolicyChoice.lost(
      objective.metric, (tuning, scores[chosen]), (rest, heldOut), policies[chosen], seed: seed,
      resamples: resamples)
    return choice
  }

  private func selecting(_ cases: [Int]) -> PolicySweep {
    var sweep = PolicySweep(
      Replayer(
        replayer.table.selecting(cases), scenario: replayer.scenario, settings: replayer.settings),
      strong: strong, width: width)
    sweep.floor = floor
    return sweep
  }
}

extension PolicyChoice {
  fileprivate static func lost(
    _ metric: SweepMetric, _ tuned: (PolicySweep, SweepScore), _ heldOut: (PolicySweep, SweepScore),
    _ policy: Contender, seed: UInt64, resamples: Int
  ) -> Estimate {
    var estimate = Estimate(
      value: nil, n: heldOut.1.trials, missing: heldOut.1.coverage.trials - heldOut.1.trials,
      method: .clusterBootstrap)
    guard let before = tuned.1[metric], let after = heldOut.1[metric] else { return estimate }
    estimate.value = after - before
    guard let left = MetricResamples(metric, tuned.0, policy),
      let right = MetricResamples(metric, heldOut.0, policy)
    else { return estimate }
    estimate.units = min(left.units, right.units)
    // Two seeds: the two parts have nothing to do with each other.
    let first = left.means(resamples, seed: seed)
    let second = right.means(resamples, seed: seed ^ 0x9E37_79B9_7F4A_7C15)
    guard min(left.units, right.units) >= 2 else { return estimate }
    let differences = zip(first, second).map { $1 - $0 }.sorted()
    let (low, high) = Resamples.bounds(differences, units: min(left.units, right.units))
    estimate.interval = low...high
    return estimate
  }
}

/// One policy's mean of a metric over resamples of the clusters of a table.
private struct MetricResamples {
  private let paired: PairedCases
  private let value: KeyPath<CaseMeans, Double>
  private let scale: Double

  /// - Returns: `nil` for a metric that is no mean of cases, or that is unknown for one.
  init?(_ metric: SweepMetric, _ sweep: PolicySweep, _ policy: Contender) {
    let table = sweep.replayer.table
    let outcomes = sweep.outcomes(of: policy)
    let trials = PairedTrials([outcomes], cases: table.cases.count, repeats: table.repeats)
    guard !trials.cases.isEmpty else { return nil }
    var means = trials.means(outcomes)
    scale = metric == .latencyMean ? 1000 : 1
    switch metric {
    case .quality: value = \.quality
    case .costPerCase: value = \.dollars
    case .latencyMean: value = \.seconds
    default:
      guard let flags = metric.flags else { return nil }
      value = \.strongShare
      let shares = trials.shares(of: flags, in: outcomes, clusters: table.cases.map { _ in nil }).values
      for place in means.indices { means[place].strongShare = shares[place] }
    }
    var paired = PairedCases(trials.cases.map { table.cases[$0] })
    paired.add(means)
    self.paired = paired
    guard !means.contains(where: { $0[keyPath: value].isNaN }) else { return nil }
  }

  var units: Int { paired.units }

  func means(_ resamples: Int, seed: UInt64) -> [Double] {
    paired.resampled(resamples, seed: seed).means[0].map { $0[keyPath: value] * scale }
  }
}

extension SweepMetric {
  /// The flags of which it is the share; `nil` for another kind of metric.
  fileprivate var flags: TraceOutcome.Flags? {
    switch self {
    case .cloudShare: .left
    case .privateCloudShare: .leftToPrivateCloud
    case .thirdPartyShare: .leftToThirdParty
    case .servedCloudShare: [.servedFromPrivateCloud, .servedFromThirdParty]
    case .strongShare: .calledStrong
    case .fallbackRate: .fellBack
    case .escalationRate: .escalated
    case .blockedRate: .blocked
    case .quality, .costPerCase, .latencyMean, .latencyP50, .latencyP95, .recoveryRate, .leaks, .coverage: nil
    }
  }
}
