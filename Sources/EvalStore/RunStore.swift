/// The results of all runs: one SQLite database, described in `Docs/Results.md`.
///
/// One thread writes; every read has a connection of its own and sees what was committed when it began. Several processes
/// may use one database at once.
package final class RunStore: Sendable {
  package enum Access: Sendable {
    /// Makes the database where it is missing.
    case write
    /// For commands that only look: a missing database is an error.
    case read
  }

  package let path: String
  private let thread: WriterThread?

  /// Opens the database, and brings one of an earlier version up to date.
  /// - Throws: `missing`, `unwritable`, `notADatabase`, `foreign`, `newerSchema`, `full` or `busy`.
  package init(path: String, access: Access = .write) throws(StoreError) {
    self.path = path
    switch access {
    case .write:
      try StoreFile.create(path)
      thread = WriterThread(try RunStore.openForWriting(path))
    case .read:
      try StoreFile.find(path)
      thread = nil
      let reader = try Connection(path: path, access: .readOnly)
      if try Schema.check(reader) < Schema.version { _ = try RunStore.openForWriting(path) }
    }
  }

  /// Writes everything that is queued and closes the database. Recorders must not be used afterwards.
  package func close() { thread?.close() }

  private static func openForWriting(_ path: String) throws(StoreError) -> Connection {
    let connection = try Connection(path: path, access: .readWrite)
    let version = try Schema.check(connection)
    // A new file has nothing to lose, so its making need not wait for the disk. A file system without shared memory
    // keeps the rollback journal, which is slower and as safe.
    try connection.execute(
      "PRAGMA synchronous = \(version == 0 ? "OFF" : "NORMAL"); PRAGMA journal_mode = WAL")
    try Schema.migrate(connection)
    try connection.execute(
      """
      PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 33554432
      """)
    return connection
  }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (Desk) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try writer().perform(body)
  }

  func writer() throws(StoreError) -> WriterThread {
    guard let thread else { throw StoreError(.unwritable, "\(path) is open for reading only") }
    return thread
  }

  func reader() throws(StoreError) -> Connection { try Connection(path: path, access: .readOnly) }
}
