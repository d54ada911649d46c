import EvalCore

extension Signal {
  static let network = Signal.stated(
    "network", .words(["online", "constrained", "offline"]),
    schema: words(["online", "constrained", "offline"]), "How the device is connected.")
}
