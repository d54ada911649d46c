/// What is known of one arm when a policy decides.
package struct ArmFacts: Sendable, Hashable {
  /// Tokens that would travel to it: instructions, history, tool definitions, response schema and input. `nil` is unknown.
  package var tokensIn: InputCount?
  /// The window as it is known now; `nil` is unknown.
  package var window: ContextWindow?

  package init(tokensIn: InputCount? = nil, window: ContextWindow? = nil) {
    self.tokensIn = tokensIn
    self.window = window
  }
}

/// One call already made, as far as a policy may look at it.
package struct RoutedAttempt: Sendable, Hashable {
  /// How it ended.
  package enum End: Sendable, Hashable {
    case ok, refused, empty
    case failed(ErrorClass)

    package init(_ outcome: Outcome) {
      switch outcome {
      case .ok: self = .ok
      case .refused: self = .refused
      case .empty: self = .empty
      case .failed(let error): self = .failed(error.kind)
      }
    }
  }

  package var profile: String
  package var cause: AttemptCause
  package var end: End
  /// Whether the same call can help again.
  package var isRetryable: Bool
  /// True when something of the answer had been shown before the end: nothing may follow it then.
  package var hasVisibleOutput: Bool
  /// US dollars; `nil` is unknown.
  package var dollars: Double?
  /// What `accept` may read of an answer: `characters`, `outputTokens`, `finish`, and `check.NAME` with the score in 0…1
  /// of the case's check of that name. A missing member is unknown.
  package var answer: JSONObject

  package init(
    profile: String, cause: AttemptCause, end: End, isRetryable: Bool = false, hasVisibleOutput: Bool = false,
    dollars: Double? = nil, answer: JSONObject = [:]
  ) {
    self.profile = profile
    self.cause = cause
    self.end = end
    self.isRetryable = isRetryable
    self.hasVisibleOutput = hasVisibleOutput
    self.dollars = dollars
    self.answer = answer
  }
}

/// What was spent before a decision, in US dollars; `nil` is unknown.
package struct Spending: Sendable, Hashable {
  /// On this trial, all turns.
  package var trial: Double?
  /// On this route's trials so far, this one included.
  package var run: Double?

  package init(trial: Double? = 0, run: Double? = 0) {
    self.trial = trial
    self.run = run
  }
}

/// What a policy may look at when it decides.
package struct RoutingFacts: Sendable {
  package var caseID: String
  /// The case's signals, as the suite gives them.
  package var signals: JSONObject
  /// 0-based turn.
  package var turn: Int
  /// By arm; a missing arm is unknown.
  package var arms: [String: ArmFacts]
  package var spent: Spending
  /// The attempts of this turn so far, in order, retries included.
  package var attempts: [RoutedAttempt]
  /// The nearest boundary at which an earlier turn was refused or stopped by a guardrail, whose words are now history;
  /// `nil` where none was.
  package var refusedWithin: Boundary?

  package init(
    caseID: String, signals: JSONObject, turn: Int = 0, arms: [String: ArmFacts] = [:],
    spent: Spending = Spending(), attempts: [RoutedAttempt] = [], refusedWithin: Boundary? = nil
  ) {
    self.caseID = caseID
    self.signals = signals
    self.turn = turn
    self.arms = arms
    self.spent = spent
    self.attempts = attempts
    self.refusedWithin = refusedWithin
  }
}

/// A policy's next step. A `decision` is the record for the attempt log; `nil` for a profile alone.
package enum RoutingStep: Sendable {
  /// Call this arm.
  case call(profile: String, cause: AttemptCause, decision: JSONValue?)
  /// The attempt at this index of `RoutingFacts.attempts` is what the person gets.
  case serve(attempt: Int, decision: JSONValue?)
  /// Nothing is allowed: the trial ends as `blocked` with this reason.
  case block(reason: String, decision: JSONValue?)
}

/// Decides which arm answers next. The same code decides live and offline: it does no I/O and keeps no state.
package protocol Policy: Sendable {
  var name: String { get }
  /// The profiles that it may call.
  var arms: [String] { get }
  /// True when it says itself when a call is sent again, with `cause` `.retry`; the engine then only waits. False leaves
  /// retries to the run's settings.
  var decidesRetries: Bool { get }
  /// Names of the checks whose scores it reads from an answer.
  var acceptChecks: [String] { get }
  /// True when it looks at what the run has spent: its decisions then depend on the order of the cases.
  var readsRunSpending: Bool { get }
  /// Whether content with these signals may be shown to this arm's server at all, for instance to have it counted before
  /// a decision. The suite's privacy is asked besides.
  func mayShow(_ arm: String, signals: JSONObject) -> Bool
  /// Called before the first attempt of a turn and after each attempt whose retries are used up.
  func next(_ facts: RoutingFacts) -> RoutingStep
}

extension Policy {
  package var decidesRetries: Bool { false }
  package var acceptChecks: [String] { [] }
  package var readsRunSpending: Bool { false }
  package func mayShow(_ arm: String, signals: JSONObject) -> Bool { true }
}
