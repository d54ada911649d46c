import EvalCore
import Foundation
import Testing

@testable import EvalAnalysis

/// Holds the data behind a run's pictures against NumPy and SciPy, by the run that `reference/series.py` draws.
@Suite struct SeriesReferenceTests {
  static func reference() throws -> JSONValue {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("reference/series.json")
    return try JSONValue.parse([UInt8](Data(contentsOf: file)))
  }

  static func numbers(_ value: JSONValue?) throws -> [Double] {
    try #require(value?.arrayValue).compactMap(\.doubleValue)
  }

  /// The drawn run: two profiles and a route over them.
  static func summary(_ reference: JSONValue) throws -> RunSummary {
    let names = try #require(reference["targets"]?.arrayValue).compactMap(\.stringValue)
    let cases = try Int(#require(reference["cases"]?.intValue))
    var run = TestRun(names, cases: cases, repeats: 2)
    run.run.targets[0].content = ["model": "m", "boundary": "device"]
    run.run.targets[1].content = ["model": "n", "boundary": "thirdParty"]
    run.run.targets[2].kind = "route"
    run.run.targets[2].content = ["rules": [["use": ["device", "cloud"]]]]
    let signals = try #require(reference["signals"]?.arrayValue)
    for (place, trial) in try #require(reference["trials"]?.arrayValue).enumerated() {
      let number = try Int(#require(trial["case"]?.intValue))
      let failed = trial["failed"]?.boolValue == true
      let judgement: Judgement =
        failed
        ? .unscored(.noAnswer, "")
        : trial["score"]?.doubleValue.map { .graded($0, threshold: nil) } ?? .unscored(.graderFailed, "")
      run.add(
        case: "\(number)", target: try #require(trial["target"]?.stringValue),
        repeatIndex: try Int(#require(trial["repeat"]?.intValue)), status: failed ? .failed : .ok,
        errorClass: failed ? .network : nil, scores: [judgement],
        attempts: [try attempt(trial, failed: failed, at: Int64(place) * 60_000_000_000)])
      run.trials[place].signals = try #require(signals[number].objectValue)
    }
    return try RunSummary.make(from: run)
  }

  static func attempt(_ trial: JSONValue, failed: Bool, at due: Int64) throws -> AttemptRecord {
    func nanoseconds(_ key: String) throws -> Int64 {
      Int64((try #require(trial[key]?.doubleValue) * 1000).rounded()) * 1000
    }
    var record = TestRun.attempt(error: failed ? .network : nil)
    var timeline = Timeline()
    timeline.scheduled = due
    timeline.start = due + (try nanoseconds("queue"))
    timeline.connectionReady = timeline.start! + (try nanoseconds("connect"))
    if !failed {
      timeline.firstByte = timeline.connectionReady! + (try nanoseconds("wait"))
      timeline.firstContent = timeline.firstByte! + (try nanoseconds("model"))
      timeline.terminal = timeline.firstContent! + (try nanoseconds("stream"))
    }
    record.timeline = timeline
    record.cost = Cost(dollars: trial["dollars"]?.doubleValue)
    return record
  }

  static func isNear(_ ours: Double?, _ theirs: Double?) -> Bool {
    guard let ours, let theirs else { return ours == nil && theirs == nil }
    return abs(ours - theirs) <= 1e-9 * max(1, abs(theirs))
  }

  @Test func timesAgreeWithNumPy() throws {
    let reference = try Self.reference()
    for target in try Self.summary(reference).targets {
      let group = try #require(target.headline)
      let split = try #require(group.split)
      let theirs = try #require(reference["split"]?[target.name])
      let parts = try Self.numbers(theirs["parts"])
      #expect(split.n == theirs["n"]?.intValue.map { Int($0) } && split.missing == 0)
      for (ours, part) in zip([split.connect, split.wait, split.model], parts) {
        #expect(Self.isNear(ours, part), "\(target.name): \(ours), NumPy \(part)")
      }
      let counts = try #require(reference["curves"]?[target.name])
      let curve = try #require(group.curves.total)
      #expect(curve.n == counts["n"]?.intValue.map { Int($0) })
      #expect(curve.failures == counts["failures"]?.intValue.map { Int($0) })
      let last = try #require(curve.points.last)
      #expect(curve.share(last) == 1 && Self.isNear(curve.adjustedShare(last), Double(curve.n) / 150))
      try expectDrift(of: target, reference["drift"]?[target.name])
    }
  }

  private func expectDrift(of target: TargetSummary, _ theirs: JSONValue?) throws {
    let drift = try #require(target.drift)
    let bins = try #require(theirs?["bins"]?.arrayValue)
    #expect(drift.n == theirs?["n"]?.intValue.map { Int($0) } && drift.bins.count == bins.count)
    for (ours, bin) in zip(drift.bins, bins) {
      #expect(Self.isNear(ours.place, bin["place"]?.doubleValue))
      #expect(ours.median.n == bin["n"]?.intValue.map { Int($0) })
      #expect(Self.isNear(ours.median.observed?.value, bin["median"]?.doubleValue))
      #expect(Self.isNear(ours.median.low?.value, bin["low"]?.doubleValue))
      #expect(Self.isNear(ours.median.high?.value, bin["high"]?.doubleValue))
    }
    // Only the device grew slow.
    #expect((drift.halves != nil) == (target.name == "device"))
  }

  @Test func theMapAgreesWithNumPy() throws {
    let reference = try Self.reference()
    let map = try #require(try Self.summary(reference).caseMap)
    let theirs = try #require(reference["map"])
    #expect(map.cases == theirs["cases"]?.intValue.map { Int($0) })
    #expect(map.disagreeing == theirs["disagreeing"]?.intValue.map { Int($0) })
    #expect(map.allRight == theirs["allRight"]?.intValue.map { Int($0) })
    #expect(map.allWrong == theirs["allWrong"]?.intValue.map { Int($0) })
    #expect(map.rows.map(\.caseID) == (try Self.numbers(theirs["order"])).map { "\(Int($0))" })
    #expect(map.rows.map(\.spread) == (try Self.numbers(theirs["spread"])))
    for (row, scores) in zip(map.rows, try #require(theirs["scores"]?.arrayValue)) {
      #expect(row.scores == scores.arrayValue?.map(\.doubleValue))
    }
  }

  @Test func qualityAndCostAgreeWithSciPy() throws {
    let reference = try Self.reference()
    let chart = try #require(try Self.summary(reference).qualityCost)
    let theirs = try #require(reference["qualityCost"])
    for (ours, point) in zip(chart.points, try #require(theirs["points"]?.arrayValue)) {
      #expect(ours.target == point["target"]?.stringValue)
      #expect(Self.isNear(ours.quality.value, point["quality"]?.doubleValue))
      #expect(Self.isNear(ours.cost.value, point["cost"]?.doubleValue))
      #expect(Self.isNear(ours.cost.interval?.lowerBound, point["low"]?.doubleValue))
      #expect(Self.isNear(ours.cost.interval?.upperBound, point["high"]?.doubleValue))
    }
    let front = chart.points.filter(\.isPareto).sorted { $0.costQuality.cost < $1.costQuality.cost }
    #expect(front.map(\.target) == theirs["front"]?.arrayValue?.compactMap(\.stringValue))
    for gain in try #require(theirs["gains"]?.arrayValue) {
      let ours = try #require(chart.points.first { $0.target == gain["target"]?.stringValue }?.gain)
      #expect(ours.over == gain["over"]?.stringValue)
      #expect(Self.isNear(ours.difference.change.value, gain["value"]?.doubleValue))
      #expect(Self.isNear(ours.difference.change.interval?.lowerBound, gain["low"]?.doubleValue))
      #expect(Self.isNear(ours.difference.change.interval?.upperBound, gain["high"]?.doubleValue))
      #expect(ours.isReal == (try #require(gain["low"]?.doubleValue) > 0))
    }
    let oracle = try #require(chart.oracle)
    #expect(oracle.cases == reference["oracle"]?["cases"]?.intValue.map { Int($0) } && oracle.of == 75)
    #expect(Self.isNear(oracle.point.quality, reference["oracle"]?["quality"]?.doubleValue))
    #expect(Self.isNear(oracle.point.cost, reference["oracle"]?["cost"]?.doubleValue))
    #expect(chart.coin?.arms == ["device", "cloud"])
    #expect(chart.coin?.line == chart.points.filter { !$0.isRoute }.map(\.costQuality))
  }

  @Test func aThinnedCurveIsTheDistribution() throws {
    let reference = try #require(try Self.reference()["curve"])
    let times = try Self.numbers(reference["times"])
    let curve = try #require(LatencyCurve(sorted: times, failures: 500))
    #expect(curve.points.count == LatencyCurve.limit && curve.n == 1500)
    #expect(curve.points.first == .init(time: times[0], rank: 1))
    #expect(curve.points.last == .init(time: times[1499], rank: 1500) && curve.finishedShare == 0.75)
    for point in curve.points {
      #expect(times.count { $0 <= point.time } == point.rank)
    }
    let levels = try Self.numbers(reference["levels"])
    let quantiles = try Self.numbers(reference["quantiles"])
    let next = try Self.numbers(reference["next"])
    for (level, (low, high)) in zip(levels, zip(quantiles, next)) {
      let time = try #require(curve.points.first { curve.share($0) >= level - 1e-12 }?.time)
      #expect(low <= time && time <= high, "\(level): \(low) \(time) \(high)")
    }
  }
}
