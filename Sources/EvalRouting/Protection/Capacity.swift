import EvalCore

/// Whether a call can go well at all: window and capabilities. Asked for every candidate, again at every fallback.
struct Capacity: Sendable {
  let arms: [String: ArmTraits]
  let constraints: Constraints
  let isProtected: Bool

  func rejections(of arm: String, _ facts: RoutingFacts) -> [Rejection] {
    var found: [Rejection] = []
    // A policy under study sends what a careless app would send.
    guard isProtected || constraints.windowMargin != nil || constraints.reserveOutput != nil else {
      return found
    }
    if let room = room(arm, facts), let input = facts.arms[arm]?.tokensIn?.tokens {
      let reserve = reserve(arm, facts)
      if input + reserve > room { found.append(.window(input, reserve, room)) }
    }
    return isProtected ? found + lacking(arm, facts) : found
  }

  /// Tokens in + reserve ≤ window · (1 − margin); `nil` where one of them is not known.
  func fits(_ arm: String, _ facts: RoutingFacts) -> Bool? {
    guard let room = room(arm, facts), let input = facts.arms[arm]?.tokensIn?.tokens else { return nil }
    return input + reserve(arm, facts) <= room
  }

  func window(_ arm: String, _ facts: RoutingFacts) -> Int? {
    facts.arms[arm]?.window?.tokens ?? arms[arm]?.statedWindow
  }

  /// Tokens kept for the answer; 0 where the window limits the input alone.
  func reserve(_ arm: String, _ facts: RoutingFacts) -> Int {
    if facts.arms[arm]?.window?.holdsOutput == false { return 0 }
    return constraints.reserveOutput ?? arms[arm]?.maxOutputTokens ?? 0
  }

  /// What `fits` depends on besides facts.
  func basis(ofWindow arm: String?) -> String {
    let margin = constraints.windowMargin ?? Constraints.standardMargin
    func text(_ name: String) -> String {
      let reserve = constraints.reserveOutput ?? arms[name]?.maxOutputTokens ?? 0
      return "\(name) \(arms[name]?.statedWindow ?? -1) \(reserve) \(margin)"
    }
    return arm.map(text) ?? arms.keys.sorted().map(text).joined(separator: ", ")
  }

  /// What the window holds without its margin. Rounded at the 9th digit: 0.95 · 1000 is 950, not a little less.
  func room(_ arm: String, _ facts: RoutingFacts) -> Int? {
    window(arm, facts).map { window in
      let room = Double(window) * (1 - (constraints.windowMargin ?? Constraints.standardMargin))
      return Int((room + 1e-9 * max(1, room)).rounded(.down))
    }
  }

  private func lacking(_ arm: String, _ facts: RoutingFacts) -> [Rejection] {
    guard let needs = facts.signals["needs"]?.arrayValue else { return [] }
    let able = arms[arm]?.capabilities
    return needs.compactMap(\.stringValue).filter { name in
      !(able?.contains { $0.rawValue == name } ?? false)
    }.map { .capability($0, isKnown: able != nil) }
  }
}
