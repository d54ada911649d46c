import EvalCore

extension Signal {
  static let thermal = Signal.stated(
    "thermal", .scale(["nominal", "fair", "serious", "critical"]),
    schema: words(["nominal", "fair", "serious", "critical"]), "How hot the device is.")
}
