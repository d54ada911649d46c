package import EvalCore

/// One call that sent a case where it may not go.
package struct Leak: Sendable, Hashable {
  package enum Rule: String, Sendable, Hashable, CaseIterable {
    /// Beyond what the case's sensitivity allows.
    case boundary
    /// To a boundary that takes consent, which the case does not give.
    case consent
    /// Farther away after a guardrail or a refusal had stopped it.
    case afterStop
  }

  /// The index of the call in its trial.
  package var attempt: Int
  package var boundary: Boundary
  package var rules: [Rule]
}

/// Looks for leaks in what was sent, whatever decided it: it reads the attempt log and knows nothing of policies.
package struct LeakAudit: Sendable, Hashable {
  /// One attempt as the audit sees it.
  package struct Call: Sendable, Hashable {
    package var turn: Int
    /// `nil`, unknown, is taken for the farthest.
    package var boundary: Boundary?
    /// `nil`, unknown, counts as sent.
    package var bytesSent: Int?
    /// True when it ended by a guardrail or a refusal.
    package var wasStopped: Bool

    package init(turn: Int, boundary: Boundary?, bytesSent: Int?, wasStopped: Bool) {
      self.turn = turn
      self.boundary = boundary
      self.bytesSent = bytesSent
      self.wasStopped = wasStopped
    }

    package init(_ attempt: AttemptRecord) {
      self.init(
        turn: attempt.turn, boundary: attempt.boundary, bytesSent: attempt.bytesSent,
        wasStopped: attempt.outcome == EvalCore.Outcome.refused.label || attempt.errorClass == .refusal
          || attempt.errorClass == .contentFiltered)
    }
  }

  private let rules: [PrivacyRules]

  /// - Parameters:
  ///   - privacy: the suite's.
  ///   - constraints: the policy's own, where it is stricter; each of both must hold.
  package init(privacy: PrivacyRules, constraints: PrivacyRules? = nil) {
    rules = [privacy] + (constraints.map { [$0] } ?? [])
  }

  /// The calls of one trial that went too far, in order.
  package func leaks(of calls: [Call], signals: JSONObject) -> [Leak] {
    var found: [Leak] = []
    for (index, call) in calls.enumerated() where call.bytesSent != 0 {
      let reach = call.boundary ?? .thirdParty
      var broken: [Leak.Rule] = []
      if rules.contains(where: { reach > LeakAudit.limit(signals, $0) }) { broken.append(.boundary) }
      if rules.contains(where: { $0.consentRequired.contains(reach) }),
        !LeakAudit.consents(signals["consent"], to: reach)
      {
        broken.append(.consent)
      }
      let earlier = calls[..<index].filter { $0.turn == call.turn && $0.wasStopped }
      if earlier.contains(where: { reach > $0.boundary ?? .thirdParty }) { broken.append(.afterStop) }
      if !broken.isEmpty { found.append(Leak(attempt: index, boundary: reach, rules: broken)) }
    }
    return found
  }

  /// The farthest boundary that a case's sensitivity allows; the nearest where a rule says nothing.
  private static func limit(_ signals: JSONObject, _ rules: PrivacyRules) -> Boundary {
    var sensitivity = Sensitivity.unknown
    if case .string(let word)? = signals["sensitivity"] {
      sensitivity = Sensitivity(rawValue: word) ?? .unknown
    }
    return rules.maxBoundary[sensitivity] ?? .device
  }

  /// `consent` is for everything, or names the boundaries; what is not said is not given.
  private static func consents(_ consent: JSONValue?, to boundary: Boundary) -> Bool {
    switch consent {
    case .bool(let all): all
    case .array(let names): names.contains { $0.stringValue == boundary.rawValue }
    default: false
    }
  }
}
