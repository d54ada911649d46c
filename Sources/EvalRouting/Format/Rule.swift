/// One rule of a policy: when it takes a case, and which arms may answer.
struct Rule: Sendable {
  var name: String?
  /// `nil` for `else`.
  var when: Condition?
  /// In the order in which they are tried; each once.
  var use: [ArmReference]
}

/// When an arm's answer is good enough to be served.
struct Acceptance: Sendable {
  /// `nil` is every arm.
  var arms: Set<String>?
  var when: Condition

  func concerns(_ arm: String) -> Bool { arms?.contains(arm) ?? true }
}
