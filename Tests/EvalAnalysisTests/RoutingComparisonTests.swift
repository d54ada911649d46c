import EvalCore
import Testing

@testable import EvalAnalysis

/// Every score of every side against `reference/routing.py`, which shares no code with us.
@Suite struct RoutingComparisonTests {
  static func comparison(_ world: RoutingWorld) -> RoutingComparison {
    var settings = ComparisonSettings()
    settings.seed = 20_261_130
    settings.resamples = 2_000
    settings.arms = ["near", "pcc", "far"]
    settings.dollarWorth = 50
    settings.secondWorth = 0.1
    return RoutingComparison.make(
      Replayer(world.table), policies: RoutingWorld.contenders, settings: settings)
  }

  private func near(_ ours: Double?, _ theirs: JSONValue?, _ what: String, _ within: Double = 1e-9) {
    switch (ours, theirs?.doubleValue) {
    case (nil, nil): break
    case (let ours?, let theirs?): #expect(abs(ours - theirs) <= within, "\(what): \(ours), not \(theirs)")
    case (let ours, let theirs):
      Issue.record("\(what): \(ours.map { "\($0)" } ?? "none"), not \(theirs.map { "\($0)" } ?? "none")")
    }
  }

  @Test func agreesWithTheReference() throws {
    let world = try RoutingWorld()
    let comparison = RoutingComparisonTests.comparison(world)
    #expect(comparison.pairedTrials == Int(try #require(world.json["trials"]?.intValue)))
    #expect(comparison.units == Int(try #require(world.json["units"]?.intValue)))
    #expect((comparison.weak, comparison.strong) == ("near", "far"))
    for score in comparison.arms + comparison.policies {
      let expected = try #require(world.json["scores"]?[score.name])
      compare(score, expected)
      let relative = try #require(score.relative)
      compare(relative, try #require(expected["relative"]), score.name)
    }
    let oracle = try #require(comparison.oracle)
    near(oracle.quality.value, world.json["oracle"]?["quality"], "oracle")
    near(oracle.cost.value, world.json["oracle"]?["cost"], "oracle's cost")
    near(oracle.meanSeconds, world.json["oracle"]?["meanSeconds"], "oracle's time")
    near(comparison.gap.interval?.lowerBound, world.json["gap"]?[0], "gap")
    near(comparison.gap.interval?.upperBound, world.json["gap"]?[1], "gap")
    let quadrants = try #require(comparison.quadrants)
    let counts = [quadrants.rescue, quadrants.loss, quadrants.safe, quadrants.hard].map { $0.count }
    let expected = ["rescue", "loss", "safe", "hard"].map { world.json["quadrants"]?[$0]?.intValue ?? -1 }
    #expect(counts.map(Int64.init) == expected)
  }

  private func compare(_ score: PolicyScore, _ expected: JSONValue) {
    let name = score.name
    near(score.quality.value, expected["quality"], "\(name) quality")
    near(score.cost.value, expected["cost"], "\(name) cost")
    near(score.meanSeconds, expected["meanSeconds"], "\(name) seconds")
    near(score.latency.p50.observed?.value, expected["p50"], "\(name) p50", 1e-6)
    near(score.latency.p95.observed?.value, expected["p95"], "\(name) p95", 1e-6)
    near(score.cloud.any.value, expected["any"], "\(name) beyond the device")
    near(score.cloud.privateCloud.value, expected["privateCloud"], "\(name) private cloud")
    near(score.cloud.thirdParty.value, expected["thirdParty"], "\(name) third party")
    near(score.cloud.served.value, expected["served"], "\(name) served")
    near(score.cloud.tokens.value, expected["tokens"], "\(name) tokens")
    near(score.fallbacks.rate.value, expected["fallback"], "\(name) fallback")
    near(score.fallbacks.escalation.value, expected["escalation"], "\(name) escalation")
    near(score.waste.deviceSeconds, expected["wasteDeviceSeconds"], "\(name) waste")
    #expect(score.leaks.attempts == expected["leaks"]?.intValue.map { Int($0) }, "\(name)")
    #expect((score.fallbacks.recovery.value == nil) == (expected["recovery"]?.isNull == true), "\(name)")
    near(score.relative?.strongShare, expected["strongShare"], "\(name) strong share")
  }

  private func compare(_ relative: RelativeScore, _ expected: JSONValue, _ name: String) {
    let estimates: [(String, Estimate?)] = [
      ("qualityOverWeak", relative.qualityOverWeak), ("qualityOverStrong", relative.qualityOverStrong),
      ("costOverStrong", relative.costOverStrong), ("qualityOverMix", relative.qualityOverMix),
      ("pgr", relative.pgr), ("ibc", relative.ibc), ("hullLift", relative.hullLift),
      ("costSaving", relative.costSaving), ("gapClosed", relative.gapClosed),
      ("qualityRegret", relative.qualityRegret), ("costRegret", relative.costRegret),
      ("utilityRegret", relative.utilityRegret),
    ]
    for (key, ours) in estimates {
      near(ours?.value, expected[key]?["value"], "\(name) \(key)")
      near(ours?.interval?.lowerBound, expected[key]?["interval"]?[0], "\(name) \(key), lower end")
      near(ours?.interval?.upperBound, expected[key]?["interval"]?[1], "\(name) \(key), upper end")
    }
  }

  @Test func hullsAndAIQAgreeWithBruteForce() throws {
    let world = try RoutingWorld()
    func point(_ json: JSONValue) -> CostQuality {
      CostQuality(cost: json[0]!.doubleValue!, quality: json[1]!.doubleValue!)
    }
    for (index, row) in try #require(world.json["hulls"]?.arrayValue).enumerated() {
      let arms = try #require(row["arms"]?.arrayValue).map(point)
      let router = try #require(row["router"]?.arrayValue).map(point)
      let hull = try #require(ZeroRouter(arms))
      near(hull.lift(of: router[0]), row["lift"], "lift \(index)")
      near(hull.saving(of: router[0]), row["saving"], "saving \(index)")
      near(ZeroRouter.aiq(router: router, arms: arms), row["aiq"], "AIQ \(index)")
    }
  }

  /// RouteLLM's APGR is ours on curves that reach both ends; its CPT is where the curve rises throughout.
  @Test func thresholdCurvesAgreeWithRouteLLM() throws {
    let world = try RoutingWorld()
    var differing = 0
    for row in try #require(world.json["curves"]?.arrayValue) {
      let points = try #require(row["points"]?.arrayValue).map {
        ThresholdCurve.Point(share: $0[0]!.doubleValue!, pgr: $0[1]!.doubleValue!)
      }
      let curve = try #require(ThresholdCurve(points.shuffled(), arms: 2))
      near(curve.apgr, row["apgr"], "APGR")
      for (level, expected) in try #require(row["cpt"]?.objectValue).members {
        let ours = try #require(curve.cpt(Double(level)!))
        near(ours, expected["ours"], "CPT \(level)", 2e-6)
        if row["isMonotone"] == true {
          near(ours, expected["routellm"], "RouteLLM's CPT \(level)")
        } else if abs(ours - expected["routellm"]!.doubleValue!) > 0.01 {
          differing += 1
        }
      }
    }
    #expect(differing > 0, "on a curve that falls, np.interp gives another share")
  }
}
