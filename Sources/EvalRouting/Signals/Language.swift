import EvalCore

extension Signal {
  static let language = Signal.stated(
    "language", .text, schema: ["type": "string", "minLength": 1], "The language of the input, such as en.")
}
