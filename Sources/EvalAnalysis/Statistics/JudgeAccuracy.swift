/// How often a judge is right where people say pass, and where they say fail: levels 1 and 0.
package enum JudgeAccuracy {
  /// Of the answers that people pass, the share that the judge passes.
  /// - Returns: `n` is the labels that say pass.
  package static func sensitivity(_ sample: LabelledSample, confidence: Double = 0.95) -> Estimate {
    rate(sample, truth: 1, confidence)
  }

  /// Of the answers that people fail, the share that the judge fails.
  /// - Returns: `n` is the labels that say fail.
  package static func specificity(_ sample: LabelledSample, confidence: Double = 0.95) -> Estimate {
    rate(sample, truth: 0, confidence)
  }

  /// Of all answers, the share that people and the judge see alike.
  package static func agreement(_ sample: LabelledSample) -> Estimate {
    let entries = sample.pairs.map { pair in
      (cluster: pair.cluster, weight: sample.weight(pair), value: pair.person == pair.judge ? 1.0 : 0.0)
    }
    return wilson(entries, 0.95)
  }

  /// Of all answers, the share that people pass.
  package static func passed(_ sample: LabelledSample) -> Estimate {
    let entries = sample.pairs.map { pair in
      (cluster: pair.cluster, weight: sample.weight(pair), value: Double(pair.person))
    }
    return wilson(entries, 0.95)
  }

  /// `Σ w·[both say truth] / Σ w·[people say truth]`.
  ///
  /// Its interval is Wilson's, with the effective number of labels where weights or cases differ; where groups were made
  /// by the judge's verdict and drawn at several rates, `ratio`.
  private static func rate(_ sample: LabelledSample, truth: Int, _ confidence: Double) -> Estimate {
    let entries = sample.pairs.filter { $0.person == truth }.map { pair in
      (cluster: pair.cluster, weight: sample.weight(pair), value: pair.judge == truth ? 1.0 : 0.0)
    }
    var estimate = wilson(entries, confidence)
    guard let value = estimate.value, !sample.isEven, sample.isByVerdict,
      let interval = ratio(sample, truth: truth, confidence)
    else { return estimate }
    estimate.interval = min(value, interval.lowerBound)...max(value, interval.upperBound)
    estimate.method = .moverRatio
    return estimate
  }

  private static func wilson(
    _ entries: [(cluster: Int, weight: Double, value: Double)], _ confidence: Double
  ) -> Estimate {
    let total = entries.reduce(0) { $0 + $1.weight }
    guard total > 0 else { return Estimate(value: nil, n: 0, method: .wilson) }
    let share = min(1, max(0, entries.reduce(0) { $0 + $1.weight * $1.value } / total))
    let effective = EffectiveCount.of(entries)
    let isPlain = abs(effective - Double(entries.count)) < 1e-9
    return Estimate(
      value: share, interval: Proportion.wilson(share: share, n: effective, confidence: confidence),
      n: entries.count, units: isPlain ? nil : Set(entries.map(\.cluster)).count,
      method: isPlain ? .wilson : .effectiveWilson)
  }

  /// The interval of `A/(A + B)` for `A = Σ_h N_h·p_h` over groups that the judge gave `truth` and B over the others,
  /// where p_h is the share of a group that people give `truth`.
  ///
  /// Each p_h has Wilson's interval; MOVER makes those of the sums (Zou and Donner, *Construction of confidence limits
  /// about effect measures*, Statistics in Medicine 27 (2008)) and of their ratio (Donner and Zou, *Closed-form confidence
  /// intervals for functions of the normal mean and standard deviation*, Statistical Methods in Medical Research 21
  /// (2012)). So a rare group of which no label contradicts the judge still leaves the doubt that its size makes.
  private static func ratio(
    _ sample: LabelledSample, truth: Int, _ confidence: Double
  ) -> ClosedRange<Double>? {
    var agreeing = BoundedSum()
    var other = BoundedSum()
    for (_, pairs) in Dictionary(grouping: sample.pairs, by: \.stratum).sorted(by: { $0.key < $1.key }) {
      let entries = pairs.map { (cluster: $0.cluster, weight: 1.0, value: $0.person == truth ? 1.0 : 0.0) }
      let share = entries.reduce(0) { $0 + $1.value } / Double(entries.count)
      let bounds = Proportion.wilson(share: share, n: EffectiveCount.of(entries), confidence: confidence)
      let size = sample.weight(pairs[0]) * Double(pairs.count)
      if pairs[0].judge == truth {
        agreeing.add(size, share, bounds)
      } else {
        other.add(size, share, bounds)
      }
    }
    if agreeing.value > 0 {
      let odds = other.ratio(to: agreeing)
      return 1 / (1 + odds.upperBound)...1 / (1 + odds.lowerBound)
    }
    guard other.value > 0 else { return nil }
    let odds = agreeing.ratio(to: other)
    return odds.lowerBound / (1 + odds.lowerBound)...odds.upperBound / (1 + odds.upperBound)
  }
}

/// A sum of independent estimates, with its interval by MOVER.
private struct BoundedSum {
  private(set) var value = 0.0
  private var below = 0.0
  private var above = 0.0

  mutating func add(_ size: Double, _ share: Double, _ bounds: ClosedRange<Double>) {
    value += size * share
    below += size * size * (share - bounds.lowerBound) * (share - bounds.lowerBound)
    above += size * size * (bounds.upperBound - share) * (bounds.upperBound - share)
  }

  private var low: Double { max(0, value - below.squareRoot()) }
  private var high: Double { value + above.squareRoot() }

  /// The interval of this sum over another above 0 (Donner and Zou 2012), each end in the form that divides by no
  /// difference.
  func ratio(to other: BoundedSum) -> ClosedRange<Double> {
    let product = value * other.value
    func root(_ mine: Double, _ others: Double) -> Double {
      max(0, product * product - mine * others).squareRoot()
    }
    let lowest = low * (2 * value - low)
    let least =
      lowest == 0 ? 0 : lowest / (product + root(lowest, other.high * (2 * other.value - other.high)))
    let smallest = other.low * (2 * other.value - other.low)
    let greatest =
      smallest > 0 ? (product + root(high * (2 * value - high), smallest)) / smallest : .infinity
    return least...max(least, greatest)
  }
}
