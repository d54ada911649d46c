package import EvalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension RunStore {
  /// Adds a run that is about to start.
  /// - Parameter redactor: takes the secrets out of the settings and the targets' contents.
  /// - Throws: an error when a run of this id is there already.
  package func begin(_ run: RunInfo, redactor: Redactor) throws(StoreError) {
    try write { desk throws(StoreError) in
      try desk.connection.transaction { () throws(StoreError) in
        var row = Row(redactor)
        try Insertion(into: "runs", RunSource.columns, on: desk.connection).run(RunSource(info: run), &row)
        let number = desk.connection.lastInsertID
        let privacy = Privacy(isPrivate: run.isPrivate)
        let insert = try Insertion(into: "targets", TargetSource.columns, on: desk.connection)
        for (position, target) in run.targets.enumerated() {
          let source = TargetSource(run: number, position: position, info: target, privacy: privacy)
          try insert.run(source, &row)
        }
        for arm in run.arms {
          try insert.run(TargetSource(run: number, position: nil, info: arm, privacy: privacy), &row)
        }
        try RunStore.add(run.findings, toRun: number, &row, desk.connection)
      }
    }
  }

  /// Starts or goes on to record a run; take its lock first.
  ///
  /// Each recorder is a generation of the run of its own: trials that an earlier process left unfinished are done again,
  /// and what those cost stays counted.
  /// - Parameters:
  ///   - isPrivate: store digests instead of texts.
  ///   - onFailure: called once, on the writer's thread, when the run cannot be recorded any further; it must not call
  ///     the store.
  /// - Throws: `noSuchRun`, or `runEnded` for a finished or abandoned run.
  package func recorder(
    run: RunInfo, redactor: Redactor, isPrivate: Bool,
    onFailure: @escaping @Sendable (StoreError) -> Void
  ) throws(StoreError) -> Recorder {
    let thread = try writer()
    let ticket = try thread.perform { desk throws(StoreError) in
      let connection = desk.connection
      let number = try RunStore.openRun(run.id, connection)
      let generation = try RunStore.addSession(to: number, of: run, connection)
      try connection.run("UPDATE runs SET status = 'running' WHERE run_no = ?1", .integer(number))
      let writer = try RunWriter(
        run: number, generation: generation, redactor: redactor, isPrivate: isPrivate,
        connection: connection)
      return desk.open(Book(writer: writer, onFailure: onFailure))
    }
    return Recorder(thread: thread, ticket: ticket)
  }

  /// Ends the work on a run for now (`interrupted`) or for ever (`finished`, `abandoned`).
  /// - Parameter findings: added to those that were recorded; each is stored once.
  /// - Throws: `noSuchRun`, or `runEnded` when it had ended for ever already.
  package func finish(
    _ id: String, _ status: RunStatus, findings: [Finding] = [], redactor: Redactor
  ) throws(StoreError) {
    try write { desk throws(StoreError) in
      try desk.connection.transaction { () throws(StoreError) in
        let number = try RunStore.openRun(id, desk.connection)
        let ended: Value = status == .running ? .null : .real(WallClock.now())
        try desk.connection.run(
          "UPDATE runs SET status = ?2, finished_at = ?3 WHERE run_no = ?1", .integer(number),
          .text(status.rawValue), ended)
        var row = Row(redactor)
        try RunStore.add(findings, toRun: number, &row, desk.connection)
      }
    }
  }

  /// Replaces the settings that are stored with a run that is not over.
  /// - Parameter redactor: takes the secrets out.
  /// - Throws: `noSuchRun`, or `runEnded`.
  package func keep(_ settings: JSONValue, of id: String, redactor: Redactor) throws(StoreError) {
    try write { desk throws(StoreError) in
      let number = try RunStore.openRun(id, desk.connection)
      try desk.connection.run(
        "UPDATE runs SET settings = ?2 WHERE run_no = ?1", .integer(number),
        .text(Row.clean(settings, redactor)))
    }
  }

  /// Gives an unfinished run up: it is kept, and never gone on with.
  /// - Throws: `noSuchRun`, or `runEnded`.
  package func abandon(_ id: String) throws(StoreError) {
    try finish(id, .abandoned, redactor: Redactor(secrets: []))
  }

  /// Takes the right to work on a run, for as long as the lock is held.
  /// - Throws: `runLocked` with the other process's id and the time it began.
  package func lock(_ id: String) throws(StoreError) -> RunLock {
    try RunLock.take(path: lockPath(id), run: id)
  }

  func lockPath(_ id: String) -> String { "\(path)-lock-\(id)" }

  /// The number of a run that may still be written to.
  private static func openRun(_ id: String, _ connection: Connection) throws(StoreError) -> Int64 {
    let select = try connection.prepare("SELECT run_no, status FROM runs WHERE id = ?1")
    select.bind([.text(id)])
    guard try select.step(), let number = select.int64(0) else {
      throw StoreError(.noSuchRun, "there is no run \(id) in \(connection.path)")
    }
    let status = select.text(1).flatMap(RunStatus.init(rawValue:))
    if status == .finished || status == .abandoned {
      throw StoreError(.runEnded, "run \(id) is \(status?.rawValue ?? "over") and is not touched again")
    }
    return number
  }

  /// The run's anchor serves its first process; later ones, maybe after a restart of the machine, take their own.
  private static func addSession(
    to number: Int64, of run: RunInfo, _ connection: Connection
  ) throws(StoreError) -> Int64 {
    let last = try connection.integer(
      "SELECT max(generation) FROM sessions WHERE run_no = ?1", .integer(number))
    let generation = (last ?? 0) + 1
    let wall = last == nil ? run.startedAt : WallClock.now()
    let monotonic = last == nil ? run.startedMonotonic : Monotonic.now()
    try connection.run(
      """
      INSERT INTO sessions (run_no, generation, started_at, started_monotonic, process)
      VALUES (?1, ?2, ?3, ?4, ?5)
      """, .integer(number), .integer(generation), .real(wall), .integer(monotonic), .integer(Int64(getpid()))
    )
    return generation
  }

  private static func add(
    _ findings: [Finding], toRun number: Int64, _ row: inout Row, _ connection: Connection
  ) throws(StoreError) {
    let insert = try Insertion("INSERT OR IGNORE", into: "findings", FindingSource.columns, on: connection)
    for finding in findings { try insert.run(FindingSource(run: number, finding: finding), &row) }
  }
}
