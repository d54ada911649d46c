import EvalCore
import Testing

@testable import EvalAnalysis

/// Five cases that fit on a page. The weak arm is right on the first and the last and costs nothing, the strong one on the
/// first three at half a dollar each.
struct FiveCases {
  static let weak = [1.0, 0, 0, 0, 1]
  static let strong = [1.0, 1, 1, 0, 0]

  /// - Parameter copies: of the five, as a larger sample of the same kind.
  static func table(copies: Int = 1, secret: Set<Int> = []) -> ReplayTable {
    var table = TestTable(
      5 * copies,
      signals: { ["sensitivity": secret.contains($0) ? "secret" : "public", "consent": true] })
    for index in 0..<5 * copies {
      table.answer(index, 0, quality: weak[index % 5], dollars: 0, seconds: 1)
      table.answer(index, 1, quality: strong[index % 5], dollars: 0.5, seconds: 2)
    }
    return table.table
  }

  /// Sends these of each five to the strong arm.
  static func policy(_ name: String, _ toStrong: Set<Int>) -> Contender {
    let condition: @Sendable (RoutingFacts) -> Bool = {
      toStrong.contains(Int($0.caseID.dropFirst(5))! % 5)
    }
    return Contender(
      name: name,
      policy: TestPolicy(rules: [
        .init(condition: name, holds: condition, use: ["far"]),
        .init(condition: "true", holds: { _ in true }, use: ["near"]),
      ]))
  }

  /// The rescues and one that nothing helps: as good as the oracle, at one call more.
  static let good = policy("good", [1, 2, 3])
  /// The rescues and the loss: as good as the strong arm, at less.
  static let poor = policy("poor", [1, 2, 4])

  static func comparison(
    copies: Int = 1, secret: Set<Int> = [], _ edit: (inout ComparisonSettings) -> Void = { _ in }
  ) -> RoutingComparison {
    var settings = ComparisonSettings()
    settings.resamples = 1000
    edit(&settings)
    return RoutingComparison.make(
      Replayer(table(copies: copies, secret: secret)), policies: [good, poor], settings: settings)
  }
}

private func isNear(_ left: Double?, _ right: Double) -> Bool {
  left.map { abs($0 - right) < 1e-12 } ?? false
}

/// Each score of `Docs/RoutingScores.md` on the five cases, worked out by hand.
@Suite struct RouteScoreTests {
  @Test func qualityCostAndLatency() {
    let good = FiveCases.comparison().policies[0]
    #expect(isNear(good.quality.value, 0.8))
    #expect(isNear(good.cost.value, 0.3))
    // 1, 1, 2, 2, 2 seconds.
    #expect(good.latency.p50.observed == .value(2000))
    #expect(good.latency.p95.observed == .value(2000))
    #expect(isNear(good.meanSeconds, 1.6))
  }

  @Test func quadrants() {
    let quadrants = FiveCases.comparison().quadrants
    #expect(quadrants?.rescue == ["case 1", "case 2"])
    #expect(quadrants?.loss == ["case 4"])
    #expect(quadrants?.safe == ["case 0"])
    #expect(quadrants?.hard == ["case 3"])
  }

  @Test func cloudShares() {
    let good = FiveCases.comparison().policies[0]
    #expect(isNear(good.cloud.any.value, 0.6))
    #expect(isNear(good.cloud.thirdParty.value, 0.6))
    #expect(good.cloud.privateCloud.value == 0)
    #expect(isNear(good.cloud.served.value, 0.6))
    // 15 tokens a call.
    #expect(isNear(good.cloud.tokens.value, 0.6))
    #expect(isNear(good.relative?.strongShare, 0.6))
  }

  @Test func oracleAndRegret() throws {
    let comparison = FiveCases.comparison { $0.dollarWorth = 1 }
    let oracle = try #require(comparison.oracle)
    #expect(isNear(oracle.quality.value, 0.8))
    // Right on case 0 and wrong on case 3 whatever it takes: then the cheaper arm.
    #expect(isNear(oracle.cost.value, 0.2))
    #expect(oracle.isBiased)
    let good = try #require(comparison.policies[0].relative)
    #expect(isNear(good.qualityRegret.value, 0))
    #expect(isNear(good.costRegret.value, 0.1))
    // (0.8 − 0.2) − (0.8 − 0.3).
    #expect(isNear(good.utilityRegret?.value, 0.1))
    #expect(isNear(comparison.policies[1].relative?.qualityRegret.value, 0.2))
  }

  /// Case 1 may not leave: the oracle has only the arm that is wrong there.
  @Test func theOracleKeepsToWhatIsPermitted() {
    let comparison = FiveCases.comparison(secret: [1])
    #expect(isNear(comparison.oracle?.quality.value, 0.6))
    #expect(comparison.policies[0].leaks.attempts == 1)
    #expect(comparison.policies[0].leaks.rules == [.boundary: 1])
    #expect(comparison.policies[0].leaks.caseIDs == ["case 1"])
  }

  @Test func hullLiftAndSaving() throws {
    let comparison = FiveCases.comparison()
    #expect(comparison.zeroRouter.count == 2)
    let good = try #require(comparison.policies[0].relative)
    // The coin at 0.3 of 0.5: 0.4 + 0.6 · 0.2.
    #expect(isNear(good.hullLift.value, 0.28))
    #expect(good.costSaving.value == nil, "no coin is as good")
    let poor = try #require(comparison.policies[1].relative)
    #expect(isNear(poor.hullLift.value, 0.08))
    #expect(isNear(poor.costSaving.value, 0.2))
  }

  @Test func coinAtTheSameShare() throws {
    let good = try #require(FiveCases.comparison().policies[0].relative)
    #expect(isNear(good.randomMix?.quality, 0.4 * 0.4 + 0.6 * 0.6))
    #expect(isNear(good.randomMix?.cost, 0.3))
    #expect(isNear(good.qualityOverMix.value, 0.28))
  }

  @Test func gapClosedAndIBC() throws {
    let comparison = FiveCases.comparison()
    let good = try #require(comparison.policies[0].relative)
    #expect(isNear(good.gapClosed.value, 1))
    #expect(isNear(comparison.policies[1].relative?.gapClosed.value, 0))
    // (0.4 / 0.3) / (0.2 / 0.5) − 1.
    #expect(isNear(good.ibc.value, 4.0 / 0.3 / 4 - 1))
    #expect(comparison.arms[0].relative?.ibc.value == nil, "costs no more than the weak arm")
  }

  @Test func aiq() {
    // (0.4 + 0.8)/2 · 0.3 + 0.8 · 0.2, over 0.5.
    #expect(isNear(FiveCases.comparison().policies[0].relative?.aiq, 0.68))
  }

  /// Of five cases nobody knows whether the strong arm is better; of a hundred as before one does.
  @Test func pgrNeedsAGap() {
    let few = FiveCases.comparison()
    #expect(isNear(few.gap.value, 0.2))
    #expect(few.policies[0].relative?.pgr.value == nil)
    let many = FiveCases.comparison(copies: 40)
    #expect(isNear(many.policies[0].relative?.pgr.value, 2))
    #expect(isNear(many.policies[1].relative?.pgr.value, 1))
  }

  @Test func paretoAsksForASureDifference() {
    let few = FiveCases.comparison()
    #expect(few.policies[1].relative?.dominatedBy == [])
    let many = FiveCases.comparison(copies: 40)
    #expect(many.policies[1].relative?.dominatedBy == ["good"])
    #expect(many.arms[1].relative?.dominatedBy == ["good"], "not by the poor one, which is just as good")
    #expect(many.pareto == ["near", "good"])
    #expect(many.ranking == ["good", "poor", "far", "near"])
  }

  /// One case of five differs: both signs are as likely. Of forty such cases in a row one in ten thousand draws has it so.
  @Test func theTestIsCorrectedForTheNumberOfPolicies() throws {
    let few = try #require(FiveCases.comparison().policies[0].relative?.strongTest)
    #expect((few.p, few.differing, few.method) == (1, 1, .signFlip))
    let many = FiveCases.comparison(copies: 40)
    let good = try #require(many.policies[0].relative?.strongTest)
    #expect(isNear(good.p, 1.0 / 10_001))
    #expect(isNear(good.adjusted, 2.0 / 10_001))
    #expect(good.differing == 40)
    #expect(many.policies[1].relative?.strongTest?.adjusted == 1, "the poor one is the strong arm's equal")
    #expect(many.arms[0].relative?.strongTest == nil)
  }

  @Test func theSameSeedGivesTheSameIntervals() {
    let first = FiveCases.comparison(copies: 3).policies[0].relative
    #expect(first == FiveCases.comparison(copies: 3).policies[0].relative)
    let other = FiveCases.comparison(copies: 3) { $0.seed = 2 }.policies[0].relative
    #expect(first?.hullLift.value == other?.hullLift.value)
    #expect(first?.hullLift.interval != other?.hullLift.interval)
  }
}

/// Formulas and what they leave out.
@Suite struct RouteFormulaTests {
  @Test func pgr() {
    #expect(
      RouteFormulas.pgr(quality: 0.7, weak: 0.5, strong: 0.75, gap: 0.1...0.4).map { isNear($0, 0.8) } == true
    )
    #expect(RouteFormulas.pgr(quality: 0.7, weak: 0.5, strong: 0.75, gap: -0.1...0.4) == nil)
    #expect(RouteFormulas.pgr(quality: 0.7, weak: 0.5, strong: 0.75, gap: nil) == nil)
    #expect(RouteFormulas.pgr(quality: 0.7, weak: 0.8, strong: 0.75, gap: -0.2 ... -0.1) == nil)
  }

  @Test func ibcAndGapClosed() {
    let weak = CostQuality(cost: 1, quality: 0.5)
    let strong = CostQuality(cost: 5, quality: 0.9)
    func ibc(_ cost: Double, _ quality: Double) -> Double? {
      RouteFormulas.ibc(CostQuality(cost: cost, quality: quality), weak: weak, strong: strong)
    }
    #expect(isNear(ibc(2, 0.7), 1))
    #expect(isNear(ibc(3, 0.7), 0))
    #expect(ibc(1, 0.7) == nil)
    #expect(RouteFormulas.ibc(strong, weak: weak, strong: CostQuality(cost: 1, quality: 0.9)) == nil)
    #expect(RouteFormulas.gapClosed(quality: 0.7, bestArm: 0.7, oracle: 0.7) == nil)
    #expect(isNear(RouteFormulas.gapClosed(quality: 0.75, bestArm: 0.7, oracle: 0.9), 0.25))
  }

  @Test func aCoinsCurveHasAHalf() throws {
    let points = [0.1, 0.35, 0.35, 0.8].map { ThresholdCurve.Point(share: $0, pgr: $0) }
    let coin = try #require(ThresholdCurve(points, arms: 2))
    #expect(isNear(coin.apgr, 0.5))
    for x in [0, 0.2, 0.5, 0.8, 1] { #expect(isNear(coin.cpt(x), x)) }
    #expect(coin.cpt(1.01) == nil)
  }

  /// Points of equal share are averaged, and the ends are what they are by definition.
  @Test func curvesAreTidied() throws {
    let curve = try #require(
      ThresholdCurve(
        [
          .init(share: 0.5, pgr: 0.9), .init(share: 0, pgr: 0.2), .init(share: 0.5, pgr: 0.5),
          .init(share: 1, pgr: 0.8),
        ], arms: 2))
    #expect(curve.points == [.init(share: 0, pgr: 0), .init(share: 0.5, pgr: 0.7), .init(share: 1, pgr: 1)])
    #expect(isNear(curve.apgr, 0.5 * 0.35 + 0.5 * 0.85))
    #expect(isNear(curve.cpt(0.35), 0.25))
  }

  /// 0.6 is reached before the dip; the way up to 0.8 begins where the dip has been made good.
  @Test func cptFollowsTheRunningMaximum() throws {
    let curve = try #require(
      ThresholdCurve(
        [.init(share: 0.25, pgr: 0.6), .init(share: 0.5, pgr: 0.2), .init(share: 0.75, pgr: 1)], arms: 2))
    #expect(isNear(curve.cpt(0.6), 0.25))
    #expect(isNear(curve.cpt(0.8), 0.625))
  }

  @Test func aSinglePolicyOrThreeArmsMakeNoCurve() {
    let point = ThresholdCurve.Point(share: 0.5, pgr: 0.5)
    #expect(ThresholdCurve([point], arms: 2) == nil)
    #expect(ThresholdCurve([point, .init(share: 0.6, pgr: 0.5)], arms: 3) == nil)
  }

  @Test func hulls() throws {
    let hull = try #require(
      ZeroRouter([
        .init(cost: 1, quality: 0.4), .init(cost: 2, quality: 0.5), .init(cost: 3, quality: 0.8),
        .init(cost: 4, quality: 0.7), .init(cost: 1, quality: 0.2),
      ]))
    #expect(hull.hull.map(\.cost) == [1, 3])
    #expect(isNear(hull.quality(atCost: 2), 0.6))
    #expect(hull.quality(atCost: 0.5) == nil)
    #expect(hull.quality(atCost: 9) == 0.8)
    #expect(isNear(hull.cost(ofQuality: 0.6), 2))
    #expect(hull.cost(ofQuality: 0.1) == 1)
    #expect(hull.cost(ofQuality: 0.81) == nil)
    #expect(ZeroRouter([]) == nil)
    let same = [CostQuality(cost: 1, quality: 0.4), CostQuality(cost: 1, quality: 0.6)]
    #expect(ZeroRouter.aiq(router: same, arms: same) == nil)
  }
}

/// What is missing stays missing, and takes nobody with it.
@Suite struct RouteCoverageTests {
  private func table(_ count: Int, missing: Set<Int> = [], unjudged: Set<Int> = []) -> ReplayTable {
    var table = TestTable(count)
    for index in 0..<count {
      table.answer(
        index, 0, quality: unjudged.contains(index) ? nil : 1, isUnjudged: unjudged.contains(index))
      if !missing.contains(index) { table.answer(index, 1, quality: 0.5, dollars: 1) }
    }
    return table.table
  }

  private func compare(_ table: ReplayTable, _ policies: [Contender]) -> RoutingComparison {
    var settings = ComparisonSettings()
    settings.resamples = 200
    settings.arms = ["near"]
    settings.weak = "near"
    settings.strong = "near"
    return RoutingComparison.make(Replayer(table), policies: policies, settings: settings)
  }

  @Test func belowTheFloorNothingIsCompared() {
    let far = Contender(name: "to far", policy: TestPolicy.always("far"))
    let comparison = compare(table(40, missing: [1, 2, 3]), [far])
    let score = comparison.policies[0]
    #expect(!score.isCompared)
    #expect(score.relative == nil)
    #expect(score.coverage.missing == 3)
    #expect(score.trials == 37)
    #expect(score.quality.value == 0.5)
    #expect(comparison.pairedTrials == 40, "a side that is not compared takes nothing from the others")
    #expect(comparison.ranking == ["near"])
    let enough = compare(table(40, missing: [1, 2]), [far])
    #expect(enough.policies[0].isCompared)
    #expect(enough.pairedTrials == 38)
    #expect(enough.ranking == ["near", "to far"])
  }

  /// Each has 95 of 100, together they have 90: no ranking.
  @Test func belowTheFloorTogetherNothingIsRanked() {
    var table = table(100, missing: Set(0..<5))
    for index in 5..<10 { table[case: index, arm: 0, repeat: 0] = nil }
    let comparison = compare(table, [Contender(name: "to far", policy: TestPolicy.always("far"))])
    #expect(comparison.pairedTrials == 90)
    #expect(comparison.policies[0].isCompared)
    #expect(comparison.ranking == nil)
  }

  @Test func anUnjudgedAnswerLeavesAllSides() {
    let comparison = compare(
      table(40, unjudged: [7]), [Contender(name: "to far", policy: TestPolicy.always("far"))])
    #expect(comparison.pairedTrials == 39)
    #expect(comparison.policies[0].trials == 39)
    #expect(comparison.arms[0].coverage.unjudged == 1)
  }

  @Test func anUnknownCostIsUnknown() {
    var world = TestTable(20)
    for index in 0..<20 {
      world.answer(index, 0)
      world.answer(index, 1, dollars: index == 3 ? nil : 1)
    }
    let far = compare(world.table, [Contender(name: "to far", policy: TestPolicy.always("far"))]).policies[0]
    #expect(far.cost.value == nil)
    #expect(far.cost.missing == 1)
    #expect(far.quality.value == 1)
    #expect(far.relative?.hullLift.value == nil)
  }

  /// Arms chosen on one repeat and scored on the other: luck that one repeat has and the other has not counts for nothing.
  @Test func theOracleDoesNotCountLuck() {
    var once = TestTable(40)
    var twice = TestTable(40, repeats: 2)
    for index in 0..<40 {
      for repeatIndex in 0..<2 {
        // Each arm is right every other time, whatever the case.
        twice.answer(index, 0, repeat: repeatIndex, quality: Double((index + repeatIndex) % 2))
        twice.answer(
          index, 1, repeat: repeatIndex, quality: Double((index / 2 + repeatIndex) % 2), dollars: 1)
      }
      once.answer(index, 0, quality: Double(index % 2))
      once.answer(index, 1, quality: Double(index / 2 % 2), dollars: 1)
    }
    let policy = Contender(name: "p", policy: TestPolicy.always("near"))
    var settings = ComparisonSettings()
    settings.resamples = 50
    let lucky = RoutingComparison.make(Replayer(once.table), policies: [policy], settings: settings)
    #expect(lucky.oracle?.quality.value == 0.75)
    #expect(lucky.oracle?.isBiased == true)
    let honest = RoutingComparison.make(Replayer(twice.table), policies: [policy], settings: settings)
    #expect(honest.oracle?.quality.value == 0.25, "who was right is wrong the next time here")
    #expect(honest.oracle?.isBiased == false)
  }
}
