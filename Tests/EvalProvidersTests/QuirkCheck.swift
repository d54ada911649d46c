import EvalCore
import Testing

@testable import EvalProviders

/// One response that no recorded case covers, and what of its reading matters.
///
/// It is read in one piece and byte by byte; both must come to the same.
struct Quirk: Sendable, CustomTestStringConvertible {
  enum API: Sendable { case chat, responses, anthropic, gemini, ollama }
  enum Form: Sendable {
    /// Events as they stand, framed as the dialect frames them; `[DONE]` is written like one.
    case events([String])
    /// The body byte for byte.
    case raw(String, type: String)
    /// A whole JSON body, asked for without streaming.
    case body(String)
    /// The body of another status than 200.
    case status(Int, String, [String: String] = [:])
  }

  let label: String
  let api: API
  let form: Form
  /// Members of `Quirk.summary`; one that is not named is not looked at, but for `error`, which must be null then.
  let expected: JSONValue

  init(_ label: String, _ api: API, _ form: Form, _ expected: JSONValue) {
    (self.label, self.api, self.form, self.expected) = (label, api, form, expected)
  }

  var testDescription: String { label }

  private var dialect: any Dialect {
    switch api {
    case .chat: OpenAIChat()
    case .responses: OpenAIResponses()
    case .anthropic: Anthropic()
    case .gemini: Gemini()
    case .ollama: Ollama()
    }
  }

  func check() {
    let (status, headers, bytes, streams) = response
    for step in [bytes.count, 1] {
      let reading = read(bytes, status, headers, streams, by: max(step, 1))
      let end: TransferEnd = reading.answer.isComplete ? .stoppedBySink : .complete
      let reply = ReplyComposer(end: end, clientTime: 1_785_834_900).reply(from: reading)
      let summary = Self.summary(reply, reading)
      var wanted = expected.objectValue ?? [:]
      if wanted["error"] == nil { wanted["error"] = .null }
      for (key, value) in wanted.members {
        #expect(summary[key] == value, "\(label), \(step == 1 ? "single bytes" : "whole"): \(key)")
      }
      if status == 200, wanted["error"] == .null {
        #expect(reply.outcome.error == nil, "\(label): \(String(describing: reply.outcome.error))")
      }
    }
  }

  private var response: (Int, [(String, String)], [UInt8], Bool) {
    switch form {
    case .events(let events):
      let isLines = api == .ollama
      let text = events.map { isLines ? "\($0)\n" : "data: \($0)\n\n" }.joined()
      let type = isLines ? "application/x-ndjson" : "text/event-stream"
      return (200, [("Content-Type", type)], Array(text.utf8), true)
    case .raw(let text, let type): return (200, [("Content-Type", type)], Array(text.utf8), true)
    case .body(let text): return (200, [("Content-Type", "application/json")], Array(text.utf8), false)
    case .status(let status, let text, let headers):
      return (status, headers.map { ($0.key, $0.value) }, Array(text.utf8), true)
    }
  }

  private func read(
    _ bytes: [UInt8], _ status: Int, _ headers: [(String, String)], _ streams: Bool, by step: Int
  ) -> StreamReading {
    let dialect = dialect
    let traits = dialect.servers.first { $0.name == "generic" } ?? dialect.servers[0]
    var reading = StreamReading(
      decoder: dialect.makeDecoder(streaming: streams, traits), framing: dialect.framing,
      asksForStream: streams)
    reading.head(status: status, headers: HTTPHeaders(headers))
    for (sequence, start) in stride(from: 0, to: bytes.count, by: step).enumerated() {
      let piece = Array(bytes[start..<min(start + step, bytes.count)])
      let isDone = piece.withUnsafeBytes {
        reading.body($0, at: Int64(sequence) * 1000, readSequence: sequence)
      }
      if isDone { break }
    }
    return reading
  }

  private static func summary(_ reply: ProviderReply, _ reading: StreamReading) -> JSONObject {
    func number(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    let error = reply.outcome.error
    return [
      "text": .string(reply.text), "reasoning": .string(reply.reasoning), "refusal": text(reply.refusal),
      "calls": .array(reply.toolCalls.map { [text($0.id), .string($0.name), $0.arguments] }),
      "finish": text(reply.finish?.rawValue), "raw": text(reply.rawFinish),
      "in": number(reply.usage?.input), "out": number(reply.usage?.output),
      "cached": number(reply.usage?.cachedInput), "written": number(reply.usage?.cacheWrite),
      "thought": number(reply.usage?.reasoning), "ttft": number(reading.firstTokenEvent),
      "error": text(error?.kind.rawValue), "retryable": error.map { .bool($0.retryable) } ?? .null,
      "wait": error?.retryAfterMilliseconds.map { .integer(Int64($0)) } ?? .null,
      "message": text(error?.message), "prompt": number(error?.promptTokens),
      "window": number(error?.contextSize),
    ]
  }
}
