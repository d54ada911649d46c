package import EvalCore

extension RunStore {
  /// How often repeats of a case gave the same answer, by target; those without a repeated case are left out.
  ///
  /// Private runs are compared by their digests. The order of the joins is written down (`CROSS JOIN`, `+`): left to
  /// itself SQLite looks through all trials for each attempt.
  /// - Throws: what SQLite says.
  package func repeatedAnswers(_ id: String) throws(StoreError) -> [RepeatedAnswers] {
    let select = try reader().prepare(RunStore.repeatedAnswersQuery)
    select.bind([.text(id)])
    var found: [RepeatedAnswers] = []
    while try select.step() {
      found.append(
        RepeatedAnswers(
          target: select.text(0) ?? "", cases: select.int(1) ?? 0, identical: select.int(2) ?? 0))
    }
    return found
  }

  static let repeatedAnswersQuery = """
    SELECT g.name, count(*), sum(c.answers = 1) FROM (
      SELECT target_no, count(*) AS repeats, count(DISTINCT answer) AS answers FROM (
        SELECT t.target_no, t.case_no, group_concat(
          coalesce(x.answer_sha256, x.answer, '') || char(1) || coalesce(x.tool_calls_sha256, x.tool_calls, ''),
          char(2)) AS answer
        FROM trials t
        CROSS JOIN attempts a ON a.attempt_no BETWEEN t.trial_no * \(Schema.attemptsPerTrial)
          AND t.trial_no * \(Schema.attemptsPerTrial) + \(Schema.attemptsPerTrial - 1)
        CROSS JOIN texts x ON x.attempt_no = a.attempt_no
        WHERE t.run_no = (SELECT run_no FROM runs WHERE id = ?1) AND t.status = 'ok'
          AND +a.phase = 'measured' AND +a.outcome = 'ok'
        GROUP BY t.trial_no)
      GROUP BY target_no, case_no HAVING repeats > 1) c
    JOIN targets g USING (target_no) GROUP BY target_no ORDER BY g.position
    """
}
