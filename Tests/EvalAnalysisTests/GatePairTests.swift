import EvalCore
import Testing

@testable import EvalAnalysis

/// Gates against another target and against a baseline.
@Suite struct GatePairTests {
  /// Target "cloud" passes the first `cloud` cases, "device" those less the first `lost` of them.
  static func run(cases: Int, cloud: Int, lost: Int) -> TestRun {
    var run = TestRun(["device", "cloud"], cases: cases)
    for number in 0..<cases {
      run.add(case: "\(number)", target: "device", scores: [.verdict(number < cloud && number >= lost)])
      run.add(case: "\(number)", target: "cloud", scores: [.verdict(number < cloud)])
    }
    return run
  }

  /// Of 200 pairs 2 are lost: Tango's interval of −1 % is −3.6…0.9 %.
  @Test(arguments: [
    (200, 2, "by 0.05", GateOutcome.pass), (200, 2, "by 0.03", .inconclusive), (200, 30, "by 0.05", .fail),
    (200, 30, "by 0.25", .pass), (200, 2, "by 0.009 point", .fail), (200, 2, "by 0.01 point", .pass),
    // Ten cases without any difference prove little.
    (10, 0, "by 0.05", .inconclusive), (200, 0, "by 0.05", .pass),
  ])
  func againstAnotherTarget(cases: Int, lost: Int, margin: String, outcome: GateOutcome) throws {
    let run = Self.run(cases: cases, cloud: cases * 8 / 10, lost: lost)
    let result = try GateTests.one(run, "passRate not worse than cloud \(margin)")
    #expect(result.target == "device" && result.reference == "cloud")
    #expect(result.outcome == outcome, "\(String(describing: result.estimate))")
    if outcome == .inconclusive { #expect(result.advice?.contains("more cases would settle it") == true) }
  }

  @Test func byTag() throws {
    var run = Self.run(cases: 200, cloud: 200, lost: 40)
    for index in run.trials.indices { run.trials[index].tags = [index < 80 ? "hard" : "easy"] }
    let results = try GateTests.judge(
      run, ["passRate not worse than cloud by 0.1 tag hard", "passRate not worse than cloud by 0.1 tag easy"]
    ).results
    #expect(results.map(\.outcome) == [.fail, .pass])
  }

  @Test func latencyByRatio() throws {
    var run = TestRun(["a", "b"], cases: 50)
    for number in 0..<50 {
      run.add(case: "\(number)", target: "a", attempts: [TestRun.attempt(Int64(105 + number % 3))])
      run.add(case: "\(number)", target: "b", attempts: [TestRun.attempt(100)])
    }
    #expect(try GateTests.one(run, "latency not worse than b by 10%").outcome == .pass)
    #expect(try GateTests.one(run, "latency not worse than b by 5%").outcome == .fail)
    #expect(try GateTests.one(run, "latency not worse than a by 10%").outcome == .pass, "faster is not worse")
  }

  @Test func costsByDifference() throws {
    var run = TestRun(["a", "b"], cases: 50)
    for number in 0..<50 {
      run.add(case: "\(number)", target: "a", attempts: [TestRun.attempt(cost: Cost(dollars: 0.002))])
      run.add(
        case: "\(number)", target: "b",
        attempts: [TestRun.attempt(cost: Cost(dollars: 0.0010 + 0.0001 * Double(number % 2)))])
    }
    #expect(try GateTests.one(run, "costPerCase not worse than b by 0.001").outcome == .pass)
    #expect(try GateTests.one(run, "costPerCase not worse than b by 0.0005").outcome == .fail)
  }

  static func baseline(_ run: TestRun) throws -> [ComparisonInput] {
    try ComparisonInput.read(run, label: "main")
  }

  @Test func againstABaseline() throws {
    let before = GateTests.shares(180, of: 200)
    let same = try GateTests.judge(
      GateTests.shares(180, of: 200), ["passRate not worse than baseline by 0.05"],
      baseline: Self.baseline(before))
    #expect(same.outcome == .pass && same.results[0].reference == "main")
    let worse = try GateTests.judge(
      GateTests.shares(140, of: 200), ["passRate not worse than baseline by 0.05"],
      baseline: Self.baseline(before))
    #expect(worse.outcome == .fail)
    let none = try GateTests.judge(before, ["passRate not worse than baseline by 0.05"])
    #expect(none.outcome == .inconclusive && none.results[0].advice == "name one with --baseline")
  }

  @Test func aSampleOfTheBaselineIsEnoughAndOtherCasesAreNot() throws {
    let before = GateTests.shares(200, of: 200)
    let rule = ["passRate not worse than baseline by 0.1"]
    #expect(
      try GateTests.judge(GateTests.shares(60, of: 60), rule, baseline: Self.baseline(before)).outcome
        == .pass)
    var other = GateTests.shares(60, of: 60)
    for number in 0..<30 { other.trials[number].key.caseHash = TestRun.hash("edited \(number)") }
    let result = try GateTests.judge(other, rule, baseline: Self.baseline(before))
    #expect(result.outcome == .invalid && result.results[0].reason == "only 30 of 60 cases are in both")
  }

  @Test func aBrokenReferenceIsInvalid() throws {
    var run = Self.run(cases: 100, cloud: 80, lost: 0)
    for index in run.trials.indices where run.trials[index].target == "cloud" && index < 40 {
      run.trials[index].status = .failed
      run.trials[index].errorClass = .network
    }
    let result = try GateTests.one(run, "passRate not worse than cloud by 0.05")
    #expect(result.outcome == .invalid && result.reason?.hasPrefix("of cloud, 20 of 100") == true)
  }
}
