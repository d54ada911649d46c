/// Sums over cases whose quotient is wanted, such as cost and successes.
package struct RatioSample: Sendable {
  /// One entry for each independent unit: a case, or a cluster of cases.
  package private(set) var tops: [Double] = []
  package private(set) var bottoms: [Double] = []
  private var placeOfCluster: [Int: Int] = [:]

  package init() {}

  package mutating func append(top: Double, bottom: Double, cluster: Int? = nil) {
    if let cluster, let place = placeOfCluster[cluster] {
      tops[place] += top
      bottoms[place] += bottom
      return
    }
    if let cluster { placeOfCluster[cluster] = tops.count }
    tops.append(top)
    bottoms.append(bottom)
  }

  package var count: Int { tops.count }
}

/// A ratio of two sums over the same cases.
package enum Ratio {
  /// Beyond this many units the linearised interval is as good and a thousand times faster.
  static let bootstrapLimit = 10_000

  /// `R = Σ c_i / Σ s_i` with its 95 % interval: the expanded percentile bootstrap over units, seeded.
  ///
  /// Each resample draws whole units, so that repeats and clusters stay together; `Resamples.bounds` reads the interval.
  /// - Parameters:
  ///   - n: trials behind the ratio, for the report.
  ///   - seed: of the resampling, so that the same run gives the same interval.
  /// - Returns: no value when the bottom sum is 0; no interval with fewer than two units, or when so many resamples
  ///   have nothing at the bottom that the upper end is unbounded.
  package static func estimate(
    _ sample: RatioSample, n: Int, missing: Int = 0, seed: UInt64, resamples: Int = 2000
  ) -> Estimate {
    let units = sample.count
    let top = sample.tops.reduce(0, +)
    let bottom = sample.bottoms.reduce(0, +)
    var estimate = Estimate(value: nil, n: n, missing: missing, units: units, method: .clusterBootstrap)
    guard bottom > 0 else { return estimate }
    estimate.value = top / bottom
    guard units >= 2 else { return estimate }
    // Every resample of nothing but zeros is zero, as for a model that is free.
    guard top != 0 || sample.tops.contains(where: { $0 != 0 }) else {
      estimate.interval = 0...0
      return estimate
    }
    if units > bootstrapLimit {
      estimate.method = .linearised
      estimate.interval = linearised(sample, ratio: top / bottom, bottom: bottom)
    } else {
      estimate.interval = bootstrap(sample, seed: seed, resamples: resamples)
    }
    return estimate
  }

  private static func bootstrap(
    _ sample: RatioSample, seed: UInt64, resamples: Int
  ) -> ClosedRange<Double>? {
    let units = zip(sample.tops, sample.bottoms).map { SIMD2($0, $1) }
    let ratios = Bootstrap.sums(units, resamples: resamples, seed: seed).map { sums in
      sums.y > 0 ? sums.x / sums.y : .infinity
    }
    return Bootstrap.interval(ratios, units: units.count)
  }

  /// The delta method: `SE = √(Σ(c_i − R·s_i)²·n/(n−1)) / Σ s_i` (Cochran, *Sampling Techniques*, 3rd edition, 6.4).
  private static func linearised(
    _ sample: RatioSample, ratio: Double, bottom: Double
  ) -> ClosedRange<Double> {
    let n = Double(sample.count)
    var squares = 0.0
    for (top, part) in zip(sample.tops, sample.bottoms) {
      let residual = top - ratio * part
      squares += residual * residual
    }
    let error = (squares * n / (n - 1)).squareRoot() / bottom
    let t = StudentT.quantile(0.975, df: n - 1)
    return max(0, ratio - t * error)...(ratio + t * error)
  }
}
