#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Student's t distribution.
package enum StudentT {
  /// `P(T > t)` for `t ≥ 0`: `½·I_{ν/(ν+t²)}(ν/2, ½)` (DLMF 8.17, Abramowitz and Stegun 26.7.1).
  package static func upperTail(_ t: Double, df: Double) -> Double {
    let square = t * t
    return 0.5
      * SpecialFunctions.incompleteBeta(df / 2, 0.5, x: df / (df + square), y: square / (df + square))
  }

  /// The `t` with `P(T ≤ t) = p`, by safeguarded Newton steps on the tail; infinite at 0 and 1.
  /// - Parameter df: degrees of freedom, above 0, not necessarily whole.
  package static func quantile(_ p: Double, df: Double) -> Double {
    if p <= 0 { return -.infinity }
    if p >= 1 { return .infinity }
    if p == 0.5 { return 0 }
    let tail = min(p, 1 - p)
    let size = upperQuantile(tail, df: df)
    return p < 0.5 ? -size : size
  }

  private static func upperQuantile(_ tail: Double, df: Double) -> Double {
    var low = 0.0
    var high = max(1, -Normal.quantile(tail))
    while upperTail(high, df: df) > tail { (low, high) = (high, high * 2) }
    var t = (low + high) / 2
    for _ in 0..<200 {
      let excess = upperTail(t, df: df) - tail
      if excess > 0 { low = t } else { high = t }
      let newton = t + excess / density(t, df: df)
      let next = newton > low && newton < high ? newton : (low + high) / 2
      if abs(next - t) <= 1e-15 * abs(next) { return next }
      t = next
    }
    return t
  }

  /// `Γ((ν+1)/2)/(Γ(ν/2)·√(νπ)) · (1+t²/ν)^(−(ν+1)/2)`.
  private static func density(_ t: Double, df: Double) -> Double {
    // ln Γ((ν+1)/2) − ln Γ(ν/2) by Stirling's formula with its error, each at its argument less one half or one.
    let ratio = logGamma((df + 1) / 2) - logGamma(df / 2)
    return exp(ratio - (df + 1) / 2 * log1p(t * t / df)) / (df * Double.pi).squareRoot()
  }

  private static func logGamma(_ x: Double) -> Double {
    // Γ(x) = Γ(x+1)/x, and Stirling's formula gives ln Γ(x+1).
    SpecialFunctions.stirlingError(x) + (x - 0.5) * log(x) - x + 0.5 * log(2 * Double.pi)
  }
}
