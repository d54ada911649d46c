import EvalCore

extension Signal {
  static let turn = Signal(
    name: "turn", domain: .count, summary: "The turn of the conversation, 0 for the first.",
    origin: "the run", read: { context in Reading(.number(Double(context.facts.turn)), .run) },
    place: { facts, _, value in facts.turn = Int(value.number ?? 0) })
}
