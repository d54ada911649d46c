/// One value for each case, its repeats averaged before, with the cluster that the case belongs to.
package struct CaseValues: Sendable {
  package private(set) var values: [Double] = []
  /// Parallel to `values`; a case that stands alone has a negative number of its own.
  package private(set) var clusters: [Int] = []
  package private(set) var isClustered = false
  /// True while every value added was made of whole passes and fails, so that Wilson's interval fits.
  package var isBinary = true
  /// Trials behind the values, repeats counted.
  package private(set) var trials = 0

  package init() {}

  /// - Parameters:
  ///   - value: the mean over the case's repeats.
  ///   - trials: how many repeats that was.
  ///   - cluster: a number for the case's source; `nil` when it stands alone.
  package mutating func append(_ value: Double, trials: Int = 1, cluster: Int? = nil) {
    values.append(value)
    clusters.append(cluster ?? -values.count)
    isClustered = isClustered || cluster != nil
    self.trials += trials
  }

  package var count: Int { values.count }

  /// Independent units: clusters where there are any, else cases.
  package var unitCount: Int { isClustered ? Set(clusters).count : values.count }
}

/// Means over cases.
package enum Mean {
  /// The mean and its standard error.
  package struct Moments: Sendable, Hashable {
    package var mean: Double
    package var standardError: Double
    package var units: Int
  }

  /// `SE = √(Σ(s_i−s̄)²/(n(n−1)))`; with clusters `SE_cl = √(SE² + (1/n²)·Σ_c Σ_{i≠j∈c}(s_i−s̄)(s_j−s̄))`.
  ///
  /// Miller, *Adding Error Bars to Evals*, arXiv 2411.00640 (2024), equations 1 and 4.
  /// - Returns: `nil` with fewer than two cases or clusters.
  package static func moments(_ cases: CaseValues) -> Moments? {
    let units = cases.unitCount
    guard units >= 2 else { return nil }
    let n = Double(cases.count)
    let mean = cases.values.reduce(0, +) / n
    let squares = cases.values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    var variance = squares / (n * (n - 1))
    if cases.isClustered {
      var sums: [Int: Double] = [:]
      for (value, cluster) in zip(cases.values, cases.clusters) { sums[cluster, default: 0] += value - mean }
      // Σ_{i≠j∈c} e_i·e_j = (Σ_{i∈c} e_i)² − Σ_{i∈c} e_i².
      // Summed in the order of the clusters, since a dictionary's own order changes from run to run.
      let together = sums.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value * $1.value }
      variance = max(0, variance + (together - squares) / (n * n))
    }
    return Moments(mean: mean, standardError: variance.squareRoot(), units: units)
  }

  /// The mean over cases with its interval by Student's t over `cases − 1`, or `clusters − 1`, degrees of freedom.
  ///
  /// - Parameters:
  ///   - missing: trials that should have had a value and have none.
  ///   - bounds: where a value can lie at all; the interval is cut there, which costs no coverage.
  package static func estimate(
    _ cases: CaseValues, missing: Int = 0, bounds: ClosedRange<Double>? = nil, confidence: Double = 0.95
  ) -> Estimate {
    let method: EstimateMethod = cases.isClustered ? .clusteredT : .t
    guard cases.count > 0 else { return Estimate(value: nil, n: 0, missing: missing, method: method) }
    let mean = cases.values.reduce(0, +) / Double(cases.count)
    var interval: ClosedRange<Double>?
    if let moments = moments(cases) {
      let t = StudentT.quantile(0.5 + confidence / 2, df: Double(moments.units - 1))
      var low = mean - t * moments.standardError
      var high = mean + t * moments.standardError
      if let bounds { (low, high) = (max(low, bounds.lowerBound), min(high, bounds.upperBound)) }
      if low <= high { interval = low...high }
    }
    var estimate = Estimate(
      value: mean, interval: interval, n: cases.trials, missing: missing, units: cases.unitCount,
      method: method)
    estimate.isClustered = cases.isClustered
    return estimate
  }

  /// The mean of scores in 0…1 with an interval that is never of width 0.
  ///
  /// Student's t where scores are graded. Where every score is a pass or a fail, or all are equal, Wilson's interval:
  /// over the trials when each case has one, else over the effective number of trials.
  package static func ofScores(
    _ cases: CaseValues, missing: Int = 0, confidence: Double = 0.95
  ) -> Estimate {
    guard cases.count > 0 else {
      return Estimate(
        value: nil, n: 0, missing: missing, method: cases.isBinary ? .wilson : .t)
    }
    let isFlat = cases.values.allSatisfy { $0 == cases.values[0] }
    guard cases.isBinary || isFlat else {
      return estimate(cases, missing: missing, bounds: 0...1, confidence: confidence)
    }
    return share(cases, missing: missing, confidence: confidence)
  }

  /// Wilson's interval with the effective number of trials: `n* = p̂(1−p̂)/SE²·(z/t)²`, between 1 and the trials.
  ///
  /// Franco, Little, Louis and Slud, *Comparative Study of Confidence Intervals for Proportions in Complex Sample
  /// Surveys*, Journal of Survey Statistics and Methodology 7 (2019), with the degrees-of-freedom adjustment of Korn
  /// and Graubard (1998). Without any spread the units themselves are the effective number.
  private static func share(_ cases: CaseValues, missing: Int, confidence: Double) -> Estimate {
    let share = min(1, max(0, cases.values.reduce(0, +) / Double(cases.count)))
    if cases.trials == cases.count, !cases.isClustered {
      return Estimate(
        value: share,
        interval: Proportion.wilson(share: share, n: Double(cases.count), confidence: confidence),
        n: cases.trials, missing: missing, method: .wilson)
    }
    var effective = Double(cases.unitCount)
    if let moments = moments(cases), moments.standardError > 0 {
      let z = Normal.quantile(0.5 + confidence / 2)
      let t = StudentT.quantile(0.5 + confidence / 2, df: Double(moments.units - 1))
      let square = moments.standardError * moments.standardError
      effective = share * (1 - share) / square * (z / t) * (z / t)
    }
    effective = min(max(effective, 1), Double(cases.trials))
    var estimate = Estimate(
      value: share, interval: Proportion.wilson(share: share, n: effective, confidence: confidence),
      n: cases.trials, missing: missing, units: cases.unitCount, method: .effectiveWilson)
    estimate.isClustered = cases.isClustered
    return estimate
  }
}
