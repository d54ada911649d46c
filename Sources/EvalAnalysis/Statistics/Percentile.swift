#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A nearest-rank percentile of raw values, with the interval that order statistics give it.
package struct Percentile: Sendable, Hashable {
  /// A place in the order: a value, or among the failures that come after every value.
  package enum Position: Sendable, Hashable {
    case value(Double)
    /// Later than every finished call.
    case beyond

    package var value: Double? { if case .value(let value) = self { value } else { nil } }
  }

  /// In 0…1.
  package var quantile: Double
  /// Values and failures together.
  package var n: Int
  /// Failures counted as slower than everything; 0 in a success-only percentile.
  package var failures: Int
  /// `x_(⌈p·n⌉)`, whatever n is; `nil` without any value.
  package var observed: Position?
  /// True when `⌈p·n⌉ = n`: what is called a percentile is the slowest call.
  package var isMaximum: Bool
  package var low: Position?
  package var high: Position?

  /// The least n that a two-sided 95 % interval takes: 6, 36, 72 and 368 for p50, p90, p95 and p99.
  package static func required(_ quantile: Double, confidence: Double = 0.95) -> Int {
    // Both ends must be possible: (1−p)^n and p^n at most α/2.
    let tail = (1 - confidence) / 2
    return Int((log(tail) / log(max(quantile, 1 - quantile))).rounded(.up))
  }

  package var required: Int { Percentile.required(quantile) }

  /// False below the n that its interval takes; then `observed` is only what happened to be seen.
  package var isEstimable: Bool { n >= required }

  /// The percentile as an estimate: without a value when n is too small or the value lies among the failures.
  package var estimate: Estimate {
    var interval: ClosedRange<Double>?
    if let low = low?.value, let high = high?.value { interval = low...high }
    return Estimate(
      value: isEstimable ? observed?.value : nil, interval: interval, n: n, method: .orderStatistics)
  }

  /// `⌈p·n⌉`, 1-based.
  package static func rank(_ quantile: Double, of n: Int) -> Int {
    // The product may land a rounding error above a whole number.
    min(n, max(1, Int((quantile * Double(n) - 1e-9).rounded(.up))))
  }

  /// The ranks `l` and `u`, 1-based, with `Σ_{k=l}^{u−1} C(n,k)·p^k·(1−p)^{n−k} ≥ confidence` and at most half of the
  /// rest on either side; `nil` when n is too small for one.
  ///
  /// David and Nagaraja, *Order Statistics*, 3rd edition (2003), section 7.1.
  package static func ranks(
    _ quantile: Double, of n: Int, confidence: Double = 0.95
  ) -> (low: Int, high: Int)? {
    guard n >= required(quantile, confidence: confidence) else { return nil }
    let tail = (1 - confidence) / 2
    // The greatest l with P(B ≤ l−1) ≤ α/2, and the least u with P(B ≤ u−1) ≥ 1 − α/2.
    var low = Binomial.quantile(tail, n: n, p: quantile)
    if Binomial.cdf(low, n: n, p: quantile) <= tail { low += 1 }
    let high = Binomial.quantile(1 - tail, n: n, p: quantile) + 1
    guard low >= 1, high <= n else { return nil }
    return (low, high)
  }

  /// - Parameters:
  ///   - sorted: finite values in rising order.
  ///   - failures: calls that come after all of them.
  package init(_ quantile: Double, sorted: [Double], failures: Int = 0) {
    self.quantile = quantile
    self.failures = failures
    n = sorted.count + failures
    isMaximum = false
    guard n > 0 else { return }
    func position(_ rank: Int) -> Position { rank <= sorted.count ? .value(sorted[rank - 1]) : .beyond }
    let rank = Percentile.rank(quantile, of: n)
    observed = position(rank)
    isMaximum = rank == n
    if let ranks = Percentile.ranks(quantile, of: n) {
      low = position(ranks.low)
      high = position(ranks.high)
    }
  }
}

/// Times or rates of one kind, without any mean: percentiles, ends and how many there were.
package struct Distribution: Sendable, Hashable {
  package var n: Int
  /// Calls that should have had a value and have none.
  package var missing: Int
  package var minimum: Double?
  package var maximum: Double?
  package var p50: Percentile
  package var p90: Percentile
  package var p95: Percentile

  /// - Parameter failures: calls counted as slower than every value.
  package init(_ values: [Double], missing: Int = 0, failures: Int = 0) {
    self.init(sorted: values.sorted(), missing: missing, failures: failures)
  }

  init(sorted: [Double], missing: Int, failures: Int) {
    n = sorted.count
    self.missing = missing
    minimum = sorted.first
    maximum = sorted.last
    p50 = Percentile(0.5, sorted: sorted, failures: failures)
    p90 = Percentile(0.9, sorted: sorted, failures: failures)
    p95 = Percentile(0.95, sorted: sorted, failures: failures)
  }
}
