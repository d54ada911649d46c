package import EvalCore

/// Reads the texts of one run's trials over one connection, for reports that want those of all.
package final class TextReader {
  private let select: Statement
  private let contents: Statement
  private let run: Int64
  /// The cases' numbers by hash, read once: an index for it would cost every run a page for each case.
  private let cases: [ContentHash: Int64]
  /// Outlives the statement.
  private let connection: Connection

  fileprivate init(run: Int64, on connection: Connection) throws(StoreError) {
    self.run = run
    self.connection = connection
    cases = try TextReader.cases(of: run, connection)
    select = try connection.prepare(
      """
      SELECT a.number, x.request, x.answer, x.reasoning, x.tool_calls, x.refusal,
        iif(x.answer_bytes > 0, x.answer_sha256, coalesce(x.refusal_sha256, x.answer_sha256))
      FROM trials t
      JOIN attempts a ON a.attempt_no BETWEEN t.trial_no * 65536 AND t.trial_no * 65536 + 65535
        AND a.generation = t.generation AND a.phase = 'measured'
      JOIN texts x USING (attempt_no)
      WHERE t.run_no = ?1 AND t.case_no = ?2
        AND t.target_no IN (SELECT target_no FROM targets WHERE run_no = ?1 AND hash = ?3)
        AND t.repeat = ?4
      ORDER BY a.attempt_no
      """)
    contents = try connection.prepare("SELECT content FROM cases WHERE run_no = ?1 AND case_no = ?2")
  }

  static func cases(
    of run: Int64, _ connection: Connection
  ) throws(StoreError) -> [ContentHash: Int64] {
    let select = try connection.prepare("SELECT hash, case_no FROM cases WHERE run_no = ?1")
    select.bind([.integer(run)])
    var cases: [ContentHash: Int64] = [:]
    while try select.step() {
      if let hash = select.hash(0) { cases[hash] = select.int64(1) }
    }
    return cases
  }

  /// A case's content as `CaseFacts` has it; `nil` when it is not stored, as in a private run.
  package func content(of subject: ContentHash) throws(StoreError) -> JSONValue? {
    guard let number = cases[subject] else { return nil }
    contents.bind([.integer(run), .integer(number)])
    return try contents.step() ? contents.json(0) : nil
  }

  /// The texts of a trial's attempts, by attempt number; those of a private run are `nil` or empty.
  package func texts(_ key: TrialKey) throws(StoreError) -> [Int: AttemptTexts] {
    guard let number = cases[key.caseHash] else { return [:] }
    select.bind([
      .integer(run), .integer(number), .text(key.targetHash.hex), .integer(Int64(key.repeatIndex)),
    ])
    var texts: [Int: AttemptTexts] = [:]
    while try select.step() {
      var found = AttemptTexts(
        request: select.json(1), answer: select.text(2), reasoning: select.text(3),
        toolCalls: select.json(4)?.arrayValue?.map(ToolCall.init(stored:)) ?? [], refusal: select.text(5))
      found.storedDigest = select.text(6)
      texts[select.int(0) ?? 0] = found
    }
    return texts
  }
}

extension RunStore {
  /// - Throws: `noSuchRun`.
  package func textReader(_ id: String) throws(StoreError) -> TextReader {
    let connection = try reader()
    guard let run = try connection.integer("SELECT run_no FROM runs WHERE id = ?1", .text(id)) else {
      throw StoreError(.noSuchRun, "there is no run \(id) in \(path)")
    }
    return try TextReader(run: run, on: connection)
  }

  /// The texts of one trial's attempts, by attempt number.
  package func texts(_ id: String, _ key: TrialKey) throws(StoreError) -> [Int: AttemptTexts] {
    try textReader(id).texts(key)
  }
}
