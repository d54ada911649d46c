/// What a comparison could have seen, and what it takes to see less.
///
/// `MDE = (z_{1−α/2} + z_{1−β})·SE`, by Student's t where the standard error is estimated from few units (Bloom,
/// *Minimum Detectable Effects*, Evaluation Review 19 (1995)).
package enum Power {
  /// The chance to see a difference of the size that reports speak of.
  package static let standard = 0.8

  /// `z_{1−α/2} + z_{1−β}`: 2.80 at 95 % confidence and 80 % power; with degrees of freedom, by Student's t.
  /// - Parameter df: of the standard error, above 0; `nil` takes the normal distribution.
  package static func factor(
    power: Double = standard, confidence: Double = 0.95, df: Double? = nil
  ) -> Double {
    guard let df else { return Normal.quantile(0.5 + confidence / 2) + Normal.quantile(power) }
    return StudentT.quantile(0.5 + confidence / 2, df: df) + StudentT.quantile(power, df: df)
  }

  /// The smallest difference that is seen with this power.
  /// - Parameters:
  ///   - standardError: of the mean paired difference.
  ///   - df: of the standard error; `nil` when it is known rather than estimated.
  package static func detectable(
    standardError: Double, power: Double = standard, confidence: Double = 0.95, df: Double? = nil
  ) -> Double {
    factor(power: power, confidence: confidence, df: df) * standardError
  }

  /// The smallest difference that n cases show: `(z_{1−α/2} + z_{1−β})·√(Var(d)/n)`.
  ///
  /// For pass or fail the variance of the difference is the share of discordant pairs: 0.2 and n = 100 give 12.5 points.
  package static func detectable(
    variance: Double, units: Double, power: Double = standard, confidence: Double = 0.95
  ) -> Double {
    detectable(standardError: (variance / units).squareRoot(), power: power, confidence: confidence)
  }

  /// How many cases a difference takes: `n = (z_{1−α/2} + z_{1−β})²·Var(d)/δ²`, rounded up.
  /// - Parameter difference: δ, not 0.
  /// - Returns: `nil` beyond a billion.
  package static func units(
    toSee difference: Double, variance: Double, power: Double = standard, confidence: Double = 0.95
  ) -> Int? {
    let factor = factor(power: power, confidence: confidence)
    let units = (factor * factor * variance / (difference * difference)).rounded(.up)
    return units.isFinite && units <= 1e9 ? max(2, Int(units)) : nil
  }

  /// The variance of one case's paired difference: `ω² + σ_A²/K_A + σ_B²/K_B` (Miller 2024, arXiv 2411.00640, section 5).
  /// - Parameters:
  ///   - between: ω², the variance over cases of the difference between the cases' true means.
  ///   - withinA, withinB: σ², the mean variance of one case's repeats.
  ///   - repeatsA, repeatsB: K, at least 1.
  package static func variance(
    between: Double, withinA: Double, repeatsA: Int, withinB: Double, repeatsB: Int
  ) -> Double {
    between + withinA / Double(repeatsA) + withinB / Double(repeatsB)
  }

  /// By how much clusters widen a variance: `1 + (m̄ − 1)·ICC` (Kish, *Survey Sampling*, 1965).
  /// - Parameters:
  ///   - meanSize: m̄, cases in a cluster, at least 1.
  ///   - intraclassCorrelation: in 0…1.
  package static func designEffect(meanSize: Double, intraclassCorrelation: Double) -> Double {
    1 + (meanSize - 1) * intraclassCorrelation
  }
}
