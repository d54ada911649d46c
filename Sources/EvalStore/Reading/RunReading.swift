package import EvalCore

extension RunStore {
  /// The newest runs first.
  /// - Parameter limit: at most so many; `nil` gives all.
  package func runs(limit: Int? = nil) throws(StoreError) -> [RunInfo] {
    try runs("ORDER BY started_at DESC, run_no DESC LIMIT ?1", .integer(limit.map(Int64.init) ?? -1))
  }

  /// The newest run of this plan that is not finished and may be gone on with; `nil` without one.
  ///
  /// Another process may be working on it: `lock` tells.
  package func unfinished(planHash: ContentHash) throws(StoreError) -> RunInfo? {
    try runs(
      """
      WHERE plan_hash = ?1 AND status IN ('running', 'interrupted')
      ORDER BY started_at DESC, run_no DESC LIMIT 1
      """, .text(planHash.hex)
    ).first
  }

  /// Finds a run as people name them: `latest`, an id, the name of a run (the newest of that name), or the beginning of
  /// an id that no other has.
  /// - Throws: `noSuchRun` with the nearest name, or `ambiguousRun` with the ids that fit.
  package func run(matching text: String) throws(StoreError) -> RunInfo {
    if text == "latest" {
      if let run = try runs(limit: 1).first { return run }
      throw StoreError(.noSuchRun, "there is no run in \(path) yet", advice: "run a suite first")
    }
    if let run = try runs("WHERE id = ?1", .text(text)).first { return run }
    let named = try runs("WHERE name = ?1 ORDER BY started_at DESC, run_no DESC LIMIT 1", .text(text))
    if let run = named.first { return run }
    let fitting = try runs(
      "WHERE substr(id, 1, length(?1)) = ?1 AND ?1 <> '' ORDER BY id LIMIT 6", .text(text))
    if let run = fitting.first, fitting.count == 1 { return run }
    guard fitting.isEmpty else {
      let ids = fitting.prefix(5).map(\.id).joined(separator: ", ")
      throw StoreError(
        .ambiguousRun, "several runs begin with '\(text)': \(ids)\(fitting.count > 5 ? ", …" : "")",
        advice: "give more of the id")
    }
    let all = try runs(limit: 1000)
    throw StoreError(
      .noSuchRun, "there is no run '\(text)' in \(path)",
      advice: suggestion(for: text, among: all.map(\.id) + all.compactMap(\.name))
        ?? "`evalrun list` shows all runs")
  }

  /// The trials that are done; a cancelled one is not.
  package func finishedTrials(_ id: String) throws(StoreError) -> Set<TrialKey> {
    let select = try reader().prepare(
      """
      SELECT c.hash, g.hash, t.repeat FROM trials t
      JOIN cases c USING (run_no, case_no) JOIN targets g USING (target_no)
      WHERE t.run_no = (SELECT run_no FROM runs WHERE id = ?1) AND t.status NOT IN ('open', 'cancelled')
      """)
    select.bind([.text(id)])
    var keys: Set<TrialKey> = []
    while try select.step() {
      guard let subject = select.text(0).flatMap(ContentHash.init(hex:)),
        let target = select.text(1).flatMap(ContentHash.init(hex:)), let index = select.int64(2)
      else { continue }
      keys.insert(TrialKey(caseHash: subject, targetHash: target, repeatIndex: Int(index)))
    }
    return keys
  }

  /// A case's content as `CaseFacts` has it; `nil` when it is not stored, as in a private run.
  package func caseContent(_ id: String, _ hash: ContentHash) throws(StoreError) -> JSONValue? {
    let select = try reader().prepare(
      "SELECT content FROM cases WHERE run_no = (SELECT run_no FROM runs WHERE id = ?1) AND hash = ?2")
    select.bind([.text(id), .text(hash.hex)])
    return try select.step() ? select.json(0) : nil
  }

  private func runs(_ tail: String, _ values: Value...) throws(StoreError) -> [RunInfo] {
    let connection = try reader()
    return try connection.snapshot { () throws(StoreError) in
      let select = try connection.prepare("SELECT \(RunReading.columns) FROM runs \(tail)")
      select.bind(values)
      var runs: [RunInfo] = []
      while try select.step() {
        guard var run = RunReading.run(select), let number = select.int64(0) else { continue }
        run.targets = try RunReading.targets(of: number, connection)
        run.arms = try RunReading.arms(of: number, connection)
        run.findings = try RunReading.findings(of: number, connection)
        // A process that died has left its run as running.
        if run.status == .running, !RunLock.isHeld(path: lockPath(run.id)) { run.status = .interrupted }
        runs.append(run)
      }
      return runs
    }
  }
}

/// Reads the rows of `runs` and what hangs on them.
enum RunReading {
  static let columns = """
    run_no, id, name, suite_name, suite_path, suite_hash, plan_hash, status, seed, repeats, planned_trials,
    case_count, started_at, started_monotonic, finished_at, settings, provenance, recording, is_private,
    tool_version, machine, privacy
    """

  /// `nil` for a row that this version cannot read.
  static func run(_ row: borrowing Statement) -> RunInfo? {
    guard let suite = row.hash(5), let plan = row.hash(6),
      let status = row.text(7).flatMap(RunStatus.init(rawValue:)),
      let seed = row.text(8).flatMap({ UInt64($0) }),
      let provenance = row.text(16).flatMap(Provenance.init(rawValue:))
    else { return nil }
    var run = RunInfo(
      id: row.text(1) ?? "", suiteName: row.text(3) ?? "", suitePath: row.text(4) ?? "", suiteHash: suite,
      planHash: plan, seed: seed, repeats: row.int(9) ?? 1, plannedTrials: row.int(10) ?? 0,
      caseCount: row.int(11) ?? 0, startedAt: row.double(12) ?? 0, startedMonotonic: row.int64(13) ?? 0,
      targets: [], settings: row.json(15) ?? .null, provenance: provenance, toolVersion: row.text(19) ?? "",
      machine: row.text(20) ?? "")
    run.name = row.text(2)
    run.status = status
    run.finishedAt = row.double(14)
    run.recording = row.text(17)
    run.isPrivate = row.flag(18) ?? false
    run.privacy = row.json(21).map(PrivacyRules.init(json:))
    return run
  }

  static func targets(of run: Int64, _ connection: Connection) throws(StoreError) -> [RunInfo.TargetInfo] {
    try targets(of: run, "position IS NOT NULL ORDER BY position", connection)
  }

  /// Profiles that are called only as arms of a route.
  static func arms(of run: Int64, _ connection: Connection) throws(StoreError) -> [RunInfo.TargetInfo] {
    // A warm-up's row has no content.
    try targets(
      of: run, "position IS NULL AND json_type(content) = 'object' ORDER BY target_no", connection)
  }

  private static func targets(
    of run: Int64, _ condition: String, _ connection: Connection
  ) throws(StoreError) -> [RunInfo.TargetInfo] {
    let select = try connection.prepare(
      "SELECT name, kind, hash, content FROM targets WHERE run_no = ?1 AND \(condition)")
    select.bind([.integer(run)])
    var targets: [RunInfo.TargetInfo] = []
    while try select.step() {
      guard let hash = select.hash(2) else { continue }
      targets.append(
        RunInfo.TargetInfo(
          name: select.text(0) ?? "", kind: select.text(1) ?? "", hash: hash, content: select.json(3) ?? .null
        ))
    }
    return targets
  }

  static func findings(of run: Int64, _ connection: Connection) throws(StoreError) -> [Finding] {
    let select = try connection.prepare(
      "SELECT code, message, advice, target FROM findings WHERE run_no = ?1 ORDER BY finding_no")
    select.bind([.integer(run)])
    var findings: [Finding] = []
    while try select.step() {
      findings.append(
        Finding(
          code: select.text(0) ?? "", message: select.text(1) ?? "", advice: select.text(2),
          target: select.text(3)))
    }
    return findings
  }
}
