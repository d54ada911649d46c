import EvalCore

/// A judge's call on its way into its table.
struct JudgeCallSource {
  var trial: Int64
  var generation: Int64
  /// 0 for the run's own grading.
  var set: Int64
  var call: JudgeCall
  var privacy: Privacy

  var reply: ProviderReply { call.reply }
  var error: ProviderError? { call.reply.outcome.error }

  private var unread: (fault: JudgeFault, detail: String)? {
    if case .unread(let fault, let detail) = call.reading { return (fault, detail) }
    return nil
  }

  private var preference: Preference? {
    if case .preference(let preference, _) = call.reading { return preference }
    return nil
  }

  /// Kept only where no verdict was read from it.
  private var raw: String? {
    guard unread != nil, error == nil else { return nil }
    let calls = reply.toolCalls.map { "\($0.name) \($0.arguments.serialized())" }
    return ([reply.text, reply.refusal ?? ""] + calls).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private var duration: Int64? {
    guard let start = reply.timeline.start, let end = reply.timeline.done ?? reply.timeline.terminal else {
      return nil
    }
    return end - start
  }

  static let columns = place + manner + outcome + accounting + reading

  private static let place: [Column<JudgeCallSource>] = [
    Column("trial_no") { $0.integer($1.trial) },
    Column("generation") { $0.integer($1.generation) },
    Column("score_set") { $0.integer($1.set) },
    Column("check_name") { $0.text($1.call.place.check) },
    Column("rubric") { $0.text($1.call.place.rubric) },
    Column("turn") { $0.integer($1.call.place.turn) },
    Column("part") { $0.integer($1.call.place.part) },
    Column("draw") { $0.integer($1.call.place.draw) },
    Column("purpose") { $0.word($1.call.place.purpose) },
    Column("repair") { $0.flag($1.call.place.isRepair) },
    Column("number") { $0.integer($1.call.number) },
    Column("opponent") { $0.text($1.call.place.opponent) },
  ]

  private static let manner: [Column<JudgeCallSource>] = [
    Column("judge") { $0.text($1.call.judge) },
    Column("judge_hash") { $0.hash($1.call.judgeHash) },
    Column("form") { row, source in
      if let form = source.call.form { row.hash(form.hash) } else { row.null() }
    },
    Column("forced") { $0.word($1.call.force) },
    Column("temperature") { $0.real($1.call.temperature) },
    Column("seed") { $0.integer($1.call.seed) },
  ]

  private static let outcome: [Column<JudgeCallSource>] = [
    Column("wait_ns") { $0.integer($1.call.wait) },
    Column("duration_ns") { $0.integer($1.duration) },
    Column("outcome") { $0.word($1.reply.outcome) },
    Column("error_class") { $0.word($1.error?.kind) },
    Column("error_message") { row, source in row.text(source.error.flatMap { source.privacy.message(of: $0) })
    },
    Column("http_status") { $0.integer($1.error?.status) },
    Column("finish") { $0.word($1.reply.finish) },
    Column("provenance") { $0.word($1.reply.provenance) },
    Column("served_model") { $0.text($1.reply.servedModel) },
    Column("request_hash") { $0.text($1.reply.requestHash) },
  ]

  private static let accounting: [Column<JudgeCallSource>] = [
    Column("has_usage") { $0.flag($1.reply.usage != nil) },
    Column("input_tokens") { $0.integer($1.reply.usage?.input) },
    Column("cached_input_tokens") { $0.integer($1.reply.usage?.cachedInput) },
    Column("cache_write_tokens") { $0.integer($1.reply.usage?.cacheWrite) },
    Column("output_tokens") { $0.integer($1.reply.usage?.output) },
    Column("reasoning_tokens") { $0.integer($1.reply.usage?.reasoning) },
    Column("cost_usd") { $0.real($1.call.cost.dollars) },
    Column("cost_is_lower_bound") { $0.flag($1.call.cost.isLowerBound) },
  ]

  private static let reading: [Column<JudgeCallSource>] = [
    Column("fault") { $0.word($1.unread?.fault) },
    Column("fault_detail") { row, source in row.text(source.privacy.remark(source.unread?.detail)) },
    Column("preference") { $0.word($1.preference) },
    Column(triple: "raw") { $0.text($1.raw, hidden: $1.privacy.isPrivate) },
  ]
}

/// A mark on its way into its table.
struct JudgeMarkSource {
  var call: Int64
  var ordinal: Int
  var mark: CriterionMark
  var privacy: Privacy

  static let columns: [Column<JudgeMarkSource>] = [
    Column("call_no") { $0.integer($1.call) },
    Column("ordinal") { $0.integer($1.ordinal) },
    Column("criterion") { $0.text($1.mark.criterion) },
    Column("level") { $0.integer($1.mark.level) },
    Column("levels") { $0.integer($1.mark.levels) },
    Column("label") { $0.text($1.mark.label) },
    Column("reason") { row, source in row.text(source.privacy.remark(source.mark.reason)) },
  ]
}

/// What a check asks on its way into its table, which holds each once.
struct JudgeFormSource {
  var form: JudgedForm
  var privacy: Privacy

  static let columns: [Column<JudgeFormSource>] = [
    Column("hash") { $0.hash($1.form.hash) },
    // A case's own question may quote it.
    Column("content") { row, source in row.json(source.privacy.isPrivate ? nil : source.form.content) },
  ]
}

/// Writes what judges did.
final class JudgeWriting {
  private let insertCall: Insertion<JudgeCallSource>
  private let insertMark: Insertion<JudgeMarkSource>
  private let insertForm: Insertion<JudgeFormSource>
  private var forms: Set<ContentHash> = []

  init(_ connection: Connection) throws(StoreError) {
    insertCall = try Insertion(into: "judge_calls", JudgeCallSource.columns, on: connection)
    insertMark = try Insertion(into: "judge_marks", JudgeMarkSource.columns, on: connection)
    // What a private run left empty is filled by one that is not.
    insertForm = try Insertion(
      "INSERT OR REPLACE", into: "judge_forms", JudgeFormSource.columns, on: connection)
  }

  func write(_ source: JudgeCallSource, _ row: inout Row, _ connection: Connection) throws(StoreError) {
    try write(source.call.form, source.privacy, &row, connection)
    try insertCall.run(source, &row)
    guard case .marks(let marks) = source.call.reading else { return }
    let call = connection.lastInsertID
    for (ordinal, mark) in marks.enumerated() {
      try insertMark.run(
        JudgeMarkSource(call: call, ordinal: ordinal, mark: mark, privacy: source.privacy), &row)
    }
  }

  private func write(
    _ form: JudgedForm?, _ privacy: Privacy, _ row: inout Row, _ connection: Connection
  ) throws(StoreError) {
    guard let form, forms.insert(form.hash).inserted else { return }
    let known = try connection.integer(
      "SELECT count(*) FROM judge_forms WHERE hash = ?1 AND (content IS NOT NULL OR ?2)",
      .text(form.hash.hex), .integer(privacy.isPrivate ? 1 : 0))
    if known == 0 { try insertForm.run(JudgeFormSource(form: form, privacy: privacy), &row) }
  }
}

extension CriterionScore {
  var json: JSONValue {
    var object: JSONObject = [
      "criterion": .string(criterion), "value": .number(value), "verdicts": .integer(Int64(verdicts)),
    ]
    object["spread"] = spread.map { .number($0) }
    object["passed"] = passed.map { .bool($0) }
    return .object(object)
  }

  /// - Parameter json: as `json` wrote it; `nil` for anything else.
  init?(_ json: JSONValue) {
    guard let criterion = json["criterion"]?.stringValue, let value = json["value"]?.doubleValue else {
      return nil
    }
    self.init(
      criterion: criterion, value: value, spread: json["spread"]?.doubleValue,
      verdicts: json["verdicts"]?.doubleValue.map { Int($0) } ?? 0, passed: json["passed"]?.boolValue)
  }
}
