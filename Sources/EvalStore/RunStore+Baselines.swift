package import EvalCore

/// A run with a name to compare with.
package struct Baseline {
  /// Where its trials are.
  package enum Origin {
    /// In this database, with all their texts.
    case run(RunInfo)
    /// In a file that was imported, or that was read without a database.
    case file(BaselineFile)
  }

  package var name: String
  package var origin: Origin
  /// Seconds since 1970 when the name was given; `nil` for a file that is in no database.
  package var setAt: Double?

  package init(name: String, origin: Origin, setAt: Double? = nil) {
    self.name = name
    self.origin = origin
    self.setAt = setAt
  }

  package var run: RunInfo {
    switch origin {
    case .run(let run): run
    case .file(let file): file.run
    }
  }
}

extension RunStore {
  /// The names of all baselines, in their order.
  package func baselineNames() throws(StoreError) -> [String] {
    let select = try reader().prepare("SELECT name FROM baselines ORDER BY name")
    var names: [String] = []
    while try select.step() { names.append(select.text(0) ?? "") }
    return names
  }

  /// The baseline of that name; `nil` when there is none.
  package func baseline(ifNamed name: String) throws(StoreError) -> Baseline? {
    let select = try reader().prepare(
      """
      SELECT r.id, b.content, b.set_at FROM baselines b LEFT JOIN runs r USING (run_no) WHERE b.name = ?1
      """)
    select.bind([.text(name)])
    guard try select.step() else { return nil }
    let setAt = select.double(2)
    if let id = select.text(0) {
      return Baseline(name: name, origin: .run(try run(matching: id)), setAt: setAt)
    }
    let content = select.withBytes(1) { Array($0) } ?? []
    do {
      let file = try BaselineFile(bytes: content, path: "baseline '\(name)'")
      return Baseline(name: name, origin: .file(file), setAt: setAt)
    } catch {
      throw StoreError(
        .notADatabase, "the baseline '\(name)' in \(path) cannot be read: \(error.all.first?.message ?? "")",
        advice: "import it again")
    }
  }

  /// - Throws: `noSuchBaseline` with the nearest name.
  package func baseline(named name: String) throws(StoreError) -> Baseline {
    if let baseline = try baseline(ifNamed: name) { return baseline }
    throw StoreError(
      .noSuchBaseline, "there is no baseline '\(name)' in \(path)",
      advice: suggestion(for: name, among: try baselineNames())
        ?? "'evalrun baseline set \(name) RUN' makes one")
  }

  /// Gives a run of this database a name, which leaves the run that had it.
  package func setBaseline(_ name: String, to run: RunInfo) throws(StoreError) {
    try write { desk throws(StoreError) in
      try desk.connection.run(
        """
        INSERT OR REPLACE INTO baselines (name, run_no, content, set_at)
        VALUES (?1, (SELECT run_no FROM runs WHERE id = ?2), NULL, ?3)
        """, .text(name), .text(run.id), .real(WallClock.now()))
    }
  }

  /// Keeps a baseline file under a name. It has no texts, and its secrets were taken out before it was written.
  /// - Parameter content: a file that `BaselineFile` has read.
  package func importBaseline(_ name: String, content: [UInt8]) throws(StoreError) {
    let text = String(decoding: content, as: UTF8.self)
    try write { desk throws(StoreError) in
      try desk.connection.run(
        "INSERT OR REPLACE INTO baselines (name, run_no, content, set_at) VALUES (?1, NULL, ?2, ?3)",
        .text(name), .text(text), .real(WallClock.now()))
    }
  }

  /// Forgets a name; the run stays.
  /// - Throws: `noSuchBaseline`.
  package func removeBaseline(_ name: String) throws(StoreError) {
    _ = try baseline(named: name)
    try write { desk throws(StoreError) in
      try desk.connection.run("DELETE FROM baselines WHERE name = ?1", .text(name))
    }
  }
}
