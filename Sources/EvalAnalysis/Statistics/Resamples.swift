/// What is read from the values of many resamples.
package enum Resamples {
  /// The 95 % interval: percentiles taken at `Φ(−√(n/(n−1))·t_{n−1})` in place of 2.5 %, which mends the bootstrap's
  /// narrowness for few units (Hesterberg, *What Teachers Should Know About the Bootstrap*, The American Statistician 69
  /// (2015), section 5.2). The k-th of B ordered resamples stands for k/(B+1) (Davison and Hinkley 1997, section 5.2.1).
  ///
  /// - Parameters:
  ///   - sorted: a value of each resample, in rising order; at least one.
  ///   - units: what was drawn: cases, or clusters of cases; at least 2.
  package static func bounds(_ sorted: [Double], units: Int) -> (low: Double, high: Double) {
    let n = Double(units)
    let tail = Normal.cdf(-(n / (n - 1)).squareRoot() * StudentT.quantile(0.975, df: n - 1))
    let rank = max(1, Int(Double(sorted.count + 1) * tail))
    return (sorted[rank - 1], sorted[sorted.count - rank])
  }
}
