import EvalCore

/// The rules that protect people, whatever a policy says. It reads the case, the arm and the calls so far; it knows
/// neither rules nor error tables, so that no policy can talk it over.
struct Protection: Sendable {
  /// The stricter of the suite's rules and the policy's own.
  let limits: PrivacyRules
  private let boundaries: [String: Boundary]

  init(privacy: PrivacyRules, constraints: Constraints, arms: [String: ArmTraits]) {
    limits = privacy.tightened(by: constraints)
    boundaries = arms.mapValues(\.farthestBoundary)
  }

  /// Why this call would harm; empty when it may be made.
  func rejections(of arm: String, _ facts: RoutingFacts) -> [Rejection] {
    let boundary = boundaries[arm] ?? .thirdParty
    var found: [Rejection] = []
    if let pinned = facts.signals["pinned"], !pinned.isNull, pinned.stringValue != arm {
      found.append(.pinned(pinned.stringValue ?? pinned.serialized()))
    }
    let most = limits.limit(of: facts.sensitivity)
    if boundary > most { found.append(.boundary(boundary, most, facts.sensitivity)) }
    if limits.consentRequired.contains(boundary), !facts.consents(to: boundary) {
      found.append(.consent(boundary))
    }
    if let refused = nearestRefusal(facts), boundary > refused { found.append(.refused(boundary, refused)) }
    found += afterwards(facts)
    return found
  }

  /// What no call may follow.
  private func afterwards(_ facts: RoutingFacts) -> [Rejection] {
    var found: [Rejection] = []
    for attempt in facts.attempts where attempt.end != .ok {
      if attempt.hasVisibleOutput { found.append(.visibleOutput) }
      if case .failed(let kind) = attempt.end, RouteError(kind) == nil { found.append(.alwaysStops(kind)) }
    }
    return found
  }

  /// The nearest boundary at which these words were refused, by a guardrail or the model.
  private func nearestRefusal(_ facts: RoutingFacts) -> Boundary? {
    let here = facts.attempts.compactMap { attempt -> Boundary? in
      switch attempt.end {
      case .refused, .failed(.refusal), .failed(.contentFiltered):
        boundaries[attempt.profile] ?? .thirdParty
      default: nil
      }
    }
    return (here + [facts.refusedWithin].compactMap { $0 }).min()
  }
}

extension PrivacyRules {
  /// How far content of this class may travel. What is not stated stays on the device, and the unknown is never freer
  /// than the strictest class.
  func limit(of sensitivity: Sensitivity) -> Boundary {
    guard sensitivity == .unknown else { return maxBoundary[sensitivity] ?? .device }
    return Sensitivity.allCases.map { maxBoundary[$0] ?? .device }.min() ?? .device
  }

  /// The stricter of these rules and a policy's own.
  func tightened(by constraints: Constraints) -> PrivacyRules {
    var rules = self
    for sensitivity in Sensitivity.allCases {
      let own = limit(of: sensitivity)
      rules.maxBoundary[sensitivity] = min(own, constraints.maxBoundary[sensitivity] ?? own)
    }
    rules.consentRequired.formUnion(constraints.consentRequired ?? [])
    return rules
  }
}
