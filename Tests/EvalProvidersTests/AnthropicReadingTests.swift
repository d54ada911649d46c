import EvalCore
import Testing

@testable import EvalProviders

struct AnthropicReadingTests {
  private func start(_ usage: String) -> String {
    #"{"type":"message_start","message":{"id":"i","model":"m","content":[],"usage":\#(usage)}}"#
  }

  private func delta(_ text: String) -> String {
    #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\#(text)"}}"#
  }

  private func end(_ reason: String, _ usage: String = "{}", details: String = "null") -> String {
    #"{"type":"message_delta","delta":{"stop_reason":"\#(reason)","stop_details":\#(details)},"usage":\#(usage)}"#
  }

  private let textBlock =
    #"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#
  private let stop = #"{"type":"message_stop"}"#

  // MARK: Usage

  @Test(
    arguments: [
      // The three parts are summed, whichever of them come.
      (#"{"input_tokens":1,"cache_read_input_tokens":41,"output_tokens":0}"#, #"{"output_tokens":8}"#, 42, 8),
      // The end restates the input side with another split.
      (
        #"{"input_tokens":100,"output_tokens":1}"#,
        #"{"input_tokens":7,"cache_read_input_tokens":90,"output_tokens":8}"#, 97, 8
      ),
      // Zeros at the start or at the end say nothing.
      (
        #"{"input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}"#,
        #"{"input_tokens":9,"output_tokens":8}"#,
        9, 8
      ),
      (
        #"{"input_tokens":9,"cache_read_input_tokens":3,"output_tokens":1}"#,
        #"{"input_tokens":0,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,"output_tokens":8}"#,
        12, 8
      ),
      // What is written for an hour is written, too.
      (
        #"{"input_tokens":1,"cache_creation":{"ephemeral_5m_input_tokens":2,"ephemeral_1h_input_tokens":3}}"#,
        #"{"output_tokens":8}"#, 6, 8
      ),
      // A server that does not count the prompt has no prompt of 0 tokens.
      (#"{"input_tokens":0,"output_tokens":0}"#, #"{"output_tokens":8}"#, nil, 8),
      (#"{"input_tokens":-1,"output_tokens":1}"#, #"{"output_tokens":8}"#, nil, 8),
      (#"{"input_tokens":9223372036854775807}"#, #"{"input_tokens":5,"output_tokens":8}"#, 5, 8),
      (#"{"input_tokens":9,"output_tokens":3}"#, "{}", 9, nil),
      (#"{"input_tokens":9,"output_tokens":3}"#, "null", 9, nil),
    ] as [(String, String, Int?, Int?)])
  func usage(first: String, last: String, input: Int?, output: Int?) {
    let (_, reply) = readStream(
      Anthropic(), [start(first), textBlock, delta("a"), end("end_turn", last), stop])
    #expect(reply.usage?.input == input)
    #expect(reply.usage?.output == output)
    #expect(reply.outcome == .ok)
  }

  @Test func nothingButZerosIsNoReport() {
    let zeros = #"{"input_tokens":0,"output_tokens":0}"#
    let (_, reply) = readStream(
      Anthropic(), [start(zeros), textBlock, delta("a"), end("end_turn", zeros), stop])
    #expect(reply.usage == nil)
  }

  @Test func laterDeltasReplace() {
    let (_, reply) = readStream(
      Anthropic(),
      [
        start(#"{"input_tokens":5}"#), textBlock, delta("a"),
        #"{"type":"message_delta","delta":{},"usage":{"output_tokens":3}}"#, delta("b"),
        end("end_turn", #"{"output_tokens":9,"output_tokens_details":{"thinking_tokens":4}}"#), stop,
      ])
    #expect(reply.usage == Usage(input: 5, output: 9, reasoning: 4))
    #expect(reply.text == "ab")
  }

  // MARK: Ends

  @Test(arguments: [
    ("end_turn", Finish.stop), ("stop_sequence", .stop), ("pause_turn", .stop), ("max_tokens", .length),
    ("model_context_window_exceeded", .length), ("tool_use", .toolCalls), ("refusal", .refusal),
    ("something_new", .unknown),
  ])
  func finish(word: String, finish: Finish) {
    let (_, reply) = readStream(Anthropic(), [start("{}"), textBlock, delta("a"), end(word), stop])
    #expect(reply.finish == finish)
    #expect(reply.rawFinish == word)
  }

  @Test func aRefusalAfterPartOfAnAnswer() {
    let details = #"{"type":"refusal","category":null,"explanation":"Declined."}"#
    let (_, reply) = readStream(
      Anthropic(), [start("{}"), textBlock, delta("Sure, "), end("refusal", details: details), stop])
    #expect(reply.outcome == .refused)
    #expect(reply.text == "Sure, ")
    #expect(reply.refusal == "Declined.")
  }

  /// `message_stop` alone is an end, and so is the reason without it.
  @Test func eitherMarkerEnds() {
    let (_, alone) = readStream(Anthropic(), [start("{}"), textBlock, delta("a"), stop])
    #expect(alone.outcome == .ok)
    #expect(alone.finish == .unknown)
    let (_, without) = readStream(Anthropic(), [start("{}"), textBlock, delta("a"), end("end_turn")])
    #expect(without.outcome == .ok)
    #expect(without.finish == .stop)
    let (_, neither) = readStream(Anthropic(), [start("{}"), textBlock, delta("a")])
    #expect(neither.outcome.error?.kind == .truncated)
  }

  @Test(arguments: [
    (#"{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}"#, ErrorClass.overloaded),
    (#"{"type":"error","error":{"type":"rate_limit_error","message":"Slow"}}"#, .rateLimited),
    (#"{"type":"error","error":{"type":"api_error","message":"Oops"}}"#, .serverError),
    (#"{"type":"error","error":{"type":"timeout_error","message":"Late"}}"#, .serverTimeout),
    (
      #"{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 178902 + 32000 > 200000"}}"#,
      .contextSizeExceeded
    ), (#"{"error":{"message":"from a gateway","code":503}}"#, .overloaded),
    (#"{"error":"a word"}"#, .serverError),
  ])
  func errorsInTheStream(event: String, kind: ErrorClass) {
    let (reading, reply) = readStream(Anthropic(), [start("{}"), textBlock, delta("a"), event, delta("b")])
    let error = reply.outcome.error
    #expect(error?.kind == kind)
    #expect(error?.inBand == true)
    #expect(reply.text == "a")
    #expect(reply.finish == nil)
    #expect(reading.answer.isComplete)
    if kind == .contextSizeExceeded {
      #expect(error?.promptTokens == 178_902)
      #expect(error?.contextSize == 200_000)
    }
  }

  // MARK: Blocks

  /// A server that numbers every block 0 still has two calls.
  @Test func blocksThatAllHaveIndexZero() {
    func tool(_ id: String, _ input: String = "{}") -> String {
      #"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"\#(id)","name":"f","input":\#(input)}}"#
    }
    func json(_ text: String) -> String {
      #"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\#(text)"}}"#
    }
    let (reading, reply) = readStream(
      Anthropic(),
      [
        start("{}"), tool("a"), json(#"{\"x\":1"#), json("}"), tool("b"), json(#"{\"x\":2}"#),
        tool("c", #"{"x":3}"#), tool("d"), end("tool_use"), stop,
      ])
    #expect(reply.toolCalls.map(\.id) == ["a", "b", "c", "d"])
    #expect(reply.toolCalls.map(\.arguments) == [["x": 1], ["x": 2], ["x": 3], [:]])
    #expect(reading.firstTokenEvent == 1)
    #expect(reply.providerState.isEmpty)
  }

  @Test func aServersOwnToolIsNoCall() {
    let (reading, reply) = readStream(
      Anthropic(),
      [
        start("{}"),
        #"{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"s","name":"web_search","input":{}}}"#,
        #"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"query\":\"tide\"}"}}"#,
        #"{"type":"content_block_start","index":1,"content_block":{"type":"web_search_tool_result","tool_use_id":"s","content":[{"type":"web_search_result","title":"x"}]}}"#,
        #"{"type":"content_block_start","index":2,"content_block":{"type":"text","text":"No"}}"#,
        #"{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"on."}}"#,
        #"{"type":"content_block_delta","index":2,"delta":{"type":"citations_delta","citation":{"cited_text":"y"}}}"#,
        #"{"type":"brand_new","delta":{"text":"z"}}"#, end("end_turn"), stop,
      ])
    #expect(reply.toolCalls.isEmpty)
    #expect(reply.text == "Noon.")
    #expect(reading.firstTokenEvent == 4)
    let content = reply.providerState.first?["content"]?.arrayValue
    #expect(
      content?.map { $0["type"]?.stringValue } == ["server_tool_use", "web_search_tool_result", "text"])
    #expect(content?[0]["input"] == ["query": "tide"])
    #expect(content?[2]["text"] == "Noon.")
  }

  /// An unfinished thought has no signature, and would be refused.
  @Test func aThoughtCutOffDoesNotGoBack() {
    let (_, reply) = readStream(
      Anthropic(),
      [
        start("{}"),
        #"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
        #"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}}"#,
        end("max_tokens"), stop,
      ])
    #expect(reply.reasoning == "Hm")
    #expect(reply.finish == .length)
    #expect(reply.providerState.isEmpty)
  }

  // MARK: Bodies

  @Test func bodies() {
    let thought = readBody(
      Anthropic(),
      #"{"type":"message","id":"i","model":"m","content":[{"type":"thinking","thinking":"Hm","signature":"s"},{"type":"text","text":"Hi"}],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":4}}"#
    )
    #expect(thought.text == "Hi")
    #expect(thought.usage == Usage(input: 3, output: 4))
    #expect(thought.servedModel == "m")
    #expect(thought.providerState.first?["content"]?[0]?["signature"] == "s")
    #expect(thought.timeline.firstToken == nil)
    let failed = readBody(
      Anthropic(), #"{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}"#)
    #expect(failed.outcome.error?.kind == .overloaded)
    let foreign = readBody(Anthropic(), #"{"choices":[{"message":{"content":"a"}}]}"#)
    #expect(foreign.outcome.error?.kind == .malformedResponse)
    let unknown = readBody(Anthropic(), #"{"content":[{"type":"text","text":"a"}],"stop_reason":null}"#)
    #expect(unknown.finish == .unknown)
    #expect(unknown.outcome == .ok)
  }
}
