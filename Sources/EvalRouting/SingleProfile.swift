package import EvalCore

/// The policy of a profile that is a target by itself: always this arm, and whatever it says is served.
package struct SingleProfile: Policy {
  package let name: String

  package init(profile: String) { name = profile }

  package var arms: [String] { [name] }

  package func next(_ facts: RoutingFacts) -> RoutingStep {
    facts.attempts.isEmpty
      ? .call(profile: name, cause: .first, decision: nil)
      : .serve(attempt: facts.attempts.count - 1, decision: nil)
  }
}
