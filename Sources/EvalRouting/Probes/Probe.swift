package import EvalCore

/// A case by its signals alone, with what a policy has to do about it.
package struct Probe: Sendable {
  /// 1-based.
  package var line: Int
  package var name: String?
  package var facts: RoutingFacts
  package var ends: [String: WalkEnd]
  /// The arms of every call in their order, retries included; `nil` leaves them open.
  package var expectArms: [String]?
  /// Boundaries and arms that no call may reach.
  package var mustNot: [String]
}

/// What became of one probe.
package struct ProbeResult: Sendable {
  package var probe: Probe
  package var walk: RouteWalk
  /// Each in one sentence; empty when the policy did as expected.
  package var misses: [String]
}

/// Holds a policy against probes.
package struct ProbeRun: Sendable {
  let policy: RoutePolicy

  package init(_ policy: RoutePolicy) { self.policy = policy }

  package func result(of probe: Probe) -> ProbeResult {
    let walk = RouteWalk(policy, probe.facts, ends: probe.ends)
    let called = walk.calls.map(\.arm)
    var misses: [String] = []
    if let expected = probe.expectArms, expected != called {
      misses.append("expected \(ProbeRun.list(expected)), called \(ProbeRun.list(called))")
    }
    for word in probe.mustNot {
      guard let arm = called.first(where: { isOf(word, $0) }) else { continue }
      misses.append(arm == word ? "called \(arm), which it must not" : "called \(arm), which is \(word)")
    }
    return ProbeResult(probe: probe, walk: walk, misses: misses)
  }

  private func isOf(_ word: String, _ arm: String) -> Bool {
    if let boundary = Boundary(rawValue: word) { return policy.terms.arms[arm]?.farthestBoundary == boundary }
    return arm == word
  }

  private static func list(_ arms: [String]) -> String {
    arms.isEmpty ? "no call" : arms.joined(separator: " → ")
  }
}
