package import EvalCore

/// Reads the answers of a run's finished trials in batches, to be graded anew.
///
/// Trials come case by case, so that a case is read once. Memory holds the numbers of the trials and one batch; each batch
/// is a short read, so that the writer's log does not grow behind a long one.
package final class StoredAnswers {
  /// Finished trials of the run.
  package private(set) var trials = 0
  /// Of these, trials of the cases that were asked for.
  package private(set) var planned = 0
  /// Of these, trials that the set has no scores of.
  package var left: Int { numbers.count - position }

  private var numbers: [Int64] = []
  private var position = 0
  private let trial: Statement
  private let attempts: Statement
  private var targets: [Int64: (name: String, hash: ContentHash)] = [:]
  /// Outlives the statements.
  private let connection: Connection

  fileprivate init(
    run: Int64, set: Int, covers: (ContentHash) -> Bool, on connection: Connection
  ) throws(StoreError) {
    self.connection = connection
    trial = try connection.prepare(
      """
      SELECT t.generation, t.target_no, t.repeat, t.status, t.error_class, t.served, c.case_id, c.hash
      FROM trials t JOIN cases c USING (run_no, case_no) WHERE t.trial_no = ?1
      """)
    attempts = try connection.prepare(
      """
      SELECT \(AnswerReading.columns) FROM attempts a LEFT JOIN texts x USING (attempt_no)
      WHERE a.attempt_no BETWEEN ?1 * 65536 AND ?1 * 65536 + 65535 AND a.generation = ?2 AND a.phase = 'measured'
      ORDER BY a.attempt_no
      """)
    try readTargets(of: run)
    try readNumbers(of: run, set: set, covers: covers)
  }

  private func readTargets(of run: Int64) throws(StoreError) {
    let select = try connection.prepare("SELECT target_no, name, hash FROM targets WHERE run_no = ?1")
    select.bind([.integer(run)])
    while try select.step() {
      if let hash = select.hash(2) { targets[select.integer(0)] = (select.text(1) ?? "", hash) }
    }
  }

  private func readNumbers(
    of run: Int64, set: Int, covers: (ContentHash) -> Bool
  ) throws(StoreError) {
    let known = try TextReader.cases(of: run, connection)
    let covered = Set(known.filter { covers($0.key) }.values)
    let select = try connection.prepare(
      """
      SELECT t.trial_no, t.case_no, s.trial_no IS NOT NULL FROM trials t
      LEFT JOIN set_trials s ON s.trial_no = t.trial_no AND s.score_set = ?2
      WHERE t.run_no = ?1 AND t.status NOT IN ('open', 'cancelled') ORDER BY t.case_no, t.target_no, t.repeat
      """)
    select.bind([.integer(run), .integer(Int64(set))])
    while try select.step() {
      trials += 1
      guard covered.contains(select.integer(1)) else { continue }
      planned += 1
      if select.integer(2) == 0 { numbers.append(select.integer(0)) }
    }
  }

  /// The next trials, at most so many; empty at the end.
  package func next(_ count: Int) throws(StoreError) -> [StoredTrial] {
    let batch = numbers[position..<min(numbers.count, position + count)]
    position += batch.count
    var found: [StoredTrial] = []
    found.reserveCapacity(batch.count)
    for number in batch {
      if let one = try read(number) { found.append(one) }
    }
    return found
  }

  private func read(_ number: Int64) throws(StoreError) -> StoredTrial? {
    trial.bind([.integer(number)])
    defer { trial.reset() }
    guard try trial.step(), let target = targets[trial.integer(1)], let hash = trial.hash(7),
      let status = trial.text(3).flatMap(TrialStatus.init)
    else { throw StoreError(.notADatabase, "trial \(number) in the database cannot be read") }
    var stored = StoredTrial(
      number: number,
      key: TrialKey(caseHash: hash, targetHash: target.hash, repeatIndex: trial.int(2) ?? 0),
      caseID: trial.text(6) ?? "", target: target.name, status: status,
      errorClass: trial.text(4).flatMap(ErrorClass.init), attempts: [],
      servedNumbers: trial.json(5)?.arrayValue?.compactMap { $0.intValue.map { Int($0) } })
    attempts.bind([.integer(number), .integer(trial.integer(0))])
    defer { attempts.reset() }
    while try attempts.step() {
      let attempt = AnswerReading.attempt(attempts)
      if AnswerReading.isLost(attempts), attempt.reply.outcome.error == nil {
        stored.lostAnswer = attempt.number
      }
      stored.attempts.append(attempt)
    }
    return stored
  }
}

extension RunStore {
  /// The answers of a run that a score set has no scores of yet.
  /// - Parameters:
  ///   - run: its id.
  ///   - set: 0 for a set that is still to be made.
  ///   - covers: whether the set grades the answers to the case of this hash.
  /// - Throws: `noSuchRun`.
  package func answers(
    _ run: String, set: Int, covers: (ContentHash) -> Bool
  ) throws(StoreError) -> StoredAnswers {
    let connection = try reader()
    guard let number = try connection.integer("SELECT run_no FROM runs WHERE id = ?1", .text(run)) else {
      throw StoreError(.noSuchRun, "there is no run \(run) in \(path)")
    }
    return try StoredAnswers(run: number, set: set, covers: covers, on: connection)
  }
}

/// Reads of an attempt and its texts what graders look at.
private enum AnswerReading {
  static let columns = """
    a.turn, a.step, a.number, a.profile, a.outcome, a.error_class, a.error_message, a.http_status, a.finish,
    a.provenance, a.t_start, a.t_first_reasoning, a.t_first_content, a.t_first_tool, a.t_terminal, a.t_done,
    a.has_usage, a.input_tokens, a.cached_input_tokens, a.cache_write_tokens, a.output_tokens, a.reasoning_tokens,
    a.cost_usd, a.cost_is_lower_bound, x.answer, x.reasoning, x.tool_calls, x.refusal
    """

  static func isLost(_ row: borrowing Statement) -> Bool { row.isNull(24) }

  static func attempt(_ row: borrowing Statement) -> Attempt {
    var reply = ProviderReply(outcome: outcome(row), timeline: timeline(row))
    reply.text = row.text(24) ?? ""
    reply.reasoning = row.text(25) ?? ""
    reply.toolCalls = row.json(26)?.arrayValue?.map(ToolCall.init(stored:)) ?? []
    reply.refusal = row.text(27)
    reply.finish = row.text(8).flatMap(Finish.init)
    reply.provenance = row.text(9).flatMap(Provenance.init) ?? .recorded
    if row.flag(16) == true {
      reply.usage = Usage(
        input: row.int(17), cachedInput: row.int(18), cacheWrite: row.int(19), output: row.int(20),
        reasoning: row.int(21))
    }
    return Attempt(
      turn: row.int(0) ?? 0, step: row.int(1) ?? 0, number: row.int(2) ?? 0, profile: row.text(3) ?? "",
      reply: reply, cost: Cost(dollars: row.double(22), isLowerBound: row.flag(23) ?? false))
  }

  private static func outcome(_ row: borrowing Statement) -> Outcome {
    switch row.text(4) {
    case Outcome.ok.label: .ok
    case Outcome.refused.label: .refused
    case Outcome.empty.label: .empty
    default:
      .failed(
        ProviderError(
          row.text(5).flatMap(ErrorClass.init) ?? .unknown, row.text(6) ?? "", status: row.int(7)))
    }
  }

  /// Intervals alone count for graders, so the stamps stay on their process's own clock.
  private static func timeline(_ row: borrowing Statement) -> Timeline {
    var timeline = Timeline()
    timeline.start = row.int64(10)
    timeline.firstReasoning = row.int64(11)
    timeline.firstContent = row.int64(12)
    timeline.firstTool = row.int64(13)
    timeline.terminal = row.int64(14)
    timeline.done = row.int64(15)
    return timeline
  }
}
