import EvalCore

extension Signal {
  static let needs = Signal.stated(
    "needs", .members(Capability.allCases.map(\.rawValue)),
    schema: ["type": "array", "items": words(Capability.allCases.map(\.rawValue))],
    "What the arm must be able to do; an arm that cannot is never called.", value: { SignalValue($0) })
}
