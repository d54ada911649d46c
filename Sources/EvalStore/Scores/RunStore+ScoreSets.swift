package import EvalCore

extension RunStore {
  /// Starts a new score set of a run, or goes on with one; hold the run's lock meanwhile.
  ///
  /// Each recorder is a generation of the set of its own, so that what judges said of trials that an earlier process left
  /// unfinished stays counted and apart.
  /// - Parameters:
  ///   - set: with the number 0 for a new one; else its `trials`, `planned` and skipped cases are brought up to date.
  ///   - run: the run's id.
  ///   - onFailure: called once, on the writer's thread, when a judge's call cannot be kept; it must not call the store.
  /// - Returns: the set with its number.
  /// - Throws: `noSuchRun`.
  package func openScoreSet(
    _ set: ScoreSetInfo, of run: String, redactor: Redactor,
    onFailure: @escaping @Sendable (StoreError) -> Void
  ) throws(StoreError) -> (set: ScoreSetInfo, recorder: ScoreRecorder) {
    let thread = try writer()
    let (opened, ticket) = try thread.perform { desk throws(StoreError) in
      let connection = desk.connection
      guard let number = try connection.integer("SELECT run_no FROM runs WHERE id = ?1", .text(run)) else {
        throw StoreError(.noSuchRun, "there is no run \(run) in \(connection.path)")
      }
      let (opened, generation) = try connection.transaction { () throws(StoreError) in
        try RunStore.row(of: set, run: number, redactor, connection)
      }
      let writer = try ScoreSetWriter(
        run: number, set: Int64(opened.number), generation: generation, redactor: redactor,
        connection: connection, onFailure: onFailure)
      return (opened, desk.open(writer))
    }
    return (opened, ScoreRecorder(thread: thread, ticket: ticket))
  }

  /// Notes that a set has scores of everything that it covers.
  package func finishScoreSet(_ set: ScoreSetInfo, of run: String) throws(StoreError) {
    try write { desk throws(StoreError) in
      try desk.connection.run(
        """
        UPDATE score_sets SET finished_at = ?3
        WHERE run_no = (SELECT run_no FROM runs WHERE id = ?1) AND score_set = ?2
        """, .text(run), .integer(Int64(set.number)), .real(WallClock.now()))
    }
  }

  private static func row(
    of set: ScoreSetInfo, run: Int64, _ redactor: Redactor, _ connection: Connection
  ) throws(StoreError) -> (ScoreSetInfo, Int64) {
    var opened = set
    if set.number == 0 {
      let last = try connection.integer(
        "SELECT max(score_set) FROM score_sets WHERE run_no = ?1", .integer(run))
      opened.number = Int(last ?? 0) + 1
      var row = Row(redactor)
      let insert = try Insertion(into: "score_sets", ScoreSetSource.columns, on: connection)
      try insert.run(ScoreSetSource(run: run, set: opened), &row)
    }
    opened.finishedAt = nil
    let number = Value.integer(Int64(opened.number))
    try connection.run(
      """
      UPDATE score_sets SET generation = generation + 1, finished_at = NULL, trials = ?3, planned_trials = ?4,
        skipped_cases = ?5, skipped = ?6 WHERE run_no = ?1 AND score_set = ?2
      """, .integer(run), number, .integer(Int64(set.trials)), .integer(Int64(set.planned)),
      .integer(Int64(set.skippedCount)), .text(Row.clean(.array(set.skipped.map(\.json)), redactor)))
    let generation = try connection.integer(
      "SELECT generation FROM score_sets WHERE run_no = ?1 AND score_set = ?2", .integer(run), number)
    return (opened, generation ?? 1)
  }
}
