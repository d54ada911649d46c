import EvalCore

/// A score on its way into its table.
struct ScoreSource {
  var trial: Int64
  /// 0 for the run's own grading.
  var set: Int64
  var ordinal: Int
  var score: Score
  var privacy: Privacy

  private var unscored: (reason: UnscoredReason, detail: String)? {
    if case .unscored(let reason, let detail) = score.judgement { return (reason, detail) }
    return nil
  }

  private var scored: (value: Double, passed: Bool?)? {
    if case .scored(let value, let passed) = score.judgement { return (value, passed) }
    return nil
  }

  static let columns: [Column<ScoreSource>] = [
    Column("trial_no") { $0.integer($1.trial) },
    Column("score_set") { $0.integer($1.set) },
    Column("ordinal") { $0.integer($1.ordinal) },
    Column("check_name") { $0.text($1.score.check) },
    Column("kind") { $0.text($1.score.kind) },
    Column("weight") { $0.real($1.score.weight) },
    Column("turn") { $0.integer($1.score.turn) },
    Column("value") { $0.real($1.scored?.value) },
    Column("passed") { $0.flag($1.scored?.passed) },
    Column("unscored") { $0.word($1.unscored?.reason) },
    Column("unscored_detail") { row, source in row.text(source.privacy.remark(source.unscored?.detail)) },
    Column("explanation") { row, source in row.text(source.privacy.remark(source.score.explanation)) },
    Column("duration_ns") { $0.integer($1.score.duration) },
    Column("cost_usd") { $0.real($1.score.cost?.dollars) },
    Column("cost_is_lower_bound") { $0.flag($1.score.cost?.isLowerBound) },
    Column("criteria") { row, source in
      row.json(source.score.criteria.isEmpty ? nil : .array(source.score.criteria.map(\.json)))
    },
  ]
}
