internal import CSQLite

/// One connection to the database, for one thread at a time.
final class Connection {
  enum Access { case readOnly, readWrite }

  /// How long a statement waits for another process, in milliseconds.
  private static let patience: Int32 = 10_000

  let path: String
  private let handle: OpaquePointer

  /// Opens a file that is there.
  ///
  /// Also who only reads opens it for writing where that is allowed: the last one to leave can then clear the
  /// write-ahead log away.
  init(path: String, access: Access) throws(StoreError) {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      let detail = String(cString: sqlite3_errstr(code))
      sqlite3_close_v2(opened)
      throw StoreError(code: code, doing: "open", path: path, detail: detail)
    }
    handle = opened
    self.path = path
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Connection.patience)
    if access == .readOnly {
      try execute("PRAGMA query_only = ON")
    } else if sqlite3_db_readonly(handle, "main") == 1 {
      throw StoreError(
        .unwritable, "cannot write to \(path)", advice: "check the permissions of the file and of its folder")
    }
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs statements that give no rows.
  func execute(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  func prepare(_ sql: String) throws(StoreError) -> Statement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code) }
    return Statement(statement)
  }

  /// The first column of the first row as an integer; `nil` without a row or when it is NULL.
  func integer(_ sql: String, _ values: Value...) throws(StoreError) -> Int64? {
    let statement = try prepare(sql)
    statement.bind(values)
    return try statement.step() ? statement.int64(0) : nil
  }

  /// Runs one statement with values.
  func run(_ sql: String, _ values: Value...) throws(StoreError) {
    let statement = try prepare(sql)
    statement.bind(values)
    while try statement.step() {}
  }

  /// Runs the body in one transaction that takes the write lock at once; an error undoes it.
  func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs the body in one transaction that reads, so that all of it sees the same rows.
  func snapshot<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try execute("BEGIN")
    defer { rollBack() }
    return try body()
  }

  /// Ends the transaction that an error left open; SQLite has ended it itself after some errors.
  func rollBack() {
    if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }

  var lastInsertID: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  private func error(_ code: Int32) -> StoreError {
    StoreError(code: code, doing: "use", path: path, detail: String(cString: sqlite3_errmsg(handle)))
  }
}
