import EvalAnalysis
import EvalCore
import Testing

@testable import EvalReports

/// Which pictures a run gets, and that they and their sentences say the numbers.
@Suite struct RunPictureTests {
  static func charts(_ blocks: [ReportBlock]) -> [Chart] {
    blocks.flatMap { block -> [Chart] in
      switch block {
      case .chart(let chart): [chart]
      case .section(_, let blocks): charts(blocks)
      default: []
      }
    }
  }

  static func charts(_ source: SampleRun, _ place: PicturePlace = .together) throws -> [Chart] {
    charts(RunReport.document(try RunSummary.make(from: source), pictures: place).blocks)
  }

  static func plot(_ chart: Chart?) throws -> Chart.Plot {
    guard case .plot(let plot)? = chart?.content else { throw NoPlot() }
    return plot
  }

  static func bars(_ chart: Chart?) throws -> Chart.Bars {
    guard case .bars(let bars)? = chart?.content else { throw NoPlot() }
    return bars
  }

  struct NoPlot: Error {}

  // MARK: Which

  @Test func aPageHasThemTogetherATerminalInItsSections() throws {
    let live = SampleRun.live()
    let page = try Self.charts(live).map(\.id)
    #expect(
      page == [
        "quality-cost", "case-map", "total-time", "first-token-time", "first-token-split", "drift",
      ])
    // All of the time until the first token is waiting: words have said so with the percentiles.
    let sections = try Self.charts(live, .inSections).map(\.id).sorted()
    #expect(sections == ["case-map", "quality-cost", "total-time"])
    #expect(try Self.charts(live, .sentences).map(\.id).sorted() == ["case-map", "quality-cost"])
    for source in [live, .recorded(), .routed()] {
      for place in [PicturePlace.together, .inSections, .sentences] {
        let charts = try Self.charts(source, place)
        #expect(Set(charts.map(\.id)).count == charts.count)
        #expect(charts.allSatisfy { $0.alternative.hasSuffix(".") && !$0.alternative.contains("..") })
      }
    }
  }

  @Test func aPictureThatWouldSayNothingIsNotThere() throws {
    // One target has nobody to disagree with and no other cost.
    var one = SampleRun.live()
    one.run.targets = [one.run.targets[1]]
    one.trials = one.trials.filter { $0.target == SampleRun.cloud }
    let ids = try Self.charts(one).map(\.id)
    #expect(!ids.contains("case-map") && !ids.contains("quality-cost") && ids.contains("total-time"))
    // Twelve recorded calls are no curve and no drift.
    let recorded = try Self.charts(.recorded()).map(\.id)
    #expect(!recorded.contains { $0.hasPrefix("total-time") || $0 == "drift" })
    #expect(try Self.charts(SampleRun(run: one.run, trials: [])).isEmpty)
  }

  @Test func aTargetLooksTheSameEverywhere() throws {
    let charts = try Self.charts(.live())
    for id in ["total-time", "first-token-time", "drift", "quality-cost"] {
      for series in try Self.plot(charts.first { $0.id == id }).series where !series.name.isEmpty {
        let place = SampleRun.live().run.targets.firstIndex { series.name.hasPrefix($0.name) }
        #expect(series.slot == place, "\(id): \(series.name)")
      }
    }
  }

  // MARK: Times

  @Test func aCurveWithFailuresEndsAtTheirShare() throws {
    let summary = try RunSummary.make(from: SampleRun.live())
    let series = try Self.plot(RunPictures(summary, .together).latencyCurves.first).series
    let cloud = try #require(summary.targets[1].headline)
    #expect(cloud.failures > 0)
    let solid = try #require(series.first { $0.name == "cloud, warm" })
    let dashed = try #require(series.first { $0.name == "cloud, warm, with failures" })
    #expect(solid.dash == .solid && dashed.dash == .dashed && solid.slot == dashed.slot)
    #expect(solid.points.last?.y == 1)
    #expect(dashed.points.last?.y == Double(cloud.calls) / Double(cloud.calls + cloud.failures))
    #expect(solid.points.map(\.x) == dashed.points.map(\.x))
    // The device never failed, so it has one curve.
    #expect(series.count { $0.name.hasPrefix("on-device") } == 1)
  }

  /// A target with too few calls is named; where that leaves one of several, there is nothing to compare.
  @Test func whoHasTooFewCallsForACurveIsNamed() throws {
    func few(_ targets: [String]) throws -> Chart? {
      var run = SampleRun.live()
      for target in targets {
        let kept = run.trials.filter { $0.target == target }.prefix(12).map(\.key)
        run.trials.removeAll { $0.target == target && !kept.contains($0.key) }
      }
      return try Self.charts(run).first { $0.id == "total-time" }
    }
    let chart = try #require(try few([SampleRun.device]))
    #expect(
      chart.note?.hasSuffix("Left out, with fewer than 20 calls: on-device (12).") == true,
      "\(chart.note ?? "")")
    #expect(try Self.plot(chart).series.allSatisfy { !$0.name.contains("on-device") })
    #expect(try few([SampleRun.device, SampleRun.cloud]) == nil)
  }

  @Test func liveAndRecordedHavePicturesOfTheirOwn() throws {
    var mixed = SampleRun.live()
    for index in mixed.trials.indices where mixed.trials[index].target == SampleRun.device {
      for attempt in mixed.trials[index].attempts.indices {
        mixed.trials[index].attempts[attempt].provenance = .recorded
      }
    }
    let charts = try Self.charts(mixed)
    let recorded = try #require(charts.first { $0.id == "total-time-recorded" })
    #expect(recorded.title == "Total time, recorded")
    #expect(try Self.plot(recorded).series.map(\.name) == ["on-device, recorded"])
    let live = try Self.plot(charts.first { $0.id == "total-time" }).series
    #expect(!live.isEmpty && live.allSatisfy { !$0.name.contains("on-device") })
  }

  @Test func theSplitAddsUp() throws {
    let summary = try RunSummary.make(from: SampleRun.live())
    let bars = try Self.bars(RunPictures(summary, .together).firstTokenSplit())
    let cloud = try #require(
      bars.rows.first { $0.name.hasPrefix("cloud, warm") }?.values.map { $0.value ?? .nan })
    // The sample run's stamps: 0.09 ms to an open connection, then 0.15 ms of queue and 180 to 439 ms of waiting; the
    // first token comes with the first byte.
    #expect(abs(cloud[0] - 0.09) < 1e-9 && cloud[2] == 0)
    #expect((180.15...439.15).contains(cloud[1]))
    #expect(RunPictures(summary, .inSections).firstTokenSplit(isTelling: true) == nil)
    #expect(bars.style == .stacked && bars.parts.map(\.name) == ["connect", "wait", "model"])
  }

  @Test func driftIsSaidWhereItIsFound() throws {
    var run = SampleRun.live()
    for index in run.trials.indices where run.trials[index].target == SampleRun.device {
      guard index > run.trials.count / 2 else { continue }
      for attempt in run.trials[index].attempts.indices {
        run.trials[index].attempts[attempt].timeline.terminal! += 3_000_000_000
      }
    }
    let chart = try #require(try Self.charts(run).first { $0.id == "drift" })
    #expect(chart.alternative.contains("on-device: drift from a median of"))
    #expect(chart.alternative.contains("cloud: no drift found"))
    #expect(try Self.charts(run, .inSections).contains { $0.id == "drift" })
    #expect(try !Self.charts(run, .sentences).contains { $0.id == "drift" })
  }

  // MARK: Quality and cost

  /// Thirty cases: a free arm that is right on nine, a dear one on 27, and a route that takes the dear one for twelve.
  static func priced(alone: Bool = true) -> SampleRun {
    var run = SampleRun.info(
      targets: [("near", "m", "free"), ("far", "n", ["input": 1, "output": 1])], cases: 30, repeats: 1)
    run.targets[0].content = ["model": "m", "boundary": "device"]
    run.targets[1].content = ["model": "n", "boundary": "thirdParty"]
    let use: JSONValue = alone ? ["near", "far"] : ["near", "far", "third"]
    run.targets.append(
      RunInfo.TargetInfo(
        name: "route", kind: "route", hash: SampleRun.hash("route", "policy"),
        content: ["rules": [["use": use]]]))
    run.plannedTrials = 90
    run.privacy = .standard
    var trials: [TrialRecord] = []
    for number in 0..<30 {
      for target in run.targets {
        let isFar = target.name == "far" || target.name == "route" && number < 12
        let passed = isFar ? number < 27 : number < 9
        trials.append(trial(number, target, isFar: isFar, passed: passed))
      }
    }
    return SampleRun(run: run, trials: trials)
  }

  private static func trial(
    _ number: Int, _ target: RunInfo.TargetInfo, isFar: Bool, passed: Bool
  ) -> TrialRecord {
    var timeline = Timeline()
    timeline.start = 0
    timeline.terminal = 1_000_000
    let attempt = AttemptRecord(
      turn: 0, step: 0, number: 1, phase: .measured, profile: isFar ? "far" : "near",
      boundary: isFar ? .thirdParty : .device, cause: "first", outcome: "ok", errorClass: nil,
      provenance: .live, inFlight: 1, wait: 0, timeline: timeline, usage: nil,
      cost: Cost(dollars: isFar ? 0.5 : 0))
    let score = Score(check: "c", kind: "contains", judgement: .verdict(passed))
    var trial = TrialRecord(
      key: TrialKey(
        caseHash: SampleRun.hash("\(number)", "case"), targetHash: target.hash, repeatIndex: 0),
      caseID: "case \(number)", tags: [], cluster: nil, mustPass: false, target: target.name, status: .ok,
      errorClass: nil, score: TrialScore([score]), duration: nil, attempts: [attempt],
      scores: [
        ScoreRecord(
          check: "c", kind: "contains", weight: 1, turn: nil, judgement: .verdict(passed), explanation: nil)
      ])
    trial.signals = ["sensitivity": "public", "consent": true]
    return trial
  }

  @Test func qualityAgainstCostShowsWhatIsShown() throws {
    let chart = try #require(try Self.charts(Self.priced()).first { $0.id == "quality-cost" })
    let plot = try Self.plot(chart)
    let names = ["near", "far", "route", "coin toss between near, far", "oracle"]
    #expect(plot.series.map(\.name) == names && plot.y.unit == .share)
    let points = plot.series.map(\.points)
    #expect(points[0][0].x == 0 && points[0][0].y == 0.3 && points[0][0].yInterval != nil)
    #expect(points[1][0].x == 500 && points[1][0].y == 0.9 && points[1][0].xInterval != nil)
    #expect(points[2][0].x == 200 && points[2][0].y == 0.4)
    #expect(points[3].map(\.x) == [0, 500] && points[3].map(\.y) == [0.3, 0.9])
    // Right where any arm is, and far only for the 18 that near has wrong.
    #expect(points[4][0].x == 300 && points[4][0].y == 0.9)
    // Three cases more may be chance, eighteen are none.
    #expect(plot.series.map(\.role) == [.chosen, .chosen, .data, .reference, .reference])
    #expect(
      chart.alternative
        == "Cheapest for a thousand requests: near (pass rate 30.0 % for $0). route (pass rate 40.0 % for $200.00) is "
        + "not shown to be better than near: +10.0 points (95 % interval -2.5 points to +25.6 points). far (pass rate "
        + "90.0 % for $500.00) is better than near: +60.0 points (95 % interval +41.8 points to +75.4 points). Against "
        + "a coin toss between the arms for the same money: route lies 14.0 points below it. The best permitted arm of "
        + "every case would give 90.0 % for $300.00.")
    #expect(chart.note?.contains("luck counts as skill") == true)
  }

  @Test func withoutAnArmThereIsNoCoin() throws {
    let chart = try #require(try Self.charts(Self.priced(alone: false)).first { $0.id == "quality-cost" })
    #expect(try Self.plot(chart).series.map(\.name) == ["near", "far", "route"])
    #expect(chart.note?.contains("No coin-toss line and no oracle") == true)
    #expect(!chart.alternative.contains("coin"))
  }

  // MARK: Routes

  @Test func aRouteShowsWhereItsAnswersCameFrom() throws {
    let charts = try Self.charts(.routed())
    let served = try #require(charts.first { $0.id == "served-from" })
    let bars = try Self.bars(served)
    #expect(bars.rows.map(\.name) == ["naive (n=5)"])
    #expect(bars.parts.map(\.name) == ["on the device", "by a third party", "blocked"])
    #expect(bars.rows[0].values.map(\.value) == [0.2, 0.6, 0.2])
    #expect(
      served.alternative
        == "naive: on the device 20.0 %, by a third party 60.0 %, blocked 20.0 %; 60.0 % of trials left the device."
    )
    let causes = try #require(charts.first { $0.id == "fallback-causes" })
    let stacks = try Self.bars(causes)
    #expect(stacks.parts.map(\.name) == ["serverError", "answer not accepted"])
    #expect(stacks.rows[0].values.map(\.value) == [0.4, 0.2] && causes.note == nil)
    #expect(try Self.charts(.live()).allSatisfy { $0.id != "served-from" })
  }
}
