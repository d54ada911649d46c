import EvalCore

/// Sets each compared side against the arms, the coin and the oracle.
struct RelativeBuilder {
  private let builder: ComparisonBuilder
  private let resampled: ResampledMeans
  private let means: [CaseMeans]
  private let names: [String]
  private let arms: [Int]
  private let weak: Int?
  private let strong: Int?
  /// `Q_s − Q_w`.
  let gap: Estimate
  /// The coin between the arms whose cost is known.
  let zeroRouter: ZeroRouter?
  /// The same in each resample.
  private let zeroRouters: [ZeroRouter?]
  /// By side.
  private let strongTests: [Int: PairedTest]

  init(_ builder: ComparisonBuilder) {
    self.builder = builder
    resampled = builder.resampled
    let hasCases = !builder.paired.weights.isEmpty
    let compared = builder.ground.sides.filter { $0.place != nil && hasCases }
    names = compared.map(\.name)
    let means = hasCases ? builder.paired.sides.indices.map { builder.paired.means(of: $0) } : []
    self.means = means
    let arms = compared.filter(\.isArm).compactMap(\.place)
    self.arms = arms
    weak = compared.first { $0.isArm && $0.name == builder.ground.weak }?.place
    strong = compared.first { $0.isArm && $0.name == builder.ground.strong }?.place
    zeroRouter = ZeroRouter(arms.compactMap { CostQuality(means[$0]) })
    // No side at all when none reaches the floor of coverage.
    let resamples = builder.resampled.means.first?.indices ?? 0..<0
    zeroRouters = resamples.map { resample in
      ZeroRouter(arms.compactMap { CostQuality(builder.resampled.means[$0][resample]) })
    }
    var gap = Estimate(value: nil, n: 0, method: .clusterBootstrap)
    if let weak, let strong {
      gap = Estimate(
        value: means[strong].quality - means[weak].quality,
        interval: builder.resampled.difference(strong, weak, of: \.quality), n: builder.ground.trials.count,
        units: builder.paired.units, method: .clusterBootstrap)
    }
    self.gap = gap
    let policies = compared.filter { !$0.isArm }.compactMap(\.place)
    strongTests = RelativeBuilder.tests(policies, against: strong, builder)
  }

  /// The sign-flip test of each policy's quality against one side's, with Holm's correction over all of them.
  private static func tests(
    _ policies: [Int], against side: Int?, _ builder: ComparisonBuilder
  ) -> [Int: PairedTest] {
    guard let side else { return [:] }
    let results = policies.map { policy in
      SignFlip.test(builder.paired.unitDifferences(policy, side), seed: builder.ground.settings.seed)
    }
    let adjusted = Holm.adjusted(results.map(\.p))
    var tests: [Int: PairedTest] = [:]
    for (place, policy) in policies.enumerated() {
      tests[policy] = PairedTest(
        method: results[place].isExact ? .signFlip : .signFlipDrawn, p: results[place].p,
        adjusted: adjusted[place], differing: results[place].nonzero)
    }
    return tests
  }

  /// A value from the means, with its interval from the same value in each resample.
  private func estimate(
    _ value: (_ means: (Int) -> CaseMeans, _ hull: ZeroRouter?) -> Double?
  ) -> Estimate {
    let point = value({ means[$0] }, zeroRouter).flatMap { $0.isFinite ? $0 : nil }
    var interval: ClosedRange<Double>?
    if point != nil {
      interval = resampled.interval { resample in
        value({ resampled.means[$0][resample] }, zeroRouters[resample])
      }
    }
    return Estimate(
      value: point, interval: interval, n: builder.ground.trials.count, units: builder.paired.units,
      method: .clusterBootstrap)
  }

  func score(of side: Int) -> RelativeScore {
    RelativeScore(
      qualityOverWeak: difference(side, weak, \.quality),
      qualityOverStrong: difference(side, strong, \.quality), strongTest: strongTests[side],
      costOverStrong: difference(side, strong, \.dollars),
      strongShare: strong == nil ? nil : means[side].strongShare, randomMix: mix(of: side),
      qualityOverMix: qualityOverMix(of: side), pgr: pgr(of: side), ibc: ibc(of: side),
      hullLift: estimate { means, hull in CostQuality(means(side)).flatMap { hull?.lift(of: $0) } },
      costSaving: estimate { means, hull in CostQuality(means(side)).flatMap { hull?.saving(of: $0) } },
      aiq: CostQuality(means[side]).flatMap { point in
        ZeroRouter.aiq(router: [point], arms: arms.compactMap { CostQuality(means[$0]) })
      }, gapClosed: gapClosed(of: side), qualityRegret: difference(builder.oraclePlace, side, \.quality),
      costRegret: difference(side, builder.oraclePlace, \.dollars), utilityRegret: utilityRegret(of: side),
      dominatedBy: dominators(of: side))
  }

  private func qualityOverMix(of side: Int) -> Estimate {
    estimate { means, _ in
      guard let weak, let strong else { return nil }
      let share = means(side).strongShare
      return means(side).quality - (1 - share) * means(weak).quality - share * means(strong).quality
    }
  }

  private func pgr(of side: Int) -> Estimate {
    estimate { means, _ in
      guard let weak, let strong else { return nil }
      return RouteFormulas.pgr(
        quality: means(side).quality, weak: means(weak).quality, strong: means(strong).quality,
        gap: gap.interval)
    }
  }

  private func ibc(of side: Int) -> Estimate {
    estimate { means, _ in
      guard let point = CostQuality(means(side)), let low = weak.flatMap({ CostQuality(means($0)) }),
        let high = strong.flatMap({ CostQuality(means($0)) })
      else { return nil }
      return RouteFormulas.ibc(point, weak: low, strong: high)
    }
  }

  private func gapClosed(of side: Int) -> Estimate {
    estimate { means, _ in
      guard let oracle = builder.oraclePlace, let best = arms.map({ means($0).quality }).max() else {
        return nil
      }
      return RouteFormulas.gapClosed(
        quality: means(side).quality, bestArm: best, oracle: means(oracle).quality)
    }
  }

  /// What the first has more than the second.
  private func difference(_ left: Int?, _ right: Int?, _ value: KeyPath<CaseMeans, Double>) -> Estimate {
    estimate { means, _ in
      guard let left, let right else { return nil }
      return means(left)[keyPath: value] - means(right)[keyPath: value]
    }
  }

  private func mix(of side: Int) -> CostQuality? {
    guard let low = weak.flatMap({ CostQuality(means[$0]) }),
      let high = strong.flatMap({ CostQuality(means[$0]) })
    else { return nil }
    return RouteFormulas.randomMix(share: means[side].strongShare, weak: low, strong: high)
  }

  /// `U(oracle) − U(π)`, `U = Q − λ·C − μ·L`, the oracle choosing by utility.
  private func utilityRegret(of side: Int) -> Estimate? {
    guard let worth = builder.worth, let oracle = builder.utilityPlace else { return nil }
    return estimate { means, _ in worth.utility(means(oracle)) - worth.utility(means(side)) }
  }

  /// A side is dominated by one that costs no more and is no worse, one of both strictly, where the paired interval of the
  /// difference in quality excludes 0.
  private func dominators(of side: Int) -> [String] {
    guard let point = CostQuality(means[side]) else { return [] }
    return names.indices.filter { other in
      guard other != side, let rival = CostQuality(means[other]), rival.cost <= point.cost,
        rival.quality >= point.quality, rival != point,
        let doubt = resampled.difference(other, side, of: \.quality)
      else { return false }
      return !doubt.contains(0)
    }.map { names[$0] }
  }
}

extension CostQuality {
  /// - Returns: `nil` when the cost is unknown.
  init?(_ means: CaseMeans) {
    guard !means.dollars.isNaN else { return nil }
    self.init(cost: means.dollars, quality: means.quality)
  }
}

extension RouteOracle.Worth {
  /// `Q − λ·C − μ·L` of means; what is worth nothing need not be known.
  func utility(_ means: CaseMeans) -> Double {
    means.quality - (dollar == 0 ? 0 : dollar * means.dollars) - (second == 0 ? 0 : second * means.seconds)
  }
}
