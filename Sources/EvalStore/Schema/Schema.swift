/// The database's versions: each entry brings a file from the version of its index to the next.
///
/// An entry that has been released is never edited; a change is a new entry. `Docs/Results.md` describes the result.
enum Schema {
  /// `EVRN`, in the file's header: tells evalrun's databases from others.
  static let applicationID: Int64 = 0x4556_524E

  static let migrations: [String] = [
    tables + views, baselines, judges, comparisons, routes, judgeLabels, scoreSets,
    embeddings,
  ]

  static var version: Int64 { Int64(migrations.count) }

  /// Brings the file up to date.
  /// - Throws: `foreign`, `newerSchema`, or what SQLite says.
  static func migrate(_ connection: Connection) throws(StoreError) {
    if try check(connection) == version { return }
    try connection.transaction { () throws(StoreError) in
      // Looked at again under the lock: another process may have been faster.
      for (step, sql) in migrations.enumerated().dropFirst(Int(try check(connection))) {
        try connection.execute(sql)
        try connection.execute("PRAGMA user_version = \(step + 1); PRAGMA application_id = \(applicationID)")
      }
    }
  }

  /// - Returns: the file's version, 0 for an empty one.
  static func check(_ connection: Connection) throws(StoreError) -> Int64 {
    let found = try connection.integer("PRAGMA user_version") ?? 0
    let application = try connection.integer("PRAGMA application_id") ?? 0
    let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    guard isEmpty || application == applicationID else {
      throw StoreError(
        .foreign, "\(connection.path) is the database of another program", advice: "name another file")
    }
    guard found <= version else {
      throw StoreError(
        .newerSchema,
        "\(connection.path) was written by a later evalrun (its schema is version \(found), this program knows "
          + "\(version))",
        advice: "update evalrun, or name another file")
    }
    return found
  }
}
