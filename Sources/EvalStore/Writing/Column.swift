/// One column of a table, or a few that belong together, beside the code that fills them, so that the two cannot drift
/// apart.
struct Column<Source>: Sendable {
  let names: [String]
  let fill: @Sendable (inout Row, Source) -> Void

  init(_ name: String, _ fill: @escaping @Sendable (inout Row, Source) -> Void) {
    names = [name]
    self.fill = fill
  }

  /// A text with its length and its digest.
  init(triple name: String, _ fill: @escaping @Sendable (inout Row, Source) -> Void) {
    names = [name, "\(name)_bytes", "\(name)_sha256"]
    self.fill = fill
  }
}

/// A prepared `INSERT` with the columns it fills.
struct Insertion<Source>: ~Copyable {
  private let statement: Statement
  private let columns: [Column<Source>]

  /// - Parameter verb: `INSERT`, or `INSERT OR IGNORE`.
  init(
    _ verb: String = "INSERT", into table: String, _ columns: [Column<Source>], on connection: Connection
  ) throws(StoreError) {
    let names = columns.flatMap(\.names)
    let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    statement = try connection.prepare(
      "\(verb) INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(places))")
    self.columns = columns
  }

  /// - Parameter row: scratch space, cleared first.
  func run(_ source: Source, _ row: inout Row) throws(StoreError) {
    row.clear()
    for column in columns { column.fill(&row, source) }
    try statement.run(row)
  }
}
