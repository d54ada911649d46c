import EvalCore

/// Turns the events of one run into rows. It lives on the writer's thread and keeps nothing of a trial that has ended.
final class RunWriter {
  private let run: Int64
  private let generation: Int64
  private let privacy: Privacy
  private let connection: Connection
  private var row: Row

  private var targets: [ContentHash: Int64]
  private var trials = OpenTrials()
  private var cases = KnownCases()

  private let insertCase: Statement
  private let findCase: Statement
  private let fillCase: Statement
  private let insertTrial: Statement
  private let findTrial: Statement
  private let reopenTrial: Statement
  private let endTrial: Statement
  private let dropScores: Statement
  private let insertRunCase: Insertion<RunCaseSource>
  private let insertAttempt: Insertion<AttemptSource>
  private let insertTexts: Insertion<AttemptSource>
  private let insertScore: Insertion<ScoreSource>
  private let insertPace: Insertion<PaceSource>
  private let insertFinding: Insertion<FindingSource>

  init(run: Int64, generation: Int64, redactor: Redactor, isPrivate: Bool, connection: Connection)
    throws(StoreError)
  {
    self.run = run
    self.generation = generation
    self.connection = connection
    privacy = Privacy(isPrivate: isPrivate)
    row = Row(redactor)
    targets = try RunWriter.targets(of: run, connection)
    insertCase = try connection.prepare("INSERT OR IGNORE INTO cases (hash) VALUES (?1)")
    findCase = try connection.prepare("SELECT case_no FROM cases WHERE hash = ?1")
    fillCase = try connection.prepare(
      """
      UPDATE cases SET content = ?1, content_bytes = ?2, content_sha256 = ?3
      WHERE case_no = ?4 AND content IS NULL
      """)
    insertTrial = try connection.prepare(
      """
      INSERT OR IGNORE INTO trials (run_no, case_no, target_no, repeat, generation, status)
      VALUES (?1, ?2, ?3, ?4, ?5, 'open')
      """)
    findTrial = try connection.prepare(
      """
      SELECT t.trial_no, ifnull(max(a.ordinal), 0) FROM trials t
      LEFT JOIN attempts a ON a.trial_no = t.trial_no AND a.generation = ?5
      WHERE run_no = ?1 AND case_no = ?2 AND target_no = ?3 AND repeat = ?4
      """)
    reopenTrial = try connection.prepare(
      """
      UPDATE trials SET generation = ?2, status = 'open', error_class = NULL, score = NULL, passed = NULL,
        unscored = NULL, duration_ns = NULL WHERE trial_no = ?1
      """)
    endTrial = try connection.prepare(
      """
      UPDATE trials SET status = ?2, error_class = ?3, score = ?4, passed = ?5, unscored = ?6, duration_ns = ?7
      WHERE trial_no = ?1
      """)
    dropScores = try connection.prepare("DELETE FROM scores WHERE trial_no = ?1")
    insertRunCase = try Insertion(
      "INSERT OR IGNORE", into: "run_cases", RunCaseSource.columns, on: connection)
    insertAttempt = try Insertion(into: "attempts", AttemptSource.columns, on: connection)
    insertTexts = try Insertion(into: "texts", AttemptSource.textColumns, on: connection)
    insertScore = try Insertion(into: "scores", ScoreSource.columns, on: connection)
    insertPace = try Insertion(into: "pace", PaceSource.columns, on: connection)
    insertFinding = try Insertion("INSERT OR IGNORE", into: "findings", FindingSource.columns, on: connection)
  }

  /// Writes one event within the transaction that is open.
  func write(_ event: RunEvent) throws(StoreError) {
    switch event {
    case .attempt(let attempt, let key, let request): try write(attempt, key, request)
    case .trial(let trial, let facts): try write(trial, facts)
    case .pace(let change): try insertPace.run(PaceSource(run: run, change: change), &row)
    case .finding(let finding): try insertFinding.run(FindingSource(run: run, finding: finding), &row)
    }
  }

  private func write(
    _ attempt: Attempt, _ key: TrialKey, _ request: RequestSnapshot
  ) throws(StoreError) {
    let place = try place(ofNextAttemptIn: key, profile: attempt.profile)
    let source = AttemptSource(place: place, attempt: attempt, request: request, privacy: privacy)
    try insertAttempt.run(source, &row)
    try insertTexts.run(source, &row)
  }

  private func write(_ trial: Trial, _ facts: CaseFacts) throws(StoreError) {
    let number = try open(trial.key, target: trial.target).trial
    try write(facts)
    row.clear()
    row.integer(number)
    row.word(trial.status)
    row.word(trial.errorClass)
    row.real(trial.score.value)
    row.flag(trial.score.passed)
    row.word(trial.score.unscored)
    row.integer(trial.duration)
    try endTrial.run(row)
    for (ordinal, score) in trial.scores.enumerated() {
      let source = ScoreSource(trial: number, set: 0, ordinal: ordinal, score: score, privacy: privacy)
      try insertScore.run(source, &row)
    }
    trials.end(trial.key)
  }
}

extension RunWriter {
  private func place(ofNextAttemptIn key: TrialKey, profile: String) throws(StoreError) -> AttemptPlace {
    var open = try open(key, target: profile)
    open.attempts += 1
    trials[key] = open
    return AttemptPlace(trial: open.trial, generation: generation, ordinal: open.attempts)
  }

  /// The trial's row, made when this is the first that is heard of it. One that an earlier process left, or that this
  /// run has done already under the same key, is opened again.
  /// - Parameter target: a name for a target that the run does not list.
  private func open(_ key: TrialKey, target: String) throws(StoreError) -> OpenTrials.Entry {
    if let entry = trials[key] { return entry }
    let caseNumber = try number(ofCase: key.caseHash)
    let targetNumber = try number(ofTarget: key.targetHash, name: target)
    row.clear()
    row.integer(run)
    row.integer(caseNumber)
    row.integer(targetNumber)
    row.integer(key.repeatIndex)
    row.integer(generation)
    try insertTrial.run(row)
    var entry = OpenTrials.Entry(trial: connection.lastInsertID, attempts: 0)
    if connection.changes == 0 {
      (entry.trial, entry.attempts) = try findTrial.integers(row)
      row.clear()
      row.integer(entry.trial)
      try dropScores.run(row)
      row.integer(generation)
      try reopenTrial.run(row)
    }
    trials[key] = entry
    return entry
  }

  private func number(ofCase hash: ContentHash) throws(StoreError) -> Int64 {
    if let known = cases[hash] { return known.number }
    row.clear()
    row.hash(hash)
    try insertCase.run(row)
    let number: Int64
    if connection.changes == 1 {
      number = connection.lastInsertID
    } else {
      number = try findCase.integers(row).0
    }
    cases[hash] = KnownCases.Entry(number: number, isDescribed: false)
    return number
  }

  private func number(ofTarget hash: ContentHash, name: String) throws(StoreError) -> Int64 {
    if let known = targets[hash] { return known }
    let info = RunInfo.TargetInfo(name: name, kind: "profile", hash: hash, content: .null)
    let insert = try Insertion(into: "targets", TargetSource.columns, on: connection)
    try insert.run(TargetSource(run: run, position: nil, info: info, privacy: privacy), &row)
    targets[hash] = connection.lastInsertID
    return connection.lastInsertID
  }

  /// Writes what is known of a case, once.
  private func write(_ facts: CaseFacts) throws(StoreError) {
    let number = try number(ofCase: facts.hash)
    if cases[facts.hash]?.isDescribed == true { return }
    try insertRunCase.run(
      RunCaseSource(run: run, caseNumber: number, facts: facts, privacy: privacy), &row)
    row.clear()
    row.json(facts.content, hidden: privacy.isPrivate)
    row.integer(number)
    try fillCase.run(row)
    cases[facts.hash] = KnownCases.Entry(number: number, isDescribed: true)
  }

  private static func targets(
    of run: Int64, _ connection: Connection
  ) throws(StoreError) -> [ContentHash: Int64] {
    let select = try connection.prepare(
      "SELECT hash, target_no FROM targets WHERE run_no = ?1 ORDER BY target_no DESC")
    select.bind([.integer(run)])
    var targets: [ContentHash: Int64] = [:]
    // Of two targets with one content the first stays.
    while try select.step() {
      if let hash = select.text(0).flatMap(ContentHash.init(hex:)) { targets[hash] = select.int64(1) }
    }
    return targets
  }
}

/// The trials that have begun and not ended: as many as there are calls in flight.
struct OpenTrials {
  struct Entry {
    var trial: Int64
    /// Of this generation, so far.
    var attempts: Int64
  }

  private var entries: [TrialKey: Entry] = [:]

  subscript(_ key: TrialKey) -> Entry? {
    get { entries[key] }
    set { entries[key] = newValue }
  }

  mutating func end(_ key: TrialKey) { entries[key] = nil }
}

/// The numbers of the cases met last; bounded, because a run may have any number of cases.
struct KnownCases {
  struct Entry {
    var number: Int64
    /// What is known of it has been written for this run.
    var isDescribed: Bool
  }

  private static let limit = 4096

  private var entries: [ContentHash: Entry] = [:]

  subscript(_ hash: ContentHash) -> Entry? {
    get { entries[hash] }
    set {
      if entries.count >= KnownCases.limit { entries.removeAll(keepingCapacity: true) }
      entries[hash] = newValue
    }
  }
}
