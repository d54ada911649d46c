import EvalCore
import Testing

@testable import EvalProviders

/// Chat Completions as its many servers bend it.
struct QuirkChatTests {
  private static func delta(_ delta: String, _ finish: String = "null") -> String {
    #"{"choices":[{"index":0,"delta":\#(delta),"finish_reason":\#(finish)}]}"#
  }
  private static let stop = delta("{}", #""stop""#)
  private static let word = delta(#"{"content":"a"}"#)
  private static func calls(_ calls: String) -> String { delta(#"{"tool_calls":[\#(calls)]}"#) }
  private static func usage(_ usage: String) -> String { #"{"choices":[],"usage":\#(usage)}"# }

  @Test(
    arguments: [
      Quirk(
        "null choices, null usage, null error", .chat,
        .events([#"{"choices":null,"usage":null,"error":null}"#, "null", "", word, stop, "[DONE]"]),
        ["text": "a", "finish": "stop", "ttft": 3]),
      Quirk(
        "a null name hides no other", .chat,
        .events([
          delta(
            #"{"content":[{"type":"text","thinking":null,"refusal":null,"text":"a"}],"refusal":null,"tool_calls":null,"function_call":null}"#
          ), stop,
        ]), ["text": "a", "refusal": .null, "finish": "stop"]),
      Quirk(
        "reasoning under several names", .chat,
        .events([
          delta(#"{"reasoning_content":"a","reasoning":"a","content":null}"#),
          delta(#"{"reasoning_content":null,"reasoning":"b"}"#),
          delta(
            #"{"reasoning":null,"reasoning_details":[{"type":"reasoning.summary","text":null,"summary":"c"},{"type":"reasoning.encrypted","data":"x"}]}"#
          ), stop,
        ]), ["reasoning": "abc", "text": "", "ttft": 0]),
      Quirk(
        "content is one part", .chat,
        .events([delta(#"{"content":{"type":"text","text":"a"}}"#), stop]), ["text": "a"]),
      Quirk(
        "halves of a pair in two deltas", .chat,
        .events([delta(#"{"content":"\ud83d"}"#), delta(#"{"content":"\ude00"}"#), stop]), ["text": "😀"]),
      Quirk(
        "finish in capitals", .chat, .events([word, delta("{}", #""MAX_TOKENS""#)]),
        ["finish": "length", "raw": "MAX_TOKENS"]),
      Quirk(
        "Gemini's blocklist through a relay", .chat, .events([word, delta("{}", #""RECITATION""#)]),
        ["finish": "content_filter"]),
      Quirk(
        "Cohere's word", .chat, .events([word, delta("{}", #""COMPLETE""#)]), ["finish": "stop"]),
      Quirk(
        "Anthropic's window word through a relay", .chat,
        .events([word, delta("{}", #""model_context_window_exceeded""#)]), ["finish": "length"]),
      Quirk(
        "a fumbled call", .chat, .events([delta("{}", #""malformed_function_call""#)]),
        ["finish": "error", "error": "malformedResponse", "retryable": true]),
      Quirk(
        "an unknown finish", .chat, .events([word, delta("{}", #""abort""#)]),
        ["finish": "unknown", "raw": "abort"]),
      Quirk(
        "keeps what came before an error", .chat,
        .events([word, #"{"error":{"code":429,"message":"x"}}"#, "[DONE]"]),
        ["text": "a", "error": "rateLimited", "finish": .null, "retryable": true]),
    ] as [Quirk])
  func deltas(quirk: Quirk) { quirk.check() }

  @Test(
    arguments: [
      Quirk(
        "counts as floats and as text", .chat,
        .events([
          word, stop, usage(#"{"prompt_tokens":12.0,"completion_tokens":"5","total_tokens":17}"#), "[DONE]",
        ]), ["in": 12, "out": 5]),
      Quirk(
        "counts that are none", .chat,
        .events([
          word, stop,
          usage(#"{"prompt_tokens":1e30,"completion_tokens":5,"total_tokens":99999999999999999999999}"#),
          usage(#"{"prompt_tokens":-4,"completion_tokens":"many"}"#), usage(#"{"prompt_tokens":1.5}"#),
        ]), ["in": .null, "out": 5]),
      Quirk(
        "null beside the other API's name", .chat,
        .events([
          word, stop,
          usage(
            #"{"prompt_tokens":null,"input_tokens":9,"completion_tokens":null,"output_tokens":4,"prompt_tokens_details":null,"input_tokens_details":{"cached_tokens":3},"completion_tokens_details":null,"output_tokens_details":{"reasoning_tokens":2}}"#
          ),
        ]), ["in": 9, "out": 4, "cached": 3, "thought": 2]),
      Quirk(
        "a later null and a later zero report", .chat,
        .events([
          usage(#"{"prompt_tokens":9,"completion_tokens":1}"#), word, stop,
          usage(#"{"prompt_tokens":null,"completion_tokens":7}"#),
          usage(#"{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}"#), "[DONE]",
        ]), ["in": 9, "out": 7]),
      Quirk(
        "LiteLLM's cache writes", .chat,
        .events([
          word, stop,
          usage(
            #"{"prompt_tokens":90,"completion_tokens":7,"cache_creation_input_tokens":20,"cache_read_input_tokens":60,"prompt_tokens_details":{"cached_tokens":null}}"#
          ),
        ]), ["in": 90, "cached": 60, "written": 20]),
      Quirk(
        "DeepSeek's hits and misses alone", .chat,
        .events([
          word, stop,
          usage(#"{"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":10,"completion_tokens":7}"#),
        ]), ["in": 74, "cached": 64, "out": 7]),
      Quirk(
        "xAI not streamed", .chat,
        .body(
          #"{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":42,"completion_tokens_details":{"reasoning_tokens":30}}}"#
        ), ["in": 10, "out": 32, "thought": 30, "text": "a", "ttft": .null]),
      Quirk(
        "all zero, not streamed", .chat,
        .body(
          #"{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}"#
        ), ["in": .null, "out": .null]),
      Quirk(
        "Moonshot and Groq, not streamed", .chat,
        .body(
          #"{"choices":[{"message":{"content":"a"},"finish_reason":"stop","usage":{"prompt_tokens":3,"completion_tokens":1,"cached_tokens":2}}],"x_groq":{"usage":null}}"#
        ), ["in": 3, "out": 1, "cached": 2]),
    ] as [Quirk])
  func usages(quirk: Quirk) { quirk.check() }

  @Test(
    arguments: [
      Quirk(
        "one id for two calls without an index", .chat,
        .events([
          calls(
            #"{"id":"x","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"x","function":{"name":"g","arguments":"{}"}}"#
          ), stop,
        ]), ["calls": [["x", "f", ["a": 1]], ["x", "g", [:]]], "finish": "tool_calls", "ttft": 0]),
      Quirk(
        "the same call twice under one id and index", .chat,
        .events([
          calls(#"{"index":0,"id":"x","function":{"name":"f","arguments":"{\"a\":1}"}}"#),
          calls(#"{"index":0,"id":"x","function":{"name":"f","arguments":"{\"a\":2}"}}"#), stop,
        ]), ["calls": [["x", "f", ["a": 1]], ["x", "f", ["a": 2]]]]),
      Quirk(
        "name and id repeated in every fragment", .chat,
        .events([
          calls(#"{"index":0,"id":"x","function":{"name":"f","arguments":""}}"#),
          calls(#"{"index":0,"id":"x","function":{"name":"f","arguments":"{\"a\""}}"#),
          calls(#"{"index":0,"id":"x","function":{"name":"f","arguments":":{}}"}}"#),
          calls(#"{"index":0,"id":"x","function":{"name":"f","arguments":""}}"#), stop,
        ]), ["calls": [["x", "f", ["a": [:]]]]]),
      Quirk(
        "null everywhere after the first fragment", .chat,
        .events([
          calls(#"{"index":0,"id":"x","type":"function","function":{"name":"f","arguments":null}}"#),
          calls(#"{"index":0,"id":null,"type":null,"function":{"name":null,"arguments":"{}"}}"#),
          calls(#"{"index":0,"function":null}"#), calls("null"), stop,
        ]), ["calls": [["x", "f", [:]]]]),
      Quirk(
        "index as text and as a float", .chat,
        .events([
          calls(#"{"index":"0","id":"x","function":{"name":"f","arguments":"{"}}"#),
          calls(#"{"index":1.0,"id":"y","function":{"name":"g","arguments":"{"}}"#),
          calls(#"{"index":"0","function":{"arguments":"}"}}"#),
          calls(#"{"index":1,"function":{"arguments":"}"}}"#), stop,
        ]), ["calls": [["x", "f", [:]], ["y", "g", [:]]]]),
      Quirk(
        "no ids at all", .chat,
        .events([
          calls(#"{"index":0,"function":{"name":"f","arguments":"{}"}}"#),
          calls(#"{"index":1,"function":{"name":"f","arguments":"{}"}}"#), stop,
        ]), ["calls": [[.null, "f", [:]], [.null, "f", [:]]]]),
      Quirk(
        "arguments are an object", .chat,
        .events([calls(#"{"index":0,"id":"x","function":{"name":"f","arguments":{"a":null}}}"#), stop]),
        ["calls": [["x", "f", ["a": .null]]]]),
      Quirk(
        "arguments that are no JSON", .chat,
        .events([calls(#"{"index":0,"id":"x","function":{"name":"f","arguments":"{\"a\":"}}"#), stop]),
        ["calls": [["x", "f", "{\"a\":"]]]),
      Quirk(
        "whole message: index 0 twice, no arguments", .chat,
        .body(
          #"{"choices":[{"message":{"content":null,"tool_calls":[{"index":0,"function":{"name":"f","arguments":""}},{"index":0,"function":{"name":"f"}}]},"finish_reason":"stop"}]}"#
        ), ["calls": [[.null, "f", [:]], [.null, "f", [:]]], "finish": "tool_calls"]),
      Quirk(
        "whole message: one id twice", .chat,
        .body(
          #"{"choices":[{"message":{"content":null,"tool_calls":[{"id":"x","function":{"name":"f","arguments":"{}"}},{"id":"x","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#
        ), ["calls": [["x", "f", [:]], ["x", "f", [:]]]]),
      Quirk(
        "whole message: Mistral's parts", .chat,
        .body(
          #"{"choices":[{"message":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]},{"type":"text","text":"a"}]},"finish_reason":"stop"}]}"#
        ), ["text": "a", "reasoning": "t"]),
      Quirk(
        "whole message: refusal", .chat,
        .body(#"{"choices":[{"message":{"content":null,"refusal":"no"},"finish_reason":"stop"}]}"#),
        ["refusal": "no", "finish": "refusal"]),
    ] as [Quirk])
  func toolCalls(quirk: Quirk) { quirk.check() }
}
