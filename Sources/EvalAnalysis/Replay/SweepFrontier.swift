import EvalCore

/// The policies of a sweep that no other beats in two numbers at once.
package struct SweepFrontier: Sendable, Hashable {
  package struct Point: Sendable, Hashable {
    /// The first policy with these numbers.
    package var policy: Int
    /// How many policies of the sweep have the same numbers, this one included.
    package var alike: Int
  }

  /// What is wanted, and what it is paid with.
  package let gain: SweepMetric
  package let price: SweepMetric
  /// From cheap to dear.
  package let points: [Point]

  /// - Parameters:
  ///   - scores: of every policy; those below the coverage floor and those with an unknown number are left out.
  ///   - gain: what is wanted.
  /// - Returns: paid with the cost of a case where that is known and differs, else with the share of cases that left the
  ///   device; a gain that is itself one of these is paid with quality.
  package init(_ scores: [SweepScore], gain: SweepMetric) {
    let compared = scores.indices.filter { scores[$0].isCompared && scores[$0][gain] != nil }
    let price = SweepFrontier.price(compared.map { scores[$0] }, gain)
    self.gain = gain
    self.price = price
    func value(_ index: Int, _ metric: SweepMetric) -> Double? {
      scores[index][metric].map { metric.isHigherBetter ? -$0 : $0 }
    }
    struct Pair: Hashable {
      var price: Double
      var gain: Double
    }
    var firsts: [Pair: Point] = [:]
    for index in compared {
      guard let paid = value(index, price), let got = value(index, gain) else { continue }
      firsts[Pair(price: paid, gain: got), default: Point(policy: index, alike: 0)].alike += 1
    }
    var best = Double.infinity
    var points: [Point] = []
    for (pair, point) in firsts.sorted(by: { ($0.key.price, $0.key.gain) < ($1.key.price, $1.key.gain) })
    where pair.gain < best {
      best = pair.gain
      points.append(point)
    }
    self.points = points
  }

  private static func price(_ scores: [SweepScore], _ gain: SweepMetric) -> SweepMetric {
    let costs = Set(scores.map(\.costPerCase))
    let isCostTelling = !costs.contains(nil) && costs.count > 1
    if gain == .costPerCase || gain == .cloudShare { return .quality }
    return isCostTelling ? .costPerCase : .cloudShare
  }
}

/// A sweep's policies as a curve of PGR over the share of cases sent to the strong arm.
package enum SweepCurve: Sendable, Hashable {
  case curve(ThresholdCurve)
  /// Why there is none, in words that follow "because".
  case undefined(String)

  /// - Parameters:
  ///   - replayer: over the cases that the scores are of.
  ///   - scores: of the sweep's policies.
  package static func make(
    _ replayer: Replayer, _ scores: [SweepScore], settings: ComparisonSettings
  ) -> SweepCurve {
    guard replayer.table.arms.count == 2 else {
      return .undefined("it stands between two arms, and there are \(replayer.table.arms.count)")
    }
    let arms = RoutingComparison.make(replayer, policies: [], settings: settings)
    guard let weak = arms.arms.first(where: { $0.name == arms.weak })?.quality.value,
      let strong = arms.arms.first(where: { $0.name == arms.strong })?.quality.value,
      let gap = arms.gap.interval
    else { return .undefined("the arms' qualities are not known") }
    guard strong > weak else { return .undefined("the strong arm is not better than the weak one") }
    guard !gap.contains(0) else {
      return .undefined("the interval of what the strong arm is better includes 0")
    }
    let points = scores.filter(\.isCompared).compactMap { score -> ThresholdCurve.Point? in
      guard let share = score.strongShare, let quality = score.quality,
        let pgr = RouteFormulas.pgr(quality: quality, weak: weak, strong: strong, gap: gap)
      else { return nil }
      return ThresholdCurve.Point(share: share, pgr: pgr)
    }
    guard Set(points.map(\.share)).count >= 2, let curve = ThresholdCurve(points, arms: 2) else {
      return .undefined("all policies send the same share to the strong arm: that is a point, not a curve")
    }
    return .curve(curve)
  }
}
