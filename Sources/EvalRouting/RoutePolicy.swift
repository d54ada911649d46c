package import EvalCore

/// A policy of a suite or a file, read and found right. It holds no state and does no I/O: the same facts make the same
/// decision, live and offline.
package struct RoutePolicy: RuledPolicy {
  package let name: String
  package let summary: String?
  /// The identity of the policy as it is written.
  package let hash: ContentHash
  package let arms: [String]
  /// Why the policy is under study: it runs as it is written, without the rules that protect people. `nil` for every
  /// policy that an app may have.
  package let unprotected: String?
  let rules: [Rule]
  let terms: Terms
  /// Every signal that a rule or protection reads, each once.
  let signalUses: [SignalUse]

  init(
    name: String, summary: String?, hash: ContentHash, arms: [String], unprotected: String?, rules: [Rule],
    terms: Terms
  ) {
    (self.name, self.summary, self.hash, self.arms) = (name, summary, hash, arms)
    (self.unprotected, self.rules, self.terms) = (unprotected, rules, terms)
    var seen: Set<String> = []
    let read = rules.compactMap(\.when).flatMap(\.atoms).map(\.use)
    let house = [Signal.sensitivity, .consent, .pinned, .needs].map { SignalUse(signal: $0) }
    signalUses = (read + house).filter { seen.insert($0.name(arm: $0.arm?.text)).inserted }
  }

  package var decidesRetries: Bool { true }

  package var acceptChecks: [String] {
    var names: [String] = []
    for atom in terms.accept.flatMap(\.when.atoms) where atom.use.signal.name == "check." {
      if !names.contains(atom.use.member) { names.append(atom.use.member) }
    }
    return names
  }

  package var readsRunSpending: Bool { terms.constraints.maxCostPerRun != nil }

  /// How far content may travel under this policy, the stricter of the suite's rules and its own; what it writes itself
  /// for a policy under study.
  package var privacy: PrivacyRules {
    if let limits = terms.protection?.limits { return limits }
    let written = terms.constraints.maxBoundary
    return PrivacyRules(
      maxBoundary: Dictionary(
        uniqueKeysWithValues: Sensitivity.allCases.map { ($0, written[$0] ?? .thirdParty) }),
      consentRequired: terms.constraints.consentRequired ?? [])
  }

  /// How rules are called, in their order: by name, else by number.
  package var ruleNames: [String] { rules.indices.map { rules[$0].name ?? "rules[\($0)]" } }

  /// Why a live run must not use it, unless a recording answers: an unprotected policy whose arms are not all on this
  /// machine. `nil` when it may.
  package var liveRefusal: String? {
    guard unprotected != nil else { return nil }
    let far = arms.filter { terms.arms[$0]?.isLocalEndpoint != true }
    guard !far.isEmpty else { return nil }
    return
      "the policy is unprotected, and \(SignalDomain.list(far)) \(far.count == 1 ? "is" : "are") not on this machine"
  }

  package func mayShow(_ arm: String, signals: JSONObject) -> Bool {
    terms.privacyRejections(of: arm, RoutingFacts(caseID: "", signals: signals)).isEmpty
  }

  package func next(_ facts: RoutingFacts) -> RoutingStep {
    Decider(policy: self, facts: facts).step()
  }

  /// The rule that takes the turn: the first that holds as the turn began. `nil` when none does.
  func rule(taking facts: RoutingFacts) -> Int? {
    let begin = facts.atTurnStart
    return rules.firstIndex { $0.when?.holds(begin, terms) ?? true }
  }
}

extension RoutePolicy {
  package func rules(taking table: FactTable) -> [UInt16] {
    let count = table.rows.count
    var taken = [UInt16](repeating: UInt16(rules.count), count: count)
    var free = Bits.full(count)
    for (index, rule) in rules.enumerated() {
      let bits = rule.when?.bits(table, terms) ?? Bits.full(count)
      for word in free.indices {
        var here = free[word] & bits[word]
        free[word] &= ~bits[word]
        while here != 0 {
          taken[word * 64 + here.trailingZeroBitCount] = UInt16(index)
          here &= here - 1
        }
      }
    }
    return taken
  }

  package func identity(ofRule index: Int) -> String {
    guard rules.indices.contains(index) else { return "no rule" }
    let use = rules[index].use
    let reached = use.contains(.pinned) ? terms.arms.keys.sorted() : use.map(\.text)
    let json: JSONValue = [
      "use": .array(use.map { .string($0.text) }),
      "arms": .array(reached.compactMap { terms.arms[$0]?.json }),
      "constraints": terms.constraints.json,
      "onError": .object(
        JSONObject(
          RouteError.allCases.compactMap { error in
            terms.errors[error].map { (key: error.rawValue, value: .string($0.text)) }
          })),
      "accept": .array(terms.accept.map { accept in accept.json(terms) }),
      "limits": .object(
        JSONObject(
          Sensitivity.allCases.map { (key: $0.rawValue, value: .string(privacy.limit(of: $0).rawValue)) })),
      "consent": .array(privacy.consentRequired.map(\.rawValue).sorted().map { .string($0) }),
      "protected": .bool(unprotected == nil),
    ]
    return ContentHash(of: json, kind: "rule").hex
  }
}

extension Acceptance {
  fileprivate func json(_ terms: Terms) -> JSONValue {
    [
      "arms": .array((arms.map { $0.sorted() } ?? ["*"]).map { .string($0) }),
      "when": .string(when.identity(terms)),
    ]
  }
}

extension Condition {
  /// Equal for conditions that are written alike.
  func identity(_ terms: Terms) -> String {
    switch self {
    case .all(let parts): "all(\(parts.map { $0.identity(terms) }.joined(separator: ", ")))"
    case .any(let parts): "any(\(parts.map { $0.identity(terms) }.joined(separator: ", ")))"
    case .test(let atom): atom.identity(terms)
    }
  }
}

extension RoutingFacts {
  /// The facts before the turn's first call: what this turn's calls cost is not spent yet.
  var atTurnStart: RoutingFacts {
    guard !attempts.isEmpty else { return self }
    var begin = self
    let costs = attempts.map(\.dollars)
    let sum = costs.contains(nil) ? nil : costs.reduce(0) { $0 + ($1 ?? 0) }
    begin.spent.trial = spent.trial.flatMap { spent in sum.map { max(0, spent - $0) } }
    begin.spent.run = spent.run.flatMap { spent in sum.map { max(0, spent - $0) } }
    begin.attempts = []
    return begin
  }
}
