internal import CSQLite
import EvalCore

/// A value for a placeholder of a small statement.
enum Value {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
}

/// A prepared statement; it is finalised when its owner lets it go.
struct Statement: ~Copyable {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  /// Binds from the first placeholder on, after a reset.
  func bind(_ values: [Value]) {
    sqlite3_reset(handle)
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (index, value) in zip(Int32(1)..., values) {
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
      case .real(let real): sqlite3_bind_double(handle, index, real)
      case .text(let text): sqlite3_bind_text(handle, index, text, Int32(text.utf8.count), copied)
      }
    }
  }

  /// Goes to the next row.
  /// - Returns: false when there is none.
  func step() throws(StoreError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw error(code)
    }
  }

  func reset() { sqlite3_reset(handle) }

  /// Binds a row, runs the statement to its end and resets it, so that the row's bytes may go.
  func run(_ row: borrowing Row) throws(StoreError) {
    let code = stepOnce(row)
    // The message goes with the reset, so the error is made first.
    let failure = code == SQLITE_DONE ? nil : error(code)
    sqlite3_reset(handle)
    if let failure { throw failure }
  }

  /// The first two columns of the only row, for a query of integers; 0 for NULL and for a column that is not there.
  func integers(_ row: borrowing Row) throws(StoreError) -> (Int64, Int64) {
    let code = stepOnce(row)
    let failure = code == SQLITE_ROW ? nil : error(code)
    let pair = (sqlite3_column_int64(handle, 0), sqlite3_column_int64(handle, 1))
    sqlite3_reset(handle)
    if let failure { throw failure }
    return pair
  }

  /// The bytes of texts are bound where they lie and are not needed after a reset.
  private func stepOnce(_ row: borrowing Row) -> Int32 {
    row.withCells { cells, bytes in
      for (index, cell) in zip(Int32(1)..., cells) {
        switch cell {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
        case .real(let real): sqlite3_bind_double(handle, index, real)
        case .text(let start, let count):
          bytes.withMemoryRebound(to: CChar.self, capacity: start + count) {
            _ = sqlite3_bind_text(handle, index, $0 + start, Int32(count), nil)
          }
        case .blob(let start, let count):
          sqlite3_bind_blob(handle, index, bytes + start, Int32(count), nil)
        }
      }
      return sqlite3_step(handle)
    }
  }

  private func error(_ code: Int32) -> StoreError {
    let database = sqlite3_db_handle(handle)
    let path = sqlite3_db_filename(database, "main").map { String(cString: $0) } ?? "the database"
    return StoreError(code: code, doing: "use", path: path, detail: String(cString: sqlite3_errmsg(database)))
  }
}

extension Statement {
  /// The names of the columns.
  var names: [String] {
    (0..<sqlite3_column_count(handle)).map {
      sqlite3_column_name(handle, $0).map { String(cString: $0) } ?? ""
    }
  }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func int64(_ column: Int32) -> Int64? {
    isNull(column) ? nil : sqlite3_column_int64(handle, column)
  }

  /// 0 for NULL, for columns that are NOT NULL.
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func int(_ column: Int32) -> Int? { int64(column).map { Int($0) } }

  func flag(_ column: Int32) -> Bool? { int64(column).map { $0 != 0 } }

  func double(_ column: Int32) -> Double? {
    isNull(column) ? nil : sqlite3_column_double(handle, column)
  }

  func text(_ column: Int32) -> String? {
    withBytes(column) { String(decoding: $0, as: UTF8.self) }
  }

  func hash(_ column: Int32) -> ContentHash? { text(column).flatMap { ContentHash(hex: $0) } }

  /// `nil` for NULL, and for a text that is not JSON.
  func json(_ column: Int32) -> JSONValue? {
    withBytes(column) { try? JSONValue.parse(Array($0)) } ?? nil
  }

  /// The bytes of a text or blob, valid within the body.
  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    if isNull(column) { return nil }
    // The pointer is nil for a value of no bytes.
    let pointer = sqlite3_column_blob(handle, column)
    return body(UnsafeRawBufferPointer(start: pointer, count: Int(sqlite3_column_bytes(handle, column))))
  }
}
