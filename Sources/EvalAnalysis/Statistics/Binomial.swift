#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The number of successes in `n` independent trials.
package enum Binomial {
  /// `P(B ≤ k) = I_{1−p}(n−k, k+1)` (DLMF 8.17.5).
  package static func cdf(_ k: Int, n: Int, p: Double) -> Double {
    if k < 0 { return 0 }
    if k >= n { return 1 }
    return SpecialFunctions.incompleteBeta(Double(n - k), Double(k + 1), x: 1 - p, y: p)
  }

  /// The least `k` with `P(B ≤ k) ≥ probability`, by bisection; a sum that is equal but for rounding counts.
  package static func quantile(_ probability: Double, n: Int, p: Double) -> Int {
    var low = 0
    var high = n
    let probability = probability * (1 - 1e-13)
    while low < high {
      let middle = (low + high) / 2
      if cdf(middle, n: n, p: p) >= probability { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// The part of a whole in 0…1, with Wilson's interval.
package enum Proportion {
  /// Wilson's score interval, `(p̂+z²/2n ± z·√(p̂(1−p̂)/n+z²/4n²))/(1+z²/n)`; never of width 0.
  ///
  /// Wilson, *Probable inference, the law of succession, and statistical inference*, JASA 22 (1927).
  /// - Parameters:
  ///   - share: the observed part, in 0…1.
  ///   - n: how many independent trials it rests on, above 0; not whole for an effective number.
  package static func wilson(
    share: Double, n: Double, confidence: Double = 0.95
  ) -> ClosedRange<Double> {
    let z = Normal.quantile(0.5 + confidence / 2)
    let square = z * z
    let centre = share + square / (2 * n)
    let spread = z * (share * (1 - share) / n + square / (4 * n * n)).squareRoot()
    let whole = 1 + square / n
    // At 0 and 1 the bound is the share itself; rounding must not push it off.
    let low = share == 0 ? 0 : max(0, (centre - spread) / whole)
    let high = share == 1 ? 1 : min(1, (centre + spread) / whole)
    return low...high
  }

  /// The number of independent trials whose Wilson interval is as wide as this one; not whole.
  static func effectiveCount(
    _ share: Double, _ interval: ClosedRange<Double>, confidence: Double = 0.95
  ) -> Double {
    let wanted = interval.upperBound - interval.lowerBound
    var (low, high) = (-3.0, 25.0)
    // The width falls with n; halving the exponent's range 60 times leaves nothing to round.
    for _ in 0..<60 {
      let middle = (low + high) / 2
      let bounds = wilson(share: share, n: exp(middle), confidence: confidence)
      if bounds.upperBound - bounds.lowerBound > wanted { low = middle } else { high = middle }
    }
    return exp((low + high) / 2)
  }

  /// A share of independent trials with its interval.
  package static func estimate(_ successes: Int, of n: Int, missing: Int = 0) -> Estimate {
    guard n > 0 else { return Estimate(value: nil, n: 0, missing: missing, method: .wilson) }
    let share = Double(successes) / Double(n)
    return Estimate(
      value: share, interval: wilson(share: share, n: Double(n)), n: n, missing: missing, method: .wilson)
  }
}
