import EvalCore

extension Signal {
  static let lowPower = Signal.stated(
    "lowPower", .flag, schema: ["type": "boolean"], "Whether the device saves power.")
}
