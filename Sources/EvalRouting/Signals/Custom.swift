import EvalCore

extension Signal {
  static let custom = Signal(
    name: "custom.", domain: .anything,
    summary: "A fact of your own, by its name in the case's custom object.", origin: "case",
    read: { context in
      context.facts.signals["custom"]?[context.member].flatMap { SignalValue($0) }.map { Reading($0, .case) }
    },
    place: { facts, name, value in facts.signals.set(name, in: "custom", value.json) })
}
