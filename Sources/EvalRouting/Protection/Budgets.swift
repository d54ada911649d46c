import EvalCore

/// What a call may cost. Asked for every candidate, again at every fallback: a free arm with a paid one behind it would
/// otherwise spend without limit.
struct Budgets: Sendable {
  let arms: [String: ArmTraits]
  let constraints: Constraints
  let capacity: Capacity
  let isProtected: Bool

  static func limitName(_ span: String) -> String { span == "case" ? "maxCostPerCase" : "maxCostPerRun" }

  /// Dollars left for a span, at the moment of the facts; `nil` where nothing limits it or what was spent is not known.
  func left(_ span: String, _ facts: RoutingFacts) -> Reading? {
    let limits = limits(facts).filter { $0.span == span }
    guard let least = limits.min(by: { ($0.left ?? -1) < ($1.left ?? -1) }), let left = least.left else {
      return nil
    }
    return Reading(.number(max(0, left)), least.isStated ? .case : .policy)
  }

  func basis(_ span: String) -> String {
    let limit =
      switch span {
      case "case": constraints.maxCostPerCase
      case "run": constraints.maxCostPerRun
      default: Double?.none
      }
    return limit.map { "\($0)" } ?? ""
  }

  func rejections(of arm: String, _ facts: RoutingFacts) -> [Rejection] {
    limits(facts).compactMap { limit in
      guard isProtected || !limit.isStated else { return nil }
      if arms[arm]?.price?.isFree == true { return nil }
      guard let left = limit.left, let cost = estimate(arm, facts) else { return .unknownCost(limit.name) }
      return cost > left + 1e-12 ? .budget(limit.name, cost, max(0, left)) : nil
    }
  }

  /// What the call may cost: its input, and as much output as is reserved. `nil` where tokens or price are not known.
  func estimate(_ arm: String, _ facts: RoutingFacts) -> Double? {
    guard let price = arms[arm]?.price, let input = facts.arms[arm]?.tokensIn?.tokens else { return nil }
    let output = constraints.reserveOutput ?? arms[arm]?.maxOutputTokens ?? 0
    return (Double(input) * price.input + Double(output) * price.output) / 1e6
  }

  /// The most tokens in that a fresh case can afford; `nil` where nothing limits it.
  func most(_ arm: String) -> Int? {
    let limits = [constraints.maxCostPerCase, constraints.maxCostPerRun].compactMap { $0 }
    guard let limit = limits.min(), let price = arms[arm]?.price, price.input > 0 else { return nil }
    let output = Double(constraints.reserveOutput ?? arms[arm]?.maxOutputTokens ?? 0) * price.output
    let tokens = (limit * 1e6 - output) / price.input
    return (0..<1e9).contains(tokens) ? Int(tokens) : nil
  }

  private struct Limit {
    var span: String
    /// As its owner wrote it.
    var name: String
    /// `nil` where what was spent is not known.
    var left: Double?
    /// Whether the case states it.
    var isStated: Bool
  }

  private func limits(_ facts: RoutingFacts) -> [Limit] {
    var found: [Limit] = []
    for span in ["case", "run", "month"] {
      guard let given = facts.signals["budget"]?[span]?.doubleValue else { continue }
      let left = facts.spent.trial.map { given - $0 }
      found.append(Limit(span: span, name: "budget.\(span)", left: left, isStated: true))
    }
    if let most = constraints.maxCostPerCase {
      let left = facts.spent.trial.map { most - $0 }
      found.append(Limit(span: "case", name: "maxCostPerCase", left: left, isStated: false))
    }
    if let most = constraints.maxCostPerRun {
      let left = facts.spent.run.map { most - $0 }
      found.append(Limit(span: "run", name: "maxCostPerRun", left: left, isStated: false))
    }
    return found
  }
}
