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
  private var cases: KnownCases
  private var profileHashes: [ContentHash: HashText] = [:]

  private let insertCase: Statement
  private let describeCase: Statement
  private let insertTrial: Statement
  private let findTrial: Statement
  private let findEnded: Statement
  private let reopenTrial: Statement
  private let endTrial: Statement
  private let dropScores: Statement
  private let insertAttempt: Insertion<AttemptSource>
  private let insertTexts: Insertion<AttemptSource>
  private let insertScore: Insertion<ScoreSource>
  private let insertPace: Insertion<PaceSource>
  private let insertFinding: Insertion<FindingSource>
  private let judges: JudgeWriting
  private let embeddings: EmbeddingWriting

  init(run: Int64, generation: Int64, redactor: Redactor, isPrivate: Bool, connection: Connection)
    throws(StoreError)
  {
    self.run = run
    self.generation = generation
    self.connection = connection
    privacy = Privacy(isPrivate: isPrivate)
    row = Row(redactor)
    targets = try RunWriter.targets(of: run, connection)
    cases = try RunWriter.cases(of: run, connection)
    insertCase = try connection.prepare("INSERT INTO cases (run_no, case_no, hash) VALUES (?1, ?2, ?3)")
    describeCase = try connection.prepare(
      """
      UPDATE cases SET case_id = ?1, tags = ?2, cluster = ?3, must_pass = ?4,
        content = ?5, content_bytes = ?6, content_sha256 = ?7, signals = ?8, expects = ?9
      WHERE run_no = ?10 AND case_no = ?11
      """)
    insertTrial = try connection.prepare(
      """
      INSERT OR IGNORE INTO trials (run_no, case_no, target_no, repeat, generation, status)
      VALUES (?1, ?2, ?3, ?4, ?5, 'open')
      """)
    findTrial = try connection.prepare(
      """
      SELECT t.trial_no, ifnull(max(a.attempt_no), 0) FROM trials t
      LEFT JOIN attempts a ON a.attempt_no BETWEEN t.trial_no * 65536 AND t.trial_no * 65536 + 65535
      WHERE run_no = ?1 AND case_no = ?2 AND target_no = ?3 AND repeat = ?4
      """)
    findEnded = try connection.prepare(
      """
      SELECT trial_no, generation FROM trials
      WHERE run_no = ?1 AND case_no = ?2 AND target_no = ?3 AND repeat = ?4
      """)
    reopenTrial = try connection.prepare(
      """
      UPDATE trials SET generation = ?2, status = 'open', error_class = NULL, score = NULL, passed = NULL,
        unscored = NULL, duration_ns = NULL, served = NULL, ending = NULL WHERE trial_no = ?1
      """)
    endTrial = try connection.prepare(
      """
      UPDATE trials SET status = ?2, error_class = ?3, score = ?4, passed = ?5, unscored = ?6, duration_ns = ?7,
        served = ?8, ending = ?9
      WHERE trial_no = ?1
      """)
    dropScores = try connection.prepare("DELETE FROM scores WHERE trial_no = ?1")
    insertAttempt = try Insertion(into: "attempts", AttemptSource.columns, on: connection)
    insertTexts = try Insertion(into: "texts", AttemptSource.textColumns, on: connection)
    insertScore = try Insertion(into: "scores", ScoreSource.columns, on: connection)
    insertPace = try Insertion(into: "pace", PaceSource.columns, on: connection)
    insertFinding = try Insertion("INSERT OR IGNORE", into: "findings", FindingSource.columns, on: connection)
    judges = try JudgeWriting(connection)
    embeddings = try EmbeddingWriting(connection)
  }

  /// Writes one event within the transaction that is open.
  func write(_ event: RunEvent) throws(StoreError) {
    switch event {
    case .attempt(let attempt, let key, let request): try write(attempt, key, request)
    case .trial(let trial, let facts): try write(trial, facts)
    case .judgeCall(let call): try write(call)
    case .embedding(let use): try write(use)
    case .pace(let change):
      try insertPace.run(PaceSource(run: run, generation: generation, change: change), &row)
    case .finding(let finding): try insertFinding.run(FindingSource(run: run, finding: finding), &row)
    }
  }

  private func write(
    _ attempt: Attempt, _ key: TrialKey, _ request: RequestSnapshot
  ) throws(StoreError) {
    var open = try open(key, target: attempt.profile)
    open.lastAttempt += 1
    trials[key] = open
    let profileHash = profileHashes[attempt.profileHash] ?? HashText(attempt.profileHash)
    profileHashes[attempt.profileHash] = profileHash
    let source = AttemptSource(
      number: open.lastAttempt, trial: open.trial, generation: generation, attempt: attempt, request: request,
      profileHash: profileHash, privacy: privacy)
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
    row.json(trial.served.map { .array($0.map { .integer(Int64($0)) }) })
    row.json(privacy.decision(trial.ending))
    try endTrial.run(row)
    for (ordinal, score) in trial.scores.enumerated() {
      let source = ScoreSource(trial: number, set: 0, ordinal: ordinal, score: score, privacy: privacy)
      try insertScore.run(source, &row)
    }
    trials.end(trial.key)
  }

  /// A call that is about no trial is nobody's measurement.
  private func write(_ call: JudgeCall) throws(StoreError) {
    guard let key = call.place.trial else { return }
    var place = (trial: Int64(0), generation: generation)
    if call.place.purpose == .compare {
      // Its trial has ended, and opening it would begin it anew.
      place = try ended(key, target: call.place.target)
    } else {
      place.trial = try open(key, target: call.place.target).trial
    }
    try judges.write(
      JudgeCallSource(
        trial: place.trial, generation: place.generation, set: 0, call: call, privacy: privacy), &row,
      connection)
  }
}

extension RunWriter {
  /// What no trial needed is nobody's measurement, as with judges.
  private func write(_ use: EmbeddingUse) throws(StoreError) {
    guard let key = use.place.trial else { return }
    let trial = try open(key, target: use.place.target).trial
    try embeddings.write(
      EmbeddingUseSource(trial: trial, generation: generation, set: 0, use: use),
      keepsVectors: !privacy.isPrivate, &row)
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
    let isNew = connection.changes == 1
    let (trial, last) = isNew ? (connection.lastInsertID, 0) : try findTrial.integers(row)
    if !isNew {
      row.clear()
      row.integer(trial)
      try dropScores.run(row)
      row.integer(generation)
      try reopenTrial.run(row)
    }
    let entry = OpenTrials.Entry(trial: trial, lastAttempt: max(last, trial * Schema.attemptsPerTrial))
    trials[key] = entry
    return entry
  }

  /// The row of a trial that is over, and the process that did it.
  private func ended(_ key: TrialKey, target: String) throws(StoreError) -> (trial: Int64, generation: Int64)
  {
    let caseNumber = try number(ofCase: key.caseHash)
    let targetNumber = try number(ofTarget: key.targetHash, name: target)
    row.clear()
    row.integer(run)
    row.integer(caseNumber)
    row.integer(targetNumber)
    row.integer(key.repeatIndex)
    return try findEnded.integers(row)
  }

  private func number(ofCase hash: ContentHash) throws(StoreError) -> Int64 {
    if let number = cases[hash] { return number }
    let number = cases.add(hash)
    row.clear()
    row.integer(run)
    row.integer(number)
    row.hash(hash)
    try insertCase.run(row)
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
    guard cases.isToBeDescribed(number) else { return }
    row.clear()
    row.text(facts.id)
    row.json(.array(facts.tags.map { .string($0) }))
    row.text(facts.cluster)
    row.flag(facts.mustPass)
    row.json(facts.content, hidden: privacy.isPrivate)
    row.json(facts.signals.isEmpty ? nil : privacy.decision(.object(facts.signals)))
    row.word(facts.expects == .answer ? nil : facts.expects)
    row.integer(run)
    row.integer(number)
    try describeCase.run(row)
  }

  private static func cases(of run: Int64, _ connection: Connection) throws(StoreError) -> KnownCases {
    let select = try connection.prepare("SELECT hash FROM cases WHERE run_no = ?1 ORDER BY case_no")
    select.bind([.integer(run)])
    var cases = KnownCases()
    while try select.step() {
      guard let hash = select.hash(0) else {
        throw StoreError(.notADatabase, "the cases in \(connection.path) cannot be read")
      }
      _ = cases.add(hash)
    }
    return cases
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
