package import EvalCore

/// Where the requests of one target went, and why (`Docs/Metrics.md`, "Routes"). Shares are of trials, with the cases, or
/// clusters of cases, as independent units.
package struct RouteSummary: Sendable, Hashable {
  /// Finished trials, blocked ones included.
  package var trials: Int
  package var cloud: CloudUse
  /// By where the last answer came from, near to far; trials without an answer are in none.
  package var servedFrom: [ServedShare]
  package var fallbacks: FallbackUse
  package var waste: Waste
  /// Of a route; empty for a profile alone.
  package var leaks: [RouteLeak]
  /// Milliseconds that decisions took, one value for each call; `nil` for a profile alone.
  package var decisions: Distribution?

  package struct ServedShare: Sendable, Hashable {
    package var boundary: Boundary
    package var share: Estimate
  }

  /// Attempts whose answer nobody got: what failed, and what was not good enough. Means of a trial.
  package struct Waste: Sendable, Hashable {
    package var attempts: Int
    /// Milliseconds, waits before them included.
    package var time: Estimate
    /// The part of it on the device.
    package var deviceTime: Estimate
    /// US dollars.
    package var dollars: Estimate
  }
}

extension RunSummary {
  /// Leaks of all routes, in the order of the report.
  package var leaks: [RouteLeak] { targets.flatMap { $0.route?.leaks ?? [] } }

  /// True when something was routed.
  package var hasRoute: Bool { targets.contains { $0.kind == "route" } }
}
