import EvalCore
import Testing

@testable import EvalProviders

/// The other dialects, and the habits of one in the stream of another.
struct QuirkDialectTests {
  private static func chunk(_ parts: String, _ rest: String = "") -> String {
    #"{"candidates":[{"content":{"parts":[\#(parts)]}}]\#(rest)}"#
  }
  private static let geminiStop = #"{"candidates":[{"content":null,"finishReason":"STOP"}]}"#

  @Test(
    arguments: [
      Quirk(
        "thoughts counted once, candidates later", .gemini,
        .events([
          chunk(
            #"{"text":"a"}"#,
            #","usageMetadata":{"promptTokenCount":10,"toolUsePromptTokenCount":5,"thoughtsTokenCount":6}"#),
          geminiStop, #"{"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":4}}"#,
        ]), ["in": 15, "out": 10, "thought": 6]),
      Quirk(
        "zeros at the end", .gemini,
        .events([
          chunk(
            #"{"text":"a"}"#,
            #","usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":4,"totalTokenCount":14}"#),
          geminiStop,
          #"{"usageMetadata":{"promptTokenCount":0,"candidatesTokenCount":0,"totalTokenCount":0}}"#,
        ]), ["in": 10, "out": 4]),
      Quirk(
        "counts as text", .gemini,
        .events([
          chunk(
            #"{"text":"a"}"#,
            #","usageMetadata":{"promptTokenCount":"10","candidatesTokenCount":4.0,"totalTokenCount":"14"}"#),
          geminiStop,
        ]), ["in": 10, "out": 4]),
      Quirk(
        "nulls for objects", .gemini,
        .events([
          #"{"candidates":null,"promptFeedback":null,"usageMetadata":null,"error":null}"#,
          #"{"candidates":[null,{"content":{"parts":null},"finishReason":null}]}"#,
          chunk(
            #"null,{"text":null},{"functionCall":null,"text":"a"},{"functionCall":{"name":"f","args":null}}"#),
          geminiStop, "[DONE]",
        ]), ["text": "a", "calls": [[.null, "f", [:]]], "finish": "tool_calls", "ttft": 2]),
      Quirk(
        "two calls under one id", .gemini,
        .events([
          chunk(
            #"{"functionCall":{"name":"f","args":{},"id":"x"}},{"functionCall":{"name":"f","args":{},"id":"x"}}"#
          ), geminiStop,
        ]), ["calls": [["x", "f", [:]], ["x", "f", [:]]]]),
      Quirk(
        "safety after text", .gemini,
        .events([chunk(#"{"text":"a"}"#), #"{"candidates":[{"finishReason":"SAFETY"}]}"#]),
        ["text": "a", "finish": "content_filter"]),
      Quirk(
        "prompt blocked, array form", .gemini,
        .raw(
          "\u{FEFF}[{\"promptFeedback\":{\"blockReason\":\"JAILBREAK\"}}\n]", type: "application/json"),
        ["finish": "content_filter", "raw": "JAILBREAK"]),
      Quirk(
        "array form under the type of a stream", .gemini,
        .raw("[\(chunk(#"{"text":"a"}"#)),\r\n\(geminiStop)]", type: "text/event-stream"),
        ["text": "a", "finish": "stop"]),
      Quirk(
        "error at the end of the array", .gemini,
        .raw(
          "[\(chunk(#"{"text":"a"}"#)),\n{\"error\":{\"code\":503,\"message\":\"m\",\"status\":\"UNAVAILABLE\"}}]",
          type: "application/json"), ["text": "a", "error": "overloaded"]),
    ] as [Quirk])
  func gemini(quirk: Quirk) { quirk.check() }

  private static let anthropicStart =
    #"{"type":"message_start","message":{"content":[],"usage":{"input_tokens":5,"cache_read_input_tokens":null,"output_tokens":1}}}"#
  private static func block(_ block: String, _ index: Int = 0) -> String {
    #"{"type":"content_block_start","index":\#(index),"content_block":\#(block)}"#
  }
  private static let anthropicText =
    #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}"#
  private static func end(_ reason: String, _ usage: String = #"{"output_tokens":7}"#) -> String {
    #"{"type":"message_delta","delta":{"stop_reason":\#(reason)},"usage":\#(usage)}"#
  }

  @Test(
    arguments: [
      Quirk(
        "counts as text, null and float", .anthropic,
        .events([
          anthropicStart, anthropicText,
          end(#""end_turn""#, #"{"input_tokens":null,"cache_read_input_tokens":"3","output_tokens":7.0}"#),
        ]), ["in": 8, "cached": 3, "out": 7]),
      Quirk(
        "zeros at the end", .anthropic,
        .events([
          anthropicStart, anthropicText,
          end(
            #""end_turn""#,
            #"{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":7}"#
          ),
        ]), ["in": 5, "out": 7]),
      Quirk(
        "cache writes by their life", .anthropic,
        .events([
          anthropicStart, anthropicText,
          end(
            #""end_turn""#,
            #"{"input_tokens":5,"cache_creation_input_tokens":null,"cache_creation":{"ephemeral_5m_input_tokens":2,"ephemeral_1h_input_tokens":4},"output_tokens":7}"#
          ),
        ]), ["in": 11, "written": 6]),
      Quirk(
        "nulls for objects", .anthropic,
        .events([
          #"{"type":"message_start","message":null}"#,
          #"{"type":"content_block_start","index":0,"content_block":null}"#,
          #"{"type":"content_block_delta","index":0,"delta":null}"#, anthropicText,
          #"{"type":"message_delta","delta":null,"usage":null}"#, end(#""end_turn""#, "null"),
          #"{"type":"message_stop","error":null}"#,
        ]), ["text": "a", "in": .null, "finish": "stop", "ttft": 3]),
      Quirk(
        "a tool without deltas and one with null input", .anthropic,
        .events([
          anthropicStart, block(#"{"type":"tool_use","id":null,"name":"f","input":null}"#),
          block(#"{"type":"tool_use","id":"x","name":"g","input":{"a":1}}"#, 1),
          #"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}"#,
          block(#"{"type":"server_tool_use","id":"s","name":"web_search","input":{}}"#, 2),
          #"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{}"}}"#,
          end(#""tool_use""#),
        ]), ["calls": [[.null, "f", [:]], ["x", "g", ["a": 1]]], "finish": "tool_calls", "ttft": 1]),
      Quirk(
        "OpenAI's error and sentinel", .anthropic,
        .events([anthropicStart, #"{"error":{"message":"m","type":"server_error","code":null}}"#, "[DONE]"]),
        ["error": "serverError", "out": .null, "in": 5]),
      Quirk(
        "message_stop without a reason", .anthropic,
        .events([anthropicStart, anthropicText, #"{"type":"message_stop"}"#]),
        ["finish": "unknown", "out": .null]),
      Quirk(
        "the finish word of another API", .anthropic,
        .events([anthropicStart, anthropicText, end(#""MAX_TOKENS""#)]),
        ["finish": "length"]),
      Quirk(
        "overloaded, not streamed, as a list", .anthropic,
        .body(#"[{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}]"#),
        ["error": "overloaded"]),
      Quirk(
        "null content, not streamed", .anthropic,
        .body(#"{"type":"message","content":null,"stop_reason":"refusal","stop_details":null,"usage":null}"#),
        ["finish": "refusal", "text": ""]),
      Quirk(
        "CRLF, byte order mark, no space, no last line end", .anthropic,
        .raw(
          "\u{FEFF}event:message_start\r\ndata:\(anthropicStart)\r\n\r\n: x\r\ndata:\(anthropicText)\r\n\r\ndata:\(end(#""end_turn""#))",
          type: "text/event-stream"), ["text": "a", "finish": "stop", "out": 7, "ttft": 1]),
    ] as [Quirk])
  func anthropic(quirk: Quirk) { quirk.check() }

  private static let line = #"{"model":"m","message":{"role":"assistant","content":"a"},"done":false}"#
  private static let done = #"{"message":{"content":""},"done":true,"done_reason":"stop","eval_count":3}"#

  @Test(
    arguments: [
      Quirk(
        "CRLF, byte order mark, blank lines, no last line end", .ollama,
        .raw("\u{FEFF}\(line)\r\n\r\n\(done)", type: "application/x-ndjson"),
        ["text": "a", "out": 3, "in": .null, "finish": "stop", "ttft": 0]),
      Quirk(
        "as events with a sentinel", .ollama,
        .raw("data: \(line)\n\ndata: \(done)\n\ndata: [DONE]\n\n", type: "text/event-stream"),
        ["text": "a", "finish": "stop", "ttft": 0]),
      Quirk(
        "nulls for objects", .ollama,
        .events([
          #"{"message":null,"error":null,"done":false}"#,
          #"{"message":{"content":null,"thinking":null,"tool_calls":[null,{"function":{"name":"f","arguments":null}}]}}"#,
          #"{"message":{"content":"a","tool_calls":null},"done":null}"#,
          #"{"done":true,"done_reason":null,"prompt_eval_count":null,"eval_count":"3"}"#,
        ]),
        ["text": "a", "calls": [[.null, "f", [:]]], "finish": "unknown", "out": 3, "in": .null, "ttft": 1]),
      Quirk(
        "arguments as text, two calls with one id", .ollama,
        .events([
          #"{"message":{"tool_calls":[{"id":"x","function":{"index":0,"name":"f","arguments":"{\"a\":1}"}},{"id":"x","function":{"index":0,"name":"f","arguments":{}}}]}}"#,
          done,
        ]), ["calls": [["x", "f", ["a": 1]], ["x", "f", [:]]], "finish": "tool_calls"]),
      Quirk(
        "huge times", .ollama,
        .events([
          line, #"{"done":true,"done_reason":"length","total_duration":9223372036854775808,"eval_count":3}"#,
        ]),
        ["finish": "length", "out": 3]),
      Quirk(
        "an error in a list", .ollama, .events([line, #"[{"error":{"code":429,"message":"m"}}]"#]),
        ["text": "a", "error": "rateLimited"]),
      Quirk(
        "an error as an object", .ollama, .events([line, #"{"error":{"code":503,"message":"m"}}"#]),
        ["error": "overloaded"]),
      Quirk(
        "cut behind a line", .ollama, .events([line]), ["text": "a", "error": "truncated", "finish": .null]),
      Quirk(
        "a pretty error", .ollama,
        .raw("{\n  \"error\": \"model requires more system memory\"\n}\n", type: "application/json"),
        ["error": "serverError"]),
    ] as [Quirk])
  func ollama(quirk: Quirk) { quirk.check() }

  private static func text(_ text: String) -> String {
    #"{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"\#(text)"}"#
  }
  private static func completed(_ rest: String) -> String {
    #"{"type":"response.completed","response":{"status":"completed",\#(rest)}}"#
  }

  @Test(
    arguments: [
      Quirk(
        "nulls for objects", .responses,
        .events([
          #"{"type":"response.created","response":null}"#,
          #"{"type":"response.output_item.added","item":null}"#,
          #"{"type":"response.output_text.delta","delta":null}"#, text("a"),
          #"{"type":"response.output_item.done","item":null}"#,
          #"{"type":"response.content_part.done","part":null}"#,
          completed(
            #""error":null,"incomplete_details":null,"output":null,"usage":{"input_tokens":"5","output_tokens":2.0,"input_tokens_details":null,"output_tokens_details":null}"#
          ), "[DONE]",
        ]), ["text": "a", "in": 5, "out": 2, "finish": "stop", "ttft": 3]),
      Quirk(
        "a null refusal beside text", .responses,
        .body(
          #"{"response":null,"status":"completed","error":null,"output":[{"type":"message","content":[{"type":"output_text","refusal":null,"text":"a"}]}],"usage":null}"#
        ), ["text": "a", "refusal": .null, "finish": "stop"]),
      Quirk(
        "item ids all the same, calls apart by index", .responses,
        .events([
          #"{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"i","call_id":"x","name":"f","arguments":""}}"#,
          #"{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"i","call_id":"y","name":"g","arguments":""}}"#,
          #"{"type":"response.function_call_arguments.delta","item_id":"i","output_index":0,"delta":"{\"a\":1}"}"#,
          #"{"type":"response.function_call_arguments.delta","item_id":"i","output_index":1,"delta":"{\"b\":1}"}"#,
          completed(#""output":[]"#),
        ]), ["calls": [["x", "f", ["a": 1]], ["y", "g", ["b": 1]]], "ttft": 0]),
      Quirk(
        "item ids all the same, not streamed", .responses,
        .body(
          #"{"status":"completed","output":[{"type":"function_call","id":"i","call_id":"x","name":"f","arguments":"{}"},{"type":"function_call","id":"i","call_id":"y","name":"f","arguments":"{}"}]}"#
        ), ["calls": [["x", "f", [:]], ["y", "f", [:]]], "finish": "tool_calls"]),
      Quirk(
        "xAI's arithmetic", .responses,
        .events([
          text("a"),
          completed(
            #""usage":{"input_tokens":10,"output_tokens":2,"total_tokens":42,"output_tokens_details":{"reasoning_tokens":30}}"#
          ),
        ]), ["in": 10, "out": 32, "thought": 30]),
      Quirk(
        "filtered", .responses,
        .events([
          text("a"),
          #"{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}}"#,
        ]), ["text": "a", "finish": "content_filter"]),
      Quirk(
        "failed on the window", .responses,
        .events([
          #"{"type":"response.failed","response":{"status":"failed","error":{"code":"context_length_exceeded","message":"Your input exceeds the context window of this model."}}}"#
        ]), ["error": "contextSizeExceeded"]),
      Quirk(
        "failed, not streamed", .responses,
        .body(
          #"{"status":"failed","output":[],"error":{"code":"rate_limit_exceeded","message":"try again in 2m3.5s."}}"#
        ),
        ["error": "rateLimited", "wait": 123_500]),
      Quirk(
        "a flat error with a null code", .responses,
        .events([#"{"type":"error","code":null,"message":"m","param":null,"sequence_number":3}"#]),
        ["error": "serverError", "message": "m"]),
      Quirk(
        "unknown deltas are no text", .responses,
        .events([
          #"{"type":"response.mcp_call_arguments.delta","delta":"{}"}"#,
          #"{"type":"response.audio.delta","delta":"x"}"#,
          #"{"type":"keepalive","message":"hello"}"#, text("a"), completed(#""output":[]"#),
        ]), ["text": "a", "ttft": 3]),
    ] as [Quirk])
  func responses(quirk: Quirk) { quirk.check() }
}
