import EvalCore

/// What a provider's code, type, status or reason means, whoever uses the word.
enum ErrorWords {
  /// The class that a structured word stands for; `nil` when it is not known. Case and separators do not count.
  static func errorClass(of word: String) -> ErrorClass? { table[normalised(word)] }

  private static let table: [String: ErrorClass] = {
    var table: [String: ErrorClass] = [:]
    for (kind, words) in wordsByClass {
      for word in words { table[normalised(word)] = kind }
    }
    return table
  }()

  private static let wordsByClass: [(ErrorClass, [String])] = [
    (
      .contextSizeExceeded,
      [
        "context_length_exceeded", "exceed_context_size_error", "context_window_exceeded",
        "model_context_window_exceeded", "context_size_exceeded", "ContextWindowExceededError",
        "exceededContextWindowSize", "contextSizeExceeded",
      ]
    ),
    (
      .quotaExceeded,
      [
        "insufficient_quota", "billing_error", "credit_balance_exhausted", "terminal_quota_exhausted",
        "usage_limit_reached", "billing_hard_limit_reached", "billing_not_active", "insufficient_credits",
        "insufficient_balance", "payment_required", "quotaLimitReached",
      ]
    ),
    (
      .contentFiltered,
      [
        "content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation", "content_filter_error",
        "guardrailViolation", "guardrail_violation", "guardrail_intervened",
        "image_content_policy_violation",
      ]
    ),
    (
      .authentication,
      [
        "invalid_api_key", "authentication_error", "API_KEY_INVALID", "UNAUTHENTICATED",
        "AuthenticationError",
        "unauthorized", "invalid_authentication_error",
      ]
    ),
    (
      .permission,
      [
        "permission_error", "PERMISSION_DENIED", "PermissionDeniedError", "forbidden",
        "unsupported_country_region_territory",
      ]
    ),
    (
      .notFound,
      ["model_not_found", "not_found_error", "NOT_FOUND", "NotFoundError", "DeploymentNotFound"]
    ),
    (.requestTooLarge, ["request_too_large", "payload_too_large"]),
    (
      .malformedResponse,
      [
        "MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS",
      ]
    ),
    (
      .rateLimited,
      [
        "rate_limit_error", "rate_limit_exceeded", "RESOURCE_EXHAUSTED", "slow_down", "RateLimitError",
        "too_many_requests", "rate_limited", "rateLimited", "rate_limit_reached_error",
      ]
    ),
    (
      .overloaded,
      [
        "overloaded_error", "overloaded", "server_is_overloaded", "UNAVAILABLE", "unavailable_error",
        "engine_overloaded_error", "ServiceUnavailableError", "service_unavailable",
      ]
    ),
    (
      .serverError,
      [
        "api_error", "server_error", "internal_error", "INTERNAL", "internal_server_error",
        "InternalServerError",
        "vector_store_timeout",
      ]
    ),
    // Apple's names, which `fm serve` and a command of the user's may pass on.
    (
      .unavailable,
      [
        "assetsUnavailable", "modelNotReady", "deviceNotEligible", "appleIntelligenceNotEnabled",
        "systemNotReady",
      ]
    ),
    (
      .unsupportedCapability,
      [
        "unsupportedCapability", "unsupportedGuide", "unsupportedGenerationGuide",
        "unsupportedLanguageOrLocale",
        "unsupportedTranscriptContent",
      ]
    ),
    (.malformedResponse, ["decodingFailure", "ParsingError"]), (.refusal, ["refusal"]),
    (.network, ["networkFailure"]),
    (.serverTimeout, ["timeout_error", "DEADLINE_EXCEEDED", "timeout", "request_timeout"]),
    (
      .invalidRequest,
      [
        "invalid_request_error", "INVALID_ARGUMENT", "FAILED_PRECONDITION", "OUT_OF_RANGE", "BadRequestError",
        "unsupported_parameter", "unsupported_value", "invalid_prompt", "invalid_request", "bad_request",
        "UnprocessableEntityError", "concurrentRequests", "transcriptMutationWhileResponding",
        "MISSING_THOUGHT_SIGNATURE",
        // Responses' codes for an image that it cannot use (openai-openapi, ResponseErrorCode).
        "invalid_image", "invalid_image_format", "invalid_base64_image", "invalid_image_url",
        "image_too_large", "image_too_small", "image_parse_error", "invalid_image_mode",
        "image_file_too_large", "unsupported_image_media_type", "empty_image_file",
        "failed_to_download_image", "image_file_not_found",
      ]
    ),
  ]

  private static func normalised(_ word: String) -> String {
    String(word.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " && $0 != "." })
  }
}

/// Tells from a message that the prompt does not fit in the window, and how much of it was too much.
enum OverflowWords {
  /// Whether the words say so.
  ///
  /// Words about rates never do: "too many tokens, please wait" is throttling, and taking it for an overflow has driven
  /// a loop that compacted a conversation away (NousResearch/hermes-agent#98570).
  static func match(_ message: String) -> Bool {
    let text = message.lowercased()
    if rateWords.contains(where: text.contains) { return false }
    if phrases.contains(where: text.contains) { return true }
    return pairs.contains { text.contains($0.0) && text.contains($0.1) }
  }

  private static let rateWords = [
    "rate limit", "too many requests", "per minute", "per day", "throttl", "quota",
  ]

  private static let phrases = [
    "maximum context length", "max context length", "context length exceeded", "context_length_exceeded",
    "exceeds the context window", "exceed context limit", "exceeds context limit", "context window exceed",
    "exceeded the context window", "exceeds the model's context", "prompt is too long", "prompt too long",
    "input is too long", "maximum prompt length is", "greater than the context length",
    "not fit in context length", "not fit in the context", "longer than the context length",
    "longer than the model's context length", "exceeds the available context size", "exceeds context size",
    "exceed the context window", "exceeds maximum allowed input length",
    "exceeds the maximum allowed input length",
    "exceeded model token limit", "reduce the length of the messages", "reduce the length of the prompt",
    "too many tokens", "token limit exceeded", "exceeds the maximum number of tokens",
    "context window is full",
    "larger than the maximum context size", "longer than the maximum model length",
    // LM Studio's own order of words.
    "context the overflows", "loaded with context length of only",
  ]

  private static let pairs = [
    ("token count", "exceeds the"), ("tokens", "exceeds the limit of"), ("input length", "exceed"),
    ("context", "tokens) exceeds"), ("input tokens", "exceeds the model"),
    ("input token count is", "only supports up to"),
    // llama.cpp's embeddings take no more than a physical batch.
    ("input", "too large to process"),
  ]

  /// The counts that a message names.
  static func counts(in message: String) -> (promptTokens: Int?, contextSize: Int?) {
    let text = message.lowercased()
    return (first(after: promptAnchors, in: text), first(after: sizeAnchors, in: text))
  }

  private static let sizeAnchors = [
    "maximum context length is ", "maximum context length of ", "maximum context length (",
    "context length only supports ", "available context size (", "context length (", "tokens > ",
    "number of tokens allowed (", "maximum prompt length is ", "input length of ", "exceeds the limit of ",
    "model token limit: ", "too large for model with ", "context window of ",
    "maximum model length of ", "context length of only ", "n_ctx: ", "configured limit of ",
    "only supports up to ", "current batch size: ",
    // Anthropic: "exceed context limit: 178902 + 32000 > 200000".
    " > ",
  ]
  private static let promptAnchors = [
    "messages resulted in ", "prompt contains at least ", "the input has ", "prompt is too long: ",
    "input token count (", "token count of ", "request (", "request contains ", "prompt contains ",
    "input length (", "the input (", "your request has ", "input (", "(requested: ", "tokens (",
    "you requested about ",
    "exceed context limit: ", "input length ", "prompt (length ", "keep the first ", "n_keep: ",
    "token count is ",
  ]

  private static func first(after anchors: [String], in text: String) -> Int? {
    for anchor in anchors {
      guard let found = text.firstRange(of: anchor) else { continue }
      let digits = text[found.upperBound...].prefix { $0.isNumber || $0 == "," }.filter { $0 != "," }
      if let number = Int(digits) { return number }
    }
    return nil
  }
}
