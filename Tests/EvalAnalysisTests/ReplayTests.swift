import EvalCore
import Testing

@testable import EvalAnalysis

@Suite struct ReplayTests {
  private func trace(
    _ policy: TestPolicy, _ table: ReplayTable, _ index: Int = 0, scenario: Scenario = .none
  ) -> PolicyTrace {
    Replayer(table, scenario: scenario).trace(of: policy, case: index, repeat: 0)
  }

  @Test func servesTheRecordedAnswer() throws {
    var table = TestTable(1)
    table.answer(0, 0, quality: 0.75, dollars: 0.5, seconds: 2)
    let trace = trace(.always("near"), table.table)
    #expect(trace.label == .exact)
    #expect(trace.quality == 0.75)
    #expect(trace.dollars == 0.5)
    #expect(trace.latency == 2_000_000_000)
    #expect(trace.served == [0])
    #expect(!trace.left())
    #expect(trace.attempts[0].decision == ["rule": 0])
  }

  /// 2 s for the failure, 1 s for the answer, and both are paid for.
  @Test func aFailureFallsBackAsLive() {
    var table = TestTable(1)
    table.fail(0, 0, .contextSizeExceeded)
    table.answer(0, 1, dollars: 0.5)
    let trace = trace(.always("near", "far", onError: [.contextSizeExceeded: .next]), table.table)
    #expect(trace.attempts.map(\.arm) == ["near", "far"])
    #expect(trace.attempts.map(\.cause) == [.first, .fallback(.contextSizeExceeded)])
    #expect(trace.quality == 1)
    #expect(trace.dollars == 0.625)
    #expect(trace.latency == 3_000_000_000)
    #expect(trace.label == .exact)
    #expect(trace.left(to: .thirdParty))
    #expect(trace.fallbacks == [.contextSizeExceeded])
  }

  @Test func anErrorThatStopsIsServedAsFailed() {
    var table = TestTable(1)
    table.fail(0, 0, .invalidRequest)
    table.answer(0, 1)
    let trace = trace(.always("near", "far"), table.table)
    #expect(trace.status == .failed)
    #expect(trace.errorClass == .invalidRequest)
    #expect(trace.quality == 0)
    #expect(trace.attempts.count == 1)
  }

  /// The recording met a rate limit and then an answer; the policy's own retry takes that answer, with its wait.
  @Test func aRetryUsesTheRecordingsOwnNextAttempt() {
    var table = TestTable(1)
    table.answer(0, 0, after: [.rateLimited])
    let trace = trace(.always("near", onError: [.rateLimited: .retry(1)]), table.table)
    #expect(trace.attempts.map(\.cause) == [.first, .retry(.rateLimited)])
    #expect(trace.quality == 1)
    #expect(trace.latency == 3_500_000_000)
    #expect(trace.label.name == "modeled")
  }

  @Test func withoutARetryTheFirstFailureStands() {
    var table = TestTable(1)
    table.answer(0, 0, after: [.rateLimited])
    table.answer(0, 1)
    let stopped = trace(.always("near"), table.table)
    #expect(stopped.status == .failed)
    let gone = trace(.always("near", "far", onError: [.rateLimited: .next]), table.table)
    #expect(gone.attempts.map(\.arm) == ["near", "far"])
  }

  /// A profile alone leaves retries to the run, so that its whole recorded trial is its trace.
  @Test func theRunsRetriesAreTakenWhole() {
    var table = TestTable(1)
    table.answer(0, 0, after: [.rateLimited, .overloaded])
    var policy = TestPolicy.always("near")
    policy.decidesRetries = false
    let trace = trace(policy, table.table)
    #expect(trace.attempts.map(\.cause) == [.first, .retry(.rateLimited), .retry(.overloaded)])
    #expect(trace.quality == 1)
  }

  @Test(arguments: [
    (ErrorClass.contextSizeExceeded, "exact"), (.contentFiltered, "exact"), (.unavailable, "modeled"),
    (.rateLimited, "missing"), (.network, "missing"), (.malformedResponse, "missing"),
  ]) func aFurtherRetryThanRecorded(_ kind: ErrorClass, _ label: String) {
    var table = TestTable(1)
    table.fail(0, 0, kind)
    let trace = trace(.always("near", onError: [kind: .retry(2)]), table.table)
    #expect(trace.label.name == label)
    #expect(trace.attempts.count == (label == "missing" ? 1 : 3))
    #expect(trace.quality == (label == "missing" ? nil : 0))
    if label != "missing" { #expect(trace.attempts[2].source == .repeated) }
  }

  @Test func aMissingCellIsNeverImputed() {
    var table = TestTable(1)
    table.fail(0, 0, .contextSizeExceeded)
    let trace = trace(.always("near", "far", onError: [.contextSizeExceeded: .next]), table.table)
    #expect(trace.label == .missing(reason: "no recorded trial of far"))
    #expect(trace.quality == nil)
    #expect(
      self.trace(.always("elsewhere"), table.table).label == .missing(reason: "elsewhere was not recorded"))
  }

  @Test func anAnswerThatNoGraderJudgedIsUnjudged() {
    var table = TestTable(1)
    table.answer(0, 0, quality: nil, isUnjudged: true)
    let trace = trace(.always("near"), table.table)
    #expect(trace.label == .exact)
    #expect(trace.isUnjudged)
    #expect(trace.quality == nil)
  }

  @Test func expectedEndsAreJudgedByTheEnd() {
    var table = TestTable(3, expects: { [.block, .refusal, .answer][$0] })
    table.answer(0, 0)
    table.refuse(1, 0)
    table.refuse(2, 0)
    let blocking = TestPolicy(rules: [])
    #expect(trace(blocking, table.table, 0).quality == 1)
    #expect(trace(blocking, table.table, 2).quality == 0)
    #expect(trace(blocking, table.table, 0).attempts.isEmpty)
    #expect(trace(.always("near"), table.table, 0).quality == 0)
    #expect(trace(.always("near"), table.table, 1).quality == 1)
    #expect(trace(.always("near"), table.table, 2).quality == 0)
  }

  @Test func aCascadeEscalatesAndPaysForBoth() {
    var table = TestTable(2)
    table.answer(0, 0, quality: 0, dollars: 0.25, score: 0.4)
    table.answer(1, 0, quality: 1, dollars: 0.25, score: 0.9)
    table.answer(0, 1, quality: 1, dollars: 0.5)
    let policy = TestPolicy.always("near", "far", accept: 0.7)
    let first = trace(policy, table.table)
    #expect(first.attempts.map(\.cause) == [.first, .escalation])
    #expect(first.dollars == 0.75)
    #expect(first.fallbacks.isEmpty)
    #expect(first.hasEscalation)
    #expect(trace(policy, table.table, 1).attempts.count == 1)
  }

  @Test func aVerifierThatCostsIsPaid() {
    var table = TestTable(1)
    table.answer(0, 0, dollars: 0.25, score: 0.9)
    var cell = table.table[case: 0, arm: 0, repeat: 0]!
    cell.turns[0].attempts[0].verifierDollars = 0.125
    table.table[case: 0, arm: 0, repeat: 0] = cell
    #expect(trace(.always("near", accept: 0.5), table.table).dollars == 0.375)
    #expect(trace(.always("near"), table.table).dollars == 0.25)
  }

  @Test func offlineCasesDoNotLeave() {
    var table = TestTable(1, signals: { _ in ["network": "offline", "sensitivity": "secret"] })
    table.answer(0, 0)
    table.answer(0, 1)
    let trace = trace(.always("far", "near", onError: [.network: .next]), table.table)
    #expect(trace.attempts.map(\.source) == [.offline, .recorded])
    #expect(trace.attempts[0].bytesSent == 0)
    #expect(!trace.left())
    #expect(trace.leaks.isEmpty)
    #expect(trace.quality == 1)
    #expect(trace.label == .exact)
  }

  /// The steps of a turn go together, and another arm begins with its own first step.
  @Test func toolStepsBelongToTheirArm() {
    var table = TestTable(1)
    func attempt(_ step: Int, _ end: RoutedAttempt.End) -> ReplayAttempt {
      ReplayAttempt(end: end, step: step, cost: Cost(dollars: 0.25), latency: 1)
    }
    table.table[case: 0, arm: 0, repeat: 0] = ReplayCell(
      turns: [ReplayTurn(attempts: [attempt(0, .ok), attempt(1, .failed(.rateLimited)), attempt(1, .ok)])],
      status: .ok, quality: 1)
    table.answer(0, 1, dollars: 0.5)
    let alone = Replayer(table.table).trace(of: ArmAlone("near"), case: 0, repeat: 0)
    #expect(alone.attempts.map(\.cause) == [.first, .first, .retry(.rateLimited)])
    #expect(alone.quality == 1)
    let gone = trace(.always("near", "far", onError: [.rateLimited: .next]), table.table)
    #expect(gone.attempts.map(\.arm) == ["near", "near", "far"])
    #expect(gone.dollars == 1)
    #expect(gone.label.name == "modeled")
    let again = trace(.always("near", onError: [.rateLimited: .retry(2)]), table.table)
    #expect(
      again.label
        == .missing(reason: "the recording of near does not say how the turn would begin again"))
  }

  @Test func spendingIsCountedInOrder() {
    var table = TestTable(3)
    for index in 0..<3 {
      table.answer(index, 0, dollars: 0)
      table.answer(index, 1, dollars: 0.5)
    }
    var policy = TestPolicy(rules: [
      .init(condition: "never", holds: { _ in false }, use: ["near"]),
      .init(condition: "true", holds: { _ in true }, use: ["far"]),
    ])
    policy.readsRunSpending = true
    policy.runBudget = 0.75
    let traces = Replayer(table.table).traces(of: policy)
    #expect(traces.map { $0.attempts[0].arm } == ["far", "far", "near"])
    #expect(traces.allSatisfy { $0.label.name == "modeled" })
  }

  @Test func aPolicyThatNeverStopsIsStopped() {
    var table = TestTable(1)
    table.fail(0, 0, .contextSizeExceeded)
    let trace = trace(.always("near", onError: [.contextSizeExceeded: .retry(1000)]), table.table)
    #expect(trace.status == .blocked)
    #expect(trace.blockReason == "the policy made 100 calls in one turn")
  }
}

/// Conversations of more than one turn.
@Suite struct ReplayTurnTests {
  private func table(far: [UInt64?], near: [UInt64?]) -> ReplayTable {
    var table = TestTable(1, turns: 3).table
    for (arm, hashes) in [near, far].enumerated() {
      let turns = hashes.map {
        ReplayTurn(
          attempts: [ReplayAttempt(end: .ok, cost: Cost(dollars: 0.5), latency: 1)], answerHash: $0,
          quality: 0.5)
      }
      table[case: 0, arm: arm, repeat: 0] = ReplayCell(turns: turns, status: .ok, quality: Double(arm))
    }
    return table
  }

  /// `near` for two turns, then `far`.
  private let handOver = TestPolicy(rules: [
    .init(condition: "early", holds: { $0.turn < 2 }, use: ["near"]),
    .init(condition: "true", holds: { _ in true }, use: ["far"]),
  ])

  @Test func oneArmThroughoutIsExactForItsOwnAnswers() {
    let trace = Replayer(table(far: [1, 2, 3], near: [4, 5, 6])).trace(
      of: TestPolicy.always("near"), case: 0, repeat: 0)
    #expect(trace.label == .exact)
    #expect(trace.quality == 0)
    #expect(trace.dollars == 1.5)
  }

  @Test func equalAnswersMayBeContinuedByTheOther() {
    let trace = Replayer(table(far: [1, 2, 3], near: [1, 2, 9])).trace(of: handOver, case: 0, repeat: 0)
    #expect(trace.label == .exact)
    #expect(trace.attempts.map(\.arm) == ["near", "near", "far"])
    #expect(trace.quality == 1)
  }

  @Test(arguments: [[1, 7, 3], [1, nil, 3]] as [[UInt64?]]) func otherAnswersBoundIt(_ far: [UInt64?]) {
    let trace = Replayer(table(far: far, near: [1, 2, 9])).trace(of: handOver, case: 0, repeat: 0)
    #expect(trace.label == .bounded(turn: 2, reason: "far was recorded after another answer to turn 2"))
    #expect(trace.quality == nil)
    #expect(trace.qualityBefore == 0.5)
  }
}
