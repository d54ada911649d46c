package import EvalCore

/// Labels of people held against the judges of a run.
package struct JudgeCheck: Sendable {
  package var run: RunInfo
  package var file: String
  package var labelledBy: String?
  package var note: String?
  /// Questions that nobody has answered yet.
  package var open: Int
  /// Labels of answers that the run does not have.
  package var elsewhere: Int
  /// One for each check, in the order of the labels.
  package var checks: [CheckMeasurement]
  package var findings: [Finding]
}

/// One check's judge against people.
package struct CheckMeasurement: Sendable {
  package var check: String
  /// The profiles that judged, by name.
  package var judges: [String]
  /// `nil` when nothing says what passes, or nobody has labelled a whole answer.
  package var errors: JudgeErrors?
  /// By target of the run: its judged pass rate, and the same without the judge's errors.
  package var rates: [TargetRate]
  package var criteria: [CriterionMeasurement]
}

/// A target's pass rate at one check, as judged and without the judge's errors.
package struct TargetRate: Sendable, Hashable {
  package var target: String
  package var raw: Estimate
  package var corrected: Result<CorrectedRate, CorrectionRefusal>
  package var basis: JudgeErrors.Basis
}

/// One criterion's levels by people and by the judge.
package struct CriterionMeasurement: Sendable {
  package var criterion: String
  /// Labels of the scale, worst first.
  package var levels: [String]
  package var inAll: LevelAgreement
  package var targets: [(name: String, agreement: LevelAgreement)]
}

/// How far levels agree.
package struct LevelAgreement: Sendable, Hashable {
  /// Labels, not weighted: rows are people's levels, columns the judge's.
  package var table: [[Int]]
  /// The share of the same level.
  package var same: Estimate
  /// Quadratic-weighted for more than two levels.
  package var kappa: Estimate

  package var n: Int { table.reduce(0) { $0 + $1.reduce(0, +) } }

  init(_ sample: LabelledSample, levels: Int, seed: UInt64) {
    table = Array(repeating: Array(repeating: 0, count: levels), count: levels)
    for pair in sample.pairs { table[pair.person][pair.judge] += 1 }
    same = JudgeAccuracy.agreement(sample)
    kappa = CohenKappa.estimate(sample, levels: levels, levels > 2 ? .quadratic : .none, seed: seed)
  }
}

/// What labels that are known for a run's judges say of one of its checks.
package struct MeasuredCheck: Sendable, Hashable {
  package var check: String
  package var errors: JudgeErrors
  /// In the order of the run's targets.
  package var rates: [TargetRate]
  /// How many different questions the check asks, as where every case has its own, and of how many of them labels are
  /// known.
  package var questions: Int
  package var labelledQuestions: Int
}
