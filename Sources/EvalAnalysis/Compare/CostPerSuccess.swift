import EvalCore

/// What a passed trial costs on the two sides, over the pairs whose costs are known on both.
package struct CostPerSuccess: Sendable, Hashable {
  package var reference: Estimate
  package var candidate: Estimate
  /// Candidate less reference, in US dollars; no interval when too many resamples have no success.
  package var change: Estimate
}

extension CostPerSuccess {
  static let resamples = 10_000

  /// `ΣC_B/ΣS_B − ΣC_A/ΣS_A`, both sides resampled together: 10,000 seeded resamples of whole cases or clusters, expanded
  /// percentiles; beyond 10,000 units the delta method, `√(Σ(ψ_B − ψ_A)²·n/(n−1))` with `ψ = (c − R·s)/Σs`.
  /// - Returns: `nil` without any cost, or when a side has no success.
  init?(_ pairing: CasePairing, seed: UInt64) {
    guard pairing.anyVerdict else { return nil }
    var units: [SIMD4<Double>] = []
    var places: [String: Int] = [:]
    var counts = (pairs: 0, missing: 0)
    for pair in pairing.pairs {
      let sum = CostPerSuccess.sum(pair, &counts)
      guard let sum else { continue }
      if let cluster = pair.cluster, let place = places[cluster] {
        units[place] += sum
      } else {
        if let cluster = pair.cluster { places[cluster] = units.count }
        units.append(sum)
      }
    }
    let total = units.reduce(.zero, +)
    guard total.x + total.z > 0, total.y > 0, total.w > 0 else { return nil }
    func side(_ top: WritableKeyPath<SIMD4<Double>, Double>, _ bottom: WritableKeyPath<SIMD4<Double>, Double>)
      -> Estimate
    {
      var sample = RatioSample()
      for unit in units { sample.append(top: unit[keyPath: top], bottom: unit[keyPath: bottom]) }
      return Ratio.estimate(sample, n: counts.pairs, missing: counts.missing, seed: seed)
    }
    reference = side(\.x, \.y)
    candidate = side(\.z, \.w)
    change = Estimate(
      value: total.z / total.w - total.x / total.y, n: counts.pairs, missing: counts.missing,
      units: units.count, method: units.count > Ratio.bootstrapLimit ? .linearised : .clusterBootstrap)
    change.isClustered = !places.isEmpty
    guard units.count >= 2 else { return }
    change.interval =
      units.count > Ratio.bootstrapLimit
      ? CostPerSuccess.linearised(units, total)
      : CostPerSuccess.bootstrap(units, seed: seed)
  }

  /// Cost and passes of the reference, then of the candidate; `nil` when no trial pair of the case has both costs.
  private static func sum(_ pair: CasePairing.Pair, _ counts: inout (pairs: Int, missing: Int)) -> SIMD4<
    Double
  >? {
    var sum: SIMD4<Double>?
    pair.forEachTrialPair { left, right in
      guard let before = left.dollars, let after = right.dollars,
        let passedBefore = pair.value(left, .pass, anyVerdict: true),
        let passedAfter = pair.value(right, .pass, anyVerdict: true)
      else {
        counts.missing += 1
        return
      }
      counts.pairs += 1
      sum = (sum ?? .zero) + SIMD4(before, passedBefore, after, passedAfter)
    }
    return sum
  }

  private static func bootstrap(_ units: [SIMD4<Double>], seed: UInt64) -> ClosedRange<Double>? {
    let changes = Bootstrap.sums(units, resamples: resamples, seed: seed).map { sums in
      // A side without a success costs more than anything, on whichever side it is.
      switch (sums.y > 0, sums.w > 0) {
      case (true, true): sums.z / sums.w - sums.x / sums.y
      case (true, false): Double.infinity
      case (false, _): -Double.infinity
      }
    }
    return Bootstrap.interval(changes, units: units.count)
  }

  private static func linearised(_ units: [SIMD4<Double>], _ total: SIMD4<Double>) -> ClosedRange<Double> {
    let n = Double(units.count)
    let (before, after) = (total.x / total.y, total.z / total.w)
    let squares = units.reduce(0) { sum, unit in
      let shift = (unit.z - after * unit.w) / total.w - (unit.x - before * unit.y) / total.y
      return sum + shift * shift
    }
    let margin = StudentT.quantile(0.975, df: n - 1) * (squares * n / (n - 1)).squareRoot()
    return after - before - margin...after - before + margin
  }
}
