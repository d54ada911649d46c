package import EvalCore

/// When a run stops by itself.
package struct RunLimits: Sendable, Hashable {
  /// US dollars; `nil` is no limit.
  package var maxCost: Double?
  /// Failed trials; `nil` is no limit.
  package var maxErrors: Int?
  /// Stop at the first trial that fails or does not pass.
  package var failFast = false

  package init() {}

  /// Whether the run must stop now, and why.
  ///
  /// The cost limit counts calls in flight and calls of unknown cost at the mean of the others, so that a run stops
  /// before it has spent more, not after. Where no answer says what it cost, a limit cannot be held at all.
  package func reason(to stop: RunProgress.Snapshot) -> StopReason? {
    if failFast, stop.failed + stop.notPassed > 0 { return .failFast }
    if let maxErrors, stop.failed >= maxErrors { return .maxErrors(stop.failed) }
    if let maxCost {
      if stop.unpricedAnswers > 0, stop.dollars == 0 { return .costUnknown }
      let priced = stop.calls - stop.unpriced
      let mean = priced > 0 ? stop.dollars / Double(priced) : 0
      if stop.dollars + mean * Double(stop.unpriced + stop.inFlight + 1) > maxCost {
        return .maxCost(stop.dollars)
      }
    }
    return nil
  }
}
