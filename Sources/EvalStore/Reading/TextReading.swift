package import EvalCore

extension RunStore {
  /// The texts of a trial's attempts, by attempt number; those of a private run are `nil` or empty.
  package func texts(_ id: String, _ key: TrialKey) throws(StoreError) -> [Int: AttemptTexts] {
    let select = try reader().prepare(
      """
      SELECT a.number, x.request, x.answer, x.reasoning, x.tool_calls, x.refusal
      FROM trials t
      JOIN attempts a ON a.attempt_no BETWEEN t.trial_no * 65536 AND t.trial_no * 65536 + 65535
        AND a.generation = t.generation AND a.phase = 'measured'
      JOIN texts x USING (attempt_no)
      WHERE t.run_no = (SELECT run_no FROM runs WHERE id = ?1)
        AND t.case_no = (SELECT case_no FROM cases WHERE run_no = t.run_no AND hash = ?2)
        AND t.target_no IN (SELECT target_no FROM targets WHERE run_no = t.run_no AND hash = ?3)
        AND t.repeat = ?4
      ORDER BY a.attempt_no
      """)
    select.bind([
      .text(id), .text(key.caseHash.hex), .text(key.targetHash.hex), .integer(Int64(key.repeatIndex)),
    ])
    var texts: [Int: AttemptTexts] = [:]
    while try select.step() {
      texts[select.int(0) ?? 0] = AttemptTexts(
        request: select.json(1), answer: select.text(2), reasoning: select.text(3),
        toolCalls: select.json(4)?.arrayValue?.map(ToolCall.init(stored:)) ?? [], refusal: select.text(5))
    }
    return texts
  }
}

extension ToolCall {
  /// Reads what `ToolCall.json` wrote.
  fileprivate init(stored json: JSONValue) {
    self.init(
      id: json["id"]?.stringValue, name: json["name"]?.stringValue ?? "",
      arguments: json["arguments"] ?? .null)
  }
}
