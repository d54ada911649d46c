/// A question that judges answer about two targets' answers to the same case, without knowing whose they are.
package struct PairComparison: Sendable, Hashable {
  package var name: String
  /// What makes one answer the better one.
  package var question: String
  /// Every two of these are compared; empty means all targets of the run.
  package var targets: [String]
  /// Profiles, at least one in a suite that was found right.
  package var judges: [String]
  /// What is known to be true, for every answer.
  package var facts: [String]

  package init(
    name: String, question: String, targets: [String] = [], judges: [String], facts: [String] = []
  ) {
    self.name = name
    self.question = question
    self.targets = targets
    self.judges = judges
    self.facts = facts
  }

  package var json: JSONValue {
    [
      "question": .string(question), "targets": .array(targets.map { .string($0) }),
      "judges": .array(judges.map { .string($0) }), "facts": .array(facts.map { .string($0) }),
    ]
  }

  package var hash: ContentHash { ContentHash(of: json, kind: "comparison") }

  /// The pairs to compare among the targets of a run, each once, in their order.
  package func pairs(among names: [String]) -> [(first: String, second: String)] {
    let chosen = names.filter { targets.isEmpty || targets.contains($0) }
    return chosen.indices.flatMap { left in
      chosen[(left + 1)...].map { (first: chosen[left], second: $0) }
    }
  }
}
