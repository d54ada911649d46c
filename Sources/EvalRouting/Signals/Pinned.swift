import EvalCore

extension Signal {
  static let pinned = Signal.stated(
    "pinned", .arm, schema: ["type": "string", "minLength": 1],
    "The arm that the person chose; no other is called.",
    problem: { value, arms in
      guard let name = value.stringValue, !arms.contains(name) else { return nil }
      return "there is no arm '\(name)'" + (arms.isEmpty ? "" : "; there are \(arms.joined(separator: ", "))")
    },
    value: { SignalValue($0) })
}
