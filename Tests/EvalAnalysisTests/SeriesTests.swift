import EvalCore
import Testing

@testable import EvalAnalysis

/// The data behind a run's pictures, by examples that can be worked out by hand.
@Suite struct SeriesTests {
  // MARK: Curves

  @Test func aCurveWithFailuresEndsBelowOne() throws {
    var run = TestRun(cases: 5)
    for (number, time) in [300, 100, 200].enumerated() {
      run.add(case: "\(number)", attempts: [TestRun.attempt(Int64(time), firstToken: Int64(time / 10))])
    }
    for number in 3..<5 {
      run.add(
        case: "\(number)", status: .failed, errorClass: .stallTimeout,
        attempts: [TestRun.attempt(1, error: .stallTimeout)])
    }
    let curves = try #require(SummaryTests.only(run).headline).curves
    let curve = try #require(curves.total)
    #expect(
      curve.points == [.init(time: 100, rank: 1), .init(time: 200, rank: 2), .init(time: 300, rank: 3)])
    #expect(curve.share(curve.points[2]) == 1 && curve.adjustedShare(curve.points[2]) == 0.6)
    #expect(curve.finishedShare == 0.6)
    #expect(curves.firstToken?.points.map(\.time) == [10, 20, 30] && curves.firstToken?.failures == 2)
  }

  @Test(arguments: [1, 2, 199, 200, 201, 399, 10_000])
  func aCurveKeepsItsEndsAndItsLimit(n: Int) throws {
    let times = (1...n).map(Double.init)
    let curve = try #require(LatencyCurve(sorted: times, failures: 0))
    #expect(curve.points.count == min(n, 200))
    #expect(curve.points.first?.rank == 1 && curve.points.last?.rank == n)
    #expect(zip(curve.points, curve.points.dropFirst()).allSatisfy { $0.rank < $1.rank })
    #expect(curve.points.allSatisfy { $0.time == Double($0.rank) })
  }

  @Test func equalTimesAreOneStep() throws {
    let curve = try #require(LatencyCurve(sorted: [5, 5, 5, 9], failures: 0))
    #expect(curve.points == [.init(time: 5, rank: 3), .init(time: 9, rank: 4)])
    #expect(LatencyCurve(sorted: [], failures: 3) == nil)
  }

  // MARK: First token

  /// Milliseconds of each part.
  static func attempt(
    queue: Int64, connect: Int64?, wait: Int64?, model: Int64, cached: Int? = nil, cold: Bool? = false
  ) -> AttemptRecord {
    var record = TestRun.attempt(cold: cold, usage: cached.map { Usage(input: 9, cachedInput: $0) })
    var timeline = Timeline()
    timeline.scheduled = 0
    timeline.start = queue * 1_000_000
    let ready = (queue + (connect ?? 0)) * 1_000_000
    timeline.connectionReady = connect == nil ? nil : ready
    let byte = ready + (wait ?? 0) * 1_000_000
    timeline.firstByte = wait == nil ? nil : byte
    timeline.firstContent = byte + model * 1_000_000
    timeline.terminal = byte + (model + 50) * 1_000_000
    record.timeline = timeline
    return record
  }

  @Test func stampsSplitTheFirstToken() throws {
    var run = TestRun(cases: 6)
    // The fastest and the slowest quarter (one call each) do not speak.
    run.add(case: "1", attempts: [Self.attempt(queue: 0, connect: 1, wait: 1, model: 1)])
    run.add(case: "2", attempts: [Self.attempt(queue: 2, connect: 4, wait: 100, model: 20)])
    run.add(case: "3", attempts: [Self.attempt(queue: 4, connect: 8, wait: 110, model: 40)])
    run.add(case: "4", attempts: [Self.attempt(queue: 60_000, connect: 0, wait: 5, model: 5)])
    run.add(case: "5", attempts: [Self.attempt(queue: 0, connect: 3, wait: nil, model: 5)])
    run.add(case: "6", attempts: [Self.attempt(queue: 3, connect: 6, wait: 105, model: 30)])
    let split = try #require(SummaryTests.only(run).headline?.split)
    #expect(split.n == 5 && split.missing == 1 && !split.isCached)
    #expect(split.connect == 6 && split.wait == 108 && split.model == 30)
    #expect(split.whole == 144)
  }

  @Test func noConnectionIsNoConnectTime() throws {
    var run = TestRun(cases: 1)
    run.add(case: "1", attempts: [Self.attempt(queue: 1, connect: nil, wait: 10, model: 4, cold: nil)])
    let split = try #require(SummaryTests.only(run).headline?.split)
    #expect(split.connect == 0 && split.wait == 11 && split.model == 4)
  }

  @Test func coldAndCachedCallsAreSplitApart() throws {
    var run = TestRun(cases: 4)
    run.add(case: "1", attempts: [Self.attempt(queue: 0, connect: 80, wait: 10, model: 4, cold: true)])
    run.add(case: "2", attempts: [Self.attempt(queue: 0, connect: 0, wait: 10, model: 40)])
    for id in ["3", "4"] {
      run.add(case: id, attempts: [Self.attempt(queue: 0, connect: 0, wait: 10, model: 2, cached: 8)])
    }
    let groups = try SummaryTests.only(run).latency
    #expect(groups.map { $0.condition.connection } == [.warm, .cold])
    #expect(groups[0].split?.isCached == true && groups[0].split?.n == 2 && groups[0].split?.model == 2)
    #expect(groups[1].split?.connect == 80)
  }

  @Test func aSampleOfManyCallsIsTheirPicture() throws {
    var sample = FirstTokenSample()
    for number in 0..<100_000 {
      sample.add(Self.attempt(queue: 0, connect: 10, wait: Int64(number % 1000), model: 5).timeline)
    }
    let split = try #require(sample.split(isCached: false))
    #expect(split.n == 100_000 && split.connect == 10 && split.model == 5)
    // The middle half of 0…999 has the mean 499.5; 2,048 draws of it are within 5 standard errors, 144.3/√1024 each.
    #expect(abs(split.wait - 499.5) < 25)
  }

  // MARK: Map

  @Test func disagreeingCasesComeFirst() throws {
    var run = TestRun(["a", "b", "c"], cases: 6)
    let scores: [(String, [Double?])] = [
      ("right", [1, 1, 1]), ("wrong", [0, 0, 0]), ("some", [1, 0.5, 1]), ("split", [1, 0, 1]),
      ("hard", [0, 0, 1]), ("alone", [1, nil, nil]),
    ]
    for (id, row) in scores {
      for (target, score) in zip(["a", "b", "c"], row) {
        run.add(
          case: id, target: target,
          scores: [score.map { .graded($0, threshold: nil) } ?? .unscored(.graderFailed, "")])
      }
    }
    let map = try #require(try RunSummary.make(from: run).caseMap)
    #expect(map.rows.map(\.caseID) == ["hard", "split", "some", "wrong", "right"])
    #expect(map.rows.map(\.spread) == [1, 1, 0.5, 0, 0])
    #expect(map.cases == 5 && map.disagreeing == 3 && map.allRight == 1 && map.allWrong == 1)
  }

  @Test func aLargeRunKeepsTheMostDisagreeing() throws {
    var run = TestRun(["a", "b"], cases: 500, repeats: 2)
    for number in 0..<500 {
      for index in 0..<2 {
        run.add(case: "\(number)", target: "a", repeatIndex: index, scores: [.verdict(number % 5 != 0)])
        // Every tenth case: half of the repeats.
        let passes = number % 10 == 0 ? index == 0 : number % 50 != 25
        run.add(case: "\(number)", target: "b", repeatIndex: index, scores: [.verdict(passes)])
      }
    }
    let map = try #require(try RunSummary.make(from: run).caseMap)
    #expect(map.rows.count == CaseMap.limit && map.cases == 500 && map.disagreeing == 90)
    // b passes alone, then half of the repeats, then both fail, then as many of those that both pass as have room.
    let alone = stride(from: 5, to: 500, by: 10).filter { $0 % 50 != 25 }
    let half = Array(stride(from: 0, to: 500, by: 10))
    let none = Array(stride(from: 25, to: 500, by: 50))
    let both = (0..<500).filter { $0 % 5 != 0 }.prefix(20)
    #expect(map.rows.map(\.caseID) == (alone + half + none + both).map(String.init))
    #expect(map.allWrong == 10 && map.allRight == 400)
  }

  @Test func oneTargetHasNoMap() throws {
    var run = TestRun(cases: 1)
    run.add(case: "1")
    #expect(try RunSummary.make(from: run).caseMap == nil)
  }

  // MARK: Drift

  @Test func partsOfTheRunHaveTheirMedians() throws {
    var run = TestRun(cases: 40)
    for number in 0..<40 {
      var attempt = TestRun.attempt(number < 20 ? 100 : 300)
      // Started in the reverse of the order in which they are read.
      for stamp in [\Timeline.start, \.terminal, \.done] {
        attempt.timeline[keyPath: stamp]! += Int64(40 - number) * 1_000_000_000
      }
      run.add(case: "\(number)", attempts: [attempt])
    }
    let drift = try #require(SummaryTests.only(run).drift)
    #expect(drift.n == 40 && drift.bins.map(\.place) == [0.125, 0.375, 0.625, 0.875])
    #expect(drift.bins.map { $0.median.observed } == [.value(300), .value(300), .value(100), .value(100)])
    #expect(drift.halves == .init(first: 300, second: 100))
    run.trials.removeLast()
    #expect(try SummaryTests.only(run).drift == nil)
  }

  // MARK: Quality and cost

  /// - Parameter targets: dollars of a trial, `nil` unknown, and which cases pass.
  static func priced(_ targets: [(name: String, dollars: Double?, passes: [Bool])]) -> TestRun {
    var run = TestRun(targets.map(\.name), cases: targets[0].passes.count)
    for number in targets[0].passes.indices {
      for target in targets {
        run.add(
          case: "\(number)", target: target.name, scores: [.verdict(target.passes[number])],
          attempts: [TestRun.attempt(cost: Cost(dollars: target.dollars))])
      }
    }
    return run
  }

  static func passes(_ count: Int, of cases: Int = 10) -> [Bool] { (0..<cases).map { $0 < count } }

  @Test func nobodyBeatsTheParetoSet() throws {
    let run = Self.priced([
      ("free", 0, Self.passes(2)), ("twin", 0.125, Self.passes(6)), ("other twin", 0.125, Self.passes(6)),
      ("dearer", 0.25, Self.passes(6)), ("worse", 0.125, Self.passes(5)), ("best", 0.5, Self.passes(9)),
      ("who knows", nil, Self.passes(10)),
    ])
    let chart = try #require(try RunSummary.make(from: run).qualityCost)
    #expect(chart.points.filter(\.isPareto).map(\.target) == ["free", "twin", "other twin", "best"])
    #expect(chart.unpriced == ["who knows"] && chart.points.count == 6)
    #expect(chart.points.map(\.cost.value) == [0, 125, 125, 250, 125, 500])
    #expect(chart.coin == nil && chart.oracle == nil)
  }

  @Test func aGainThatFewCasesMakeIsNotReal() throws {
    var few = try RunSummary.make(from: Self.priced([("a", 0, Self.passes(1)), ("b", 1, Self.passes(6))]))
    let gain = try #require(few.qualityCost?.points[1].gain)
    #expect(
      gain.over == "a" && gain.difference.change.value == 0.5
        && gain.difference.change.interval?.lowerBound ?? 0 > 0)
    #expect(!gain.isReal)
    few = try RunSummary.make(from: Self.priced([("a", 0, Self.passes(1)), ("b", 1, Self.passes(9))]))
    #expect(few.qualityCost?.points[1].gain?.isReal == true)
    #expect(few.qualityCost?.points[0].gain == nil)
  }

  @Test func aGainIsHeldAgainstWhatIsWorthItsMoney() throws {
    // b is a little better than a, c a little better than b; only c's gain over a can be seen.
    let run = Self.priced([
      ("a", 0, Self.passes(0, of: 30)), ("b", 0.5, Self.passes(6, of: 30)), ("c", 1, Self.passes(12, of: 30)),
    ])
    let points = try #require(try RunSummary.make(from: run).qualityCost).points
    #expect(points.map(\.isPareto) == [true, true, true])
    #expect(points.map(\.isWorthIt) == [true, false, true])
    #expect(points[2].gain?.over == "a" && points[2].gain?.difference.change.value == 0.4)
  }

  /// A free arm on the device, a cloud arm for a dollar, and a route over both.
  static func routed(cases: [(near: Double, far: Double, signals: JSONObject)]) -> TestRun {
    var run = TestRun(["near", "far", "route"], cases: cases.count)
    run.run.targets[0].content = ["model": "m", "boundary": "device"]
    run.run.targets[1].content = ["model": "n", "boundary": "thirdParty"]
    run.run.targets[2].kind = "route"
    run.run.targets[2].content = ["rules": [["use": ["$pinned"]], ["use": ["near", "far"]]]]
    for (number, one) in cases.enumerated() {
      for (target, score, dollars) in [("near", one.near, 0.0), ("far", one.far, 1), ("route", one.near, 0)] {
        run.add(
          case: "\(number)", target: target, scores: [.graded(score, threshold: nil)],
          attempts: [TestRun.attempt(cost: Cost(dollars: dollars))])
        run.trials[run.trials.count - 1].signals = one.signals
      }
    }
    return run
  }

  static let open: JSONObject = ["sensitivity": "public", "consent": true]

  @Test func theOracleTakesTheBestPermittedArm() throws {
    let run = Self.routed(cases: [
      (0, 1, Self.open), (1, 1, Self.open), (0, 0, Self.open), (0.25, 1, ["sensitivity": "private"]),
    ])
    let chart = try #require(try RunSummary.make(from: run).qualityCost)
    let oracle = try #require(chart.oracle)
    // Far for the first, near for the rest: equal scores go to the cheaper, a private case stays.
    #expect(oracle.point == CostQuality(cost: 250, quality: 2.25 / 4))
    #expect(oracle.cases == 4 && oracle.of == 4 && oracle.isBiased)
    #expect(chart.coin?.arms == ["near", "far"])
    #expect(
      chart.coin?.line
        == [CostQuality(cost: 0, quality: 1.25 / 4), CostQuality(cost: 1000, quality: 0.75)])
  }

  @Test func anArmThatDidNotRunAloneLeavesNoLine() throws {
    var run = Self.routed(cases: [(0, 1, Self.open), (1, 1, Self.open)])
    run.run.targets[2].content = ["rules": [["use": ["near", "far", "third"]]]]
    let chart = try #require(try RunSummary.make(from: run).qualityCost)
    #expect(chart.points.count == 3 && chart.coin == nil && chart.oracle == nil)
  }

  @Test func aCaseInPiecesLeavesNoOracle() throws {
    var run = Self.routed(cases: [(0, 1, Self.open), (1, 1, Self.open)])
    run.trials.swapAt(1, 4)
    let chart = try #require(try RunSummary.make(from: run).qualityCost)
    #expect(chart.coin != nil && chart.oracle == nil)
  }
}
