/// Pass or fail, twice on the same cases. Only the discordant pairs, those where the two differ, tell anything.
package enum PairedProportion {
  /// The exact McNemar test: `p = min(1, 2·Σ_{k≤min(b,c)} C(b+c,k)/2^{b+c})`.
  ///
  /// McNemar, *Psychometrika* 12 (1947), in the exact form of a sign test on the discordant pairs.
  /// - Parameters:
  ///   - gained: pairs that only the candidate passed.
  ///   - lost: pairs that only the reference passed.
  package static func mcNemar(gained: Int, lost: Int) -> Double {
    let discordant = gained + lost
    guard discordant > 0 else { return 1 }
    return min(1, 2 * Binomial.cdf(min(gained, lost), n: discordant, p: 0.5))
  }

  /// The score interval of the difference `(b − c)/n`: the values δ with
  /// `|b − c − nδ| ≤ z·√(n(2q + δ(1−δ)))`, `q` the greatest likelihood for the smaller discordant share under δ.
  ///
  /// Tango, *Equivalence test and confidence interval for the difference in proportions for the paired-sample design*,
  /// Statistics in Medicine 17 (1998), equations 13 and 15. Never of width 0, and inside −1…1.
  /// - Parameters:
  ///   - gained: discordant pairs in favour of the candidate, b; not whole for an effective number.
  ///   - lost: discordant pairs in favour of the reference, c.
  ///   - n: all pairs, above 0.
  package static func tango(
    gained: Double, lost: Double, n: Double, confidence: Double = 0.95
  ) -> ClosedRange<Double> {
    let z = Normal.quantile(0.5 + confidence / 2)
    let difference = (gained - lost) / n
    /// Falls from +∞ to −∞ as δ rises.
    func score(_ delta: Double) -> Double {
      let top = gained - lost - n * delta
      let linear = (2 * n - gained + lost) * delta - gained - lost
      let constant = -lost * delta * (1 - delta)
      let root = max(0, linear * linear - 8 * n * constant).squareRoot()
      let share = max(0, (root - linear) / (4 * n))
      let variance = n * (2 * share + delta * (1 - delta))
      guard variance > 0 else { return top == 0 ? 0 : top > 0 ? .infinity : -.infinity }
      return top / variance.squareRoot()
    }
    let low = bisect(from: -1, to: difference) { score($0) > z }
    let high = bisect(from: difference, to: 1) { score($0) >= -z }
    return min(low, difference)...max(high, difference)
  }

  /// Where `isBelow` turns from true to false.
  private static func bisect(from: Double, to: Double, _ isBelow: (Double) -> Bool) -> Double {
    var (low, high) = (from, to)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if isBelow(middle) { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
