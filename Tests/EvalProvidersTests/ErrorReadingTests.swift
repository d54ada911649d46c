import EvalCore
import Testing

@testable import EvalProviders

struct ErrorReadingTests {
  static let now = 1_785_834_900.0  // Tue, 04 Aug 2026 09:15:00 GMT

  private func error(_ status: Int, _ body: String, _ headers: [(String, String)] = []) -> ProviderError {
    ErrorReading(status: status, headers: HTTPHeaders(headers), clientTime: Self.now).httpError(
      Array(body.utf8))
  }

  private func inBand(_ body: String, _ headers: [(String, String)] = []) throws -> ProviderError {
    let document = try JSONDocument(parsing: Array(body.utf8))
    let found = try #require(ErrorBody.find(in: document.root))
    return ErrorReading(status: 200, headers: HTTPHeaders(headers), clientTime: Self.now).inBandError(found)
  }

  @Test(arguments: [
    (400, ErrorClass.invalidRequest), (401, .authentication), (402, .quotaExceeded), (403, .permission),
    (404, .notFound), (408, .serverTimeout), (413, .requestTooLarge), (422, .invalidRequest),
    (429, .rateLimited),
    (500, .serverError), (502, .serverError), (503, .overloaded), (504, .serverTimeout), (529, .overloaded),
    (307, .redirect), (301, .redirect), (418, .invalidRequest),
    (446, .contentFiltered),
  ])
  func statusWithoutBody(status: Int, kind: ErrorClass) {
    #expect(error(status, "").kind == kind)
    #expect(error(status, "").status == status)
    #expect(error(status, "").retryable == kind.isRetryable)
  }

  @Test(arguments: [
    // Overflow by code, whatever the status but 429.
    (400, #"{"error":{"code":"context_length_exceeded","message":"x"}}"#, ErrorClass.contextSizeExceeded),
    (500, #"{"error":{"type":"exceed_context_size_error","message":"x"}}"#, .contextSizeExceeded),
    (400, #"{"error":"prompt too long; exceeded max context length by 3 tokens"}"#, .contextSizeExceeded),
    (
      400,
      #"{"error":{"message":"This model's maximum prompt length is 131072 but the request contains 537812 tokens"}}"#,
      .contextSizeExceeded
    ),
    (
      400,
      #"{"message":"Prompt contains 70000 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_error","code":"3051"}"#,
      .contextSizeExceeded
    ),
    (
      400, #"{"error":{"message":"Your input exceeds the context window of this model."}}"#,
      .contextSizeExceeded
    ),
    (
      400,
      #"{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"prompt is too long: 9 tokens > 4 maximum"}}}"#,
      .contextSizeExceeded
    ),
    (
      400, #"{"error":{"message":"Please reduce the length of the messages or completion."}}"#,
      .contextSizeExceeded
    ),
    // Not an overflow.
    (
      400,
      #"{"error":{"message":"max_tokens is too large: 99999. This model supports at most 16384 completion tokens"}}"#,
      .invalidRequest
    ),
    (
      429, #"{"error":{"message":"Request too large: maximum context length","code":"rate_limit_exceeded"}}"#,
      .rateLimited
    ),
    (400, #"{"error":{"message":"Rate limit reached: too many tokens"}}"#, .invalidRequest),
    (
      413,
      #"{"error":{"message":"Request too large for model `m` on tokens per minute (TPM): Limit 6000","code":"rate_limit_exceeded"}}"#,
      .requestTooLarge
    ),
    // Money.
    (429, #"{"error":{"code":"insufficient_quota"}}"#, .quotaExceeded),
    (429, #"{"error":{"code":"credit_balance_exhausted","type":"insufficient_quota"}}"#, .quotaExceeded),
    (403, #"{"error":{"type":"billing_error","message":"x"}}"#, .quotaExceeded),
    (
      400,
      #"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API"}}"#,
      .quotaExceeded
    ),
    (
      429, #"{"error":{"message":"You exceeded your current quota, please check your plan and billing"}}"#,
      .rateLimited
    ),
    (
      429,
      #"{"error":{"status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"GenerateRequestsPerDayPerProject"}]}]}}"#,
      .quotaExceeded
    ),
    // Finer than 400.
    (
      400, #"{"error":{"code":400,"status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}"#,
      .authentication
    ),
    (400, #"{"error":{"code":"model_not_found","message":"x"}}"#, .notFound),
    (400, #"{"error":{"code":"content_policy_violation","message":"x"}}"#, .contentFiltered),
    (
      400, #"{"error":{"innererror":{"code":"ResponsibleAIPolicyViolation"},"message":"x"}}"#,
      .contentFiltered
    ),
    (400, #"{"object":"error","message":"bad","type":"BadRequestError","code":400}"#, .invalidRequest),
    (400, #"{"error":{"type":"unsupportedLanguageOrLocale","message":"x"}}"#, .unsupportedCapability),
    (503, #"{"error":{"type":"assetsUnavailable","message":"x"}}"#, .unavailable),
    // The status decides over a type that says less.
    (503, #"{"error":{"type":"invalid_request_error"}}"#, .overloaded),
    (401, #"{"error":{"type":"invalid_request_error","code":"invalid_api_key"}}"#, .authentication),
  ])
  func statusAndBody(status: Int, body: String, kind: ErrorClass) {
    #expect(error(status, body).kind == kind)
  }

  @Test(arguments: [
    (#"{"error":{"code":502,"message":"x"}}"#, ErrorClass.serverError),
    (#"{"error":{"code":"503","message":"x"}}"#, .overloaded), (#"{"error":"upstream"}"#, .serverError),
    (#"[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]"#, .rateLimited),
    (#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#, .overloaded),
    (#"{"type":"error","code":"server_error","message":"x"}"#, .serverError),
    (#"{"error_type":"rate_limit_error","error_message":"slow"}"#, .rateLimited),
    (#"{"x_groq":{"id":"r","error":"over capacity"}}"#, .serverError),
    (#"{"choices":[{"error":{"code":504,"message":"x"},"finish_reason":"error"}]}"#, .serverTimeout),
    (#"{"object":"error","message":"x","type":"BadRequestError","code":400}"#, .invalidRequest),
    (
      #"{"error":{"message":"tokens to keep from the initial prompt is greater than the context length"}}"#,
      .contextSizeExceeded
    ),
    (#"{"error":{"message":"who knows"}}"#, .serverError),
    (#"{"error":{"type":"tokens","code":"rate_limit_exceeded"}}"#, .rateLimited),
  ])
  func insideAStream(body: String, kind: ErrorClass) throws {
    let error = try inBand(body)
    #expect(error.kind == kind)
    #expect(error.inBand)
    #expect(error.status == 200)
  }

  @Test(arguments: [
    #"{"error":null}"#, #"{"error":""}"#, #"{"error":{}}"#, #"{"error":false}"#, #"{"a":1}"#, "[]", "3",
  ])
  func noError(body: String) throws {
    let document = try JSONDocument(parsing: Array(body.utf8))
    #expect(ErrorBody.find(in: document.root) == nil)
  }

  @Test(arguments: [
    (#"{"error":{"message":"m"}}"#, "m"), (#"{"error":"m"}"#, "m"), (#"{"message":"m"}"#, "m"),
    (#"{"detail":"m"}"#, "m"),
    (#"{"detail":[{"loc":["body","n",0],"msg":"m"},{"msg":"n"}]}"#, "body.n.0: m; n"),
    (#"[{"error":{"message":"m"}}]"#, "m"), (#"{"error":{"error":{"message":"m"}}}"#, "m"),
    (#"{"error":true,"message":"m"}"#, "m"), (#"{"error":"not_found","message":"m"}"#, "m"),
    ("m\n", "m"), ("<html><head><title>M</title>", "a web page: m"), ("", "the server gave no reason"),
    (#"{"errors":[{"message":"m"}]}"#, "m"), (#"{"error":{"message":"m","param":"top_k"}}"#, "m (top_k)"),
    (#"{"error":{"message":"m: n","param":"n"}}"#, "m: n"), (#"{"error":{"message":"m","param":null}}"#, "m"),
  ])
  func message(body: String, expected: String) {
    #expect(error(500, body).message == expected)
  }

  @Test(arguments: [
    (
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9120 tokens.",
      9120, 8192
    ),
    ("prompt is too long: 213462 tokens > 200000 maximum", 213_462, 200_000),
    (
      "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).", 1_196_265,
      1_048_575
    ),
    (
      "The input has 9210 tokens, but the context length only supports 8192 tokens: does not fit in context length",
      9210, 8192
    ),
    ("request (5120 tokens) exceeds the available context size (4096 tokens), try increasing it", 5120, 4096),
    (
      "This model's maximum prompt length is 131,072 but the request contains 537,812 tokens", 537_812,
      131_072
    ),
  ])
  func overflowCounts(message: String, prompt: Int, size: Int) {
    let body = JSONValue.object(["error": ["message": .string(message)]]).serialized(.compact)
    let error = error(400, body)
    #expect(error.kind == .contextSizeExceeded)
    #expect(error.promptTokens == prompt)
    #expect(error.contextSize == size)
  }

  @Test func serverSaysWhetherToRetry() {
    #expect(error(400, "", [("x-should-retry", "true")]).retryable)
    #expect(!error(503, "", [("x-should-retry", "false")]).retryable)
    #expect(!error(402, "", [("x-should-retry", "true")]).retryable)
  }

  // MARK: Retry hints

  private static let date = ("Date", "Tue, 04 Aug 2026 09:15:00 GMT")

  @Test(
    arguments: [
      ([("retry-after", "17")], 17000.0), ([("retry-after", "1.5")], 1500), ([("retry-after", "0")], 0),
      ([("retry-after-ms", "250"), ("retry-after", "9")], 250),
      ([("retry-after-ms", "x"), ("retry-after", "9")], 9000),
      ([date, ("retry-after", "Tue, 04 Aug 2026 09:15:30 GMT")], 30000),
      ([date, ("retry-after", "Tuesday, 04-Aug-26 09:15:30 GMT")], 30000),
      ([date, ("retry-after", "Tue Aug  4 09:15:30 2026")], 30000),
      ([date, ("retry-after", "Tue, 04 Aug 2026 09:14:00 GMT")], 0),
      ([("retry-after", "Tue, 04 Aug 2026 09:15:05 GMT")], 5000), ([("retry-after", "-5")], nil),
      ([("retry-after", "NaN")], nil), ([("retry-after", "inf")], nil), ([("retry-after", "1e3")], nil),
      ([("retry-after", "soon")], nil), ([("retry-after", "")], nil),
      ([("retry-after", "9999999999999999999999")], nil),
      ([("retry-after", "Tue, 31 Foo 2026 09:15:30 GMT")], nil),
      ([("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "1.53s")], 1530),
      ([("x-ratelimit-remaining-requests", "1"), ("x-ratelimit-reset-requests", "1.53s")], nil),
      (
        [
          ("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", "6m12s"),
          ("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "120ms"),
        ], 372_000
      ),
      ([("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", "-1")], nil),
      ([("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", "7")], 7000),
      (
        [
          date, ("anthropic-ratelimit-tokens-remaining", "0"),
          ("anthropic-ratelimit-tokens-reset", "2026-08-04T09:15:17Z"),
        ], 17000
      ),
      (
        [
          date, ("anthropic-ratelimit-tokens-remaining", "0"),
          ("anthropic-ratelimit-tokens-reset", "2026-08-04T11:15:17+02:00"),
        ], 17000
      ),
      ([date, ("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1785834910000")], 10000),
    ] as [([(String, String)], Double?)])
  func headerHints(headers: [(String, String)], milliseconds: Double?) {
    #expect(error(429, "", headers).retryAfterMilliseconds == milliseconds)
  }

  @Test(
    arguments: [
      ("Please try again in 6.57s.", 6570.0), ("try again in 450ms", 450),
      ("Please retry in 34.074824224s.", 34075),
      ("try again in 1m30s.", 90000), ("Try again in 20 seconds", 20000), ("retry after 2 minutes", 120_000),
      ("try again in a moment", nil), ("try again later", nil),
    ] as [(String, Double?)])
  func messageHints(message: String, milliseconds: Double?) {
    let body = JSONValue.object(["error": ["message": .string(message)]]).serialized(.compact)
    #expect(error(429, body).retryAfterMilliseconds == milliseconds)
    #expect(error(400, body).retryAfterMilliseconds == nil)
  }

  @Test func retryInfoGoesBeforeBucketsAndWords() {
    let body =
      #"{"error":{"code":429,"message":"try again in 9s","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.074824224s"}]}}"#
    let headers = [("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", "5s")]
    #expect(error(429, body, headers).retryAfterMilliseconds == 34075)
    #expect(error(429, body, [("retry-after", "2")]).retryAfterMilliseconds == 2000)
  }

  @Test func bucketsInsideAnErrorEvent() throws {
    let open =
      #"{"error":{"code":"rate_limit_exceeded","headers":{"x-ratelimit-remaining-tokens":"5","x-ratelimit-reset-tokens":"50s"}}}"#
    let spent =
      #"{"error":{"code":"rate_limit_exceeded","headers":{"x-ratelimit-remaining-tokens":"0","x-ratelimit-reset-tokens":"50s"}}}"#
    #expect(try inBand(open).retryAfterMilliseconds == nil)
    #expect(try inBand(spent).retryAfterMilliseconds == 50000)
  }

  // MARK: Transport

  @Test(arguments: [
    (6, false, ErrorClass.network, true), (7, false, .network, true), (52, false, .network, true),
    (56, false, .network, true), (56, true, .truncated, true), (18, true, .truncated, true),
    (92, true, .truncated, true), (60, false, .network, false), (3, false, .invalidRequest, false),
    (43, false, .invalidRequest, false), (61, true, .malformedResponse, false),
  ])
  func curlCodes(code: Int, sawBody: Bool, kind: ErrorClass, retryable: Bool) {
    let error = TransferEnd.failed(code: code, message: "m").error(sawBody: sawBody)
    #expect(error?.kind == kind)
    #expect(error?.retryable == retryable)
  }

  @Test func timeLimits() {
    let limits: [(TransferTimeout, ErrorClass)] = [
      (.connect, .connectTimeout), (.firstToken, .firstTokenTimeout), (.stall, .stallTimeout),
      (.total, .totalTimeout),
    ]
    for (limit, kind) in limits { #expect(TransferEnd.timeout(limit).error(sawBody: true)?.kind == kind) }
    #expect(TransferEnd.cancelled.error(sawBody: true)?.kind == .cancelled)
    #expect(TransferEnd.complete.error(sawBody: true) == nil)
  }
}
