package import EvalCore

/// Counts and costs of a run, taken from its rows.
package struct RunTotals: Sendable, Hashable {
  /// Trials that are done, by how they ended.
  package var trials: [TrialStatus: Int]
  /// Calls made, warm-up and those of interrupted trials included.
  package var attempts: Int
  /// Of these, before the measurement.
  package var warmupAttempts: Int
  /// Of these, in trials that were interrupted: they cost, and count in no metric.
  package var uncountedAttempts: Int
  /// US dollars of all attempts whose cost is known; 0 when none is.
  package var knownDollars: Double
  /// Attempts whose cost is not known.
  package var unknownCosts: Int
  /// True when providers may charge more than is known.
  package var isLowerBound: Bool

  /// Trials that are done, however they ended.
  package var finishedTrials: Int { trials.filter { $0.key != .cancelled }.values.reduce(0, +) }

  /// Over all attempts, those of interrupted trials included; unknown when one is unknown.
  package var cost: Cost { Cost(dollars: unknownCosts == 0 ? knownDollars : nil, isLowerBound: isLowerBound) }
}

extension RunStore {
  /// How many trials of each run are done, by run id; a run without one is not in it.
  package func finishedCounts() throws(StoreError) -> [String: Int] {
    let select = try reader().prepare(
      """
      SELECT r.id, count(*) FROM trials t JOIN runs r USING (run_no)
      WHERE t.status NOT IN ('open', 'cancelled') GROUP BY t.run_no
      """)
    var counts: [String: Int] = [:]
    while try select.step() { counts[select.text(0) ?? ""] = select.int(1) }
    return counts
  }

  /// - Throws: `noSuchRun`.
  package func totals(_ id: String) throws(StoreError) -> RunTotals {
    let connection = try reader()
    return try connection.snapshot { () throws(StoreError) in
      let costs = try connection.prepare(
        """
        SELECT attempts, warmup_attempts, uncounted_attempts, known_cost_usd, unknown_costs, is_lower_bound
        FROM run_costs WHERE run = ?1
        """)
      costs.bind([.text(id)])
      guard try costs.step() else { throw StoreError(.noSuchRun, "there is no run \(id) in \(path)") }
      return RunTotals(
        trials: try RunStore.trialCounts(id, connection), attempts: costs.int(0) ?? 0,
        warmupAttempts: costs.int(1) ?? 0, uncountedAttempts: costs.int(2) ?? 0,
        knownDollars: costs.double(3) ?? 0, unknownCosts: costs.int(4) ?? 0,
        isLowerBound: costs.flag(5) ?? false)
    }
  }

  /// What the finished trials of each target cost, in US dollars by the target's name; `nil` where a call's cost is not
  /// known. A target without a finished trial is not in it.
  package func spent(_ id: String) throws(StoreError) -> [String: Double?] {
    let select = try reader().prepare(
      """
      SELECT target, iif(count(*) = count(cost_usd), sum(cost_usd), NULL) FROM trial_results
      WHERE run = ?1 AND status <> 'cancelled' GROUP BY target
      """)
    select.bind([.text(id)])
    var spent: [String: Double?] = [:]
    while try select.step() { spent[select.text(0) ?? ""] = .some(select.double(1)) }
    return spent
  }

  private static func trialCounts(
    _ id: String, _ connection: Connection
  ) throws(StoreError) -> [TrialStatus: Int] {
    let select = try connection.prepare(
      """
      SELECT status, count(*) FROM trials WHERE run_no = (SELECT run_no FROM runs WHERE id = ?1)
        AND status <> 'open' GROUP BY status
      """)
    select.bind([.text(id)])
    var counts: [TrialStatus: Int] = [:]
    while try select.step() {
      if let status = select.text(0).flatMap(TrialStatus.init) { counts[status] = select.int(1) ?? 0 }
    }
    return counts
  }
}
