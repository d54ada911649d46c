internal import CSQLite

/// Why the store could not do what it was asked: thrown, and shown as help.
package struct StoreError: Error, Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable {
    /// There is no database at the path, and none may be made.
    case missing
    /// The file or its folder cannot be written or read.
    case unwritable
    /// The file is not SQLite's, or is damaged.
    case notADatabase
    /// SQLite's, but another program's.
    case foreign
    /// Made by a later version of evalrun.
    case newerSchema
    /// The disk, or the room that the database may take, is full.
    case full
    /// Another process held the database for longer than is waited.
    case busy
    /// Another process works on the run.
    case runLocked
    /// The run is finished or given up, and never touched again.
    case runEnded
    case noSuchRun
    case noSuchBaseline
    case noSuchScoreSet
    /// A prefix that several runs share.
    case ambiguousRun
    case other
  }

  package var kind: Kind
  /// What is wrong, in one sentence without a full stop.
  package var message: String
  /// What to do; `nil` when the message says it.
  package var advice: String?

  init(_ kind: Kind, _ message: String, advice: String? = nil) {
    self.kind = kind
    self.message = message
    self.advice = advice
  }
}

extension StoreError {
  /// Reads SQLite's result code.
  /// - Parameters:
  ///   - doing: what was tried, such as `write to`.
  ///   - detail: SQLite's own words.
  init(code: Int32, doing: String, path: String, detail: String) {
    switch code & 0xFF {
    case SQLITE_NOTADB, SQLITE_CORRUPT:
      self.init(
        .notADatabase, "\(path) is not a database, or is damaged (\(detail))",
        advice: "name another file, or move this one away")
    case SQLITE_FULL:
      self.init(
        .full, "cannot \(doing) \(path): the disk is full",
        advice: "make room and give the same command again")
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(
        .busy, "cannot \(doing) \(path): another process has kept it locked",
        advice: "see which program has the file open, and try again")
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN, SQLITE_AUTH:
      self.init(
        .unwritable, "cannot \(doing) \(path): \(detail)",
        advice: "check the permissions of the file and of its folder")
    default:
      self.init(.other, "cannot \(doing) \(path): \(detail)")
    }
  }
}
