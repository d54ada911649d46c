import EvalCore

/// What is wrong with a policy although every part of it reads well: each check names the rule that the policy breaks.
struct PolicyChecks {
  let problems: InputProblems
  let reader: PolicyReader
  let draft: PolicyDraft

  private var terms: Terms { draft.terms }

  func run() {
    reachability()
    budgets()
    nextLarger()
    guard let protection = terms.protection else { return }
    boundaries(protection.limits)
    refusals(protection.limits)
  }

  // MARK: Rules that nothing reaches

  private func reachability() {
    var earlier: [(name: String, alternatives: [[Atom]])] = []
    var other: String?
    for (index, placed) in draft.rules.enumerated() {
      let name = placed.rule.name.map { "the rule '\($0)'" } ?? "rules[\(index)]"
      if let other {
        problems.error(
          "this rule is never reached: \(other) takes every case", at: placed.node, advice: "put 'else' last")
      } else if let alternatives = Implication.alternatives(placed.rule.when) {
        reach(placed, alternatives, earlier)
        earlier.append((name, alternatives))
      }
      if placed.isElse { other = other ?? name }
    }
  }

  private func reach(
    _ placed: PolicyDraft.PlacedRule, _ alternatives: [[Atom]],
    _ earlier: [(name: String, alternatives: [[Atom]])]
  ) {
    let possible = alternatives.filter { Implication.canHold($0) }
    if possible.isEmpty {
      problems.error("this rule is never reached: its conditions exclude each other", at: placed.node)
      return
    }
    let takers = possible.map { atoms in
      earlier.first { $0.alternatives.contains { Implication.implies(atoms, $0) } }?.name
    }
    guard !takers.contains(nil) else { return }
    var names: [String] = []
    for name in takers.compactMap({ $0 }) where !names.contains(name) { names.append(name) }
    problems.error(
      "this rule is never reached: every case that it would take is taken by \(SignalDomain.list(names))",
      at: placed.node, advice: "put it first, or take it out")
  }

  // MARK: Arms that protection never lets through

  private func boundaries(_ limits: PrivacyRules) {
    let most = Sensitivity.allCases.map { limits.limit(of: $0) }.max() ?? .device
    for placed in draft.rules {
      for (reference, node) in zip(placed.rule.use, placed.useNodes) {
        guard let name = reference.fixed, let arm = terms.arms[name] else { continue }
        if arm.boundary == nil, !isPublic(placed.rule) {
          problems.error(
            "the boundary of '\(name)' is not known, and this rule can take content that is not public",
            at: node,
            advice: "give the arm its 'boundary', or add \"sensitivity\": \"public\" to the rule's 'when'")
        } else if arm.farthestBoundary > most {
          problems.error(
            "'\(name)' can never be called: it is \(arm.farthestBoundary.rawValue), and maxBoundary allows "
              + "\(most.rawValue) at most, whatever the sensitivity", at: node)
        }
      }
    }
  }

  /// Whether the rule takes public content only.
  private func isPublic(_ rule: Rule) -> Bool {
    let isPublic = Atom(
      use: SignalUse(signal: .sensitivity), test: .isIn([.word(Sensitivity.public.rawValue)]))
    if let alternatives = Implication.alternatives(rule.when),
      alternatives.allSatisfy({ Implication.implies($0, [isPublic]) })
    {
      return true
    }
    guard let cases = reader.cases else { return false }
    return cases.allSatisfy { RoutingFacts(caseID: "", signals: $0).sensitivity == .public }
  }

  // MARK: What may not be sent on

  private func refusals(_ limits: PrivacyRules) {
    for placed in draft.errors where [.guardrail, .refusal].contains(placed.error) {
      guard [.next, .nextLarger].contains(placed.rule.then) else { continue }
      if let reason = reasonAgainstSendingOn() {
        problems.error(
          "after a \(placed.error.rawValue) '\(placed.rule.then.rawValue)' is only for cases that are public and "
            + "consented: \(reason)", at: placed.node, advice: "write \"stop\" or \"nextSameBoundary\"")
      }
    }
  }

  /// `nil` when every case is public and its person agreed to every boundary that the policy reaches.
  private func reasonAgainstSendingOn() -> String? {
    guard let cases = reader.cases else { return "the policy's cases are not known here" }
    let reached = Set(terms.arms.values.map(\.farthestBoundary)).subtracting([.device])
    for signals in cases {
      let facts = RoutingFacts(caseID: "", signals: signals)
      if facts.sensitivity != .public {
        return "there is one whose sensitivity is \(facts.sensitivity.rawValue)"
      }
      if let boundary = reached.sorted().first(where: { !facts.consents(to: $0) }) {
        return "there is one without consent to \(boundary.rawValue)"
      }
    }
    return nil
  }

  // MARK: Windows and budgets

  private func nextLarger() {
    let pairs = draft.rules.flatMap { placed -> [(ArmTraits, ArmTraits)] in
      let arms = placed.rule.use.map { $0.fixed.flatMap { terms.arms[$0] } }
      // The arm of a pinned case has no other behind it.
      guard !arms.contains(where: { $0 == nil }) else { return [] }
      let known = arms.compactMap { $0 }
      return known.indices.flatMap { first in known[(first + 1)...].map { (known[first], $0) } }
    }
    let isPossible = pairs.contains { first, later in
      guard first.window != nil, later.window != nil else { return false }
      guard let small = first.statedWindow, let large = later.statedWindow else { return true }
      return large > small
    }
    for placed in draft.errors where placed.rule.then == .nextLarger && !isPossible {
      problems.error(
        "no rule has an arm with a larger window behind another, so nextLarger finds none", at: placed.node,
        advice: "state the arms' 'contextSize', order 'use' from small to large, or write \"stop\"")
    }
  }

  private func budgets() {
    let constraints = terms.constraints
    let limits = [
      ("maxCostPerCase", constraints.maxCostPerCase), ("maxCostPerRun", constraints.maxCostPerRun),
    ]
    guard let limit = limits.first(where: { $0.1 != nil })?.0 else { return }
    for placed in draft.rules {
      for (reference, node) in zip(placed.rule.use, placed.useNodes) {
        guard let name = reference.fixed, let arm = terms.arms[name] else { continue }
        if arm.price == nil {
          problems.error(
            "'\(name)' can never be called: \(limit) is set and its price is not known", at: node,
            advice: "give the arm its 'price', in dollars for a million tokens, or \"free\"")
        } else if arm.price?.output ?? 0 > 0, constraints.reserveOutput == nil, arm.maxOutputTokens == nil {
          problems.warning(
            "\(limit) is held against the input of '\(name)' alone: nothing says how long its answers are",
            at: node,
            advice: "give 'reserveOutput', or the arm's 'maxOutputTokens'")
        }
      }
    }
  }
}
