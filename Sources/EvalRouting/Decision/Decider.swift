import EvalCore

/// One decision of a policy.
struct Decider {
  let policy: RoutePolicy
  let facts: RoutingFacts

  private var terms: Terms { policy.terms }

  func step() -> RoutingStep {
    guard let rule = policy.rule(taking: facts) else {
      return end(rule: nil, reason: "no rule of the policy takes this case", candidates: [])
    }
    guard let last = facts.attempts.last else { return first(rule) }
    switch last.end {
    case .ok: return answered(rule, by: last)
    case .refused, .empty, .failed: return failed(rule, last)
    }
  }

  // MARK: The first call

  private func first(_ rule: Int) -> RoutingStep {
    let candidates = chain(rule).map { candidate($0) }
    guard let chosen = candidates.first(where: \.isAllowed) else {
      return end(rule: rule, reason: "no arm of the rule may be called", candidates: candidates)
    }
    return call(chosen.arm, .first, rule: rule, candidates: candidates)
  }

  // MARK: After an answer

  private func answered(_ rule: Int, by last: RoutedAttempt) -> RoutingStep {
    let wanting = terms.accept.filter { $0.concerns(last.profile) && !$0.when.holds(facts, terms) }
    guard !wanting.isEmpty else { return .serve(attempt: facts.attempts.count - 1, decision: nil) }
    if let stop = attemptLimit { return end(rule: rule, reason: "the answer was not accepted, but \(stop)") }
    let candidates = followers(rule, of: last) { _ in [] }
    guard let chosen = candidates.first(where: \.isAllowed) else {
      return end(
        rule: rule, reason: "the answer was not accepted, and no arm is left to ask", candidates: candidates)
    }
    return call(chosen.arm, .escalation, rule: rule, candidates: candidates, from: last)
  }

  // MARK: After a failure

  private func failed(_ rule: Int, _ last: RoutedAttempt) -> RoutingStep {
    guard let error = RouteError(last.end) else {
      return end(rule: rule, reason: "an error of this class always stops", from: last)
    }
    if last.hasVisibleOutput {
      return end(rule: rule, reason: "part of the answer was shown already", from: last)
    }
    guard let line = terms.errors[error] else {
      let word = error == .empty ? "an empty answer is served" : "onError does not list \(error.rawValue)"
      return end(rule: rule, reason: word, from: last)
    }
    if let stop = attemptLimit { return end(rule: rule, reason: stop, from: last) }
    if line.retries > retries(of: last, after: error), canRetry(last, error) {
      let again = candidate(last.profile)
      if again.isAllowed {
        return call(last.profile, cause(.retry, last), rule: rule, candidates: [again], from: last)
      }
    }
    return followed(rule, last, error, line.then)
  }

  private func followed(
    _ rule: Int, _ last: RoutedAttempt, _ error: RouteError, _ action: ErrorAction
  ) -> RoutingStep {
    if action == .stop { return end(rule: rule, reason: "onError.\(error.rawValue) is stop", from: last) }
    let candidates = followers(rule, of: last) { objections(to: $0, action, after: last.profile) }
    guard let chosen = candidates.first(where: \.isAllowed) else {
      return end(
        rule: rule, reason: "onError.\(error.rawValue) is \(action.rawValue), but no arm is left",
        candidates: candidates, from: last)
    }
    return call(chosen.arm, cause(.fallback, last), rule: rule, candidates: candidates, from: last)
  }

  /// What the action itself has against an arm.
  private func objections(to arm: String, _ action: ErrorAction, after failed: String) -> [Rejection] {
    switch action {
    case .stop, .next: return []
    case .nextLarger:
      guard let size = terms.capacity.window(arm, facts), let former = terms.capacity.window(failed, facts),
        size > former
      else { return [.notLarger] }
      return []
    case .nextSameBoundary:
      let limit = terms.arms[failed]?.farthestBoundary ?? .device
      return (terms.arms[arm]?.farthestBoundary ?? .thirdParty) > limit ? [.farther(limit)] : []
    }
  }

  private func canRetry(_ last: RoutedAttempt, _ error: RouteError) -> Bool {
    // A server that says it will not help is believed; a class that rarely helps is left to the policy.
    if case .failed(let kind) = last.end, kind.isRetryable { return last.isRetryable }
    return error.canRetry
  }

  private func retries(of last: RoutedAttempt, after error: RouteError) -> Int {
    facts.attempts.count { attempt in
      guard attempt.profile == last.profile, case .retry(let kind) = attempt.cause else { return false }
      return RouteError(kind) == error
    }
  }

  /// Calls that the policy asked for: the rounds of a tool conversation belong to the call that began it.
  private var attemptLimit: String? {
    let calls = facts.attempts.enumerated().count { $0.offset == 0 || $0.element.cause != .first }
    let most = terms.constraints.maxAttempts
    return calls >= most ? "maxAttempts is \(most)" : nil
  }

  // MARK: Candidates

  /// The arms of a rule in their order, `$pinned` resolved, each once.
  private func chain(_ rule: Int) -> [String] {
    var arms: [String] = []
    for reference in policy.rules[rule].use {
      guard let arm = reference.resolved(facts), !arms.contains(arm) else { continue }
      arms.append(arm)
    }
    return arms
  }

  private func candidate(_ arm: String, _ objections: [Rejection] = []) -> Candidate {
    Candidate(arm, terms, facts, rejections: objections + terms.rejections(of: arm, facts))
  }

  /// The rule's arms behind the one that was called last.
  private func followers(
    _ rule: Int, of last: RoutedAttempt, objections: (String) -> [Rejection]
  ) -> [Candidate] {
    let chain = chain(rule)
    let place = chain.firstIndex(of: last.profile) ?? chain.count
    return chain.enumerated().map { index, arm in
      if facts.attempts.contains(where: { $0.profile == arm }) { return candidate(arm, [.tried]) }
      return index > place ? candidate(arm, objections(arm)) : candidate(arm, [.passed])
    }
  }

  // MARK: Steps

  private enum Kind { case retry, fallback }

  /// An empty answer is no error: another arm after it is an escalation.
  private func cause(_ kind: Kind, _ last: RoutedAttempt) -> AttemptCause {
    let error: ErrorClass
    switch last.end {
    case .ok, .empty: return .escalation
    case .refused: error = .refusal
    case .failed(let kind): error = kind
    }
    return kind == .retry ? .retry(error) : .fallback(error)
  }

  private func call(
    _ arm: String, _ cause: AttemptCause, rule: Int, candidates: [Candidate], from last: RoutedAttempt? = nil
  ) -> RoutingStep {
    var record = record(rule, candidates, from: last)
    record.arm = arm
    record.boundary = terms.arms[arm]?.boundary
    record.cause = cause.label
    return .call(profile: arm, cause: cause, decision: record.json)
  }

  /// Nothing more is called: the best there is gets served, or the case is blocked.
  private func end(
    rule: Int?, reason: String, candidates: [Candidate] = [], from last: RoutedAttempt? = nil
  ) -> RoutingStep {
    var record = record(rule, candidates, from: last)
    record.reason = reason
    guard !facts.attempts.isEmpty else {
      record.cause = "blocked"
      return .block(reason: reason, decision: record.json)
    }
    record.cause = "served"
    return .serve(attempt: lastAnswer ?? facts.attempts.count - 1, decision: record.json)
  }

  /// An earlier answer that was not accepted is better than a failure. One that only called tools is none: the next round
  /// begins with `first` again.
  private var lastAnswer: Int? {
    facts.attempts.indices.last { index in
      let isRound = index + 1 < facts.attempts.count && facts.attempts[index + 1].cause == .first
      return facts.attempts[index].end == .ok && !isRound
    }
  }

  private func record(_ rule: Int?, _ candidates: [Candidate], from last: RoutedAttempt?) -> DecisionRecord {
    DecisionRecord(
      policy: policy.hash.short, rule: rule.map { ($0, policy.rules[$0].name) },
      signals: policy.signals(facts), candidates: candidates, errorClass: last?.end.errorWord,
      fallbackFrom: last?.profile)
  }
}

extension RouteError {
  /// `nil` for an answer, and for an error that always stops.
  init?(_ end: RoutedAttempt.End) {
    switch end {
    case .ok: return nil
    case .refused: self = .refusal
    case .empty: self = .empty
    case .failed(let kind): self.init(kind)
    }
  }
}

extension RoutedAttempt.End {
  fileprivate var errorWord: String? {
    switch self {
    case .ok: nil
    case .refused: ErrorClass.refusal.rawValue
    case .empty: "empty"
    case .failed(let kind): kind.rawValue
    }
  }
}
