package import EvalCore

extension RunStore {
  /// What a check asked judges, as the run keeps it.
  /// - Returns: `nil` when it is not stored, as in a private run.
  package func judgedForm(_ hash: ContentHash) throws(StoreError) -> JudgedForm? {
    let select = try reader().prepare("SELECT content FROM judge_forms WHERE hash = ?1")
    select.bind([.text(hash.hex)])
    guard try select.step(), let content = select.json(0) else { return nil }
    return JudgedForm(stored: content)
  }

  /// Keeps labels beside the judges' verdicts. Those that the same file gave before are replaced; a label of the same
  /// answer and judge from another file, too.
  /// - Parameter source: the file's path.
  package func keep(_ labels: [VerdictLabel], from source: String) throws(StoreError) {
    try write { desk throws(StoreError) in
      try desk.connection.transaction { () throws(StoreError) in
        try desk.connection.run("DELETE FROM judge_labels WHERE source = ?1", .text(source))
        var row = Row(Redactor(secrets: []))
        let insert = try Insertion(
          "INSERT OR REPLACE", into: "judge_labels", VerdictLabel.columns, on: desk.connection)
        for label in labels { try insert.run(label, &row) }
      }
    }
  }

  /// The labels of the judges that judged in a run, of whatever run they are.
  package func verdictLabels(ofJudgesIn id: String) throws(StoreError) -> [VerdictLabel] {
    let connection = try reader()
    guard try connection.integer("SELECT EXISTS (SELECT 1 FROM judge_labels)") == 1 else { return [] }
    let select = try connection.prepare(
      """
      SELECT form, judges, case_hash, target_hash, repeat, turn, answer_sha256, target, check_name, person, judge,
        stratum, stratum_answers, source, labelled_by, run, checked_at
      FROM judge_labels WHERE form IN (
        SELECT DISTINCT j.form FROM trials t JOIN judge_calls j USING (trial_no)
        WHERE t.run_no = (SELECT run_no FROM runs WHERE id = ?1))
      ORDER BY form, judges, case_hash, target_hash, repeat, turn, answer_sha256
      """)
    select.bind([.text(id)])
    var labels: [VerdictLabel] = []
    while try select.step() {
      if let label = VerdictLabel(select) { labels.append(label) }
    }
    return labels
  }
}

extension VerdictLabel {
  fileprivate static let columns: [Column<VerdictLabel>] = [
    Column("form") { $0.hash($1.form) },
    Column("judges") { $0.text($1.judges.map(\.hex).joined(separator: ",")) },
    Column("case_hash") { $0.hash($1.key.caseHash) },
    Column("target_hash") { $0.hash($1.key.targetHash) },
    Column("repeat") { $0.integer($1.key.repeatIndex) },
    Column("turn") { $0.integer($1.turn) },
    Column("answer_sha256") { $0.text($1.answerHash) },
    Column("target") { $0.text($1.target) },
    Column("check_name") { $0.text($1.check) },
    Column("person") { $0.flag($1.person) },
    Column("judge") { $0.flag($1.judge) },
    Column("stratum") { $0.integer($1.stratum) },
    Column("stratum_answers") { $0.integer($1.stratumAnswers) },
    Column("source") { $0.text($1.source) },
    Column("labelled_by") { $0.text($1.labelledBy) },
    Column("run") { $0.text($1.run) },
    Column("checked_at") { $0.real($1.checkedAt) },
  ]

  /// `nil` for a row that this version cannot read.
  fileprivate init?(_ row: borrowing Statement) {
    guard let form = row.hash(0), let subject = row.hash(2), let target = row.hash(3),
      let person = row.flag(9), let judge = row.flag(10)
    else { return nil }
    let judges = (row.text(1) ?? "").split(separator: ",").compactMap { ContentHash(hex: String($0)) }
    self.init(
      form: form, judges: judges,
      key: TrialKey(caseHash: subject, targetHash: target, repeatIndex: row.int(4) ?? 0),
      target: row.text(7) ?? "", check: row.text(8) ?? "", turn: row.int(5) ?? 0,
      answerHash: row.text(6) ?? "", person: person, judge: judge, source: row.text(13) ?? "",
      run: row.text(15) ?? "", checkedAt: row.double(16) ?? 0)
    stratum = row.int(11)
    stratumAnswers = row.int(12)
    labelledBy = row.text(14)
  }
}
