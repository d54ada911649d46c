/// How a case wants to end.
package enum Expectation: String, Sendable, Hashable, CaseIterable {
  /// With an answer, which the checks look at.
  case answer
  /// The model declines.
  case refusal
  /// The policy lets nothing out.
  case block

  /// The name of the one score of a case that does not want an answer.
  package static let check = "expects"

  /// Whether a trial that ended so ended as wanted; never for `answer`, which its checks judge.
  package func isMet(by status: TrialStatus) -> Bool {
    switch self {
    case .answer: false
    case .refusal: status == .refused
    case .block: status == .blocked
    }
  }
}
