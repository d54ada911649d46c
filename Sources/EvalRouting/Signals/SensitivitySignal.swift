import EvalCore

extension Signal {
  /// What nobody classified is missing, so no condition on it holds; protection takes it for the most sensitive.
  static let sensitivity = Signal.stated(
    "sensitivity", .scale(Sensitivity.classified.map(\.rawValue)),
    schema: words(Sensitivity.allCases.map(\.rawValue)),
    "How much harm the content does in the wrong hands.")
}

extension Sensitivity {
  /// Every class but `unknown`, from little to much.
  static let classified: [Sensitivity] = [.public, .internal, .private, .secret]
}
