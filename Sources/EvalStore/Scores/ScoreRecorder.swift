package import EvalCore

/// Writes one score set: judges' calls as they end, a batch of trials in one transaction. It touches no measurement.
package final class ScoreRecorder: RunObserver {
  private let thread: WriterThread
  private let ticket: Int

  init(thread: WriterThread, ticket: Int) {
    self.thread = thread
    self.ticket = ticket
  }

  deinit {
    let ticket = ticket
    // The set's statements belong to the thread.
    thread.later { $0.sets[ticket] = nil }
  }

  /// Keeps a judge's call and what embedders made; other events are not of a score set.
  package func receive(_ event: RunEvent) {
    let ticket = ticket
    switch event {
    case .judgeCall(let call): thread.later { $0.sets[ticket]?.write(call) }
    case .embedding(let use): thread.later { $0.sets[ticket]?.write(use) }
    default: break
    }
  }

  /// Keeps the scores of whole trials: all of them or, when it throws, none.
  /// - Parameter trials: each with the number that `StoredTrial` gave it.
  package func keep(_ trials: [(number: Int64, scores: [Score])]) throws(StoreError) {
    let ticket = ticket
    try thread.perform { desk throws(StoreError) in
      guard let writer = desk.sets[ticket] else { return }
      try desk.connection.transaction { () throws(StoreError) in
        for trial in trials { try writer.write(trial.number, trial.scores) }
      }
      if let failure = writer.failure { throw failure }
    }
  }
}

/// Turns the scores of one set into rows. It lives on the writer's thread.
final class ScoreSetWriter {
  private let run: Int64
  private let set: Int64
  private let generation: Int64
  private let connection: Connection
  private let onFailure: @Sendable (StoreError) -> Void
  private var row: Row
  private let insertScore: Insertion<ScoreSource>
  private let insertTrial: Statement
  private let findTrial: Statement
  private let judges: JudgeWriting
  private let embeddings: EmbeddingWriting
  /// The cases' numbers, read when the first judge was asked.
  private var cases: [ContentHash: Int64]?
  /// Set by the first judge's call that could not be kept.
  private(set) var failure: StoreError?

  private let privacy = Privacy(isPrivate: false)

  init(
    run: Int64, set: Int64, generation: Int64, redactor: Redactor, connection: Connection,
    onFailure: @escaping @Sendable (StoreError) -> Void
  ) throws(StoreError) {
    (self.run, self.set, self.generation, self.connection) = (run, set, generation, connection)
    self.onFailure = onFailure
    row = Row(redactor)
    insertScore = try Insertion(into: "scores", ScoreSource.columns, on: connection)
    insertTrial = try connection.prepare(
      """
      INSERT INTO set_trials (trial_no, score_set, generation, score, passed, unscored)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """)
    findTrial = try connection.prepare(
      """
      SELECT trial_no FROM trials WHERE run_no = ?1 AND case_no = ?2
        AND target_no IN (SELECT target_no FROM targets WHERE run_no = ?1 AND hash = ?3) AND repeat = ?4
      """)
    judges = try JudgeWriting(connection)
    embeddings = try EmbeddingWriting(connection)
  }

  func write(_ trial: Int64, _ scores: [Score]) throws(StoreError) {
    let whole = TrialScore(scores)
    row.clear()
    row.integer(trial)
    row.integer(set)
    row.integer(generation)
    row.real(whole.value)
    row.flag(whole.passed)
    row.word(whole.unscored)
    try insertTrial.run(row)
    for (ordinal, score) in scores.enumerated() {
      try insertScore.run(
        ScoreSource(trial: trial, set: set, ordinal: ordinal, score: score, privacy: privacy), &row)
    }
  }

  /// Keeps a judge's call by itself: it has been paid for whatever becomes of its trial.
  func write(_ call: JudgeCall) {
    keep(call.place.trial) { trial throws(StoreError) in
      try judges.write(
        JudgeCallSource(trial: trial, generation: generation, set: set, call: call, privacy: privacy), &row,
        connection)
    }
  }

  func write(_ use: EmbeddingUse) {
    keep(use.place.trial) { trial throws(StoreError) in
      try embeddings.write(
        EmbeddingUseSource(trial: trial, generation: generation, set: set, use: use), keepsVectors: true, &row
      )
    }
  }

  private func keep(_ key: TrialKey?, _ write: (Int64) throws(StoreError) -> Void) {
    guard failure == nil, let key else { return }
    do throws(StoreError) {
      guard let trial = try number(of: key) else { return }
      try connection.transaction { () throws(StoreError) in try write(trial) }
    } catch {
      failure = error
      onFailure(error)
    }
  }

  private func number(of key: TrialKey) throws(StoreError) -> Int64? {
    if cases == nil { cases = try TextReader.cases(of: run, connection) }
    guard let subject = cases?[key.caseHash] else { return nil }
    findTrial.bind([
      .integer(run), .integer(subject), .text(key.targetHash.hex), .integer(Int64(key.repeatIndex)),
    ])
    defer { findTrial.reset() }
    return try findTrial.step() ? findTrial.int64(0) : nil
  }
}
