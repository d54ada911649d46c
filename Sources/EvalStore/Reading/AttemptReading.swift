import EvalCore

/// Reads the rows of `attempts`.
enum AttemptReading {
  static let columns = """
    turn, step, number, phase, profile, boundary, cause, outcome, error_class, error_message, http_status,
    finish, raw_finish, provenance, cold, http_version, in_flight, wait_ns, served_model, bytes_sent, decision,
    cost_usd, cost_is_lower_bound, has_usage, input_tokens, cached_input_tokens, cache_write_tokens,
    output_tokens, reasoning_tokens, t_scheduled, t_start, t_connection_ready, t_first_byte, t_first_event,
    t_first_reasoning, t_first_content, t_first_tool, t_last_token, t_terminal, t_done, token_stamps,
    retryable, retry_after_ms,
    CASE WHEN outcome <> 'ok' THEN (
      SELECT ifnull(x.answer_bytes, length(x.answer)) > 0 OR ifnull(x.tool_calls_bytes, length(x.tool_calls)) > 0
      FROM texts x WHERE x.attempt_no = attempts.attempt_no) END
    """

  /// How many columns there are.
  static let count: Int32 = 44

  /// - Parameter offset: nanoseconds that bring its stamps on the run's time line.
  static func attempt(_ row: borrowing Statement, offset: Int64) -> AttemptRecord {
    var record = AttemptRecord(
      turn: row.int(0) ?? 0, step: row.int(1) ?? 0, number: row.int(2) ?? 0,
      phase: row.text(3).flatMap(Phase.init) ?? .measured, profile: row.text(4) ?? "",
      boundary: row.text(5).flatMap(Boundary.init), cause: row.text(6) ?? "", outcome: row.text(7) ?? "",
      errorClass: row.text(8).flatMap(ErrorClass.init),
      provenance: row.text(13).flatMap(Provenance.init) ?? .recorded, inFlight: row.int(16) ?? 0,
      wait: row.integer(17), timeline: timeline(row, offset: offset), usage: usage(row),
      cost: Cost(dollars: row.double(21), isLowerBound: row.flag(22) ?? false))
    record.errorMessage = row.text(9)
    record.httpStatus = row.int(10)
    record.finish = row.text(11).flatMap(Finish.init)
    record.rawFinish = row.text(12)
    record.isCold = row.flag(14)
    record.httpVersion = row.text(15)
    record.servedModel = row.text(18)
    record.bytesSent = row.int(19)
    record.decision = row.json(20)
    record.isRetryable = row.flag(41) ?? false
    record.retryAfterMilliseconds = row.double(42)
    record.hadOutput = row.flag(43) ?? record.isOK
    return record
  }

  private static func usage(_ row: borrowing Statement) -> Usage? {
    guard row.flag(23) == true else { return nil }
    return Usage(
      input: row.int(24), cachedInput: row.int(25), cacheWrite: row.int(26), output: row.int(27),
      reasoning: row.int(28))
  }

  private static func timeline(_ row: borrowing Statement, offset: Int64) -> Timeline {
    var timeline = Timeline()
    timeline.scheduled = row.int64(29).map { $0 + offset }
    timeline.start = row.int64(30).map { $0 + offset }
    timeline.connectionReady = row.int64(31).map { $0 + offset }
    timeline.firstByte = row.int64(32).map { $0 + offset }
    timeline.firstEvent = row.int64(33).map { $0 + offset }
    timeline.firstReasoning = row.int64(34).map { $0 + offset }
    timeline.firstContent = row.int64(35).map { $0 + offset }
    timeline.firstTool = row.int64(36).map { $0 + offset }
    timeline.lastToken = row.int64(37).map { $0 + offset }
    timeline.terminal = row.int64(38).map { $0 + offset }
    timeline.done = row.int64(39).map { $0 + offset }
    timeline.tokenReads = row.withBytes(40) { TokenStamps.decode($0, offset: offset) } ?? []
    return timeline
  }
}

/// Reads the rows of `scores`.
enum ScoreReading {
  static let columns =
    "check_name, kind, weight, turn, value, passed, unscored, unscored_detail, explanation, criteria"

  static func score(_ row: borrowing Statement) -> ScoreRecord {
    let judgement: Judgement
    if let value = row.double(4) {
      judgement = .scored(value: value, passed: row.flag(5))
    } else {
      let reason = row.text(6).flatMap(UnscoredReason.init) ?? .graderFailed
      judgement = .unscored(reason, row.text(7) ?? "")
    }
    var score = ScoreRecord(
      check: row.text(0) ?? "", kind: row.text(1) ?? "", weight: row.double(2) ?? 1, turn: row.int(3),
      judgement: judgement, explanation: row.text(8))
    score.criteria = row.json(9)?.arrayValue?.compactMap(CriterionScore.init) ?? []
    return score
  }
}
