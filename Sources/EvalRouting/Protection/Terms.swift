import EvalCore

/// Everything of a policy besides its rules: what a decision may read of arms and limits.
struct Terms: Sendable {
  let arms: [String: ArmTraits]
  let constraints: Constraints
  let errors: ErrorTable
  let accept: [Acceptance]
  /// `nil` for a policy under study, which runs as it is written.
  let protection: Protection?
  let capacity: Capacity
  let budgets: Budgets

  init(
    arms: [String: ArmTraits], constraints: Constraints, errors: ErrorTable, accept: [Acceptance],
    privacy: PrivacyRules, isProtected: Bool
  ) {
    self.arms = arms
    self.constraints = constraints
    self.errors = errors
    self.accept = accept
    protection = isProtected ? Protection(privacy: privacy, constraints: constraints, arms: arms) : nil
    capacity = Capacity(arms: arms, constraints: constraints, isProtected: isProtected)
    budgets = Budgets(arms: arms, constraints: constraints, capacity: capacity, isProtected: isProtected)
  }

  /// Why an arm may not be called now; empty when it may.
  func rejections(of arm: String, _ facts: RoutingFacts) -> [Rejection] {
    guard arms[arm] != nil else { return [.unknownArm] }
    return privacyRejections(of: arm, facts) + capacity.rejections(of: arm, facts)
      + budgets.rejections(of: arm, facts)
  }

  /// Why content may not travel there.
  func privacyRejections(of arm: String, _ facts: RoutingFacts) -> [Rejection] {
    protection?.rejections(of: arm, facts) ?? written(of: arm, facts)
  }

  /// What an unprotected policy writes down for itself.
  private func written(of arm: String, _ facts: RoutingFacts) -> [Rejection] {
    let boundary = arms[arm]?.farthestBoundary ?? .thirdParty
    var found: [Rejection] = []
    if let most = constraints.maxBoundary[facts.sensitivity], boundary > most {
      found.append(.boundary(boundary, most, facts.sensitivity))
    }
    if constraints.consentRequired?.contains(boundary) == true, !facts.consents(to: boundary) {
      found.append(.consent(boundary))
    }
    return found
  }
}

extension RoutingFacts {
  /// The class of the content; `unknown` for what is missing or no class.
  var sensitivity: Sensitivity {
    signals["sensitivity"]?.stringValue.flatMap { Sensitivity(rawValue: $0) } ?? .unknown
  }

  /// Whether the person agreed; what is missing is no.
  func consents(to boundary: Boundary) -> Bool {
    guard let consent = signals["consent"] else { return false }
    if let flag = consent.boolValue { return flag }
    return consent.arrayValue?.contains { $0.stringValue == boundary.rawValue } ?? false
  }
}
