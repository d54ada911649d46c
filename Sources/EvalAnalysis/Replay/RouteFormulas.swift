/// The scores of one policy between a weak and a strong arm that were fixed before looking.
package enum RouteFormulas {
  /// The performance gap recovered: `PGR = (Q(π) − Q_w)/(Q_s − Q_w)`.
  ///
  /// Ong et al., *RouteLLM*, arXiv 2406.18665 (2024), section 3.1.
  /// - Parameter gap: the paired 95 % interval of `Q_s − Q_w`.
  /// - Returns: `nil` when `Q_s − Q_w ≤ 0` or its interval includes 0, or there is no interval: then there is no gap.
  package static func pgr(
    quality: Double, weak: Double, strong: Double, gap: ClosedRange<Double>?
  ) -> Double? {
    guard let gap, !gap.contains(0), strong > weak else { return nil }
    return (quality - weak) / (strong - weak)
  }

  /// A coin that sends `share` of the cases to the strong arm: `Q = (1 − κ)·Q_w + κ·Q_s`, cost alike. Exact, not drawn.
  package static func randomMix(share: Double, weak: CostQuality, strong: CostQuality) -> CostQuality {
    CostQuality(
      cost: (1 - share) * weak.cost + share * strong.cost,
      quality: (1 - share) * weak.quality + share * strong.quality)
  }

  /// `(Q(π) − Q_best single)/(Q(oracle) − Q_best single)`.
  ///
  /// - Returns: `nil` when the oracle is not better than the best arm.
  package static func gapClosed(quality: Double, bestArm: Double, oracle: Double) -> Double? {
    oracle > bestArm ? (quality - bestArm) / (oracle - bestArm) : nil
  }

  /// The incremental benefit per cost: `slope(w→π)/slope(w→s) − 1`, slopes of quality over cost.
  ///
  /// Aggarwal et al., *AutoMix*, arXiv 2310.12963 (2023), section 4.
  /// - Returns: `nil` when `C(π) ≤ C_w`, when the strong arm is not dearer, or when it is not better.
  package static func ibc(_ point: CostQuality, weak: CostQuality, strong: CostQuality) -> Double? {
    guard point.cost > weak.cost, strong.cost > weak.cost, strong.quality > weak.quality else { return nil }
    let slope = (point.quality - weak.quality) / (point.cost - weak.cost)
    return slope / ((strong.quality - weak.quality) / (strong.cost - weak.cost)) - 1
  }
}

/// PGR over the share of cases sent to the strong arm, for the policies of one threshold sweep over two arms.
package struct ThresholdCurve: Sendable, Hashable {
  package struct Point: Sendable, Hashable {
    /// The share of cases sent to the strong arm, in 0…1.
    package var share: Double
    package var pgr: Double

    package init(share: Double, pgr: Double) {
      self.share = share
      self.pgr = pgr
    }
  }

  /// By rising share, each once, with the ends (0, 0) and (1, 1).
  package let points: [Point]

  /// Sorts by share and averages points of equal share. At the ends stands what is true by definition, whatever was given.
  ///
  /// - Parameter arms: how many arms the policies choose between.
  /// - Returns: `nil` unless there are two arms and at least two policies: one policy is a point, not a curve.
  package init?(_ points: [Point], arms: Int) {
    guard arms == 2, points.count >= 2 else { return nil }
    var sums: [Double: (sum: Double, count: Int)] = [:]
    for point in points where point.share > 0 && point.share < 1 {
      sums[point.share, default: (0, 0)].sum += point.pgr
      sums[point.share, default: (0, 0)].count += 1
    }
    let inside = sums.map { Point(share: $0.key, pgr: $0.value.sum / Double($0.value.count)) }
      .sorted { $0.share < $1.share }
    self.points = [Point(share: 0, pgr: 0)] + inside + [Point(share: 1, pgr: 1)]
  }

  /// `∫₀¹ PGR dκ` by the trapezoid rule; a coin has 0.5.
  package var apgr: Double {
    zip(points, points.dropFirst()).reduce(0) { area, pair in
      area + (pair.1.share - pair.0.share) * (pair.0.pgr + pair.1.pgr) / 2
    }
  }

  /// The smallest share with PGR ≥ `x` on the running maximum of the curve, linear between points; a coin has `x`.
  ///
  /// - Returns: `nil` when it is not reached.
  package func cpt(_ x: Double) -> Double? {
    var best = points[0]
    if best.pgr >= x { return best.share }
    for point in points.dropFirst() {
      let next = Point(share: point.share, pgr: max(best.pgr, point.pgr))
      if next.pgr >= x {
        return best.share + (x - best.pgr) / (next.pgr - best.pgr) * (next.share - best.share)
      }
      best = next
    }
    return nil
  }
}
