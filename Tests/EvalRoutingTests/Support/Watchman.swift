import EvalCore

@testable import EvalRouting

/// What may not happen, written down a second time from the documentation, over the JSON of the policy. It shares no code
/// with the router.
struct Watchman {
  let arms: [ArmTraits]
  let privacy: PrivacyRules
  let policy: JSONValue

  /// Everything that forbids this call; empty when it may be made.
  func complaints(about arm: String, _ facts: RoutingFacts) -> [String] {
    guard let traits = arms.first(where: { $0.name == arm }) else { return ["no such arm"] }
    return privacyComplaints(traits, facts) + courseComplaints(traits, facts) + roomComplaints(traits, facts)
  }

  private let order: [String: Int] = ["device": 0, "privateCloud": 1, "thirdParty": 2]
  private func distance(_ boundary: Boundary?) -> Int { boundary.flatMap { order[$0.rawValue] } ?? 2 }

  init(arms: [ArmTraits], privacy: PrivacyRules, policy: JSONValue) {
    (self.arms, self.privacy, self.policy) = (arms, privacy, policy)
  }

  private func limit(_ word: String) -> Int {
    let suite = Sensitivity(rawValue: word).flatMap { privacy.maxBoundary[$0] }
    let own = policy["constraints"]?["maxBoundary"]?[word]?.stringValue
    return min(suite.map { distance($0) } ?? 0, own.flatMap { order[$0] } ?? 2)
  }

  private func privacyComplaints(_ arm: ArmTraits, _ facts: RoutingFacts) -> [String] {
    var complaints: [String] = []
    let classes = ["public", "internal", "private", "secret"]
    let word = facts.signals["sensitivity"]?.stringValue ?? "unknown"
    let most = classes.contains(word) ? limit(word) : (classes + ["unknown"]).map(limit).min() ?? 0
    if distance(arm.boundary) > most { complaints.append("beyond the boundary of \(word)") }
    let asked =
      privacy.consentRequired.map(\.rawValue)
      + (policy["constraints"]?["consentRequired"]?.arrayValue ?? []).compactMap(\.stringValue)
    let name = arm.boundary?.rawValue ?? "thirdParty"
    let consent = facts.signals["consent"]
    let agreed = consent?.boolValue == true || consent?.arrayValue?.contains(.string(name)) == true
    if asked.contains(name), !agreed { complaints.append("without consent") }
    if let pinned = facts.signals["pinned"]?.stringValue, pinned != arm.name {
      complaints.append("pinned elsewhere")
    }
    return complaints
  }

  private func courseComplaints(_ arm: ArmTraits, _ facts: RoutingFacts) -> [String] {
    var complaints: [String] = []
    if let refused = facts.refusedWithin, distance(arm.boundary) > distance(refused) {
      complaints.append("refused in an earlier turn")
    }
    let stopping: Set<ErrorClass> = [
      .authentication, .permission, .notFound, .invalidRequest, .redirect, .cancelled, .notRecorded, .unknown,
    ]
    for attempt in facts.attempts {
      let there = arms.first { $0.name == attempt.profile }
      let isFarther = distance(arm.boundary) > distance(there?.boundary)
      switch attempt.end {
      case .ok: continue
      case .refused: if isFarther { complaints.append("sent on after a refusal") }
      case .empty: break
      case .failed(let kind):
        if kind == .refusal || kind == .contentFiltered, isFarther {
          complaints.append("sent on after \(kind)")
        }
        if stopping.contains(kind) { complaints.append("after \(kind)") }
      }
      if attempt.hasVisibleOutput { complaints.append("after visible output") }
    }
    let most = policy["constraints"]?["maxAttempts"]?.intValue ?? 3
    if facts.attempts.count >= most { complaints.append("too many calls") }
    return complaints
  }

  private func roomComplaints(_ arm: ArmTraits, _ facts: RoutingFacts) -> [String] {
    var complaints: [String] = []
    let constraints = policy["constraints"]
    let input = facts.arms[arm.name]?.tokensIn?.tokens
    let output = constraints?["reserveOutput"]?.intValue.map { Int($0) } ?? arm.maxOutputTokens ?? 0
    var window = facts.arms[arm.name]?.window?.tokens
    if window == nil, case .tokens(let stated) = arm.window { window = stated }
    if let window, let input {
      let reserve = facts.arms[arm.name]?.window?.holdsOutput == false ? 0 : output
      let margin = constraints?["windowMargin"]?.doubleValue ?? 0.05
      if Double(input + reserve) > Double(window) * (1 - margin) + 1e-6 { complaints.append("does not fit") }
    }
    for need in facts.signals["needs"]?.arrayValue ?? [] {
      let can = arm.capabilities?.map(\.rawValue).contains(need.stringValue ?? "") ?? false
      if !can { complaints.append("cannot \(need)") }
    }
    if arm.price == .free { return complaints }
    let budget = facts.signals["budget"]
    let limits = [
      (budget?["case"]?.doubleValue, facts.spent.trial), (budget?["run"]?.doubleValue, facts.spent.trial),
      (budget?["month"]?.doubleValue, facts.spent.trial),
      (constraints?["maxCostPerCase"]?.doubleValue, facts.spent.trial),
      (constraints?["maxCostPerRun"]?.doubleValue, facts.spent.run),
    ]
    for (limit, spent) in limits {
      guard let limit else { continue }
      guard let spent, let input, let price = arm.price else {
        complaints.append("cost unknown")
        continue
      }
      let cost = (Double(input) * price.input + Double(output) * price.output) / 1e6
      if spent + cost > limit + 1e-12 { complaints.append("too dear") }
    }
    return complaints
  }
}
