import EvalCore

/// How good each target is for what it costs, and what mixing the arms of a route by chance would give.
package struct QualityCost: Sendable, Hashable {
  /// One for each target whose score and cost are known, in the order of the run.
  package var points: [Point]
  /// Targets that have a score and no known cost.
  package var unpriced: [String]
  /// What tossing coins between the arms of the run's routes gives; `nil` without a route, or when not every arm ran
  /// alone with a known cost.
  package var coin: CoinToss?
  /// The best permitted arm of every case, chosen with the answers known; `nil` where the run does not hold it.
  package var oracle: OraclePoint?

  package struct Point: Sendable, Hashable {
    package var target: String
    package var isRoute: Bool
    /// The strict score in 0…1.
    package var quality: Estimate
    /// US dollars for a thousand trials, over those whose cost is known to the last attempt.
    package var cost: Estimate
    /// True when some call may have cost more than is known.
    package var isLowerBound: Bool
    /// True when no other target is both as good and as cheap, and better in one of the two. Equal targets are both.
    package var isPareto = false
    /// Of a Pareto point that is not the cheapest: its strict score against that of the dearest cheaper one that is
    /// worth its money, tested together with all other comparisons of the run's targets (`Standing`).
    package var gain: Gain?

    /// True for the cheapest Pareto point, and for those whose gain is more than chance.
    package var isWorthIt = false
  }

  /// How much better a dearer target is than a cheaper one.
  package struct Gain: Sendable, Hashable {
    package var over: String
    package var difference: PairedDifference

    package var isReal: Bool { difference.isSure && difference.isBetter == true }
  }

  package struct CoinToss: Sendable, Hashable {
    /// The arms, in the order of the run.
    package var arms: [String]
    /// US dollars for a thousand trials, and the score: the corners by rising cost.
    package var line: [CostQuality]
  }

  package struct OraclePoint: Sendable, Hashable {
    /// US dollars for a thousand trials, and the score.
    package var point: CostQuality
    /// Cases that it rests on, and those with a check.
    package var cases: Int
    package var of: Int
    /// True when arms were chosen and scored on the same trials: then luck counts as skill.
    package var isBiased: Bool
  }
}

extension QualityCost {
  /// - Parameters:
  ///   - targets: with their scores and costs.
  ///   - arms: the names of the arms of the run's routes.
  init(_ targets: [TargetSummary], arms: [String], oracle: OraclePoint?) {
    points = []
    unpriced = []
    for target in targets where target.score.strict.value != nil {
      guard target.cost.perTrial.value != nil else {
        unpriced.append(target.name)
        continue
      }
      points.append(
        Point(
          target: target.name, isRoute: target.kind == "route", quality: target.score.strict,
          cost: target.cost.perTrial.scaled(by: 1000), isLowerBound: target.cost.isLowerBound))
    }
    markPareto()
    coin = tossed(between: arms)
    self.oracle = coin == nil ? nil : oracle
  }

  private mutating func markPareto() {
    for index in points.indices {
      let own = points[index].costQuality
      points[index].isPareto = !points.contains { other in
        let other = other.costQuality
        return other.quality >= own.quality && other.cost <= own.cost && other != own
      }
    }
  }

  mutating func addGains(_ duels: Duels) {
    let front = points.indices.filter { points[$0].isPareto }
      .sorted { points[$0].costQuality.cost < points[$1].costQuality.cost }
    var worthIt: [Int] = []
    for dearer in front {
      let cheaper = worthIt.last { points[$0].costQuality.cost < points[dearer].costQuality.cost }
      if let cheaper {
        let names = (points[dearer].target, points[cheaper].target)
        points[dearer].gain = duels.quality(of: names.0, over: names.1).map {
          Gain(over: names.1, difference: $0)
        }
      }
      points[dearer].isWorthIt = cheaper == nil || points[dearer].gain?.isReal == true
      if points[dearer].isWorthIt { worthIt.append(dearer) }
    }
  }

  private func tossed(between arms: [String]) -> CoinToss? {
    let alone = points.filter { !$0.isRoute && arms.contains($0.target) }
    guard alone.count > 1, alone.count == arms.count, let hull = ZeroRouter(alone.map(\.costQuality)) else {
      return nil
    }
    return CoinToss(arms: alone.map(\.target), line: hull.hull)
  }
}

extension QualityCost.Point {
  package var costQuality: CostQuality {
    CostQuality(cost: cost.value ?? .nan, quality: quality.value ?? .nan)
  }
}

extension Estimate {
  fileprivate func scaled(by factor: Double) -> Estimate {
    var scaled = self
    scaled.value = value.map { $0 * factor }
    scaled.interval = interval.map { $0.lowerBound * factor...$0.upperBound * factor }
    return scaled
  }
}

extension RunInfo {
  /// The names of the arms that the run's routes may call, as their policies write them, in the order of the targets.
  /// An arm that a person pins is none of a route's own.
  var routeArms: [String] {
    var names: [String] = []
    for target in targets where target.kind == "route" {
      for rule in target.content["rules"]?.arrayValue ?? [] {
        names += rule["use"]?.arrayValue?.compactMap(\.stringValue) ?? []
      }
    }
    let order = (targets + arms).map(\.name)
    return order.filter { names.contains($0) }
      + Set(names).subtracting(order).sorted().filter { $0.first != "$" }
  }
}
