package import EvalCore

/// A judge's word on one answer, which a person's label can stand beside.
package struct JudgedAnswer: Sendable {
  package var key: TrialKey
  package var caseID: String
  package var target: String
  package var check: String
  /// 0-based; the last one for a check of the whole case.
  package var turn: Int
  /// The number of the attempt whose answer was judged.
  package var attempt: Int
  /// `nil` where nothing says what passes.
  package var passed: Bool?
  /// In 0…1.
  package var value: Double
  /// In 0…1, by the criterion's name.
  package var criteria: [String: Double]
  /// `nil` for a run of an evalrun that did not write down what was asked.
  package var identity: JudgeIdentity?
  /// True for a check `judge`, whose one criterion is the verdict.
  package var isVerdictAlone: Bool

  /// The answers of a trial that judges scored by checks of their own; a check within another one has no score to see.
  package static func all(of trial: TrialRecord) -> [JudgedAnswer] {
    trial.scores.compactMap { JudgedAnswer($0, of: trial) }
  }

  /// Every judged answer of a run, in the run's order.
  /// - Throws: what the source throws.
  package static func all(in source: some TrialSource) throws -> [JudgedAnswer] {
    var answers: [JudgedAnswer] = []
    try source.forEachTrial { answers += all(of: $0) }
    return answers
  }

  private init?(_ score: ScoreRecord, of trial: TrialRecord) {
    guard score.kind == "rubric" || score.kind == "judge",
      case .scored(let value, let passed) = score.judgement
    else { return nil }
    let turn = score.turn ?? trial.attempts.map(\.turn).max() ?? 0
    let served = trial.attempts.last { attempt in
      attempt.phase == .measured && attempt.turn == turn && trial.isServed(attempt)
    }
    guard let served else { return nil }
    key = trial.key
    caseID = trial.caseID
    target = trial.target
    check = score.check
    isVerdictAlone = score.kind == "judge"
    self.turn = turn
    attempt = served.number
    self.passed = passed
    self.value = value
    criteria = Dictionary(
      score.criteria.map { ($0.criterion, $0.value) }, uniquingKeysWith: { first, _ in first })
    identity = JudgedAnswer.identity(of: score.check, turn: turn, in: trial)
  }

  private static func identity(of check: String, turn: Int, in trial: TrialRecord) -> JudgeIdentity? {
    let calls = trial.judgeCalls.filter {
      $0.place.check == check && ($0.place.turn ?? turn) == turn && $0.place.purpose == .score
    }
    let hashes = Set(calls.compactMap(\.judgeHash)).sorted { $0.hex < $1.hex }
    guard let form = calls.lazy.compactMap(\.form).first, !hashes.isEmpty else { return nil }
    return JudgeIdentity(form: form, judges: hashes)
  }
}
