import EvalCore

extension Signal {
  static let pinned = Signal.stated(
    "pinned", .arm, schema: ["type": "string", "minLength": 1],
    "The arm that the person chose; no other is called.")
}
