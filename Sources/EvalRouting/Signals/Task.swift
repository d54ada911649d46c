import EvalCore

extension Signal {
  static let task = Signal.stated(
    "task", .text, schema: ["type": "string", "minLength": 1], "What kind of task it is.")
}
