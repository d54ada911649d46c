import EvalCore
import Testing

@testable import EvalAnalysis

@Suite struct ScenarioTests {
  private func table(_ count: Int = 400) -> ReplayTable {
    var table = TestTable(count)
    for index in 0..<count {
      table.answer(index, 0)
      table.answer(index, 1, dollars: 0.5)
    }
    return table.table
  }

  private func struck(_ policy: TestPolicy, _ injection: Scenario.Injection) -> [Set<String>] {
    let traces = Replayer(table(), scenario: Scenario(injection: injection)).traces(of: policy)
    return traces.map { trace in
      Set(trace.attempts.filter { $0.source == .scenario }.map { "\($0.arm) \($0.end)" })
    }
  }

  /// 400 calls: 0.3 ± 4 standard errors of 0.023 and 0.1 ± 4 of 0.015.
  @Test func errorsStrikeAtTheirRates() {
    let injection = Scenario.Injection(rates: [.rateLimited: 0.3, .serverError: 0.1], seed: 1)
    let ends = struck(.always("far"), injection).flatMap(\.self)
    #expect((83...157).contains(ends.count { $0.contains("rateLimited") }))
    #expect((16...64).contains(ends.count { $0.contains("serverError") }))
  }

  @Test func allPoliciesMeetTheSameLuck() {
    let injection = Scenario.Injection(rates: [.rateLimited: 0.3], seed: 7)
    let alone = struck(.always("far"), injection)
    #expect(alone == struck(.always("far"), injection))
    #expect(alone != struck(.always("far"), .init(rates: [.rateLimited: 0.3], seed: 8)))
    let after = struck(.always("far", "near", onError: [.rateLimited: .next]), injection)
    #expect(
      alone.map { $0.filter { $0.hasPrefix("far") } } == after.map { $0.filter { $0.hasPrefix("far") } })
  }

  /// Each further call of the arm has a draw of its own, and the recording's answer waits for the one that gets through.
  @Test func aRetryHasAnotherDraw() {
    let injection = Scenario.Injection(rates: [.rateLimited: 0.5], seed: 3)
    let replayer = Replayer(table(), scenario: Scenario(injection: injection))
    let traces = replayer.traces(of: TestPolicy.always("far", onError: [.rateLimited: .retry(1)]))
    let failed = traces.count { $0.status == .failed }
    // A quarter of 400 ± 4 standard errors of 8.7.
    #expect((65...135).contains(failed))
    #expect(traces.allSatisfy { $0.status == .failed || $0.quality == 1 })
    #expect(traces.allSatisfy { $0.label == .modeled(reason: "a stated what-if") })
    // Where retries are the run's, it makes two.
    var plain = TestPolicy.always("far")
    plain.decidesRetries = false
    let third = replayer.traces(of: plain)
    #expect((20...80).contains(third.count { $0.status == .failed }))
    #expect(third.map(\.attempts.count).max() == 3)
  }

  @Test func theDeviceNeedsNoNetwork() {
    let injection = Scenario.Injection(rates: [.network: 1], seed: 1)
    #expect(struck(.always("near"), injection).allSatisfy { $0.isEmpty })
    #expect(struck(.always("far"), injection).allSatisfy { $0.count == 1 })
  }

  @Test func offlineForAll() {
    let replayer = Replayer(table(4), scenario: .offline)
    let traces = replayer.traces(of: TestPolicy.always("far", "near", onError: [.network: .next]))
    #expect(traces.allSatisfy { $0.attempts.map(\.source) == [.offline, .recorded] })
    #expect(traces.allSatisfy { !$0.left() && $0.dollars == 0 && $0.label.name == "modeled" })
    #expect(Scenario.offline.statement == ["network is \"offline\" for every case"])
  }

  @Test func lowPowerForAll() {
    let policy = TestPolicy(rules: [
      .init(condition: "low", holds: { $0.signals["lowPower"] == true }, use: ["far"]),
      .init(condition: "true", holds: { _ in true }, use: ["near"]),
    ])
    #expect(Replayer(table(1)).trace(of: policy, case: 0, repeat: 0).attempts[0].arm == "near")
    let low = Replayer(table(1), scenario: .lowPower)
    #expect(low.trace(of: policy, case: 0, repeat: 0).attempts[0].arm == "far")
    #expect(low.factTable.rows[0].signals["lowPower"] == true)
  }

  @Test(arguments: ["far", "cloud"]) func anOutage(_ name: String) {
    let replayer = Replayer(table(1), scenario: Scenario(outages: [name]))
    let trace = replayer.trace(
      of: TestPolicy.always("far", "near", onError: [.network: .next]), case: 0, repeat: 0)
    #expect(trace.attempts.map(\.source) == [.scenario, .recorded])
    #expect(trace.attempts[0].bytesSent == 0)
    #expect(trace.fallbacks == [.network])
  }

  /// 10 tokens in and 5 out at 3 and 4 dollars a million.
  @Test func otherPrices() {
    let scenario = Scenario(prices: ["far": Price(input: 3, output: 4)])
    let replayer = Replayer(table(1), scenario: scenario)
    #expect(replayer.trace(of: TestPolicy.always("far"), case: 0, repeat: 0).dollars == 50e-6)
    #expect(replayer.trace(of: TestPolicy.always("near"), case: 0, repeat: 0).dollars == 0)
    #expect(replayer.table.arms[1].price == Price(input: 3, output: 4))
    #expect(scenario.statement == ["other prices: far"])
  }

  @Test func whatNobodyCountedCannotBePricedAnew() {
    var world = TestTable(3)
    world.answer(0, 1, tokens: nil)
    world.answer(1, 0, tokens: nil)
    world.fail(2, 1, .rateLimited)
    var cell = world.table[case: 2, arm: 1, repeat: 0]!
    cell.turns[0].attempts[0].cost = Cost(dollars: 0)
    world.table[case: 2, arm: 1, repeat: 0] = cell
    let dear = Price(input: 3, output: 4)
    let replayer = Replayer(world.table, scenario: Scenario(prices: ["far": dear, "near": dear]))
    func dollars(_ arm: String, _ index: Int) -> Double? {
      replayer.trace(of: TestPolicy.always(arm), case: index, repeat: 0).dollars
    }
    #expect(dollars("far", 0) == nil)
    #expect(dollars("near", 1) == nil, "it was free before, which says nothing of tokens")
    #expect(dollars("far", 2) == 0, "turned away at a price, so nothing was charged")
  }

  /// What was sent before an injected error counts as sent.
  @Test func aStruckCallLeaksAllTheSame() {
    var world = TestTable(1, signals: { _ in ["sensitivity": "secret"] })
    world.answer(0, 1)
    func leaks(_ kind: ErrorClass) -> Int {
      let scenario = Scenario(injection: .init(rates: [kind: 1]))
      return Replayer(world.table, scenario: scenario)
        .trace(of: TestPolicy.always("far"), case: 0, repeat: 0).leaks.count
    }
    #expect(leaks(.rateLimited) == 1)
    #expect(leaks(.network) == 0)
  }
}
