/// What repeats of one case tell.
package enum Repeats {
  /// The chance that at least one of `k` answers passes: `1 − C(n−c,k)/C(n,k)`, unbiased.
  ///
  /// Chen et al., *Evaluating Large Language Models Trained on Code*, arXiv 2107.03374 (2021), equation 1.
  /// - Returns: `nil` when there are fewer than `k` answers.
  package static func passAtK(passes: Int, of n: Int, k: Int) -> Double? {
    guard k >= 1, n >= k else { return nil }
    return 1 - noneOf(marked: passes, in: n, drawing: k)
  }

  /// The chance that all of `k` answers pass: `C(c,k)/C(n,k)`, unbiased.
  ///
  /// Yao et al., *τ-bench*, arXiv 2406.12045 (2024), section 3.
  /// - Returns: `nil` when there are fewer than `k` answers.
  package static func passHatK(passes: Int, of n: Int, k: Int) -> Double? {
    guard k >= 1, n >= k else { return nil }
    return noneOf(marked: n - passes, in: n, drawing: k)
  }

  /// `C(n−m,k)/C(n,k)`, as a product that cannot overflow.
  private static func noneOf(marked: Int, in n: Int, drawing k: Int) -> Double {
    guard n - marked >= k else { return 0 }
    var share = 1.0
    for index in 0..<k { share *= Double(n - marked - index) / Double(n - index) }
    return share
  }

  /// The share of cases whose repeats both passed and failed, over the cases with at least two verdicts.
  /// - Parameter cases: passes and verdicts of each case.
  package static func flipRate(_ cases: some Sequence<(passes: Int, verdicts: Int)>) -> Estimate {
    var mixed = 0
    var judged = 0
    for one in cases where one.verdicts >= 2 {
      judged += 1
      if one.passes > 0, one.passes < one.verdicts { mixed += 1 }
    }
    return Proportion.estimate(mixed, of: judged)
  }
}

/// Where a mean over planned trials could lie if the missing ones were known: every one 0, or every one 1.
///
/// Manski, *Partial Identification of Probability Distributions* (2003): `[Σs/N, (Σs + missing)/N]`.
package func worstCaseBounds(sum: Double, missing: Int, planned: Int) -> ClosedRange<Double>? {
  guard planned > 0 else { return nil }
  let low = min(1, max(0, sum / Double(planned)))
  return low...max(low, min(1, (sum + Double(missing)) / Double(planned)))
}
