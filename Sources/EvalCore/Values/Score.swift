/// Why a grader gave no judgement.
package enum UnscoredReason: String, Sendable, Hashable, CaseIterable {
  /// There is no answer to look at: the call failed.
  case noAnswer
  /// The check needs a live measurement and this row is a recording.
  case notMeasured
  /// The check needs something the provider does not report.
  case notReported
  /// The grader itself broke: a command failed, a pattern was too expensive, a judge was unreadable.
  case graderFailed
  case notApplicable
}

/// What a grader says: a number in 0…1 with a verdict, or unscored with a reason. Never NaN.
package enum Judgement: Sendable, Hashable {
  /// `value` in 0…1; `passed` is `nil` for a number that nobody set a threshold for.
  case scored(value: Double, passed: Bool?)
  case unscored(UnscoredReason, String)

  /// A pass is 1, a fail is 0.
  package static func verdict(_ passed: Bool) -> Judgement { .scored(value: passed ? 1 : 0, passed: passed) }

  /// A value in 0…1 that passes at or above a threshold; a value that is not finite is a broken grader.
  package static func graded(_ value: Double, threshold: Double?) -> Judgement {
    guard value.isFinite else { return .unscored(.graderFailed, "the grader's value is not a finite number") }
    let bounded = min(max(value, 0), 1)
    return .scored(value: bounded, passed: threshold.map { bounded >= $0 })
  }
}

/// A grader's judgement of one answer.
package struct Score: Sendable {
  /// The check's name in the suite.
  package var check: String
  package var kind: String
  package var weight: Double
  package var judgement: Judgement
  /// One sentence a person can follow: what was looked for and what was found.
  package var explanation: String?
  /// The turn it looks at; `nil` for the whole case.
  package var turn: Int?
  /// Nanoseconds that grading took.
  package var duration: Int64?
  /// What a judge's calls cost, apart from the subject; `nil` for a grader that makes no call.
  package var cost: Cost?
  /// The criteria of a rubric; empty for other graders.
  package var criteria: [CriterionScore] = []

  package init(
    check: String, kind: String, weight: Double = 1, judgement: Judgement, explanation: String? = nil,
    turn: Int? = nil
  ) {
    self.check = check
    self.kind = kind
    self.weight = weight
    self.judgement = judgement
    self.explanation = explanation
    self.turn = turn
  }
}

/// The scores of one trial taken together.
package struct TrialScore: Sendable, Hashable {
  /// The weighted mean of the values in 0…1; `nil` when a check is unscored or there is none.
  package var value: Double?
  /// True when every check with a verdict passed; `nil` when no check has a verdict or one is unscored.
  package var passed: Bool?
  /// The first reason for a `nil` value.
  package var unscored: UnscoredReason?

  /// Takes the scores of one trial together: `Σ w·value / Σ w`, and all verdicts.
  package init(_ scores: [Score]) {
    var sum = 0.0
    var weights = 0.0
    var verdicts: [Bool] = []
    for score in scores {
      switch score.judgement {
      case .scored(let value, let verdict):
        sum += value * score.weight
        weights += score.weight
        if let verdict { verdicts.append(verdict) }
      case .unscored(let reason, _):
        unscored = unscored ?? reason
      }
    }
    if unscored == nil, weights > 0 {
      value = sum / weights
      passed = verdicts.isEmpty ? nil : verdicts.allSatisfy(\.self)
    } else if unscored != nil, verdicts.contains(false) {
      // A failed check stays failed whatever the others would have said.
      passed = false
    }
  }

  package init(value: Double?, passed: Bool?, unscored: UnscoredReason?) {
    self.value = value
    self.passed = passed
    self.unscored = unscored
  }
}
