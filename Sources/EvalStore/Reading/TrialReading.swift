package import EvalCore

extension RunStore {
  /// The finished trials of a run in the order of case id, target and repeat, read one by one.
  /// - Parameters:
  ///   - run: as `run(matching:)` gives it.
  ///   - scores: the set whose scores they have; `nil` takes the run's own. Trials that a set does not cover have none.
  package func trials(_ run: RunInfo, scores: ScoreSetInfo? = nil) -> StoredTrials {
    guard let scores else { return StoredTrials(run: run, path: path) }
    var run = run
    run.scoreSet = scores
    // What is said of judges must be said of those that gave these scores.
    if case .object(var settings) = run.settings {
      settings["judging"] = scores.judging
      run.settings = .object(settings)
    }
    return StoredTrials(run: run, path: path)
  }

  /// The calls before the measurement, of every process that worked on the run.
  package func warmUps(_ run: RunInfo) throws(StoreError) -> [AttemptRecord] {
    let connection = try reader()
    let number = try connection.integer("SELECT run_no FROM runs WHERE id = ?1", .text(run.id)) ?? 0
    let clock = try RunClock(run: number, connection)
    // A warm-up belongs to no trial that ever ends.
    let open = try connection.prepare("SELECT trial_no FROM trials WHERE run_no = ?1 AND status = 'open'")
    let select = try connection.prepare(
      """
      SELECT \(AttemptReading.columns), generation FROM attempts
      WHERE attempt_no BETWEEN ?1 * 65536 AND ?1 * 65536 + 65535 AND phase = 'warmup' ORDER BY attempt_no
      """)
    open.bind([.integer(number)])
    var records: [AttemptRecord] = []
    while try open.step() {
      select.bind([.integer(open.integer(0))])
      while try select.step() {
        let offset = clock.offset(of: select.integer(AttemptReading.count))
        records.append(AttemptReading.attempt(select, offset: offset))
      }
    }
    return records
  }
}

/// The finished trials of one run, in the database.
///
/// Trials come case by case (ordered by the bytes of the case id), within a case by the targets' order in the suite, then
/// by repeat: two databases with the same rows give the same order, whatever order they were written in. All of one pass
/// is read from one snapshot. Memory does not grow with the number of trials.
package struct StoredTrials: TrialSource, Sendable {
  package let run: RunInfo
  let path: String

  /// - Throws: `StoreError`, or what the body throws, which ends the pass.
  package func forEachTrial(_ body: (TrialRecord) throws -> Void) throws {
    let connection = try Connection(path: path, access: .readOnly)
    try connection.execute("BEGIN")
    defer { connection.rollBack() }
    let pass = try TrialPass(run: run.id, set: run.scoreSet?.number ?? 0, connection)
    while let trial = try pass.next() { try body(trial) }
  }
}

/// One pass over the trials of a run, with a cursor for each table.
private final class TrialPass {
  private let trials: Statement
  private let attempts: Statement
  private let scores: Statement
  private let judgeCalls: JudgeCallReading
  private let embeddingUses: EmbeddingUseReading
  private let clock: RunClock
  private var subject: (number: Int64, facts: CaseCells)?
  private var targets: [Int64: (name: String, hash: ContentHash)] = [:]

  /// - Parameter set: whose scores; 0 for the run's own.
  init(run id: String, set: Int, _ connection: Connection) throws(StoreError) {
    let run = try connection.integer("SELECT run_no FROM runs WHERE id = ?1", .text(id)) ?? 0
    // Where the scores of a whole trial stand.
    let own = set == 0 ? "t" : "o"
    let join = "LEFT JOIN set_trials o ON o.trial_no = t.trial_no AND o.score_set = \(set)"
    trials = try connection.prepare(
      """
      SELECT t.trial_no, t.generation, t.case_no, t.target_no, t.repeat, t.status, t.error_class, \(own).score,
        \(own).passed, iif(\(own).trial_no IS NULL, 'notApplicable', \(own).unscored), t.duration_ns, c.case_id, c.tags, c.cluster, c.must_pass, c.hash, t.served,
        t.ending, c.signals, c.expects, \(own).generation
      FROM trials t JOIN cases c USING (run_no, case_no)
      JOIN targets g USING (target_no)
      \(set == 0 ? "" : join)
      WHERE t.run_no = ?1 AND t.status NOT IN ('open', 'cancelled')
      ORDER BY c.case_id, t.case_no, g.position, t.target_no, t.repeat
      """)
    trials.bind([.integer(run)])
    attempts = try connection.prepare(
      """
      SELECT \(AttemptReading.columns) FROM attempts
      WHERE attempt_no BETWEEN ?1 * 65536 AND ?1 * 65536 + 65535 AND generation = ?2 ORDER BY attempt_no
      """
    )
    scores = try connection.prepare(
      "SELECT \(ScoreReading.columns) FROM scores WHERE trial_no = ?1 AND score_set = \(set) ORDER BY ordinal"
    )
    judgeCalls = try JudgeCallReading(run: run, set: Int64(set), connection)
    embeddingUses = try EmbeddingUseReading(run: run, set: Int64(set), connection)
    clock = try RunClock(run: run, connection)
    let select = try connection.prepare("SELECT target_no, name, hash FROM targets WHERE run_no = ?1")
    select.bind([.integer(run)])
    while try select.step() {
      guard let number = select.int64(0), let hash = select.hash(2) else { continue }
      targets[number] = (select.text(1) ?? "", hash)
    }
  }

  func next() throws(StoreError) -> TrialRecord? {
    guard try trials.step() else { return nil }
    let number = trials.integer(0)
    let generation = trials.integer(1)
    let facts = try facts(ofCase: trials.integer(2))
    guard let target = targets[trials.integer(3)], let status = trials.text(5).flatMap(TrialStatus.init)
    else { throw StoreError(.notADatabase, "trial \(number) in the database cannot be read") }
    let key = TrialKey(caseHash: facts.hash, targetHash: target.hash, repeatIndex: trials.int(4) ?? 0)
    var record = TrialRecord(
      key: key, caseID: facts.id, tags: facts.tags, cluster: facts.cluster, mustPass: facts.mustPass,
      target: target.name, status: status, errorClass: trials.text(6).flatMap(ErrorClass.init),
      score: TrialScore(
        value: trials.double(7), passed: trials.flag(8), unscored: trials.text(9).flatMap(UnscoredReason.init)
      ),
      duration: trials.int64(10), attempts: try attempts(of: number, generation),
      scores: try scores(of: number))
    record.judgeCalls = try judgeCalls.records(
      trial: number, generation: trials.integer(20), key: key, target: target.name)
    record.embeddingUses = try embeddingUses.uses(
      trial: number, generation: trials.integer(20), key: key, target: target.name)
    record.servedNumbers = trials.json(16)?.arrayValue?.compactMap { $0.intValue.map { Int($0) } }
    record.ending = trials.json(17)
    record.signals = facts.signals
    record.expects = facts.expects
    return record
  }

  /// Consecutive trials are mostly of one case.
  private func facts(ofCase number: Int64) throws(StoreError) -> CaseCells {
    if let subject, subject.number == number { return subject.facts }
    guard let hash = trials.hash(15) else {
      throw StoreError(.notADatabase, "case \(number) in the database cannot be read")
    }
    let facts = CaseCells(
      id: trials.text(11) ?? "", hash: hash,
      tags: trials.json(12)?.arrayValue?.compactMap(\.stringValue) ?? [], cluster: trials.text(13),
      mustPass: trials.flag(14) ?? false, signals: trials.json(18)?.objectValue ?? [:],
      expects: trials.text(19).flatMap(Expectation.init) ?? .answer)
    subject = (number, facts)
    return facts
  }

  private func attempts(of trial: Int64, _ generation: Int64) throws(StoreError) -> [AttemptRecord] {
    attempts.bind([.integer(trial), .integer(generation)])
    let offset = clock.offset(of: generation)
    var records: [AttemptRecord] = []
    while try attempts.step() { records.append(AttemptReading.attempt(attempts, offset: offset)) }
    return records
  }

  private func scores(of trial: Int64) throws(StoreError) -> [ScoreRecord] {
    scores.bind([.integer(trial)])
    var records: [ScoreRecord] = []
    while try scores.step() { records.append(ScoreReading.score(scores)) }
    return records
  }
}

private struct CaseCells {
  var id: String
  var hash: ContentHash
  var tags: [String]
  var cluster: String?
  var mustPass: Bool
  var signals: JSONObject
  var expects: Expectation
}

/// Puts the stamps of all processes that worked on a run on one time line, that of the first.
///
/// Monotonic clocks of two processes may count from different starts of the machine; their wall-clock anchors join them.
struct RunClock {
  private var offsets: [Int64: Int64] = [:]

  init(run: Int64, _ connection: Connection) throws(StoreError) {
    let select = try connection.prepare(
      "SELECT generation, started_at, started_monotonic FROM sessions WHERE run_no = ?1 ORDER BY generation")
    select.bind([.integer(run)])
    var first: (wall: Double, monotonic: Int64)?
    while try select.step() {
      let wall = select.double(1) ?? 0
      let monotonic = select.integer(2)
      let anchor = first ?? (wall, monotonic)
      first = anchor
      let elapsed = Int64((wall - anchor.wall) * 1_000_000_000)
      offsets[select.integer(0)] = anchor.monotonic + elapsed - monotonic
    }
  }

  /// Nanoseconds to add to a stamp of this generation; 0 for the first.
  func offset(of generation: Int64) -> Int64 { offsets[generation] ?? 0 }
}
