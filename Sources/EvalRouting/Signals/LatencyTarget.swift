import EvalCore

extension Signal {
  static let latencyTarget = Signal(
    name: "latencyTarget", domain: .seconds, summary: latencySummary,
    descriptor: descriptor(
      "latencyTarget", latencySummary,
      ["anyOf": [["type": "number", "exclusiveMinimum": 0], ["type": "string", "minLength": 1]]],
      expected: SignalDomain.seconds.words,
      isRight: { value in SignalDomain.duration(value).map { $0 > 0 } ?? false }),
    origin: "case",
    read: { context in
      context.facts.signals["latencyTarget"].flatMap { SignalDomain.seconds.literal($0) }.map {
        Reading($0, .case)
      }
    },
    place: { facts, _, value in facts.signals["latencyTarget"] = value.json })

  private static let latencySummary = "How long the person is willing to wait."
}
