package import EvalCore

extension RunStore {
  /// The new gradings of a run's answers, by number; the run's own is not among them.
  /// - Parameter run: its id.
  package func scoreSets(_ run: String) throws(StoreError) -> [ScoreSetInfo] {
    let connection = try reader()
    return try connection.snapshot { () throws(StoreError) in
      let select = try connection.prepare(
        """
        SELECT score_set, name, created_at, finished_at, hash, suite_name, suite_path, suite_hash, tool_version,
          provenance, trials, planned_trials, skipped_cases, skipped, judging
        FROM score_sets WHERE run_no = (SELECT run_no FROM runs WHERE id = ?1) ORDER BY score_set
        """)
      select.bind([.text(run)])
      var sets: [ScoreSetInfo] = []
      while try select.step() {
        guard let set = RunStore.scoreSet(select) else { continue }
        sets.append(set)
      }
      let covered = try RunStore.covered(run, connection)
      for place in sets.indices { sets[place].covered = covered[sets[place].number] ?? 0 }
      return sets
    }
  }

  /// How many new gradings each run has, by its id; a run without one is not in it.
  package func scoreSetCounts() throws(StoreError) -> [String: Int] {
    let select = try reader().prepare(
      "SELECT r.id, count(*) FROM score_sets JOIN runs r USING (run_no) GROUP BY run_no")
    var counts: [String: Int] = [:]
    while try select.step() { counts[select.text(0) ?? ""] = select.int(1) }
    return counts
  }

  /// Finds a set by its number or its name.
  /// - Returns: `nil` for `0`, the run's own grading.
  /// - Throws: `noSuchScoreSet` with the sets that there are.
  package func scoreSet(_ text: String, of run: String) throws(StoreError) -> ScoreSetInfo? {
    if text == "0" { return nil }
    let sets = try scoreSets(run)
    if let set = sets.first(where: { $0.name == text || String($0.number) == text }) { return set }
    let there =
      sets.isEmpty ? "it has none but its own, 0" : "it has 0, \(sets.map(\.label).joined(separator: ", "))"
    throw StoreError(
      .noSuchScoreSet, "run \(run) has no score set '\(text)'",
      advice: suggestion(for: text, among: sets.compactMap(\.name)) ?? there)
  }

  /// What judges of a set cost: calls, and US dollars of those whose cost is known.
  /// - Parameter set: 0 for the run's own grading.
  package func judgeCosts(
    _ run: String, set: Int
  ) throws(StoreError) -> (calls: Int, knownDollars: Double, unknown: Int) {
    let select = try reader().prepare(
      """
      SELECT sum(calls), sum(known_cost_usd), sum(unknown_costs) FROM judge_costs
      WHERE run = ?1 AND score_set = ?2
      """)
    select.bind([.text(run), .integer(Int64(set))])
    guard try select.step() else { return (0, 0, 0) }
    return (select.int(0) ?? 0, select.double(1) ?? 0, select.int(2) ?? 0)
  }

  private static func covered(_ run: String, _ connection: Connection) throws(StoreError) -> [Int: Int] {
    let select = try connection.prepare(
      """
      SELECT s.score_set, count(*) FROM trials t JOIN set_trials s USING (trial_no)
      WHERE t.run_no = (SELECT run_no FROM runs WHERE id = ?1) GROUP BY s.score_set
      """)
    select.bind([.text(run)])
    var counts: [Int: Int] = [:]
    while try select.step() { counts[select.int(0) ?? 0] = select.int(1) }
    return counts
  }

  private static func scoreSet(_ row: borrowing Statement) -> ScoreSetInfo? {
    guard let hash = row.hash(4), let suite = row.hash(7) else { return nil }
    var set = ScoreSetInfo(
      name: row.text(1), createdAt: row.double(2) ?? 0, hash: hash, suiteName: row.text(5) ?? "",
      suitePath: row.text(6) ?? "", suiteHash: suite, toolVersion: row.text(8) ?? "",
      provenance: row.text(9).flatMap(Provenance.init) ?? .recorded, trials: row.int(10) ?? 0,
      planned: row.int(11) ?? 0,
      skipped: row.json(13)?.arrayValue?.compactMap(ScoreSetInfo.SkippedCase.init) ?? [],
      skippedCount: row.int(12) ?? 0, judging: row.json(14))
    set.number = row.int(0) ?? 0
    set.finishedAt = row.double(3)
    return set
  }
}
