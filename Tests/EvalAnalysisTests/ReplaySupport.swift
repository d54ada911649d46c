import EvalCore

@testable import EvalAnalysis

/// A policy of its own, as far from `EvalRouting` as the seam allows: rules over tokens and signals, an error table,
/// acceptance by a number in the answer.
struct TestPolicy: RuledPolicy {
  struct Rule: Sendable {
    /// The same text for the same condition.
    var condition: String
    var holds: @Sendable (RoutingFacts) -> Bool
    var use: [String]
  }

  enum Action: Sendable {
    case next, stop
    case retry(Int)
  }

  var name = "test"
  var rules: [Rule]
  var onError: [ErrorClass: Action] = [:]
  /// The least `check.ok` that is good enough; `nil` takes every answer.
  var accept: Double?
  var decidesRetries = true
  var readsRunSpending = false
  /// Above this, only the first rule's first arm.
  var runBudget: Double?

  var arms: [String] { Array(Set(rules.flatMap(\.use))).sorted() }
  var acceptChecks: [String] { accept == nil ? [] : ["ok"] }

  static func always(_ arms: String..., onError: [ErrorClass: Action] = [:], accept: Double? = nil)
    -> TestPolicy
  {
    TestPolicy(
      rules: [Rule(condition: "true", holds: { _ in true }, use: arms)], onError: onError, accept: accept)
  }

  /// Short cases to the first arm, the others to the second.
  static func atMost(_ tokens: Int, _ near: [String], else far: [String]) -> TestPolicy {
    TestPolicy(rules: [
      Rule(
        condition: "\(near[0]) tokens <= \(tokens)",
        holds: { ($0.arms[near[0]]?.tokensIn?.tokens ?? .max) <= tokens }, use: near),
      Rule(condition: "true", holds: { _ in true }, use: far),
    ])
  }

  private func rule(_ facts: RoutingFacts) -> Int { rules.firstIndex { $0.holds(facts) } ?? rules.count }

  func next(_ facts: RoutingFacts) -> RoutingStep {
    let rule = rule(facts)
    guard rule < rules.count else { return .block(reason: "no rule", decision: nil) }
    var use = rules[rule].use
    if let runBudget, (facts.spent.run ?? .infinity) > runBudget { use = [rules[0].use[0]] }
    guard let last = facts.attempts.last else {
      return .call(profile: use[0], cause: .first, decision: ["rule": .integer(Int64(rule))])
    }
    let index = facts.attempts.count - 1
    let following = use.firstIndex(of: last.profile).map { $0 + 1 }.flatMap { $0 < use.count ? use[$0] : nil }
    switch last.end {
    case .ok:
      guard let accept, let following else { return .serve(attempt: index, decision: nil) }
      let score = last.answer["check.ok"]?.doubleValue ?? 1
      return score >= accept
        ? .serve(attempt: index, decision: nil)
        : .call(profile: following, cause: .escalation, decision: nil)
    case .failed(let kind):
      switch onError[kind] ?? .stop {
      case .retry(let limit):
        let made = facts.attempts.count { $0.profile == last.profile } - 1
        if made < limit { return .call(profile: last.profile, cause: .retry(kind), decision: nil) }
        if let following { return .call(profile: following, cause: .fallback(kind), decision: nil) }
        return .serve(attempt: index, decision: nil)
      case .next:
        if let following { return .call(profile: following, cause: .fallback(kind), decision: nil) }
        return .serve(attempt: index, decision: nil)
      case .stop: return .serve(attempt: index, decision: nil)
      }
    case .refused, .empty: return .serve(attempt: index, decision: nil)
    }
  }

  func rules(taking table: FactTable) -> [UInt16] {
    var taken = [UInt16](repeating: UInt16(rules.count), count: table.rows.count)
    for (index, rule) in rules.enumerated().reversed() {
      let bits = table.bits(of: rule.condition, where: rule.holds)
      for row in taken.indices where bits[row / 64] >> UInt64(row % 64) & 1 == 1 {
        taken[row] = UInt16(index)
      }
    }
    return taken
  }

  func identity(ofRule index: Int) -> String {
    guard index < rules.count else { return "block" }
    let errors = onError.map { "\($0.key):\($0.value)" }.sorted()
    let least = accept.map { "\($0)" } ?? ""
    return "\(rules[index].use) \(errors) \(least)"
  }
}

/// Builds tables of two arms, `near` on the device and `far` at a third party, and of more where a test says so.
struct TestTable {
  var table: ReplayTable

  /// - Parameter tokens: of each case, the same for every arm.
  init(
    _ count: Int, repeats: Int = 1, turns: Int = 1, arms: [ReplayArm]? = nil,
    tokens: (Int) -> Int = { 100 * ($0 + 1) }, cluster: (Int) -> String? = { _ in nil },
    signals: (Int) -> JSONObject = { _ in ["sensitivity": "public", "consent": true] },
    expects: (Int) -> Expectation = { _ in .answer }, weight: (Int) -> Double = { _ in 1 }
  ) {
    let arms =
      arms ?? [
        ReplayArm(name: "near", boundary: .device, price: .free, provider: "local"),
        ReplayArm(name: "far", boundary: .thirdParty, price: Price(input: 1, output: 2), provider: "cloud"),
      ]
    table = ReplayTable(
      cases: (0..<count).map { index in
        ReplayCase(
          id: "case \(index)", hash: TestRun.hash("case \(index)"), weight: weight(index),
          cluster: cluster(index), signals: signals(index), expects: expects(index),
          facts: Array(
            repeating: arms.map { _ in ArmFacts(tokensIn: .counted(tokens(index))) }, count: turns))
      }, arms: arms, repeats: repeats)
  }

  /// Sets a cell of one turn that answered.
  mutating func answer(
    _ index: Int, _ arm: Int, repeat repeatIndex: Int = 0, quality: Double? = 1, dollars: Double? = 0,
    seconds: Double = 1, after errors: [ErrorClass] = [], score: Double? = nil, isUnjudged: Bool = false,
    tokens: Usage? = Usage(input: 10, output: 5)
  ) {
    var attempts = errors.map(TestTable.failure)
    attempts.append(
      ReplayAttempt(
        end: .ok, cost: Cost(dollars: dollars), latency: Int64(seconds * 1e9),
        wait: errors.isEmpty ? 0 : 500_000_000,
        usage: tokens, bytesSent: 100, answer: score.map { ["check.ok": .number($0)] } ?? [:]))
    table[case: index, arm: arm, repeat: repeatIndex] = ReplayCell(
      turns: [ReplayTurn(attempts: attempts, answerHash: UInt64(arm))], status: .ok, quality: quality,
      isUnjudged: isUnjudged)
  }

  /// Sets a cell whose one call, or its retries, failed.
  mutating func fail(_ index: Int, _ arm: Int, repeat repeatIndex: Int = 0, _ errors: ErrorClass...) {
    table[case: index, arm: arm, repeat: repeatIndex] = ReplayCell(
      turns: [ReplayTurn(attempts: errors.map(TestTable.failure))], status: .failed, quality: nil)
  }

  mutating func refuse(_ index: Int, _ arm: Int, quality: Double? = nil) {
    let attempt = ReplayAttempt(
      end: .refused, cost: Cost(dollars: 0.25), latency: 1_000_000_000, bytesSent: 10)
    table[case: index, arm: arm, repeat: 0] = ReplayCell(
      turns: [ReplayTurn(attempts: [attempt])], status: .refused, quality: quality)
  }

  static func failure(_ kind: ErrorClass) -> ReplayAttempt {
    ReplayAttempt(
      end: .failed(kind), isRetryable: kind.isRetryable, hasVisibleOutput: false, cost: Cost(dollars: 0.125),
      latency: 2_000_000_000, bytesSent: 50)
  }
}
