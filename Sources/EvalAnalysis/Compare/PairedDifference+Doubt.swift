#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension PairedDifference {
  /// The mean difference with its interval.
  ///
  /// Where every value is 0 or 1: Tango's interval, over the pairs when each case has one, else over the effective
  /// number of pairs. Else Student's t on the cases' differences, `SE = √(Σ(d_i−d̄)²/(n(n−1)))`, with clusters as in
  /// `Mean.moments`. Never of width 0.
  static func mean(
    _ sample: PairedSample, _ measure: ComparisonMeasure, confidence: Double
  ) -> Estimate {
    let values = sample.differences
    guard measure.bounds != nil else {
      if measure.scale == .difference, sample.isFree {
        return Estimate(
          value: 0, interval: 0...0, n: values.trials, missing: sample.missing, units: values.unitCount,
          method: .exact)
      }
      return Mean.estimate(values, missing: sample.missing, confidence: confidence)
    }
    let isFlat = values.values.allSatisfy { $0 == values.values[0] }
    guard values.count > 0, sample.isBinary || isFlat else {
      return Mean.estimate(values, missing: sample.missing, bounds: -1...1, confidence: confidence)
    }
    return share(sample, confidence: confidence)
  }

  /// Tango's interval with the effective number of pairs `n* = (b + c − d̄²)/SE²·(z/t)²`, b and c the discordant shares:
  /// the number of single pairs with the same spread. Between 1 and the trial pairs; without any spread the units.
  ///
  /// The design effect on a score interval, as for a single share in `Mean.ofScores` (Korn and Graubard 1998).
  private static func share(_ sample: PairedSample, confidence: Double) -> Estimate {
    let values = sample.differences
    let n = Double(values.count)
    let mean = values.values.reduce(0, +) / n
    // Of graded scores that are all equally far apart there are no discordant pairs to count.
    let gained = sample.isBinary ? sample.gained / n : max(0, mean)
    let lost = sample.isBinary ? sample.lost / n : max(0, -mean)
    var estimate = Estimate(
      value: mean, n: values.trials, missing: sample.missing, units: values.unitCount, method: .tango)
    estimate.isClustered = values.isClustered
    var pairs = n
    if values.trials != values.count || values.isClustered || !sample.isBinary {
      estimate.method = .effectiveTango
      pairs = Double(values.unitCount)
      if let moments = Mean.moments(values), moments.standardError > 0 {
        let z = Normal.quantile(0.5 + confidence / 2)
        let t = StudentT.quantile(0.5 + confidence / 2, df: Double(moments.units - 1))
        let square = moments.standardError * moments.standardError
        pairs = (gained + lost - mean * mean) / square * (z / t) * (z / t)
      }
      pairs = min(max(pairs, 1), Double(values.trials))
    }
    estimate.interval = PairedProportion.tango(
      gained: gained * pairs, lost: lost * pairs, n: pairs, confidence: confidence)
    return estimate
  }

  /// Exact McNemar for single pairs of pass or fail, else the sign-flip permutation test, clusters flipped together.
  static func test(_ sample: PairedSample, _ measure: ComparisonMeasure, seed: UInt64) -> PairedTest? {
    let values = sample.differences
    guard values.count > 0 else { return nil }
    if sample.isBinary, values.trials == values.count, !values.isClustered {
      let gained = Int(sample.gained.rounded())
      let lost = Int(sample.lost.rounded())
      return PairedTest(
        method: .mcNemar, p: PairedProportion.mcNemar(gained: gained, lost: lost), differing: gained + lost)
    }
    let result = SignFlip.test(sample.units, seed: seed)
    return PairedTest(
      method: result.isExact ? .signFlip : .signFlipDrawn, p: result.p, differing: result.nonzero)
  }

  static func detectable(
    _ sample: PairedSample, _ measure: ComparisonMeasure, _ mean: Estimate, confidence: Double
  ) -> Detectable? {
    let units = sample.differences.unitCount
    guard units >= 2, let moments = Mean.moments(sample.differences), let value = mean.value else {
      return nil
    }
    var error = moments.standardError
    // Without any spread the interval's width is what is known of it.
    if error == 0, let margin = mean.margin { error = margin / Normal.quantile(0.5 + confidence / 2) }
    guard error > 0 else { return nil }
    let size = Power.detectable(standardError: error, confidence: confidence, df: Double(units - 1))
    let variance = error * error * Double(units)
    return Detectable(
      difference: measure.scale == .ratio ? exp(size) : size, units: units,
      isClustered: sample.differences.isClustered, variance: variance,
      unitsForObserved: value == 0
        ? nil : Power.units(toSee: value, variance: variance, confidence: confidence))
  }
}

extension PairedSample {
  /// Nothing cost anything on either side.
  var isFree: Bool {
    differences.count > 0 && reference.values.allSatisfy { $0 == 0 }
      && candidate.values.allSatisfy { $0 == 0 }
  }
}
