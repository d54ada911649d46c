import EvalCore

/// Decides whether a failed call is sent again, and after what wait.
struct RetryRule: Sendable {
  enum Decision: Equatable, Sendable {
    /// Send again after this many nanoseconds.
    case retry(after: Int64)
    case giveUp
  }

  let settings: RetrySettings

  /// - Parameters:
  ///   - error: what happened.
  ///   - retries: retries already made of this call.
  ///   - random: draws the jitter.
  ///
  /// A server's own hint is obeyed to the millisecond and never shortened; a hint beyond `maxRetryAfter` gives up, so
  /// that a run does not sleep for hours. A rate limit without a hint starts at twice the base, because the window that
  /// overflowed has to pass; other errors use full jitter (Brooker, "Exponential Backoff And Jitter", AWS 2015):
  /// uniform in 0…min(max, base·2ⁿ).
  func decide(
    _ error: ProviderError, retries: Int, random: inout some RandomNumberGenerator
  ) -> Decision {
    guard canWait(for: error), retries < settings.limit else { return .giveUp }
    return .retry(after: wait(after: error, retries: retries, &random))
  }

  /// Whether the same call can help again within the time that the run waits.
  func canWait(for error: ProviderError) -> Bool {
    guard error.retryable else { return false }
    return error.retryAfterMilliseconds.map { $0 <= settings.maxRetryAfter.seconds * 1000 } ?? true
  }

  /// Nanoseconds before a call is sent again, as `decide` has them.
  func wait(
    after error: ProviderError, retries: Int, _ random: inout some RandomNumberGenerator
  ) -> Int64 {
    if let hint = error.retryAfterMilliseconds {
      let bounded = min(max(0, hint), settings.maxRetryAfter.seconds * 1000)
      return Int64((bounded * 1_000_000).rounded(.up))
    }
    let base = Double(settings.baseDelay.nanoseconds)
    let ceiling = min(Double(settings.maxDelay.nanoseconds), base * Double(1 << min(retries, 30)))
    if error.kind == .rateLimited {
      let least = min(2 * ceiling, Double(settings.maxDelay.nanoseconds))
      return Int64(least * Double.random(in: 0.75...1.25, using: &random))
    }
    return ceiling > 0 ? Int64(Double.random(in: 0...ceiling, using: &random)) : 0
  }
}
