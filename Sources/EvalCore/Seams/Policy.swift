/// What a policy may look at when it decides.
package struct RoutingFacts: Sendable {
  package var caseID: String
  /// The case's signals, as the suite gives them.
  package var signals: JSONObject
  /// 0-based turn.
  package var turn: Int
  /// Tokens that would travel, by arm; a missing arm is unknown.
  package var tokensIn: [String: Int]
  /// The attempts of this turn so far, in order, retries included.
  package var attempts: [Attempt]

  package init(
    caseID: String, signals: JSONObject, turn: Int, tokensIn: [String: Int], attempts: [Attempt]
  ) {
    self.caseID = caseID
    self.signals = signals
    self.turn = turn
    self.tokensIn = tokensIn
    self.attempts = attempts
  }
}

/// A policy's next step.
package enum RoutingStep: Sendable {
  /// Call this arm. `decision` is the record for the attempt log; `nil` for a profile alone.
  case call(profile: String, cause: AttemptCause, decision: JSONValue?)
  /// The last attempt is what the person gets.
  case serve
  /// Nothing is allowed: the trial ends as `blocked` with this reason.
  case block(reason: String, decision: JSONValue?)
}

/// Decides which arm answers next. The same code decides live and offline: it does no I/O and keeps no state.
package protocol Policy: Sendable {
  var name: String { get }
  /// The profiles that it may call.
  var arms: [String] { get }
  /// Called before the first attempt of a turn and after each attempt whose retries are used up.
  func next(_ facts: RoutingFacts) -> RoutingStep
}
