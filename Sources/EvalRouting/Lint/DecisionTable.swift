package import EvalCore

/// What a policy does with every kind of case that it can tell apart.
package struct DecisionTable: Sendable {
  /// Cases that go the same way.
  package struct Row: Sendable {
    /// How the rule is called; `nil` where none takes the case.
    package var rule: String?
    /// The arms that may be called at first, in the order in which they are tried; empty is blocked.
    package var arms: [String]
    package var cases: Int
    /// The signals that do not take all their values in these cases, with those they take.
    package var when: [(signal: String, values: String)] = []
    /// The signals of one of them.
    package var example: JSONObject
    /// Tokens in of the example; `nil` where the table does not tell counts apart.
    package var tokensIn: Int?
  }

  package private(set) var rows: [Row] = []
  /// The cases that were looked at.
  package let cases: Int
  /// All combinations of the values; more than `cases` where they were sampled.
  package let combinations: Int
  /// The signals that make up the combinations.
  package let signals: [String]
  package var isExhaustive: Bool { cases == combinations }
  /// Rules that no case reached, by index.
  private(set) var unreached: Set<Int>
  /// Arms that no case reached, whatever went wrong with the others.
  private(set) var uncalled: Set<String>

  package init(_ policy: RoutePolicy) {
    let samples = LintSamples(policy)
    var builder = DecisionTableBuilder(policy)
    samples.visit { facts, places in builder.take(facts, places) }
    (cases, combinations, signals) = (samples.count, samples.combinations, samples.signals)
    (unreached, uncalled) = (builder.unreached, builder.uncalled)
    for (index, values) in builder.values.enumerated() { builder.rows[index].when = samples.common(values) }
    let names = policy.ruleNames.enumerated().map { ($0.element, $0.offset) }
    let order = Dictionary(names, uniquingKeysWith: { first, _ in first })
    func place(_ row: Row) -> Int { row.rule.flatMap { order[$0] } ?? .max }
    rows = builder.rows.sorted {
      (place($0), -$0.cases, $0.arms.joined()) < (place($1), -$1.cases, $1.arms.joined())
    }
  }
}

/// Puts cases that go the same way into one row.
private struct DecisionTableBuilder {
  let policy: RoutePolicy
  var rows: [DecisionTable.Row] = []
  /// Of each row and signal, which values were seen.
  var values: [[Set<Int>]] = []
  var unreached: Set<Int>
  var uncalled: Set<String>
  private var places: [[String]: Int] = [:]

  init(_ policy: RoutePolicy) {
    self.policy = policy
    unreached = Set(policy.rules.indices)
    uncalled = Set(policy.arms)
  }

  mutating func take(_ facts: RoutingFacts, _ found: [Int]) {
    let rule = policy.rule(taking: facts)
    if let rule { unreached.remove(rule) }
    let arms = policy.allowed(facts)
    let first = DecisionTable.Row(
      rule: rule.map { policy.ruleNames[$0] }, arms: arms, cases: 0, example: facts.signals,
      tokensIn: facts.arms.values.first?.tokensIn?.tokens)
    let row = row([rule.map(String.init) ?? ""] + arms, first: first)
    if values.count == row { values.append(found.map { _ in [] }) }
    rows[row].cases += 1
    for (axis, value) in found.enumerated() { values[row][axis].insert(value) }
    guard let rule, policy.rules[rule].use.contains(where: { uncalled.contains($0.text) }) else { return }
    uncalled.subtract(Self.called(policy, facts))
  }

  private mutating func row(_ key: [String], first: DecisionTable.Row) -> Int {
    if let place = places[key] { return place }
    places[key] = rows.count
    rows.append(first)
    return rows.count - 1
  }

  /// The arms that are called when every arm fails, over all kinds of failure.
  private static func called(_ policy: RoutePolicy, _ facts: RoutingFacts) -> Set<String> {
    var called: Set<String> = []
    for word in RouteError.allCases.map(\.rawValue) + [WalkEnd.notAcceptedWord] {
      guard let end = WalkEnd(word: word) else { continue }
      let ends = Dictionary(uniqueKeysWithValues: policy.arms.map { ($0, end) })
      called.formUnion(RouteWalk(policy, facts, ends: ends).calls.map(\.arm))
    }
    return called
  }
}

extension RoutePolicy {
  /// The arms of the rule that takes the case which may be called at first, in its order.
  func allowed(_ facts: RoutingFacts) -> [String] {
    guard let rule = rule(taking: facts) else { return [] }
    return rules[rule].use.compactMap { $0.resolved(facts) }.filter {
      terms.rejections(of: $0, facts).isEmpty
    }
  }
}

extension Capacity {
  /// The most tokens in that fit in the stated window; `nil` where none is stated.
  func most(_ arm: String) -> Int? {
    room(arm, RoutingFacts(caseID: "", signals: [:])).map {
      max(0, $0 - reserve(arm, RoutingFacts(caseID: "", signals: [:])))
    }
  }
}
