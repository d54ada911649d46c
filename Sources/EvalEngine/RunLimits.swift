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
      if stop.unpricedAnswers + stop.judges.unpricedAnswers > 0, stop.spent == 0 { return .costUnknown }
      let next =
        mean(stop) * Double(stop.unpriced + stop.inFlight + 1) + judging(stop) * Double(stop.judges.trials)
      if stop.spent + next > maxCost { return .maxCost(stop.spent) }
    }
    return nil
  }

  /// The most calls in flight that a limit on the cost still allows, at least 1; `nil` without a limit. One call goes
  /// first to tell what a call costs.
  package func ceiling(_ progress: RunProgress.Snapshot) -> Int? {
    guard let maxCost else { return nil }
    let mean = mean(progress)
    guard mean > 0 else { return 1 }
    return max(1, Int(min((maxCost - progress.spent) / mean, 1e6)) - progress.unpriced)
  }

  /// What a call costs that costs something, with the judging of its answer; 0 while nobody knows.
  private func mean(_ progress: RunProgress.Snapshot) -> Double {
    let own = progress.charged > 0 ? progress.dollars / Double(progress.charged) : 0
    return own + judging(progress)
  }

  /// What the judging of a trial costs; 0 while nobody knows. A trial that is half judged counts as a whole one's cost,
  /// so this is rather too much.
  private func judging(_ progress: RunProgress.Snapshot) -> Double {
    let judged = progress.judges.judged > 0 ? progress.judges.judged : progress.done
    return progress.judges.dollars / Double(max(1, judged))
  }
}
