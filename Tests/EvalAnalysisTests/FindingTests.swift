import EvalCore
import Testing

@testable import EvalAnalysis

/// Each finding where it belongs, and silence where it does not.
@Suite struct FindingTests {
  static func codes(_ run: TestRun) throws -> Set<String> {
    Set(try RunSummary.make(from: run).findings.map(\.code))
  }

  static func finding(_ code: String, _ run: TestRun) throws -> Finding? {
    try RunSummary.make(from: run).findings.first { $0.code == code }
  }

  static func steady(_ cases: Int = 200) -> TestRun {
    var run = TestRun(cases: cases)
    for number in 0..<cases { run.add(case: "\(number)", scores: [.verdict(number % 4 != 0)]) }
    return run
  }

  @Test func aSteadyRunHasNone() throws {
    #expect(try Self.codes(Self.steady()) == [])
  }

  @Test func recordings() throws {
    var run = Self.steady(12)
    run.run.provenance = .recorded
    let codes = try Self.codes(run)
    #expect(codes.contains("recorded-not-live") && !codes.contains("too-few-for-p95"))
  }

  @Test func tooFewCases() throws {
    let codes = try Self.codes(Self.steady(20))
    #expect(codes.isSuperset(of: ["too-few-for-p95", "too-few-cases"]))
  }

  @Test func servedModels() throws {
    var run = Self.steady(100)
    for (number, served) in ["m", "/models/m.gguf", "m-2026-01-01", "other"].enumerated() {
      run.trials[number].attempts[0].servedModel = served
    }
    let findings = try RunSummary.make(from: run).findings
    #expect(findings.filter { $0.code == "served-model-differs" }.map(\.message).count == 1)
    #expect(findings.contains { $0.code == "served-model-differs" && $0.message.contains("other") })
    #expect(findings.contains { $0.code == "served-model-version" && $0.message.contains("m-2026-01-01") })
  }

  @Test func coldStartsInTheTail() throws {
    var run = Self.steady(100)
    for number in 0..<5 { run.trials[number].attempts = [TestRun.attempt(900, cold: true)] }
    #expect(try Self.codes(run).contains("cold-starts-in-tail"))
    for number in 0..<5 { run.trials[number].attempts = [TestRun.attempt(90, cold: true)] }
    #expect(!(try Self.codes(run).contains("cold-starts-in-tail")))
  }

  @Test func slowRetries() throws {
    var run = Self.steady(100)
    run.trials[0].attempts = [
      TestRun.attempt(1, error: .rateLimited), TestRun.attempt(cause: .retry(.rateLimited), wait: 60_000),
    ]
    #expect(try Self.codes(run).contains("slow-retries"))
    #expect(try Self.finding("slow-retries", run)?.advice?.contains("rateLimit") == true)
    run.trials[0].attempts[1].wait = 1_000_000
    #expect(!(try Self.codes(run).contains("slow-retries")))
  }

  /// "waited 0 s" says that nothing was waited for.
  @Test func aShortWaitIsSaidInMilliseconds() throws {
    var run = Self.steady(1)
    run.trials[0].attempts = [
      TestRun.attempt(1, error: .serverError), TestRun.attempt(cause: .retry(.serverError), wait: 302),
    ]
    let finding = try #require(try Self.finding("slow-retries", run))
    #expect(finding.message.hasPrefix("1 retry waited 302 ms together, the longest 302 ms"))
    #expect(finding.advice?.contains("rateLimit") == false, "a broken server is not mended by fewer calls")
  }

  @Test func infrastructureAndUnscored() throws {
    var run = Self.steady(90)
    run.run.plannedTrials = 100
    run.run.caseCount = 100
    for number in 90..<100 {
      run.add(
        case: "\(number)", status: .failed, errorClass: .overloaded, scores: [.unscored(.noAnswer, "")],
        attempts: [TestRun.attempt(1, error: .overloaded)])
    }
    for number in 0..<6 {
      run.trials[number].score = TrialScore(value: nil, passed: nil, unscored: .graderFailed)
    }
    let codes = try Self.codes(run)
    #expect(codes.isSuperset(of: ["infrastructure-errors", "unscored-high"]))
  }

  @Test func modelFailuresAreNotInfrastructure() throws {
    var run = Self.steady(100)
    for number in 0..<20 {
      run.trials[number].status = .failed
      run.trials[number].errorClass = .contextSizeExceeded
    }
    #expect(!(try Self.codes(run).contains("infrastructure-errors")))
  }

  @Test func usage() throws {
    var run = Self.steady(100)
    run.run.repeats = 2
    run.trials[0].attempts[0].usage = Usage(input: 5, cachedInput: 9, output: 1)
    #expect(try Self.codes(run).isSuperset(of: ["usage-inconsistent", "cached-prompts"]))
  }

  @Test func casesThatMeasureNothing() throws {
    var run = TestRun(["a", "b"], cases: 10)
    for number in 0..<10 {
      for target in ["a", "b"] { run.add(case: "\(number)", target: target, scores: [.verdict(number > 0)]) }
    }
    let findings = try RunSummary.make(from: run).findings
    #expect(findings.contains { $0.code == "cases-all-pass" && $0.message.contains("9 of 10") })
    #expect(findings.contains { $0.code == "cases-all-fail" && $0.message.contains("1 of 10") })
  }

  @Test func allPassOrFail() throws {
    var run = TestRun(cases: 6)
    for number in 0..<6 { run.add(case: "\(number)") }
    #expect(try Self.codes(run).contains("all-pass"))
    run.trials = []
    for number in 0..<6 { run.add(case: "\(number)", scores: [.verdict(false)]) }
    #expect(try Self.codes(run).contains("all-fail"))
  }

  @Test func theRunsOwnFindingsComeFirstAndOnce() throws {
    var run = Self.steady()
    let own = Finding(code: "suite", message: "a case that no check looks at")
    run.run.findings = [own, own]
    #expect(try RunSummary.make(from: run).findings == [own])
  }

  /// Trials one after the other, the second half slower and worse than the first.
  static func drifting(latency: Int64 = 100, passing: Int = 4) -> TestRun {
    var run = TestRun(cases: 200)
    for number in 0..<200 {
      let isLate = number >= 100
      var attempt = TestRun.attempt((isLate ? latency : 100) + Int64(number % 7))
      attempt.timeline.start = Int64(number) * 1_000_000_000
      attempt.timeline.terminal =
        attempt.timeline.start! + ((isLate ? latency : 100) + Int64(number % 7)) * 1_000_000
      run.add(case: "\(number)", scores: [.verdict(number % 5 < (isLate ? passing : 4))], attempts: [attempt])
    }
    return run
  }

  @Test func drift() throws {
    #expect(!(try Self.codes(Self.drifting()).contains("drift")))
    let slower = try #require(try Self.finding("drift", Self.drifting(latency: 150)))
    #expect(slower.message.contains("from 103 ms in the first half to 153 ms"))
    let worse = try #require(try Self.finding("drift", Self.drifting(passing: 2)))
    #expect(worse.message.contains("from 80 % in the first half to 40 %"))
    // A tenth slower is no alarm, whatever the test says; nor is a cold beginning.
    #expect(!(try Self.codes(Self.drifting(latency: 115)).contains("drift")))
    var cold = Self.drifting()
    for number in 0..<30 {
      cold.trials[number].attempts[0].isCold = true
      cold.trials[number].attempts[0].timeline.terminal! += 900_000_000
    }
    #expect(!(try Self.codes(cold).contains("drift")))
  }

  @Test func driftHasNoOrderToFindInShuffledTrials() throws {
    var random = SeededRandom(seed: 41)
    var alarms = 0
    var run = TestRun(cases: 60)
    for number in 0..<60 { run.add(case: "\(number)") }
    for _ in 0..<300 {
      for index in 0..<60 {
        let start = Int64(index) * 1_000_000_000
        run.trials[index].attempts[0].timeline.start = start
        run.trials[index].attempts[0].timeline.terminal = start + Int64(50 + 200 * random.unit()) * 1_000_000
        let passed = random.unit() < 0.7
        run.trials[index].score = TrialScore(value: passed ? 1 : 0, passed: passed, unscored: nil)
      }
      if try Self.codes(run).contains("drift") { alarms += 1 }
    }
    #expect(alarms <= 3, "\(alarms) of 300 at p = 0.001 twice")
  }

  @Test func identicalRepeats() throws {
    var run = Self.steady(100)
    run.run.repeats = 3
    func finding(_ repeated: RepeatedAnswers, temperature: Double? = 0.7, seed: Int64? = nil) throws
      -> Finding?
    {
      var parameters: JSONObject = [:]
      parameters["temperature"] = temperature.map { .number($0) }
      parameters["seed"] = seed.map { .integer($0) }
      run.run.targets[0].content = ["parameters": .object(parameters), "price": "free"]
      return try RunSummary.make(from: run, repeatedAnswers: [repeated]).findings
        .first { $0.code == "repeats-identical" }
    }
    let all = RepeatedAnswers(target: "a", cases: 20, identical: 20)
    #expect(try finding(all)?.advice?.contains("cache") == true)
    #expect(try finding(all, seed: 7)?.advice?.contains("`seed`") == true)
    #expect(try finding(all, temperature: 0) == nil, "that is what temperature 0 is for")
    #expect(try finding(all, temperature: nil) == nil)
    #expect(try finding(RepeatedAnswers(target: "a", cases: 20, identical: 19)) == nil)
    run.run.provenance = .recorded
    #expect(try finding(all)?.advice?.contains("recording") == true)
  }
}
