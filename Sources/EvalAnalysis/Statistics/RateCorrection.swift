/// Why a judged rate cannot be corrected.
package enum CorrectionRefusal: Error, Sendable, Hashable {
  /// So many labels say pass and fail, and so many of each are needed.
  case tooFewLabels(passes: Int, fails: Int, needed: Int)
  /// Sensitivity + specificity − 1, which is not above 0: the verdicts say nothing of the answers.
  case noBetterThanChance(Double)
  /// The lower end of the interval of sensitivity + specificity − 1: it reaches 0.
  case perhapsNoBetterThanChance(Double)
  /// The judge errs otherwise for this target than for the others, and this target's own labels are too few.
  case differsBetweenTargets
  /// There is no rate to correct.
  case noRate
}

/// A judged rate without the judge's errors.
package struct CorrectedRate: Sendable, Hashable {
  /// Cut to 0…1, value and interval.
  package var estimate: Estimate
  /// Before it was cut.
  package var uncut: Double

  package var isCut: Bool { uncut < 0 || uncut > 1 }
}

package enum RateCorrection {
  /// The fewest labels that say pass, and that say fail: with ten that all agree, Wilson's interval still reaches 72 %.
  package static let fewestLabels = 10

  /// `p̂ = (p_obs + TNR − 1)/(TPR + TNR − 1)`: Rogan and Gladen, *Estimating prevalence from the results of a screening
  /// test*, American Journal of Epidemiology 107 (1978).
  ///
  /// The interval carries the doubt of all three: Lang and Reiczigel, *Confidence limits for prevalence of disease
  /// adjusted for estimated sensitivity and specificity*, Preventive Veterinary Medicine 113 (2014). It is the delta
  /// method, `Var ≈ [p(1−p)/n + p̂²·TPR(1−TPR)/m₁ + (1−p̂)²·TNR(1−TNR)/m₀]/(TPR+TNR−1)²`, with z² and two added
  /// observations and a shift, which keep 95 % where few labels or rates near 0 and 1 take it from the plain one.
  ///
  /// n, m₁ and m₀ are the numbers of observations whose Wilson intervals are as wide as those given: so weights, repeats
  /// and clusters count. That the same labels give TPR and TNR is not used; it would make the interval narrower.
  package static func corrected(
    _ raw: Estimate, sensitivity: Estimate, specificity: Estimate, confidence: Double = 0.95
  ) -> Result<CorrectedRate, CorrectionRefusal> {
    if let refusal = refusal(sensitivity, specificity) { return .failure(refusal) }
    guard let observed = raw.value, let rawInterval = raw.interval, let tpr = sensitivity.value,
      let tnr = specificity.value, let tprInterval = sensitivity.interval,
      let tnrInterval = specificity.interval
    else { return .failure(.noRate) }
    let uncut = (observed + tnr - 1) / (tpr + tnr - 1)
    let value = min(1, max(0, uncut))
    let z = Normal.quantile(0.5 + confidence / 2)
    let p = Smoothed(observed, Proportion.effectiveCount(observed, rawInterval), adding: z * z)
    let a = Smoothed(tpr, Proportion.effectiveCount(tpr, tprInterval), adding: 2)
    let b = Smoothed(tnr, Proportion.effectiveCount(tnr, tnrInterval), adding: 2)
    let youden = a.share + b.share - 1
    var interval = 0.0...1.0
    if youden > 0 {
      let centre = (p.share + b.share - 1) / youden
      let shift = 2 * z * z * (centre * a.variance - (1 - centre) * b.variance)
      let spread =
        z
        * (p.variance + centre * centre * a.variance + (1 - centre) * (1 - centre) * b.variance).squareRoot()
        / youden
      let low = min(1, max(0, centre + shift - spread))
      let high = min(1, max(0, centre + shift + spread))
      interval = min(value, low)...max(value, high)
    }
    let estimate = Estimate(
      value: value, interval: interval, n: raw.n, missing: raw.missing, units: raw.units, method: .roganGladen
    )
    return .success(CorrectedRate(estimate: estimate, uncut: uncut))
  }

  /// Why a judge with these rates corrects nothing; `nil` when it does.
  package static func refusal(_ sensitivity: Estimate, _ specificity: Estimate) -> CorrectionRefusal? {
    guard sensitivity.n >= fewestLabels, specificity.n >= fewestLabels, let tpr = sensitivity.value,
      let tnr = specificity.value
    else {
      return .tooFewLabels(passes: sensitivity.n, fails: specificity.n, needed: fewestLabels)
    }
    let youden = tpr + tnr - 1
    guard youden > 0 else { return .noBetterThanChance(youden) }
    let low = youdenLow(sensitivity, specificity) ?? -1
    return low > 0 ? nil : .perhapsNoBetterThanChance(low)
  }

  /// The lower end of the interval of TPR + TNR − 1, by MOVER.
  private static func youdenLow(_ sensitivity: Estimate, _ specificity: Estimate) -> Double? {
    guard let tpr = sensitivity.value, let tnr = specificity.value,
      let first = sensitivity.interval?.lowerBound, let second = specificity.interval?.lowerBound
    else { return nil }
    let squares = (tpr - first) * (tpr - first) + (tnr - second) * (tnr - second)
    return tpr + tnr - 1 - squares.squareRoot()
  }
}

/// A share drawn towards a half by some added observations.
private struct Smoothed {
  var share: Double
  /// Of the share.
  var variance: Double

  init(_ share: Double, _ n: Double, adding extra: Double) {
    self.share = (share * n + extra / 2) / (n + extra)
    variance = self.share * (1 - self.share) / (n + extra)
  }
}

/// Whether two shares of independent answers differ.
package enum ShareDifference {
  /// The interval of `a − b`: Newcombe, *Interval estimation for the difference between independent proportions*,
  /// Statistics in Medicine 17 (1998), method 10, on the intervals given.
  /// - Returns: `nil` where one has no interval.
  package static func newcombe(_ a: Estimate, _ b: Estimate) -> ClosedRange<Double>? {
    guard let first = a.value, let second = b.value, let left = a.interval, let right = b.interval else {
      return nil
    }
    func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
    let difference = first - second
    return
      (difference - length(first - left.lowerBound, right.upperBound - second))...(difference
      + length(left.upperBound - first, second - right.lowerBound))
  }
}
