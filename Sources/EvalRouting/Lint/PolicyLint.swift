package import EvalCore

/// What is doubtful in a policy that reads well: parts of it that can never matter. The reader refuses what is wrong.
package struct PolicyLint: Sendable {
  package let table: DecisionTable
  /// Warnings, each with its path in the policy.
  package private(set) var findings: [Problem] = []
  private let policy: RoutePolicy

  package init(_ policy: RoutePolicy) {
    self.policy = policy
    table = DecisionTable(policy)
    shadowedRules()
    uncalledArms()
    uselessErrors()
    uselessAcceptance()
    openEnd()
  }

  private mutating func note(_ message: String, _ path: String, _ advice: String? = nil) {
    findings.append(Problem(.warning, message, path: path, advice: advice))
  }

  /// How much the table can say: everything, or as much as a sample shows.
  private var extent: String {
    table.isExhaustive
      ? "none of the \(table.cases) kinds of case" : "none of \(table.cases) sampled kinds of case"
  }

  // MARK: Rules

  private mutating func shadowedRules() {
    var earlier: [(name: String, alternatives: [[Atom]])] = []
    for (index, rule) in policy.rules.enumerated() {
      let name = policy.ruleNames[index]
      if table.unreached.contains(index) {
        note(
          "\(extent) reaches this rule", "rules[\(index)]",
          "earlier rules take what it would take; look at the table")
      }
      guard let alternatives = Implication.alternatives(rule.when) else { continue }
      if alternatives.count > 1 { shadow(alternatives, index, earlier) }
      earlier.append((name, alternatives))
    }
  }

  /// A rule of several alternatives of which some are taken earlier.
  private mutating func shadow(
    _ alternatives: [[Atom]], _ index: Int, _ earlier: [(name: String, alternatives: [[Atom]])]
  ) {
    for atoms in alternatives {
      let words = atoms.map(\.text).joined(separator: " and ")
      if !Implication.canHold(atoms) {
        note("'\(words)' excludes itself", "rules[\(index)].when")
      } else if let taker = earlier.first(where: {
        $0.alternatives.contains { Implication.implies(atoms, $0) }
      }) {
        note("'\(words)' never counts here: \(taker.name) takes those cases", "rules[\(index)].when")
      }
    }
  }

  private mutating func openEnd() {
    guard let open = table.rows.first(where: { $0.rule == nil }) else { return }
    note(
      "cases that no rule takes are blocked, such as \(JSONValue.object(open.example).serialized())", "rules",
      "end with {\"else\": true, \"use\": […]}, unless that is meant")
  }

  // MARK: Arms

  private mutating func uncalledArms() {
    for (index, rule) in policy.rules.enumerated() {
      for (place, arm) in rule.use.enumerated() {
        guard let name = arm.fixed, table.uncalled.contains(name) else { continue }
        note("\(extent) calls '\(name)', whatever fails before it", "rules[\(index)].use[\(place)]")
      }
    }
    for name in policy.terms.arms.keys.sorted() where !policy.arms.contains(name) {
      note("no rule uses the arm '\(name)'", "arms.\(name)")
    }
  }

  // MARK: Errors and acceptance

  private mutating func uselessErrors() {
    let chains = policy.rules.map { rule in rule.use.compactMap { $0.fixed.flatMap { policy.terms.arms[$0] } }
    }
    let hasMore = policy.rules.contains { $0.use.count > 1 && !$0.use.contains(.pinned) }
    for error in RouteError.allCases {
      guard let line = policy.terms.errors[error], line.then != .stop else { continue }
      let path = "onError.\(error.rawValue)"
      if !hasMore {
        note("no rule has a second arm, so '\(line.then.rawValue)' never finds one", path)
      } else if line.then == .nextSameBoundary || [.guardrail, .refusal].contains(error) {
        let isPossible = chains.contains { arms in
          arms.indices.contains { first in
            arms[(first + 1)...].contains { $0.farthestBoundary <= arms[first].farthestBoundary }
          }
        }
        if !isPossible {
          note("no rule has an arm behind another that is not farther, so this never finds one", path)
        }
      }
    }
  }

  private mutating func uselessAcceptance() {
    for (index, accept) in policy.terms.accept.enumerated() {
      let isUseful = policy.rules.contains { rule in
        rule.use.dropLast().contains { $0.fixed.map { accept.concerns($0) } ?? false }
      }
      if !isUseful {
        note(
          "no rule has an arm behind one whose answers this judges, so it changes nothing", "accept[\(index)]"
        )
      }
    }
  }
}
