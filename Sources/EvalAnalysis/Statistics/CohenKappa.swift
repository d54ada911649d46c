import EvalCore

/// How far one judge agrees with people beyond what chance would give.
package enum CohenKappa {
  /// How much a disagreement counts.
  package enum Weighting: Sendable, Hashable {
    /// All alike: Cohen, *A Coefficient of Agreement for Nominal Scales* (1960).
    case none
    /// By the square of the distance, `(i − j)²`, for scales: Cohen, *Weighted Kappa* (1968).
    case quadratic

    func cost(_ left: Int, _ right: Int) -> Double {
      switch self {
      case .none: left == right ? 0 : 1
      case .quadratic: Double((left - right) * (left - right))
      }
    }
  }

  /// `κ = 1 − Σ v_ij·p_ij / Σ v_ij·p_i·p_j` over the shares p of each pair of levels and their margins.
  ///
  /// - Returns: 1 for perfect agreement, 0 for that of chance, below 0 for less; `nil` when both always gave one level,
  ///   the same one, which tells nothing.
  package static func value(_ sample: LabelledSample, levels: Int, _ weighting: Weighting) -> Double? {
    var table = Table(levels: levels)
    for pair in sample.pairs { table.add(pair, sample.weight(pair)) }
    return table.kappa(weighting)
  }

  /// Kappa with its 95 % interval.
  ///
  /// The bootstrap over cases within the groups that answers were drawn from, seeded, expanded percentiles; and never
  /// narrower than what Wilson's interval of the observed agreement makes of kappa at the chance agreement found,
  /// `κ = 1 − (1 − P_o)/(1 − P_e)`. For few labels the bootstrap alone is too sure: of ten labels that all agree every
  /// resample agrees, too, and its interval would have no width.
  /// - Returns: no interval where kappa has no value or one case alone is labelled.
  package static func estimate(
    _ sample: LabelledSample, levels: Int, _ weighting: Weighting, seed: UInt64, resamples: Int = 1000
  ) -> Estimate {
    var estimate = Estimate(
      value: value(sample, levels: levels, weighting), n: sample.pairs.count, units: sample.clusterCount,
      method: .bootstrap)
    guard let kappa = estimate.value, sample.clusterCount >= 2 else { return estimate }
    var interval = agreementBounds(sample, levels: levels, weighting) ?? kappa...kappa
    if let drawn = bootstrap(sample, levels, weighting, seed, resamples) {
      interval =
        min(interval.lowerBound, drawn.lowerBound)...max(interval.upperBound, drawn.upperBound)
    }
    estimate.interval = max(-1, min(kappa, interval.lowerBound))...min(1, max(kappa, interval.upperBound))
    return estimate
  }

  /// Wilson's interval of the observed agreement, turned into kappa.
  private static func agreementBounds(
    _ sample: LabelledSample, levels: Int, _ weighting: Weighting
  ) -> ClosedRange<Double>? {
    var table = Table(levels: levels)
    for pair in sample.pairs { table.add(pair, sample.weight(pair)) }
    let most = weighting.cost(0, levels - 1)
    let (observed, expected) = table.disagreements(weighting)
    guard expected > 0 else { return nil }
    let entries = sample.pairs.map { pair in
      (
        cluster: pair.cluster, weight: sample.weight(pair),
        value: 1 - weighting.cost(pair.person, pair.judge) / most
      )
    }
    let agreement = min(1, max(0, 1 - observed / most))
    let bounds = Proportion.wilson(share: agreement, n: EffectiveCount.of(entries))
    func kappa(_ agreement: Double) -> Double { 1 - (1 - agreement) * most / expected }
    return kappa(bounds.lowerBound)...kappa(bounds.upperBound)
  }

  private static func bootstrap(
    _ sample: LabelledSample, _ levels: Int, _ weighting: Weighting, _ seed: UInt64, _ resamples: Int
  ) -> ClosedRange<Double>? {
    let strata = Dictionary(grouping: sample.pairs, by: \.stratum).sorted { $0.key < $1.key }.map { stratum in
      Dictionary(grouping: stratum.value, by: \.cluster).sorted { $0.key < $1.key }.map(\.value)
    }
    var random = SeededRandom(seed: seed)
    var values: [Double] = []
    for _ in 0..<resamples {
      var table = Table(levels: levels)
      for cases in strata {
        for _ in cases.indices {
          for pair in cases[random.below(cases.count)] { table.add(pair, sample.weight(pair)) }
        }
      }
      if let kappa = table.kappa(weighting) { values.append(kappa) }
    }
    guard values.count * 40 > resamples * 39 else { return nil }
    values.sort()
    let (low, high) = Resamples.bounds(values, units: sample.clusterCount)
    return low...high
  }
}

/// Weighted counts of each pair of levels.
private struct Table {
  private let levels: Int
  private var cells: [Double]

  init(levels: Int) {
    self.levels = levels
    cells = Array(repeating: 0, count: levels * levels)
  }

  mutating func add(_ pair: LabelledPair, _ weight: Double) {
    guard (0..<levels).contains(pair.person), (0..<levels).contains(pair.judge) else { return }
    cells[pair.person * levels + pair.judge] += weight
  }

  /// Of all pairs and of chance, as means of what a disagreement costs.
  func disagreements(_ weighting: CohenKappa.Weighting) -> (observed: Double, expected: Double) {
    let total = cells.reduce(0, +)
    guard total > 0 else { return (0, 0) }
    var people = Array(repeating: 0.0, count: levels)
    var judges = people
    var observed = 0.0
    for person in 0..<levels {
      for judge in 0..<levels {
        let share = cells[person * levels + judge] / total
        people[person] += share
        judges[judge] += share
        observed += share * weighting.cost(person, judge)
      }
    }
    var expected = 0.0
    for person in 0..<levels {
      for judge in 0..<levels { expected += people[person] * judges[judge] * weighting.cost(person, judge) }
    }
    return (observed, expected)
  }

  func kappa(_ weighting: CohenKappa.Weighting) -> Double? {
    let (observed, expected) = disagreements(weighting)
    return expected > 0 ? 1 - observed / expected : nil
  }
}
