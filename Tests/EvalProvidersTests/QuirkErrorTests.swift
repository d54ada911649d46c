import EvalCore
import Testing

@testable import EvalProviders

/// Errors in every shape, as HTTP bodies and inside answers of 200.
struct QuirkErrorTests {
  private static func chat(_ label: String, _ status: Int, _ body: String, _ expected: JSONValue) -> Quirk {
    Quirk(label, .chat, .status(status, body), expected)
  }

  private static func hint(_ label: String, _ headers: [String: String], _ wait: JSONValue) -> Quirk {
    Quirk(label, .chat, .status(429, "", headers), ["error": "rateLimited", "wait": wait])
  }

  private static func message(_ text: String) -> String {
    JSONValue.object(["error": ["message": .string(text)]]).serialized(.compact)
  }

  @Test(
    arguments: [
      chat(
        "a byte order mark", 429, "\u{FEFF}{\"error\":{\"code\":\"insufficient_quota\",\"message\":\"m\"}}",
        ["error": "quotaExceeded", "message": "m"]),
      chat("a bare string", 500, "\"m\"", ["error": "serverError", "message": "m"]),
      chat("a list of strings", 400, #"["m"]"#, ["error": "invalidRequest", "message": "m"]),
      chat("a list of nothing", 500, "[]", ["error": "serverError"]),
      chat("null", 500, "null", ["error": "serverError"]),
      chat(
        "an error that is null", 500, #"{"error":null,"message":"m"}"#,
        ["error": "serverError", "message": "m"]),
      chat("white space", 503, " \r\n", ["error": "overloaded", "retryable": true]),
      chat("an empty 400", 400, "", ["error": "invalidRequest", "retryable": false]),
      chat("an empty 413", 413, "", ["error": "requestTooLarge"]),
      chat(
        "a null code before another", 429,
        #"{"error":{"code":null,"error_code":"insufficient_quota","message":null,"error_message":"m"}}"#,
        ["error": "quotaExceeded", "message": "m"]),
      chat("HTML", 503, "<!DOCTYPE html><html><title>Down</title></html>", ["error": "overloaded"]),
      chat("HTML for a rate", 429, "<html>Too many requests</html>", ["error": "rateLimited"]),
      chat(
        "an event", 400, "event: error\ndata: {\"error\":{\"code\":\"context_length_exceeded\"}}\n\n",
        ["error": "contextSizeExceeded"]),
      chat("a redirect", 308, "", ["error": "redirect", "retryable": false]),
      chat(
        "money by type", 429, #"{"error":{"type":"usage_limit_reached","message":"m"}}"#,
        ["error": "quotaExceeded"]),
      chat(
        "LiteLLM's money", 429, #"{"error":{"code":"terminal_quota_exhausted"}}"#,
        ["error": "quotaExceeded", "retryable": false]),
      chat(
        "no money", 402,
        #"{"error":{"message":"Insufficient Balance","type":"unknown_error","code":"invalid_request_error"}}"#,
        ["error": "quotaExceeded"]),
      chat(
        "words of quota alone", 429, #"{"error":{"message":"Quota exceeded, check billing","code":"429"}}"#,
        ["error": "rateLimited", "retryable": true]),
      chat(
        "a picture's policy", 400, #"{"error":{"code":"content_policy_violation","message":"m"}}"#,
        ["error": "contentFiltered", "retryable": false]),
      chat(
        "Mistral's detail", 422,
        #"{"object":"error","message":{"detail":[{"loc":["body","n"],"msg":"m"}]},"type":"invalid_request_error","code":null}"#,
        ["error": "invalidRequest", "message": "body.n: m"]),
      Quirk(
        "Gemini's list", .gemini,
        .status(
          429,
          #"[{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":[{"@type":"x","retryDelay":"0.000000001s"}]}}]"#
        ), ["error": "rateLimited", "wait": 0]),
      Quirk(
        "Gemini's key", .gemini,
        .status(
          400,
          #"[{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}]"#
        ), ["error": "authentication"]),
      Quirk(
        "Anthropic's money", .anthropic,
        .status(
          400,
          #"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}"#
        ), ["error": "quotaExceeded", "retryable": false]),
      Quirk(
        "Ollama's sign-in", .ollama, .status(401, #"{"error":"unauthorized","signin_url":"https://x"}"#),
        ["error": "authentication", "message": "unauthorized"]),
      Quirk(
        "Ollama's queue", .ollama,
        .status(503, #"{"error":"server busy, please try again.  maximum pending requests exceeded"}"#),
        ["error": "overloaded", "wait": .null]),
    ] as [Quirk])
  func bodies(quirk: Quirk) { quirk.check() }

  @Test(
    arguments: [
      Quirk(
        "a text", .chat, .events([#"{"error":"m"}"#]),
        ["error": "serverError", "message": "m", "retryable": true]),
      Quirk("a list", .chat, .events([#"[{"error":{"code":429,"message":"m"}}]"#]), ["error": "rateLimited"]),
      Quirk(
        "a status as text", .chat, .events([#"{"error":{"message":"m","status":"429"}}"#]),
        ["error": "rateLimited"]),
      Quirk(
        "a code as a float", .chat, .events([#"{"error":{"message":"m","code":503.0}}"#]),
        ["error": "overloaded"]),
      Quirk(
        "a code at the top", .chat, .events([#"{"code":"rate_limit_exceeded","message":"m"}"#]),
        ["error": "rateLimited", "message": "m"]),
      Quirk(
        "a status at the top", .chat,
        .events([#"{"statusCode":429,"message":"Rate limit is exceeded. Try again in 36 seconds."}"#]),
        ["error": "rateLimited", "wait": 36000]),
      Quirk(
        "flat, with null before", .chat,
        .events([#"{"error_message":null,"error_type":"overloaded_error"}"#]), ["error": "overloaded"]),
      Quirk(
        "a detail", .chat, .body(#"{"detail":"Not authenticated"}"#),
        ["error": "serverError", "message": "Not authenticated"]),
      Quirk(
        "at the top of a body", .chat,
        .body(#"{"object":"error","message":"m","type":"BadRequestError","param":null,"code":400}"#),
        ["error": "invalidRequest"]),
      Quirk(
        "a field of its own", .chat,
        .raw(
          "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\nerror: {\"code\":503,\"message\":\"m\",\"type\":\"unavailable_error\"}\n\n",
          type: "text/event-stream"), ["text": "a", "error": "overloaded", "message": "m"]),
      Quirk(
        "an error event without words", .chat, .raw("event: error\ndata:\n\n", type: "text/event-stream"),
        ["error": "serverError"]),
      Quirk(
        "an error event with null", .responses,
        .raw("event: error\ndata: null\n\n", type: "text/event-stream"), ["error": "serverError"]),
      Quirk(
        "an error event with a text", .ollama,
        .raw("event: error\ndata: \"m\"\n\n", type: "text/event-stream"),
        ["error": "serverError", "message": "m"]),
      Quirk(
        "a text as the last word", .chat,
        .events([#"{"choices":[{"delta":{"content":"a"}}]}"#, #""upstream failed""#]),
        ["text": "a", "error": "serverError", "message": "upstream failed"]),
      Quirk(
        "two bare lines", .gemini,
        .raw(
          "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\r\n\r\n{\"error\":{\"code\":503,\"message\":\"m\"}}\r\n{\"error\":{\"code\":503,\"message\":\"m\"}}\r\n",
          type: "text/event-stream"), ["text": "a", "error": "overloaded"]),
      Quirk(
        "bare and pretty in another dialect", .anthropic,
        .raw(
          "data: {\"type\":\"ping\"}\n\n{\n  \"type\": \"error\",\n  \"error\": {\n    \"type\": \"overloaded_error\",\n    \"message\": \"m\"\n  }\n}\n",
          type: "text/event-stream"), ["error": "overloaded", "message": "m"]),
      Quirk(
        "a page in a stream", .chat, .raw("<html><title>Hello</title></html>", type: "text/event-stream"),
        ["error": "malformedResponse"]),
      Quirk(
        "a page with 200", .ollama, .raw("\n<html></html>", type: "text/html"), ["error": "malformedResponse"]
      ),
      Quirk(
        "plain words with 200", .chat, .raw("internal server error", type: "text/plain"),
        ["error": "malformedResponse"]),
      Quirk("nothing", .gemini, .raw("", type: "application/json"), ["error": "truncated", "finish": .null]),
      Quirk(
        "only comments", .responses, .raw(": keep-alive\n\n:\n\n", type: "text/event-stream"),
        ["error": "truncated"]),
      Quirk(
        "OpenRouter's headers in the body", .chat,
        .events([
          #"{"error":{"code":429,"message":"m","metadata":{"headers":{"X-RateLimit-Limit":"20","X-RateLimit-Remaining":"0","X-RateLimit-Reset":"1785834910000"}}}}"#
        ]), ["error": "rateLimited", "wait": 10000]),
      Quirk(
        "headers as numbers", .responses,
        .events([
          #"{"type":"error","error":{"type":"rate_limit_error","message":"m","headers":{"x-ratelimit-remaining-tokens":0,"x-ratelimit-reset-tokens":"1m0.5s"}}}"#
        ]), ["error": "rateLimited", "wait": 60500]),
      Quirk(
        "filtered prompt inside a stream", .chat,
        .events([#"{"error":{"code":"content_filter","message":"m"}}"#]),
        ["error": "contentFiltered", "retryable": false]),
      Quirk(
        "Gemini's day", .gemini,
        .events([
          #"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"m","details":[{"violations":[{"quotaId":"GenerateContentInputTokensPerModelPerDay-FreeTier"}]},{"retryDelay":"3s"}]}}"#
        ]), ["error": "quotaExceeded", "retryable": false]),
    ] as [Quirk])
  func inside(quirk: Quirk) { quirk.check() }

  @Test(
    arguments: [
      hint("milliseconds", ["retry-after-ms": "1200.5"], 1200),
      hint("milliseconds that are none", ["retry-after-ms": "NaN", "retry-after": "3"], 3000),
      hint("blanks", ["retry-after": " 3 "], 3000), hint("a sign", ["retry-after": "+3"], .null),
      hint("a comma", ["retry-after": "1,5"], .null), hint("hexadecimal", ["retry-after": "0x10"], .null),
      hint("hours", ["retry-after": "86400"], 86_400_000),
      hint("a day that is none", ["retry-after": "Tue, 99 Aug 2026 09:15:30 GMT"], .null),
      hint(
        "a bucket in milliseconds",
        ["x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "12ms"], 12),
      hint(
        "a bucket at zero", ["x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "0"], 0),
      hint("a bucket by IETF", ["ratelimit-remaining": "0", "ratelimit-reset": "5"], 5000),
      hint(
        "a bucket with some left", ["x-ratelimit-remaining-tokens": "1", "x-ratelimit-reset-tokens": "5s"],
        .null),
      hint(
        "a bucket in the past",
        [
          "anthropic-ratelimit-requests-remaining": "0",
          "anthropic-ratelimit-requests-reset": "2026-08-04T09:14:00Z",
        ], 0),
      chat(
        "a duration as an object", 429,
        #"{"error":{"details":[{"retryDelay":{"seconds":"2","nanos":500000000}}]}}"#,
        ["error": "rateLimited", "wait": 2500]),
      chat(
        "a negative duration", 429,
        #"{"error":{"message":"try again in 2s","details":[{"retryDelay":"-3s"}]}}"#,
        ["error": "rateLimited", "wait": 2000]),
      chat("days", 429, message("Please try again in 1 day."), ["error": "rateLimited", "wait": 86_400_000]),
      chat(
        "hours and minutes", 429, message("Please try again in 1h2m3.5s. Visit x."),
        ["error": "rateLimited", "wait": 3_723_500]),
      chat("Azure", 429, message("Please retry after 26 seconds."), ["error": "rateLimited", "wait": 26000]),
    ] as [Quirk])
  func waits(quirk: Quirk) { quirk.check() }

  @Test(
    arguments: [
      ("Prompt contains 40001 tokens, too large for model with 32768 maximum context length", 40001, 32768),
      (
        "input length and `max_tokens` exceed context limit: 178902 + 32000 > 200000, decrease input length",
        178_902, 200_000
      ),
      (
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4500 in the messages, 500 in the completion).",
        4500, 4096
      ),
      ("The decoder prompt (length 5000) is longer than the maximum model length of 4096.", 5000, 4096),
      (
        "Trying to keep the first 5012 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
        5012, 4096
      ),
      (
        "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 5012>= n_ctx: 4096)",
        5012, 4096
      ),
      (
        "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens. Please reduce the length of the messages.",
        300_000, 272_000
      ),
      (
        "Unable to submit request because the input token count is 1200000 but model only supports up to 1048576.",
        1_200_000, 1_048_576
      ),
      ("input token count exceeds the maximum number of tokens allowed (1048576).", nil, 1_048_576),
      ("prompt too long; exceeded max context length by 4 tokens", nil, nil),
      ("the prompt is longer than the context length currently set", nil, nil),
    ] as [(String, Int?, Int?)])
  func overflow(words: String, prompt: Int?, window: Int?) {
    func number(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }
    let wanted: JSONValue = [
      "error": "contextSizeExceeded", "prompt": number(prompt), "window": number(window), "retryable": false,
    ]
    Quirk(words, .chat, .status(400, Self.message(words)), wanted).check()
    Quirk(
      words, .chat, .raw("event: error\ndata: \(Self.message(words))\n\n", type: "text/event-stream"), wanted
    ).check()
    Quirk(words, .ollama, .status(400, #"{"error":"\#(words)"}"#), wanted).check()
    Quirk(words, .chat, .status(429, Self.message(words)), ["error": "rateLimited"]).check()
  }
}
