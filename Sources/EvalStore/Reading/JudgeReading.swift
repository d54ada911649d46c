import EvalCore

/// Reads what judges were asked about one trial after the other.
final class JudgeCallReading {
  private let calls: Statement
  private let marks: Statement
  private let isNeeded: Bool

  /// - Parameter run: the number of the run; one that nobody judged costs no query for each trial.
  init(run: Int64, set: Int64, _ connection: Connection) throws(StoreError) {
    isNeeded =
      try connection.integer(
        """
        SELECT EXISTS (SELECT 1 FROM judge_calls j JOIN trials t USING (trial_no) WHERE t.run_no = ?1)
        """, .integer(run)) == 1
    calls = try connection.prepare(
      """
      SELECT call_no, check_name, rubric, turn, part, draw, purpose, repair, number, judge, forced, outcome, error_class,
        provenance, served_model, duration_ns, has_usage, input_tokens, cached_input_tokens, cache_write_tokens,
        output_tokens, reasoning_tokens, cost_usd, cost_is_lower_bound, fault, fault_detail, preference, raw,
        opponent, judge_hash, form
      FROM judge_calls WHERE trial_no = ?1 AND generation = ?2 AND score_set = \(set) ORDER BY call_no
      """)
    marks = try connection.prepare(
      "SELECT criterion, level, levels, label, reason FROM judge_marks WHERE call_no = ?1 ORDER BY ordinal")
  }

  func records(
    trial: Int64, generation: Int64, key: TrialKey, target: String
  ) throws(StoreError) -> [JudgeCallRecord] {
    guard isNeeded else { return [] }
    calls.bind([.integer(trial), .integer(generation)])
    var records: [JudgeCallRecord] = []
    while try calls.step() {
      let place = JudgePlace(
        trial: key, target: target, check: calls.text(1) ?? "", rubric: calls.text(2), turn: calls.int(3),
        part: calls.int(4) ?? 0, draw: calls.int(5) ?? 0,
        purpose: calls.text(6).flatMap(JudgePlace.Purpose.init) ?? .score, isRepair: calls.flag(7) ?? false,
        opponent: calls.text(28))
      var record = JudgeCallRecord(
        place: place, judge: calls.text(9) ?? "", force: calls.text(10).flatMap(VerdictForce.init) ?? .none,
        number: calls.int(8) ?? 1, outcome: calls.text(11) ?? "",
        errorClass: calls.text(12).flatMap(ErrorClass.init),
        provenance: calls.text(13).flatMap(Provenance.init) ?? .recorded, duration: calls.int64(15),
        usage: usage(), cost: Cost(dollars: calls.double(22), isLowerBound: calls.flag(23) ?? false),
        reading: try reading(of: calls.integer(0), place.purpose))
      record.servedModel = calls.text(14)
      record.raw = calls.text(27)
      record.judgeHash = calls.hash(29)
      record.form = calls.hash(30)
      records.append(record)
    }
    return records
  }

  private func usage() -> Usage? {
    guard calls.flag(16) == true else { return nil }
    return Usage(
      input: calls.int(17), cachedInput: calls.int(18), cacheWrite: calls.int(19), output: calls.int(20),
      reasoning: calls.int(21))
  }

  private func reading(of call: Int64, _ purpose: JudgePlace.Purpose) throws(StoreError) -> JudgeReading {
    if let fault = calls.text(24) {
      return .unread(JudgeFault(rawValue: fault) ?? .noVerdict, calls.text(25) ?? "")
    }
    if let preference = calls.text(26).flatMap(Preference.init) {
      return .preference(preference, reason: nil)
    }
    if purpose == .embed { return .embedded }
    marks.bind([.integer(call)])
    var found: [CriterionMark] = []
    while try marks.step() {
      found.append(
        CriterionMark(
          criterion: marks.text(0) ?? "", level: marks.int(1), levels: marks.int(2) ?? 0,
          label: marks.text(3),
          reason: marks.text(4)))
    }
    return .marks(found)
  }
}
