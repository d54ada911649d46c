import EvalCore
import Testing

@testable import EvalProviders

/// Several bends of the framing at once.
struct QuirkFramingTests {
  private static let word = #"{"choices":[{"delta":{"content":"a\#u{2028}b"}}]}"#
  private static let stop = #"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#
  private static let stream = "text/event-stream; charset=utf-8"

  @Test(
    arguments: [
      Quirk(
        "CRLF, byte order mark, no space, no last line end", .chat,
        .raw("\u{FEFF}: x\r\n\r\ndata:\(word)\r\n\r\ndata:\(stop)", type: stream),
        ["text": "a\u{2028}b", "finish": "stop", "ttft": 0]),
      Quirk(
        "CR alone", .chat,
        .raw("id: 1\rdata: \(word)\r\rretry: 5\r\rdata: \(stop)\r\rdata:[DONE]", type: stream),
        ["text": "a\u{2028}b", "finish": "stop", "ttft": 0]),
      Quirk(
        "no content type, blank lines first", .chat,
        .raw("\n\r\n\ndata: \(word)\n\ndata: \(stop)\n\n", type: ""), ["finish": "stop", "ttft": 0]),
      Quirk(
        "half a last event", .chat,
        .raw("data: \(word)\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"c", type: stream),
        ["text": "a\u{2028}b", "error": "truncated", "finish": .null, "retryable": true]),
      Quirk(
        "a broken event before the end", .chat,
        .raw("data: \(word)\n\ndata: {\"choices\":[\n\ndata: [DONE]\n\n", type: stream),
        ["text": "a\u{2028}b", "error": "malformedResponse"]),
      Quirk(
        "an array that stops", .gemini,
        .raw(
          "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a]\"}]}}]}\n,\n{\"cand",
          type: "application/json"),
        ["text": "a]", "error": "truncated", "ttft": 0]),
      Quirk(
        "lines under the type of one text", .ollama,
        .raw(
          "{\"message\":{\"content\":\"a\"}}\n{\"done\":true,\"done_reason\":\"stop\"}\n",
          type: "application/json"),
        ["text": "a", "finish": "stop", "ttft": 0]),
      Quirk(
        "an answer in one piece under the type of a stream", .anthropic,
        .raw(
          "\r\n{\n \"content\": [{\"type\": \"text\", \"text\": \"a\"}],\n \"stop_reason\": \"end_turn\"\n}\n",
          type: stream),
        ["text": "a", "finish": "stop", "ttft": .null]),
    ] as [Quirk])
  func bends(quirk: Quirk) { quirk.check() }
}
