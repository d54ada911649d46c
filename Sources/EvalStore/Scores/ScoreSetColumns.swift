import EvalCore

/// A score set on its way into its table.
struct ScoreSetSource {
  var run: Int64
  var set: ScoreSetInfo

  static let columns: [Column<ScoreSetSource>] = [
    Column("run_no") { $0.integer($1.run) },
    Column("score_set") { $0.integer($1.set.number) },
    Column("name") { $0.text($1.set.name) },
    Column("created_at") { $0.real($1.set.createdAt) },
    Column("hash") { $0.hash($1.set.hash) },
    Column("suite_name") { $0.text($1.set.suiteName) },
    Column("suite_path") { $0.text($1.set.suitePath) },
    Column("suite_hash") { $0.hash($1.set.suiteHash) },
    Column("tool_version") { $0.text($1.set.toolVersion) },
    Column("provenance") { $0.word($1.set.provenance) },
    Column("generation") { row, _ in row.integer(0) },
    Column("trials") { $0.integer($1.set.trials) },
    Column("planned_trials") { $0.integer($1.set.planned) },
    Column("skipped_cases") { $0.integer($1.set.skippedCount) },
    Column("skipped") { row, source in row.json(.array(source.set.skipped.map(\.json))) },
    Column("judging") { $0.json($1.set.judging) },
  ]
}

extension ScoreSetInfo.SkippedCase {
  var json: JSONValue { ["case": .string(id), "reason": .string(reason.rawValue)] }

  init?(_ json: JSONValue) {
    guard let id = json["case"]?.stringValue, let reason = json["reason"]?.stringValue.flatMap(Reason.init)
    else { return nil }
    self.init(id: id, reason: reason)
  }
}
