import EvalCore
import Testing

@testable import EvalAnalysis

/// Gates judged on runs whose numbers a person can follow.
@Suite struct GateTests {
  /// The results of rules on a run.
  static func judge(
    _ run: TestRun, _ rules: [String], change: (inout GateSettings) -> Void = { _ in },
    baseline: [ComparisonInput] = []
  ) throws -> GateVerdict {
    var settings = GateSettings()
    settings.gates = try rules.map { try GateSpec.read($0, measures: MeasureRegistry.infos) }
    change(&settings)
    return try #require(try RunSummary.make(from: run, gates: settings, baseline: baseline).verdict)
  }

  static func one(_ run: TestRun, _ rule: String) throws -> GateResult {
    let results = try judge(run, [rule]).results
    #expect(results.count == 1)
    return results[0]
  }

  /// `passes` of `cases` pass.
  static func shares(_ passes: Int, of cases: Int, target: String = "a") -> TestRun {
    var run = TestRun([target], cases: cases)
    for number in 0..<cases {
      run.add(case: "\(number)", target: target, scores: [.verdict(number < passes)])
    }
    return run
  }

  /// 170 of 200 have Wilson's interval 79.4–89.3 %.
  @Test(arguments: [
    ("passRate >= 0.79", GateOutcome.pass), ("passRate >= 0.80", .inconclusive),
    ("passRate >= 0.89", .inconclusive), ("passRate >= 0.90", .fail), ("passRate >= 0.85 point", .pass),
    ("passRate > 0.85 point", .fail), ("passRate >= 0.86 point", .fail), ("passRate <= 0.9", .pass),
    ("passRate <= 0.79", .fail), ("passRate < 0.85", .inconclusive),
  ])
  func theIntervalIsTested(rule: String, outcome: GateOutcome) throws {
    #expect(try Self.one(Self.shares(170, of: 200), rule).outcome == outcome)
  }

  /// 0.7 + 0.1 is not 0.8 in binary; a limit is not missed by the last bit.
  @Test func aLimitIsNotMissedByRounding() throws {
    var run = TestRun(cases: 2)
    run.add(case: "0", scores: [.graded(0.7, threshold: nil)])
    run.add(case: "1", scores: [.graded(0.1 + 0.8, threshold: nil)])
    #expect(try Self.one(run, "score >= 0.8 point").outcome == .pass)
  }

  /// Wilson's lower bound of 85 % passes 80 % at n = 246 (solved with statsmodels' `proportion_confint`): 46 more than 200.
  @Test func inconclusiveSaysWhatWouldSettleIt() throws {
    let result = try Self.one(Self.shares(170, of: 200), "passRate >= 0.8")
    #expect(result.reason == "the interval lies on both sides of the limit")
    let advice = try #require(result.advice)
    #expect(advice.contains("more cases would settle it"))
    let more = try #require(Int(advice.split(separator: " ")[1]))
    #expect(more == 46)
    // With so many more of the same it is settled.
    let cases = (200 + more) * 11 / 10 / 20 * 20
    #expect(try Self.one(Self.shares(cases * 85 / 100, of: cases), "passRate >= 0.8").outcome == .pass)
    #expect(
      try Self.one(Self.shares(160, of: 200), "passRate >= 0.8").advice?.contains("no number of cases")
        == true)
  }

  @Test func overallAFailureCountsFirst() throws {
    let run = Self.shares(170, of: 200)
    #expect(try Self.judge(run, ["passRate >= 0.79"]).outcome == .pass)
    #expect(try Self.judge(run, ["passRate >= 0.79", "passRate >= 0.8"]).outcome == .inconclusive)
    let all = try Self.judge(run, ["passRate >= 0.9", "passRate >= 0.8", "passRate >= 0.79"])
    #expect(all.outcome == .fail)
    #expect(abs(all.falseAlarmRate - 0.075) < 1e-12)
  }

  @Test func eachTargetAndTheNamedOnes() throws {
    var run = TestRun(["a", "b"], cases: 100)
    for number in 0..<100 {
      run.add(case: "\(number)", target: "a", scores: [.verdict(true)])
      run.add(case: "\(number)", target: "b", scores: [.verdict(number < 20)])
    }
    #expect(try Self.judge(run, ["passRate >= 0.9"]).results.map(\.outcome) == [.pass, .fail])
    #expect(try Self.judge(run, ["passRate >= 0.9 for b"]).results.map(\.target) == ["b"])
    let missing = try Self.one(run, "passRate >= 0.9 for c")
    #expect(missing.outcome == .inconclusive && missing.reason?.contains("leaves this target out") == true)
  }

  @Test func tagsAndCases() throws {
    var run = TestRun(cases: 100)
    for number in 0..<100 {
      run.add(case: "\(number)", scores: [.verdict(number < 50)])
      run.trials[number].tags = number < 50 ? ["easy"] : ["hard"]
    }
    let results = try Self.judge(
      run,
      ["passRate >= 0.9 tag easy", "passRate >= 0.9 tag hard", "passRate >= 0.9", "passes >= 1 of 1 case 3"]
    ).results
    #expect(results.map(\.outcome) == [.pass, .fail, .fail, .pass])
    #expect(results[0].estimate?.n == 50)
    #expect(try Self.one(run, "passRate >= 0.9 tag none").outcome == .inconclusive)
  }

  @Test func checksByName() throws {
    var run = TestRun(cases: 100)
    for number in 0..<100 {
      run.add(case: "\(number)", scores: [.verdict(true), .verdict(number < 30)])
    }
    #expect(try Self.one(run, "check.\"check 0\" >= 0.9").outcome == .pass)
    #expect(try Self.one(run, "check.\"check 1\" >= 0.9").outcome == .fail)
    let none = try Self.one(run, "check.\"check 2\" >= 0.9")
    #expect(none.outcome == .inconclusive && none.advice?.contains("did you mean") == true)
  }

  @Test func tooManyInfrastructureErrorsAreInvalid() throws {
    var run = TestRun(cases: 100)
    for number in 0..<100 {
      let broken = number < 6
      run.add(
        case: "\(number)", status: broken ? .failed : .ok, errorClass: broken ? .overloaded : nil,
        scores: [broken ? .unscored(.noAnswer, "") : .verdict(true)])
    }
    for rule in ["passRate >= 0.8", "passRate >= 0.99", "score >= 0.99 point", "cutRate <= 0.1"] {
      let result = try Self.one(run, rule)
      #expect(result.outcome == .invalid, "\(rule)")
      #expect(result.reason?.contains("6 of 100") == true)
    }
    // What is about errors is judged all the same.
    #expect(try Self.one(run, "errorRate <= 0.01").outcome == .fail)
    #expect(try Self.judge(run, ["passRate >= 0.8"]) { $0.maxErrorRate = 0.06 }.outcome == .pass)
    // A model that runs out of its window is judged: it counts as failed.
    for number in 0..<6 { run.trials[number].errorClass = .contextSizeExceeded }
    #expect(try Self.one(run, "passRate >= 0.99").outcome == .fail)
  }

  @Test func tooLittleJudgedIsInvalid() throws {
    var run = TestRun(cases: 100)
    for number in 0..<100 {
      run.add(case: "\(number)", scores: [number < 11 ? .unscored(.graderFailed, "") : .verdict(true)])
    }
    #expect(try Self.one(run, "passRate >= 0.9").outcome == .invalid)
    #expect(try Self.judge(run, ["passRate >= 0.9"]) { $0.minCoverage = 0.89 }.outcome == .pass)
    #expect(try Self.one(run, "latency.p95 <= 1s").outcome == .pass, "times need no judge")
  }

  @Test func percentiles() throws {
    var run = TestRun(cases: 200)
    for number in 0..<200 {
      run.add(case: "\(number)", attempts: [TestRun.attempt(Int64(100 + number))])
    }
    // p95 is 289 ms with ranks 183–196: 282–295 ms.
    #expect(try Self.one(run, "latency.p95 <= 296ms").outcome == .pass)
    #expect(try Self.one(run, "latency.p95 <= 290ms").outcome == .inconclusive)
    #expect(try Self.one(run, "latency.p95 <= 281ms").outcome == .fail)
    #expect(try Self.one(run, "firstToken.p50 <= 11ms").outcome == .pass)
    let few = Self.shares(50, of: 50)
    let result = try Self.one(few, "latency.p95 <= 3s")
    #expect(result.outcome == .inconclusive && result.advice?.hasPrefix("22 calls more") == true)
    run.run.provenance = .recorded
    for number in run.trials.indices { run.trials[number].attempts[0].provenance = .recorded }
    let recorded = try Self.one(run, "latency.p95 <= 1s")
    #expect(recorded.outcome == .inconclusive && recorded.reason?.contains("recorded, not live") == true)
  }

  /// A failed call is slower than every answer: with one in ten the 95th percentile has no upper end.
  @Test func failuresAreSlow() throws {
    var run = TestRun(cases: 200)
    for number in 0..<200 {
      let fails = number % 10 == 0
      run.add(
        case: "\(number)", status: fails ? .failed : .ok, errorClass: fails ? .contextSizeExceeded : nil,
        attempts: [TestRun.attempt(100, error: fails ? .contextSizeExceeded : nil)])
    }
    #expect(try Self.one(run, "latency.p95 <= 1s").outcome != .pass)
    #expect(try Self.one(run, "latency.p50 <= 1s").outcome == .pass)
  }

  @Test func costs() throws {
    var run = TestRun(cases: 50)
    for number in 0..<50 {
      run.add(
        case: "\(number)",
        attempts: [TestRun.attempt(cost: Cost(dollars: 0.001 + 0.00001 * Double(number % 5)))])
    }
    #expect(try Self.one(run, "costPerCase <= 0.002").outcome == .pass)
    #expect(try Self.one(run, "costPerCase <= 0.001").outcome == .fail)
    #expect(try Self.one(run, "cost <= 0.06").outcome == .pass)
    run.trials[0].attempts[0].cost = Cost(dollars: nil)
    let unknown = try Self.one(run, "costPerCase <= 0.002")
    #expect(unknown.outcome == .inconclusive && unknown.reason?.contains("unknown") == true)
  }

  @Test func sharesOfTrials() throws {
    var run = TestRun(cases: 200)
    for number in 0..<200 {
      var attempt = TestRun.attempt(cause: number < 20 ? .fallback(.rateLimited) : .first)
      attempt.boundary = number < 60 ? .thirdParty : .device
      attempt.finish = number < 2 ? .length : .stop
      run.add(case: "\(number)", attempts: [attempt])
    }
    #expect(try Self.one(run, "fallbackRate <= 0.2").outcome == .pass)
    #expect(try Self.one(run, "fallbackRate <= 0.05").outcome == .fail)
    #expect(try Self.one(run, "cloudShare <= 0.4").outcome == .pass)
    #expect(try Self.one(run, "cloudShare <= 0.3").outcome == .inconclusive)
    #expect(try Self.one(run, "cutRate <= 0.05").outcome == .pass)
    #expect(try Self.one(run, "errorRate <= 0.02").outcome == .pass)
  }

  @Test func kOfNRepeats() throws {
    var run = TestRun(cases: 3, repeats: 3)
    for (id, passes) in [
      ("x", [true, true, true]), ("y", [true, false, true]), ("z", [false, false, true]),
    ] {
      for (index, passed) in passes.enumerated() {
        run.add(case: id, repeatIndex: index, scores: [.verdict(passed)])
      }
    }
    #expect(try Self.one(run, "passes >= 1 of 3").outcome == .pass)
    let two = try Self.one(run, "passes >= 2 of 3")
    #expect(two.outcome == .fail && two.failingCases == ["z"])
    #expect(try Self.one(run, "passes >= 3 of 3").failingCases == ["y", "z"])
    #expect(try Self.one(run, "passes >= 2 of 3 case y").outcome == .pass)
    // Two more repeats could still make it four of five for x, and for nobody else.
    #expect(try Self.one(run, "passes >= 4 of 5").failingCases == ["z"])
    let five = try Self.one(run, "passes >= 4 of 5 case x")
    #expect(five.outcome == .inconclusive && five.advice == "run it with --repeats 5")
  }

  @Test func casesThatMustPass() throws {
    var run = TestRun(cases: 2, repeats: 2)
    for index in 0..<2 {
      run.add(case: "must", repeatIndex: index, mustPass: true)
      run.add(case: "may", repeatIndex: index, scores: [.verdict(false)])
    }
    #expect(try RunSummary.make(from: run).verdict?.outcome == .pass)
    run.trials[2].score = TrialScore(value: 0, passed: false, unscored: nil)
    let verdict = try #require(try RunSummary.make(from: run).verdict)
    #expect(verdict.outcome == .fail && verdict.results[0].failingCases == ["must"])
    // A server that is down says nothing of the model.
    run.trials[2].status = .failed
    run.trials[2].errorClass = .overloaded
    #expect(try RunSummary.make(from: run).verdict?.outcome == .inconclusive)
  }

  @Test func noGateNoVerdict() throws {
    #expect(try RunSummary.make(from: Self.shares(5, of: 10)).verdict == nil)
  }

  @Test func theRunsOwnGatesAreJudged() throws {
    var run = Self.shares(170, of: 200)
    run.run.settings = [
      "gates": ["rules": [["rule": "passRate >= 0.9", "line": 3, "column": 7], ["rule": "odd"]]]
    ]
    let verdict = try #require(try RunSummary.make(from: run).verdict)
    #expect(verdict.results.map(\.outcome) == [.fail, .inconclusive])
    #expect(verdict.results[0].gate.location == SourceLocation(file: "s.json", line: 3, column: 7))
  }
}
