import EvalCore

/// An attempt on its way into its two tables.
struct AttemptSource {
  /// Its row's number in both.
  var number: Int64
  var trial: Int64
  var generation: Int64
  var attempt: Attempt
  var request: RequestSnapshot
  var profileHash: HashText
  var privacy: Privacy

  var reply: ProviderReply { attempt.reply }
  var error: ProviderError? { attempt.reply.outcome.error }

  static let columns =
    [
      Column("attempt_no") { $0.integer($1.number) },
      Column("trial_no") { $0.integer($1.trial) },
      Column("generation") { $0.integer($1.generation) },
    ] + circumstances + outcome + stamps + accounting

  private static let circumstances: [Column<AttemptSource>] = [
    Column("turn") { $0.integer($1.attempt.turn) },
    Column("step") { $0.integer($1.attempt.step) },
    Column("number") { $0.integer($1.attempt.number) },
    Column("phase") { $0.word($1.attempt.phase) },
    Column("profile") { $0.text($1.attempt.profile) },
    Column("profile_hash") { $0.hex($1.profileHash) },
    Column("boundary") { $0.word($1.attempt.boundary) },
    Column("cause") { $0.word($1.attempt.cause) },
    Column("decision") { $0.json($1.privacy.decision($1.attempt.decision)) },
    Column("wait_ns") { $0.integer($1.attempt.wait) },
    Column("in_flight") { $0.integer($1.attempt.inFlight) },
    Column("provenance") { $0.word($1.reply.provenance) },
    Column("request_hash") { $0.text($1.reply.requestHash) },
    Column("cold") { $0.flag($1.reply.connection.isCold) },
    Column("http_version") { $0.text($1.reply.connection.httpVersion) },
    Column("bytes_sent") { $0.integer($1.reply.connection.bytesSent) },
    Column("bytes_received") { $0.integer($1.reply.connection.bytesReceived) },
  ]

  private static let outcome: [Column<AttemptSource>] = [
    Column("outcome") { $0.word($1.reply.outcome) },
    Column("error_class") { $0.word($1.error?.kind) },
    Column("error_message") { row, source in row.text(source.error.flatMap(source.privacy.message)) },
    Column("error_code") { $0.text($1.error?.code) },
    Column("http_status") { $0.integer($1.error?.status) },
    Column("retry_after_ms") { $0.real($1.error?.retryAfterMilliseconds) },
    Column("retryable") { $0.flag($1.error?.retryable) },
    Column("in_band") { $0.flag($1.error?.inBand) },
    Column("prompt_tokens") { $0.integer($1.error?.promptTokens) },
    Column("context_size") { $0.integer($1.error?.contextSize) },
    Column("finish") { $0.word($1.reply.finish) },
    Column("raw_finish") { $0.text($1.reply.rawFinish) },
    Column("served_model") { $0.text($1.reply.servedModel) },
    Column("response_id") { $0.text($1.reply.responseID) },
    Column("notes") { row, source in
      let notes = source.privacy.isPrivate ? [] : source.reply.notes
      row.json(notes.isEmpty ? nil : .array(notes.map { .string($0) }))
    },
  ]

  private static let stamps: [Column<AttemptSource>] = [
    Column("t_scheduled") { $0.integer($1.reply.timeline.scheduled) },
    Column("t_start") { $0.integer($1.reply.timeline.start) },
    Column("t_connection_ready") { $0.integer($1.reply.timeline.connectionReady) },
    Column("t_first_byte") { $0.integer($1.reply.timeline.firstByte) },
    Column("t_first_event") { $0.integer($1.reply.timeline.firstEvent) },
    Column("t_first_reasoning") { $0.integer($1.reply.timeline.firstReasoning) },
    Column("t_first_content") { $0.integer($1.reply.timeline.firstContent) },
    Column("t_first_tool") { $0.integer($1.reply.timeline.firstTool) },
    Column("t_last_token") { $0.integer($1.reply.timeline.lastToken) },
    Column("t_terminal") { $0.integer($1.reply.timeline.terminal) },
    Column("t_done") { $0.integer($1.reply.timeline.done) },
    Column("token_reads") { $0.integer($1.reply.timeline.tokenReads.count) },
    Column("token_events") { row, source in
      row.integer(source.reply.timeline.tokenReads.reduce(0) { $0 + $1.events })
    },
    Column("token_stamps") { $0.blob(TokenStamps.encode($1.reply.timeline.tokenReads)) },
  ]

  private static let accounting: [Column<AttemptSource>] = [
    Column("has_usage") { $0.flag($1.reply.usage != nil) },
    Column("input_tokens") { $0.integer($1.reply.usage?.input) },
    Column("cached_input_tokens") { $0.integer($1.reply.usage?.cachedInput) },
    Column("cache_write_tokens") { $0.integer($1.reply.usage?.cacheWrite) },
    Column("output_tokens") { $0.integer($1.reply.usage?.output) },
    Column("reasoning_tokens") { $0.integer($1.reply.usage?.reasoning) },
    Column("cost_usd") { $0.real($1.attempt.cost.dollars) },
    Column("cost_is_lower_bound") { $0.flag($1.attempt.cost.isLowerBound) },
  ]
}
