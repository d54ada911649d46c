import EvalCore

extension Signal {
  static let custom = Signal(
    name: "custom.", domain: .anything,
    summary: "A fact of your own, by its name in the case's custom object.",
    descriptor: SignalDescriptor(
      key: "custom", summary: "Facts of your own that a policy may read as custom.NAME.",
      schema: [
        "type": "object",
        "additionalProperties": [
          "anyOf": [
            ["type": "boolean"], ["type": "number"], ["type": "string"],
            ["type": "array", "items": ["type": "string"]],
          ]
        ],
      ]),
    origin: "case",
    read: { context in
      context.facts.signals["custom"]?[context.member].flatMap { SignalValue($0) }.map { Reading($0, .case) }
    })
}
