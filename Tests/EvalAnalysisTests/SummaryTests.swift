import EvalCore
import Testing

@testable import EvalAnalysis

/// What the numbers of a run are made of. The rows are those of the pitfalls that other tools fell into.
@Suite struct SummaryTests {
  static func only(_ run: TestRun) throws -> TargetSummary {
    try #require(RunSummary.make(from: run).targets.first)
  }

  // MARK: Denominators

  @Test func failuresStayInTheDenominator() throws {
    var run = TestRun(cases: 10)
    for number in 0..<6 { run.add(case: "\(number)", scores: [.verdict(number < 5)]) }
    for number in 6..<10 {
      run.add(
        case: "\(number)", status: .failed, errorClass: .rateLimited, scores: [.unscored(.noAnswer, "")],
        attempts: [TestRun.attempt(1, error: .rateLimited)])
    }
    let target = try Self.only(run)
    #expect(target.counts.finished == 10 && target.counts.failed == 4 && target.counts.scored == 6)
    #expect(target.counts.failures == [.init(kind: .rateLimited, count: 4)])
    #expect(target.score.passStrict.value == 0.5 && target.score.passStrict.n == 10)
    #expect(target.score.passConditional.value == 5.0 / 6)
    #expect(target.score.passConditional.missing == 4)
    #expect(target.score.strict.value == 0.5)
    #expect(target.score.bounds == 0.5...0.9)
  }

  @Test func aBrokenGraderIsNotAWrongAnswer() throws {
    var run = TestRun(cases: 4)
    run.add(case: "1")
    run.add(case: "2", scores: [.verdict(false)])
    run.add(case: "3", scores: [.unscored(.graderFailed, "no JSON")])
    // One check failed, so the trial failed whatever the broken one would have said.
    run.add(case: "4", scores: [.verdict(false), .unscored(.graderFailed, "no JSON")])
    let target = try Self.only(run)
    #expect(
      target.score.strict.value == 0.5 && target.score.strict.n == 2 && target.score.strict.missing == 2)
    #expect(target.score.passStrict.n == 3 && target.score.passes == 1)
    #expect(target.counts.unscored == [.init(reason: .graderFailed, count: 2)])
    #expect(target.score.bounds == 0.25...0.75)
    let check = target.checks[1]
    #expect(check.passRate.value == nil && check.unscored == [.init(reason: .graderFailed, count: 1)])
  }

  @Test func aRunWithoutChecksHasNoScore() throws {
    var run = TestRun(cases: 2)
    run.add(case: "1", scores: [])
    run.add(case: "2", status: .failed, errorClass: .network, scores: [], attempts: [])
    let target = try Self.only(run)
    #expect(target.score.strict.value == nil && target.score.passStrict.value == nil)
    #expect(target.score.bounds == nil)
    #expect(target.counts.unscored.contains(.init(reason: nil, count: 1)))
  }

  @Test func aScoreWithoutThresholdHasNoPassRate() throws {
    var run = TestRun(cases: 2)
    run.add(case: "1", scores: [.graded(0.25, threshold: nil)])
    run.add(case: "2", scores: [.graded(0.75, threshold: nil)])
    let target = try Self.only(run)
    #expect(target.score.strict.value == 0.5 && target.score.strict.method == .t)
    #expect(target.score.passStrict.value == nil && target.score.verdicts == 0)
    #expect(target.checks[0].value.value == 0.5 && target.checks[0].verdicts == 0)
  }

  @Test func aWantedRefusalPasses() throws {
    var run = TestRun(cases: 2)
    run.add(case: "1", status: .refused, attempts: [TestRun.attempt(outcome: "refused")])
    run.add(case: "2", status: .refused, scores: [.unscored(.noAnswer, "")], attempts: [])
    let target = try Self.only(run)
    #expect(target.score.passes == 1 && target.score.passStrict.value == 0.5)
  }

  @Test func aFailedTrialIsZeroWhateverItsFirstTurnScored() throws {
    var run = TestRun(cases: 1)
    run.add(case: "1", status: .failed, errorClass: .truncated, scores: [.verdict(true)])
    let target = try Self.only(run)
    #expect(target.score.strict.value == 0 && target.score.conditional.value == nil)
    #expect(target.score.passStrict.value == 0 && target.score.passes == 0)
  }

  @Test func whatDidNotRunIsMissing() throws {
    var run = TestRun(cases: 10)
    run.run.status = .interrupted
    run.add(case: "1")
    run.add(case: "2", status: .cancelled, scores: [], attempts: [])
    let summary = try RunSummary.make(from: run)
    let target = summary.targets[0]
    #expect(target.counts.planned == 10 && target.counts.finished == 1 && target.counts.cancelled == 1)
    #expect(target.counts.unfinished == 9)
    #expect(target.score.passStrict.n == 1 && target.score.passStrict.missing == 9)
    #expect(target.score.passBounds == 0.1...1)
    #expect(summary.findings.contains { $0.code == "run-unfinished" })
  }

  @Test func aTargetWithoutTrialsIsThere() throws {
    let run = TestRun(["a", "b"], cases: 3)
    let summary = try RunSummary.make(from: run)
    #expect(summary.targets.map(\.name) == ["a", "b"])
    #expect(summary.targets.allSatisfy { $0.counts.planned == 3 && $0.score.strict.value == nil })
    #expect(summary.targets.allSatisfy { $0.latency.isEmpty && $0.headline == nil })
  }

  @Test func aProfileAgainstItselfIsTwoTargets() throws {
    var run = TestRun(["a", "b"], cases: 1)
    run.run.targets[1].hash = run.run.targets[0].hash
    run.add(case: "1", target: "a")
    run.add(case: "1", target: "b", scores: [.verdict(false)])
    run.trials[1].key.targetHash = run.run.targets[0].hash
    let summary = try RunSummary.make(from: run)
    #expect(summary.targets.map(\.score.passes) == [1, 0])
  }

  // MARK: Latency

  @Test func liveAndRecordedAreNeverPooled() throws {
    var run = TestRun(cases: 2)
    run.add(case: "1", attempts: [TestRun.attempt(100)])
    run.add(case: "2", attempts: [TestRun.attempt(900, source: .recorded)])
    let groups = try Self.only(run).latency
    #expect(groups.map(\.condition.source) == [.live, .recorded])
    #expect(groups.map(\.total.maximum) == [100, 900])
    #expect(groups.allSatisfy { $0.total.n == 1 })
  }

  @Test func coldWarmLaterAndCachedStandApart() throws {
    var run = TestRun(cases: 3)
    run.add(case: "1", attempts: [TestRun.attempt(100), TestRun.attempt(40, turn: 1)])
    run.add(case: "2", attempts: [TestRun.attempt(300, cold: true)])
    run.add(case: "3", attempts: [TestRun.attempt(90, firstToken: 3, usage: Usage(input: 9, cachedInput: 8))])
    let groups = try Self.only(run).latency
    #expect(groups.count == 3)
    let warm = groups[0]
    #expect(warm.condition == CallCondition(source: .live, connection: .warm, turn: .first))
    #expect(warm.calls == 2 && warm.firstToken?.maximum == 10 && warm.firstTokenCached?.maximum == 3)
    #expect(groups[1].condition.connection == .cold && groups[1].connect?.maximum == 5)
    #expect(groups[2].condition.turn == .later && groups[2].total.maximum == 40)
  }

  @Test func retriesAreInUserTimeOnly() throws {
    var run = TestRun(cases: 1)
    run.add(
      case: "1",
      attempts: [
        TestRun.attempt(20, error: .rateLimited, queue: 2),
        TestRun.attempt(100, cause: .retry(.rateLimited), wait: 1000, queue: 3),
      ])
    let target = try Self.only(run)
    let group = try #require(target.latency.first)
    #expect(group.calls == 1 && group.failures == 0)
    #expect(group.total.maximum == 100 && group.firstToken?.maximum == 10)
    #expect(group.userTotal.maximum == 1125)
    #expect(group.userFirstToken?.maximum == 1035)
    #expect(target.retries.retries == 1 && target.retries.retriedTrials == 1)
    #expect(target.retries.totalWait == 1000)
    #expect(target.retries.causes == [.init(kind: .rateLimited, count: 1)])
  }

  @Test func fastFailuresDoNotImproveLatency() throws {
    var run = TestRun(cases: 100)
    for number in 0..<90 { run.add(case: "\(number)", attempts: [TestRun.attempt(Int64(1000 + number))]) }
    for number in 90..<100 {
      run.add(
        case: "\(number)", status: .failed, errorClass: .rateLimited, scores: [.unscored(.noAnswer, "")],
        attempts: [TestRun.attempt(1, error: .rateLimited)])
    }
    let group = try #require(try Self.only(run).latency.first)
    #expect(group.total.n == 90 && group.total.minimum == 1000 && group.failures == 10)
    #expect(group.adjustedTotal?.p95.observed == .beyond)
    #expect(group.adjustedTotal?.p50.observed == .value(1049))
  }

  @Test func refusalsHaveTheirOwnTimes() throws {
    var run = TestRun(cases: 2)
    run.add(case: "1")
    run.add(case: "2", status: .refused, attempts: [TestRun.attempt(7, outcome: "refused")])
    let group = try #require(try Self.only(run).latency.first)
    #expect(group.total.n == 1 && group.refusedTotal?.maximum == 7 && group.failures == 1)
  }

  @Test func failuresWithoutAConnectionWouldHaveBeenCold() throws {
    var run = TestRun(cases: 2)
    run.add(case: "1")
    run.add(
      case: "2", status: .failed, errorClass: .connectTimeout,
      attempts: [TestRun.attempt(1, error: .connectTimeout, cold: nil)])
    let groups = try Self.only(run).latency
    #expect(groups.count == 2)
    #expect(groups[1].condition.connection == .cold && groups[1].failures == 1 && groups[1].calls == 0)
  }

  @Test func anAnswerInOnePieceHasNoFirstToken() throws {
    var run = TestRun(cases: 1)
    run.add(case: "1", attempts: [TestRun.attempt(firstToken: nil)])
    let group = try #require(try Self.only(run).latency.first)
    #expect(group.firstToken == nil && group.total.n == 1)
  }

  @Test func decodingRateIsPerCallAndBufferedApart() throws {
    var run = TestRun(cases: 3)
    // 90 ms for the 9 tokens after the first: 100 a second.
    run.add(case: "1", attempts: [TestRun.attempt(usage: Usage(input: 1, output: 10))])
    // 50 tokens in two reads came through a buffer.
    run.add(case: "2", attempts: [TestRun.attempt(usage: Usage(input: 1, output: 50))])
    run.add(case: "3", attempts: [TestRun.attempt()])
    let decoding = try #require(try Self.only(run).decoding.first)
    #expect(decoding.tokensPerSecond.n == 1 && decoding.buffered == 1)
    #expect(decoding.tokensPerSecond.missing == 2)
    #expect(abs(try #require(decoding.tokensPerSecond.maximum) - 100) < 1e-9)
  }

  // MARK: Tokens and cost

  @Test func costIsTheSumOverAttempts() throws {
    var run = TestRun(cases: 3, price: ["input": 1, "output": 1])
    run.add(case: "1", attempts: [TestRun.attempt(cost: Cost(dollars: 0.01))])
    run.add(
      case: "2", scores: [.verdict(false)],
      attempts: [
        TestRun.attempt(1, error: .stallTimeout, cost: Cost(dollars: nil, isLowerBound: true)),
        TestRun.attempt(cause: .retry(.stallTimeout), cost: Cost(dollars: 0.03)),
      ])
    run.add(case: "3", attempts: [TestRun.attempt(cost: Cost(dollars: 0.02))])
    let cost = try Self.only(run).cost
    #expect(abs(cost.known - 0.06) < 1e-12 && cost.isLowerBound && cost.cut == 1 && cost.unknown == 0)
    #expect(cost.attempts == 4 && abs(cost.paid - 0.06) < 1e-12)
    // The trial with a cut call has no known cost.
    #expect(cost.perTrial.n == 2 && cost.perTrial.missing == 1)
    #expect(abs(try #require(cost.perSuccess.value) - 0.015) < 1e-12)
  }

  @Test func unknownCostIsNotZero() throws {
    var run = TestRun(cases: 1, price: nil)
    run.add(case: "1", attempts: [TestRun.attempt(cost: Cost(dollars: nil))])
    let summary = try RunSummary.make(from: run)
    let cost = summary.targets[0].cost
    #expect(cost.unknown == 1 && cost.perTrial.value == nil && cost.perSuccess.value == nil)
    #expect(summary.findings.contains { $0.code == "price-missing" && $0.target == "a" })
  }

  @Test func recordedAnswersCostNothingNow() throws {
    var run = TestRun(cases: 1)
    run.add(case: "1", attempts: [TestRun.attempt(source: .recorded, cost: Cost(dollars: 0.5))])
    let cost = try Self.only(run).cost
    #expect(cost.known == 0.5 && cost.paid == 0)
  }

  @Test func noSuccessHasNoCostPerSuccess() throws {
    var run = TestRun(cases: 2)
    run.add(case: "1", scores: [.verdict(false)], attempts: [TestRun.attempt(cost: Cost(dollars: 1))])
    run.add(case: "2", scores: [.verdict(false)], attempts: [TestRun.attempt(cost: Cost(dollars: 0))])
    let cost = try Self.only(run).cost
    #expect(cost.perSuccess.value == nil && cost.perTrial.value == 0.5)
  }

  @Test func unreportedTokensAreCounted() throws {
    var run = TestRun(cases: 3)
    run.add(case: "1", attempts: [TestRun.attempt(usage: Usage(input: 10, output: 4, reasoning: 1))])
    run.add(case: "2", attempts: [TestRun.attempt()])
    run.add(
      case: "3", status: .failed, errorClass: .network, attempts: [TestRun.attempt(1, error: .network)])
    let tokens = try Self.only(run).tokens
    #expect(tokens.input.sum == 10 && tokens.input.reported == 1 && tokens.input.unreported == 1)
    #expect(tokens.reasoning.mean == 1 && tokens.cachedInput.mean == nil)
  }

  // MARK: Repeats, clusters, load

  @Test func repeatsShowFlips() throws {
    var run = TestRun(cases: 3, repeats: 2)
    for (id, passes) in [("1", [true, true]), ("2", [true, false]), ("3", [false, false])] {
      for (index, pass) in passes.enumerated() {
        run.add(case: id, repeatIndex: index, scores: [.verdict(pass)])
      }
    }
    let target = try Self.only(run)
    let repeats = try #require(target.repeats)
    #expect(repeats.flipRate.value == 1.0 / 3 && repeats.mixed.map(\.caseID) == ["2"])
    #expect(repeats.passAtK.last?.estimate.value == 2.0 / 3)
    #expect(repeats.passHatK.last?.estimate.value == 1.0 / 3)
    #expect(target.score.passStrict.n == 6 && target.score.passStrict.units == 3)
    #expect(target.score.passStrict.method == .effectiveWilson)
  }

  @Test func clustersAreUnits() throws {
    var run = TestRun(cases: 8)
    for number in 0..<8 {
      run.add(case: "\(number)", scores: [.verdict(number < 4)], cluster: number < 4 ? "x" : "y")
    }
    let strict = try Self.only(run).score.strict
    #expect(strict.units == 2 && strict.isClustered)
    #expect(try #require(strict.margin) > 0.3)
  }

  @Test func mustPassCases() throws {
    var run = TestRun(cases: 2)
    run.add(case: "1", mustPass: true)
    run.add(case: "2", scores: [.verdict(false)], mustPass: true)
    let summary = try RunSummary.make(from: run)
    #expect(summary.targets[0].score.mustPassFailures == ["2"])
    #expect(summary.findings.contains { $0.code == "must-pass-failed" })
  }

  @Test func concurrencyThatIsNotHeld() throws {
    var run = TestRun(cases: 100)
    run.run.settings = ["askedConcurrency": 8]
    for number in 0..<100 {
      run.add(case: "\(number)", attempts: [TestRun.attempt(inFlight: number % 3 + 2)])
    }
    let summary = try RunSummary.make(from: run)
    #expect(summary.concurrency == ConcurrencySummary(asked: 8, heldMedian: 3, heldMaximum: 4, n: 100))
    #expect(summary.findings.contains { $0.code == "concurrency-not-held" })
    run.run.settings = ["askedConcurrency": 3]
    #expect(try RunSummary.make(from: run).concurrency.isHeld)
  }

  @Test func warmUpIsInNoNumber() throws {
    var run = TestRun(cases: 1)
    var warm = TestRun.attempt(5000, cost: Cost(dollars: 9))
    warm.phase = .warmup
    run.add(case: "1", attempts: [warm, TestRun.attempt()])
    let summary = try RunSummary.make(from: run, warmUps: [warm])
    #expect(summary.warmUps.map(\.calls) == [2])
    #expect(summary.targets[0].cost.known == 0 && summary.targets[0].cost.attempts == 1)
    #expect(summary.targets[0].latency.map(\.total.maximum) == [100])
    #expect(summary.concurrency.n == 1)
  }
}
