/// A policy or an arm as two numbers.
package struct CostQuality: Sendable, Hashable {
  /// Mean US dollars of a case.
  package var cost: Double
  /// In 0…1.
  package var quality: Double

  package init(cost: Double, quality: Double) {
    self.cost = cost
    self.quality = quality
  }
}

/// What tossing coins between points gives: the upper non-decreasing convex hull of their (cost, quality).
///
/// Hu et al., *RouterBench*, arXiv 2403.12031 (2024), section 3: the zero router over single models, and the hull of a
/// router's points behind AIQ.
package struct ZeroRouter: Sendable, Hashable {
  /// By rising cost, with rising quality and falling slopes; never empty.
  package let hull: [CostQuality]

  /// - Returns: `nil` without points.
  package init?(_ points: [CostQuality]) {
    guard !points.isEmpty else { return nil }
    var hull: [CostQuality] = []
    for point in points.sorted(by: { ($0.cost, $1.quality) < ($1.cost, $0.quality) }) {
      // Of no use beside a cheaper one that is as good.
      if let last = hull.last, point.quality <= last.quality { continue }
      while hull.count >= 2, ZeroRouter.isBelow(hull[hull.count - 1], hull[hull.count - 2], point) {
        hull.removeLast()
      }
      hull.append(point)
    }
    self.hull = hull
  }

  /// Whether `middle` lies on or under the line from `left` to `right`.
  private static func isBelow(_ middle: CostQuality, _ left: CostQuality, _ right: CostQuality) -> Bool {
    (middle.quality - left.quality) * (right.cost - left.cost)
      <= (right.quality - left.quality) * (middle.cost - left.cost)
  }

  /// The best quality that a mix of at most this mean cost has; `nil` below the cheapest point, flat beyond the best.
  package func quality(atCost cost: Double) -> Double? {
    guard let first = hull.first, cost >= first.cost else { return nil }
    guard let next = hull.firstIndex(where: { $0.cost > cost }) else { return hull[hull.count - 1].quality }
    let (left, right) = (hull[next - 1], hull[next])
    return left.quality + (cost - left.cost) / (right.cost - left.cost) * (right.quality - left.quality)
  }

  /// The least mean cost of a mix with this quality; `nil` above what any has.
  package func cost(ofQuality quality: Double) -> Double? {
    guard let next = hull.firstIndex(where: { $0.quality >= quality }) else { return nil }
    guard next > 0 else { return hull[0].cost }
    let (left, right) = (hull[next - 1], hull[next])
    return left.cost + (quality - left.quality) / (right.quality - left.quality) * (right.cost - left.cost)
  }

  /// How much better than a mix of the same cost: `ΔQ = Q(π) − H₀(C(π))`. At or below 0 the router is worth less than
  /// tossing a coin between two arms; `nil` where no mix is so cheap.
  package func lift(of point: CostQuality) -> Double? {
    quality(atCost: point.cost).map { point.quality - $0 }
  }

  /// How much cheaper than a mix of the same quality, in US dollars a case: `H₀⁻¹(Q(π)) − C(π)`; `nil` where no mix is
  /// so good.
  package func saving(of point: CostQuality) -> Double? {
    cost(ofQuality: point.quality).map { $0 - point.cost }
  }

  /// The mean quality of a router's hull over the arms' range of costs:
  /// `AIQ = 1/(c_max − c_min) · ∫ hull(c) dc`, the cheapest arm among the router's points and the hull flat to the right.
  ///
  /// RouterBench, section 3.3, with the same limits for every router.
  /// - Returns: `nil` when all arms cost the same, or there is none.
  package static func aiq(router: [CostQuality], arms: [CostQuality]) -> Double? {
    guard let low = arms.map(\.cost).min(), let high = arms.map(\.cost).max(), high > low else { return nil }
    // Of several cheapest ones the best: the coin would never choose another.
    let cheapest = arms.filter { $0.cost == low }.max { $0.quality < $1.quality }
    guard let cheapest, let hull = ZeroRouter(router + [cheapest]) else { return nil }
    let inside = hull.hull.map(\.cost).filter { $0 > low && $0 < high }
    let stops = [low] + inside + [high]
    var area = 0.0
    for (left, right) in zip(stops, stops.dropFirst()) {
      guard let a = hull.quality(atCost: left), let b = hull.quality(atCost: right) else { return nil }
      area += (right - left) * (a + b) / 2
    }
    return area / (high - low)
  }
}
