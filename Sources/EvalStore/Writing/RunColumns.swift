import EvalCore

/// A run on its way into its table.
struct RunSource {
  var info: RunInfo

  static let columns: [Column<RunSource>] = [
    Column("id") { $0.name(ofRun: $1.info) },
    Column("name") { $0.text($1.info.name) },
    Column("suite_name") { $0.text($1.info.suiteName) },
    Column("suite_path") { $0.text($1.info.suitePath) },
    Column("suite_hash") { $0.hash($1.info.suiteHash) },
    Column("plan_hash") { $0.hash($1.info.planHash) },
    Column("status") { $0.word($1.info.status) },
    Column("seed") { $0.decimal($1.info.seed) },
    Column("repeats") { $0.integer($1.info.repeats) },
    Column("planned_trials") { $0.integer($1.info.plannedTrials) },
    Column("case_count") { $0.integer($1.info.caseCount) },
    Column("started_at") { $0.real($1.info.startedAt) },
    Column("started_monotonic") { $0.integer($1.info.startedMonotonic) },
    Column("finished_at") { $0.real($1.info.finishedAt) },
    Column("settings") { $0.json($1.info.settings) },
    Column("provenance") { $0.word($1.info.provenance) },
    Column("recording") { $0.text($1.info.recording) },
    Column("is_private") { $0.flag($1.info.isPrivate) },
    Column("tool_version") { $0.text($1.info.toolVersion) },
    Column("machine") { $0.text($1.info.machine) },
    Column("privacy") { $0.json($1.info.privacy?.json) },
  ]
}

/// A target of a run on its way into its table.
struct TargetSource {
  var run: Int64
  /// 0-based place in the report; `nil` for a profile that is only called within one.
  var position: Int?
  var info: RunInfo.TargetInfo
  var privacy: Privacy

  static let columns: [Column<TargetSource>] = [
    Column("run_no") { $0.integer($1.run) },
    Column("position") { $0.integer($1.position) },
    Column("name") { $0.text($1.info.name) },
    Column("kind") { $0.text($1.info.kind) },
    Column("hash") { $0.hash($1.info.hash) },
    Column("content") { $0.json($1.privacy.target($1.info.content)) },
  ]
}

/// A finding on its way into its table, which holds each once.
struct FindingSource {
  var run: Int64
  var finding: Finding

  static let columns: [Column<FindingSource>] = [
    Column("run_no") { $0.integer($1.run) },
    Column("code") { $0.text($1.finding.code) },
    Column("message") { $0.text($1.finding.message) },
    Column("advice") { $0.text($1.finding.advice) },
    Column("target") { $0.text($1.finding.target) },
  ]
}

/// A row of `pace`.
struct PaceSource {
  var run: Int64
  var generation: Int64
  var change: PaceChange

  static let columns: [Column<PaceSource>] = [
    Column("run_no") { $0.integer($1.run) },
    Column("generation") { $0.integer($1.generation) },
    Column("endpoint") { $0.text($1.change.endpoint) },
    Column("t_changed") { $0.integer($1.change.at) },
    Column("width") { $0.integer($1.change.width) },
    Column("reason") { $0.word($1.change.reason) },
    Column("pause_ns") { $0.integer($1.change.pause) },
  ]
}
