import EvalCore

/// Reads `constraints`, and holds them against the suite's privacy.
struct ConstraintsReader {
  let problems: InputProblems
  let privacy: PrivacyRules
  /// A policy under study may be wider than the suite.
  let isProtected: Bool

  private static let keys = [
    "maxBoundary", "consentRequired", "windowMargin", "reserveOutput", "maxAttempts", "maxCostPerCase",
    "maxCostPerRun",
  ]

  func read(_ node: Node?) -> Constraints {
    var constraints = Constraints()
    guard let node, let members = problems.members(node, of: "the constraints", known: Self.keys) else {
      return constraints
    }
    if let boundaries = members["maxBoundary"] { constraints.maxBoundary = maxBoundary(boundaries) }
    if let required = members["consentRequired"] { constraints.consentRequired = consentRequired(required) }
    constraints.windowMargin = problems.number(
      members["windowMargin"], in: 0..<1, "a share of the window, 0 or more and below 1")
    constraints.reserveOutput = problems.integer(members["reserveOutput"], in: 0...1_000_000_000)
    constraints.maxAttempts = problems.integer(members["maxAttempts"], in: 1...20) ?? 3
    constraints.maxCostPerCase = cost(members["maxCostPerCase"])
    constraints.maxCostPerRun = cost(members["maxCostPerRun"])
    return constraints
  }

  private func cost(_ node: Node?) -> Double? {
    problems.number(node, in: 0..<1e9, "dollars, 0 or more")
  }

  private func maxBoundary(_ node: Node) -> [Sensitivity: Boundary] {
    let classes = Sensitivity.allCases.map(\.rawValue)
    guard let members = problems.members(node, of: "maxBoundary", known: classes) else { return [:] }
    var limits: [Sensitivity: Boundary] = [:]
    for sensitivity in Sensitivity.allCases {
      guard let member = members[sensitivity.rawValue], let boundary: Boundary = problems.word(member) else {
        continue
      }
      limits[sensitivity] = boundary
      guard isProtected else { continue }
      let most = sensitivity == .unknown ? mostForUnknown(members) : privacy.limit(of: sensitivity)
      if boundary > most { tooWide(member, sensitivity, boundary, most) }
    }
    return limits
  }

  /// The strictest class of suite and policy.
  private func mostForUnknown(_ members: [String: Node]) -> Boundary {
    let written = Sensitivity.classified.compactMap {
      members[$0.rawValue]?.view.string.flatMap { Boundary(rawValue: $0) }
    }
    return (written + [privacy.limit(of: .unknown)]).min() ?? .device
  }

  private func tooWide(_ node: Node, _ sensitivity: Sensitivity, _ boundary: Boundary, _ most: Boundary) {
    if sensitivity == .unknown {
      problems.error(
        "content that nobody classified may travel no farther than the strictest class: \(most.rawValue)",
        at: node, advice: "write \"unknown\": \"\(most.rawValue)\"")
    } else {
      problems.error(
        "maxBoundary.\(sensitivity.rawValue) is \(boundary.rawValue), wider than the suite's privacy, which allows "
          + most.rawValue, at: node,
        advice: "a policy can only be stricter; write \"\(most.rawValue)\", or change the suite's 'privacy'")
    }
  }

  private func consentRequired(_ node: Node) -> Set<Boundary> {
    guard node.view.kind == .array else {
      problems.wrong(node, expected: "an array of boundaries")
      return []
    }
    let required = Set(node.elements.compactMap { element -> Boundary? in problems.word(element) })
    let missing = privacy.consentRequired.subtracting(required)
    if isProtected, let boundary = missing.min() {
      problems.error(
        "consentRequired leaves out \(boundary.rawValue), for which the suite's privacy asks consent",
        at: node,
        advice: "a policy can only be stricter; add \"\(boundary.rawValue)\", or change the suite's 'privacy'"
      )
    }
    return required
  }
}
