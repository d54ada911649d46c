package import EvalCore

/// An arm for every case, whatever it says: the baseline that a policy must beat. Retries are the run's.
package struct ArmAlone: Policy {
  package let name: String

  package init(_ arm: String) { name = arm }

  package var arms: [String] { [name] }

  package func next(_ facts: RoutingFacts) -> RoutingStep {
    facts.attempts.isEmpty
      ? .call(profile: name, cause: .first, decision: nil)
      : .serve(attempt: facts.attempts.count - 1, decision: nil)
  }
}
