#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Whether cases differ more in their passes than independent draws at one rate would.
package enum Dispersion {
  /// The upper tail of `X² = Σ (x_i − n_i·p̄)²/(n_i·p̄·(1−p̄))` over `k − 1` degrees of freedom, `p̄ = Σx_i/Σn_i`.
  ///
  /// Cochran, *Some Methods for Strengthening the Common χ² Tests*, Biometrics 10 (1954); the tail by Wilson and Hilferty,
  /// *The Distribution of Chi-Square*, PNAS 17 (1931).
  /// - Parameter cases: passes and trials of each; those with fewer than two trials say nothing and are left out.
  /// - Returns: `nil` with fewer than two cases, or when all passed or none.
  package static func pValue(_ cases: some Sequence<(passes: Int, trials: Int)>) -> Double? {
    let judged = cases.filter { $0.trials >= 2 }
    let trials = Double(judged.reduce(0) { $0 + $1.trials })
    let rate = Double(judged.reduce(0) { $0 + $1.passes }) / max(1, trials)
    guard judged.count >= 2, rate > 0, rate < 1 else { return nil }
    let square = judged.reduce(0.0) { sum, one in
      let off = Double(one.passes) - Double(one.trials) * rate
      return sum + off * off / (Double(one.trials) * rate * (1 - rate))
    }
    let freedom = Double(judged.count - 1)
    let spread = 2 / (9 * freedom)
    return 1 - Normal.cdf((cbrt(square / freedom) - (1 - spread)) / spread.squareRoot())
  }

  /// How many cases would have no pass if the passes fell on the trials at random:
  /// `Σ_i C(N−n_i, S)/C(N, S)` for S passes in N trials.
  package static func expectedWithoutPass(_ cases: some Sequence<(passes: Int, trials: Int)>) -> Double {
    let judged = Array(cases)
    let trials = judged.reduce(0) { $0 + $1.trials }
    let passes = judged.reduce(0) { $0 + $1.passes }
    var expected = 0.0
    for one in judged {
      // C(N−n, S)/C(N, S) = Π_{j<n} (N−S−j)/(N−j)
      var share = 1.0
      for index in 0..<one.trials {
        share *= Double(max(0, trials - passes - index)) / Double(trials - index)
      }
      expected += share
    }
    return expected
  }
}
