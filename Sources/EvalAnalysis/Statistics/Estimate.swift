/// How a number and its interval were found; the names are those of `Docs/Statistics.md`.
package enum EstimateMethod: String, Sendable, Hashable, CaseIterable {
  /// Mean over cases, Student's t.
  case t
  /// Mean over cases, Student's t over clusters, Miller's standard error.
  case clusteredT = "t-clustered"
  /// Wilson's score interval over independent trials.
  case wilson
  /// Wilson's interval with the number of trials that the spread between cases or clusters leaves.
  case effectiveWilson = "wilson-effective-n"
  /// Nearest-rank percentile, binomial order statistics.
  case orderStatistics = "order-statistics"
  /// Ratio of sums, expanded percentile bootstrap over cases or clusters.
  case clusterBootstrap = "cluster-bootstrap"
  /// Ratio of sums, linearised: for more cases than a bootstrap is worth.
  case linearised = "linearised-ratio"
  /// Tango's score interval of a paired difference between shares.
  case tango
  /// Tango's interval with the number of pairs that the spread between cases or clusters leaves.
  case effectiveTango = "tango-effective-n"
  /// The geometric mean of paired ratios, Student's t on the logarithms.
  case logT = "t-log"
  /// Any other statistic, expanded percentile bootstrap over cases.
  case bootstrap
  /// A share of a sample that was drawn at several rates, MOVER for a ratio on Wilson's intervals of its groups.
  case moverRatio = "mover-ratio"
  /// A judged rate corrected for the judge's errors, Lang and Reiczigel's interval.
  case roganGladen = "rogan-gladen"
  /// A count or a sum: there is nothing to be unsure of.
  case exact
}

/// A number that travels with its doubt.
package struct Estimate: Sendable, Hashable {
  /// `nil` when it cannot be estimated; never NaN.
  package var value: Double?
  /// The 95 % interval; `nil` when there is too little for one.
  package var interval: ClosedRange<Double>?
  /// How many trials, calls or cases the value rests on.
  package var n: Int
  /// How many should have counted and had no value.
  package var missing: Int
  /// Independent units behind the interval (cases, or clusters of cases); `nil` when that is `n`.
  package var units: Int?
  package var method: EstimateMethod
  /// True when cases of one cluster counted as one unit.
  package var isClustered = false

  package init(
    value: Double?, interval: ClosedRange<Double>? = nil, n: Int, missing: Int = 0, units: Int? = nil,
    method: EstimateMethod
  ) {
    self.value = value
    self.interval = interval
    self.n = n
    self.missing = missing
    self.units = units
    self.method = method
  }

  /// Half the interval's width; `nil` without one.
  package var margin: Double? { interval.map { ($0.upperBound - $0.lowerBound) / 2 } }
}
