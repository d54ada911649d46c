#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What an unfinished run may decide: a boundary that holds however often somebody looks.
///
/// The estimate at the fraction t of the information must lie `c/√t` standard errors from the limit. With `c` from
/// `P(max_{0≤t≤1} |B(t)| > c) = α` for Brownian motion B, all looks together fire at most as often as one look at the
/// end: `4·(1 − Φ(c)) = α` by the reflection principle (Feller, *An Introduction to Probability Theory and Its
/// Applications* II, X.5), the limit of the boundaries of O'Brien and Fleming (Biometrics 35, 1979) for ever more
/// looks. α = 0.05 gives c = 2.2414.
package enum EarlyLook {
  /// Below this part of the trials nothing is judged: the boundary is beyond what a t distribution can tell.
  package static let least = 0.1

  /// The constant c for a two-sided α.
  package static func constant(alpha: Double = 0.05) -> Double { Normal.quantile(1 - alpha / 4) }

  /// The confidence of the interval to test at this part of the trials; `nil` when it is too early to look at all.
  /// - Parameter fraction: finished of planned trials, in 0…1.
  package static func confidence(at fraction: Double, alpha: Double = 0.05) -> Double? {
    guard fraction >= least else { return nil }
    let z = constant(alpha: alpha) / min(fraction, 1).squareRoot()
    return 1 - 2 * Normal.cdf(-z)
  }
}
