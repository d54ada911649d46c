package import EvalCore

/// How an arm's call ends in a walk.
package enum WalkEnd: Sendable, Hashable {
  case failed(RoutedAttempt.End)
  /// An answer that `accept` does not let through.
  case notAccepted

  static let notAcceptedWord = "notAccepted"

  /// Reads a word of `onError`, the class of an error, or `notAccepted`.
  package init?(word: String) {
    if word == Self.notAcceptedWord {
      self = .notAccepted
    } else if word == RouteError.refusal.rawValue {
      self = .failed(.refused)
    } else if word == RouteError.empty.rawValue {
      self = .failed(.empty)
    } else if let error = RouteError(rawValue: word), let kind = error.classes.first {
      self = .failed(.failed(kind))
    } else if let kind = ErrorClass(rawValue: word) {
      self = .failed(.failed(kind))
    } else {
      return nil
    }
  }

  /// Every word, for suggestions.
  package static var words: [String] {
    RouteError.allCases.map(\.rawValue) + ErrorClass.allCases.map(\.rawValue) + [notAcceptedWord]
  }
}

/// One turn under a policy, without a request: arms that are said to fail do so every time, the others answer well.
package struct RouteWalk: Sendable {
  package struct Call: Sendable {
    package var arm: String
    package var cause: AttemptCause
    package var decision: JSONValue?
    /// How it ended; `nil` for an answer that was served.
    package var end: WalkEnd?
  }

  /// In the order in which they were made, retries included.
  package private(set) var calls: [Call] = []
  /// Why nothing was called, or nothing more; `nil` after an answer that was served.
  package private(set) var ending: String?
  /// Of the last decision, which ended the walk without a call; `nil` after an answer that was served.
  package private(set) var decision: JSONValue?
  /// The call whose end the person gets, by its index; `nil` when the policy blocked the case.
  package private(set) var served: Int?

  /// - Parameter ends: how each arm's calls end, by the arm's name.
  package init(_ policy: RoutePolicy, _ facts: RoutingFacts, ends: [String: WalkEnd]) {
    var facts = facts
    while true {
      switch policy.next(facts) {
      case .call(let arm, let cause, let decision):
        let end = ends[arm]
        calls.append(Call(arm: arm, cause: cause, decision: decision, end: end))
        guard let end else {
          served = calls.count - 1
          return
        }
        facts.attempts.append(RouteWalk.attempt(arm, cause, end))
      case .serve(let index, let decision):
        (served, self.decision) = (index, decision)
        ending = decision?["reason"]?.stringValue
        return
      case .block(let reason, let decision):
        (ending, self.decision) = (reason, decision)
        return
      }
    }
  }

  private static func attempt(_ arm: String, _ cause: AttemptCause, _ end: WalkEnd) -> RoutedAttempt {
    var attempt = RoutedAttempt(profile: arm, cause: cause, end: .ok, dollars: 0)
    guard case .failed(let how) = end else { return attempt }
    attempt.end = how
    if case .failed(let kind) = how { attempt.isRetryable = kind.isRetryable }
    return attempt
  }
}
