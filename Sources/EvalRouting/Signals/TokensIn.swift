import EvalCore

extension Signal {
  static let tokensIn = Signal(
    name: "tokensIn", domain: .count,
    summary: "Tokens that would travel: instructions, history, tool definitions, schema and input.",
    isPerArm: true, origin: "the arm's own counter, else an estimate",
    read: { context in
      guard let arm = context.arm, let count = context.facts.arms[arm]?.tokensIn else { return nil }
      return Reading(.number(Double(count.tokens)), count.source == .server ? .counted : .estimated)
    })
}
