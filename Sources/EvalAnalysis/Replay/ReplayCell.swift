package import EvalCore

/// One call of a recorded trial.
package struct ReplayAttempt: Sendable, Hashable {
  /// 0-based step within the turn, above 0 after the model called tools.
  package var step: Int
  package var end: RoutedAttempt.End
  package var isRetryable: Bool
  package var hasVisibleOutput: Bool
  package var cost: Cost
  /// Nanoseconds from the start to the end of the call; `nil` was not measured.
  package var latency: Int64?
  /// Nanoseconds to the first token; `nil` when the answer did not stream.
  package var timeToFirstToken: Int64?
  /// Nanoseconds waited before it because of the attempt before.
  package var wait: Int64
  package var usage: Usage?
  /// `nil` is unknown, which counts as sent.
  package var bytesSent: Int?
  /// What `accept` may read, as in `RoutedAttempt.answer`.
  package var answer: JSONObject
  /// US dollars for the checks that a cascade reads from this answer, such as a judge's call; 0 for those that cost
  /// nothing, `nil` unknown. Counts only for a policy that reads checks.
  package var verifierDollars: Double?

  package init(
    end: RoutedAttempt.End, step: Int = 0, isRetryable: Bool = false, hasVisibleOutput: Bool = true,
    cost: Cost = Cost(dollars: 0), latency: Int64? = nil, timeToFirstToken: Int64? = nil, wait: Int64 = 0,
    usage: Usage? = nil, bytesSent: Int? = nil, answer: JSONObject = [:], verifierDollars: Double? = 0
  ) {
    self.step = step
    self.end = end
    self.isRetryable = isRetryable
    self.hasVisibleOutput = hasVisibleOutput
    self.cost = cost
    self.latency = latency
    self.timeToFirstToken = timeToFirstToken
    self.wait = wait
    self.usage = usage
    self.bytesSent = bytesSent
    self.answer = answer
    self.verifierDollars = verifierDollars
  }
}

/// One turn of a recorded trial.
package struct ReplayTurn: Sendable, Hashable {
  /// In order, retries and tool steps included; never empty.
  package var attempts: [ReplayAttempt]
  /// Names everything that the turn adds to the conversation: answer, tool calls and their results. Two arms with equal
  /// hashes leave the same conversation behind. `nil` is unknown, which is never equal.
  package var answerHash: UInt64?
  /// The weighted mean of the checks of this turn alone, in 0…1; `nil` when it has none or one could not be judged.
  package var quality: Double?

  package init(attempts: [ReplayAttempt], answerHash: UInt64? = nil, quality: Double? = nil) {
    self.attempts = attempts
    self.answerHash = answerHash
    self.quality = quality
  }
}

/// A recorded trial of one case and arm.
package struct ReplayCell: Sendable, Hashable {
  /// By turn; fewer than the case has when the trial ended early.
  package var turns: [ReplayTurn]
  package var status: TrialStatus
  /// The trial's score in 0…1 where its checks gave one; `nil` otherwise.
  package var quality: Double?
  /// True when `quality` is missing because a grader failed: the answer is neither right nor wrong.
  package var isUnjudged: Bool

  package init(turns: [ReplayTurn], status: TrialStatus, quality: Double?, isUnjudged: Bool = false) {
    self.turns = turns
    self.status = status
    self.quality = quality
    self.isUnjudged = isUnjudged
  }
}
