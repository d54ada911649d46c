/// What is compared between two sides, one value a trial.
package enum ComparisonMeasure: String, Sendable, Hashable, CaseIterable {
  /// The trial's score in 0…1, a trial without an answer counting 0.
  case score
  /// 1 when every check with a verdict passed, else 0; a trial without an answer counts 0.
  case pass
  /// The score of trials that both sides answered and judged.
  case scoreConditional
  /// Passed or not, of trials that both sides answered and judged.
  case passConditional
  /// Milliseconds that the user waited for the trial's answers, retries and waits included.
  case latency
  /// Milliseconds to the first token of the first turn, retries and waits included.
  case firstToken
  /// US dollars of all measured attempts of a trial.
  case cost
  /// 1 when any measured attempt of the trial left the device, else 0.
  case cloudShare

  /// How two values of one case are set against each other.
  package enum Scale: Sendable, Hashable {
    /// Candidate less reference.
    case difference
    /// Candidate over reference, as the geometric mean over cases.
    case ratio
  }

  /// True where both sides lie in 0…1, so that no difference exceeds 1.
  package var isShare: Bool {
    switch self {
    case .score, .pass, .scoreConditional, .passConditional, .cloudShare: true
    default: false
    }
  }

  package var scale: Scale {
    switch self {
    case .latency, .firstToken: .ratio
    default: .difference
    }
  }

  /// True when more is better.
  package var isHigherBetter: Bool {
    switch self {
    case .score, .pass, .scoreConditional, .passConditional: true
    case .latency, .firstToken, .cost, .cloudShare: false
    }
  }

  /// True when a trial's value is 0 or 1.
  package var isBinary: Bool {
    switch self {
    case .pass, .passConditional, .cloudShare: true
    default: false
    }
  }

  /// Where a value can lie; `nil` for an open range.
  package var bounds: ClosedRange<Double>? {
    switch self {
    case .score, .pass, .scoreConditional, .passConditional, .cloudShare: 0...1
    case .latency, .firstToken, .cost: nil
    }
  }
}
