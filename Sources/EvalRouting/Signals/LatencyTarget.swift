import EvalCore

extension Signal {
  static let latencyTarget = Signal.stated(
    "latencyTarget", .seconds,
    schema: ["anyOf": [["type": "number", "exclusiveMinimum": 0], ["type": "string", "minLength": 1]]],
    "How long the person is willing to wait.",
    problem: { value, _ in
      SignalDomain.duration(value).map { $0 > 0 } == true
        ? nil : "\(value.serialized()) is no duration: write \"500ms\", \"10s\" or seconds as a number"
    },
    value: { SignalDomain.seconds.literal($0) })
}
