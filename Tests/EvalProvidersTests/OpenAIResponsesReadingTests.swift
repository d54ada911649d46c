import EvalCore
import Testing

@testable import EvalProviders

struct OpenAIResponsesReadingTests {
  private func read(_ events: [String], end: TransferEnd = .complete) -> (StreamReading, ProviderReply) {
    let result = readStream(OpenAIResponses(), events, end: end)
    return (result.reading, result.reply)
  }

  private func delta(_ text: String, _ place: String = #""output_index":0,"content_index":0"#) -> String {
    #"{"type":"response.output_text.delta",\#(place),"delta":"\#(text)"}"#
  }

  private func message(_ text: String, id: String = "m1") -> String {
    #"{"id":"\#(id)","type":"message","role":"assistant","content":[{"type":"output_text","text":"\#(text)"}]}"#
  }

  private func call(_ id: String, _ arguments: String) -> String {
    #"{"type":"function_call","call_id":"\#(id)","name":"f","arguments":"\#(arguments)"}"#
  }

  private func completed(_ output: String = "", _ more: String = "") -> String {
    #"{"type":"response.completed","response":{"id":"r","model":"m","status":"completed","output":[\#(output)]\#(more)}}"#
  }

  // MARK: Text that comes more than once, or late

  /// Each of the places where the text stands is enough, and all of them together are no more.
  @Test(arguments: 1..<32)
  func textCountsOnce(places: Int) {
    let place = #""item_id":"m1","output_index":0,"content_index":0"#
    let all = [
      delta("Noon.", place), #"{"type":"response.output_text.done",\#(place),"text":"Noon."}"#,
      #"{"type":"response.content_part.done",\#(place),"part":{"type":"output_text","text":"Noon."}}"#,
      #"{"type":"response.output_item.done","output_index":0,"item":\#(message("Noon."))}"#,
    ]
    var events = [
      #"{"type":"response.output_item.added","output_index":0,"item":{"id":"m1","type":"message","content":[]}}"#
    ]
    events += all.enumerated().filter { places & (1 << $0.offset) != 0 }.map(\.element)
    events.append(completed(places & 16 != 0 ? message("Noon.") : ""))
    let (reading, reply) = read(events)
    #expect(reply.text == "Noon.")
    #expect(reply.outcome == .ok)
    #expect(reading.tokenEventCount == 1)
    #expect(reading.firstTokenEvent == 1)
  }

  @Test func partsOfOneMessage() {
    let (_, reply) = read([
      delta("One ", #""output_index":0,"content_index":0"#),
      delta("two.", #""output_index":0,"content_index":1"#),
      #"{"type":"response.output_item.done","output_index":0,"item":{"type":"message","content":[{"type":"output_text","text":"One "},{"type":"output_text","text":"two."},{"type":"output_text","text":" Three."}]}}"#,
      completed(),
    ])
    #expect(reply.text == "One two. Three.")
  }

  /// As llama.cpp streams: neither index nor sequence number, and the opening events again before each delta.
  @Test func itemsWithoutAnIndex() {
    let opening =
      #"{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress"}}"#
    let (_, reply) = read([
      opening,
      #"{"type":"response.output_item.added","item":{"id":"rs","summary":[],"type":"reasoning","content":[],"encrypted_content":""}}"#,
      #"{"type":"response.reasoning_text.delta","delta":"Hm","item_id":"rs"}"#,
      #"{"type":"response.output_item.done","item":{"id":"rs","summary":[],"type":"reasoning","content":[{"text":"Hm","type":"reasoning_text"}],"encrypted_content":""}}"#,
      opening, #"{"type":"response.output_text.delta","item_id":"m1","delta":"So"}"#, opening,
      #"{"type":"response.output_text.delta","item_id":"m1","delta":"."}"#,
      #"{"type":"response.output_text.done","item_id":"m1","text":"So."}"#,
      #"{"type":"response.content_part.done","item_id":"m1","part":{"type":"output_text","text":"So."}}"#,
      #"{"type":"response.output_item.done","item":\#(message("So."))}"#,
      #"{"type":"response.output_item.added","item":{"arguments":"","call_id":"fc_a","name":"f","type":"function_call"}}"#,
      #"{"type":"response.function_call_arguments.delta","delta":"{\"x\":","item_id":"fc_a"}"#,
      #"{"type":"response.function_call_arguments.delta","delta":"1}","item_id":"fc_a"}"#,
      #"{"type":"response.output_item.done","item":\#(call("fc_a", #"{\"x\":1}"#))}"#,
      #"{"type":"response.output_item.added","item":{"arguments":"","call_id":"fc_b","name":"f","type":"function_call"}}"#,
      #"{"type":"response.function_call_arguments.delta","delta":"{}","item_id":"fc_b"}"#,
      #"{"type":"response.completed","response":{"id":"r","status":"completed","output":[],"usage":{"input_tokens":20,"output_tokens":8,"input_tokens_details":{"cached_tokens":10}}}}"#,
    ])
    #expect(reply.reasoning == "Hm")
    #expect(reply.text == "So.")
    #expect(reply.toolCalls.map(\.id) == ["fc_a", "fc_b"])
    #expect(reply.toolCalls.map(\.arguments) == [["x": 1], [:]])
    #expect(reply.usage == Usage(input: 20, cachedInput: 10, output: 8))
    #expect(reply.responseID == "r")
  }

  /// As GitHub Copilot streams: another id with every event, the index stable.
  @Test func idsThatChangeWithEveryEvent() {
    let (_, reply) = read([
      #"{"type":"response.output_item.added","output_index":0,"item":{"id":"a1","type":"message","content":[]}}"#,
      delta("No", #""item_id":"a2","output_index":0,"content_index":0"#),
      delta("on.", #""item_id":"a3","output_index":0,"content_index":0"#),
      #"{"type":"response.output_text.done","item_id":"a4","output_index":0,"content_index":0,"text":"Noon."}"#,
      #"{"type":"response.output_item.done","output_index":0,"item":\#(message("Noon.", id: "a5"))}"#,
      completed(message("Noon.", id: "a6")),
    ])
    #expect(reply.text == "Noon.")
  }

  /// As bridges stream: every item is number 0.
  @Test func itemsThatAllHaveIndexZero() {
    func added(_ id: String) -> String {
      #"{"type":"response.output_item.added","output_index":0,"item":{"id":"\#(id)","type":"function_call","call_id":"c\#(id)","name":"f","arguments":""}}"#
    }
    func arguments(_ id: String, _ text: String) -> String {
      #"{"type":"response.function_call_arguments.delta","item_id":"\#(id)","output_index":0,"delta":"\#(text)"}"#
    }
    let (_, reply) = read([
      #"{"type":"response.output_item.added","output_index":0,"item":{"id":"m1","type":"message","content":[]}}"#,
      delta("Both."), added("1"), added("2"), arguments("1", #"{\"x\":1"#), arguments("2", #"{\"x\":2"#),
      arguments("1", "}"), arguments("2", "}"),
      #"{"type":"response.output_item.done","output_index":0,"item":\#(message("Both."))}"#, completed(),
    ])
    #expect(reply.text == "Both.")
    #expect(reply.toolCalls.map(\.id) == ["c1", "c2"])
    #expect(reply.toolCalls.map(\.arguments) == [["x": 1], ["x": 2]])
  }

  @Test func callsThatComeOnlyWhole() {
    let item = call("c1", #"{\"x\":1}"#)
    for events in [
      [#"{"type":"response.output_item.done","output_index":0,"item":\#(item)}"#, completed()],
      [completed(item)],
      [
        #"{"type":"response.output_item.added","output_index":0,"item":{"id":"f","type":"function_call","call_id":"c1","name":"f","arguments":""}}"#,
        #"{"type":"response.function_call_arguments.done","item_id":"f","output_index":0,"arguments":"{\"x\":1}"}"#,
        completed(item),
      ],
      [
        #"{"type":"response.output_item.added","output_index":0,"item":{"id":"f","type":"function_call","call_id":"c1","name":"f","arguments":""}}"#,
        completed(item),
      ],
    ] {
      let (_, reply) = read(events)
      #expect(reply.toolCalls == [ToolCall(id: "c1", name: "f", arguments: ["x": 1])])
      #expect(reply.finish == .toolCalls)
      #expect(reply.rawFinish == "completed")
    }
  }

  /// A thought in full and its summary are one thought.
  @Test func thoughtsAreReadOnce() {
    let (_, reply) = read([
      #"{"type":"response.reasoning_text.delta","output_index":0,"content_index":0,"delta":"Long."}"#,
      #"{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"Short."}"#,
      #"{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","summary":[{"type":"summary_text","text":"Short."}],"content":[{"type":"reasoning_text","text":"Long."}]}}"#,
      delta("a", #""output_index":1,"content_index":0"#), completed(),
    ])
    #expect(reply.reasoning == "Long.")
    let (_, whole) = read([
      #"{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","summary":[{"type":"summary_text","text":"A."},{"type":"summary_text","text":"B."}]}}"#,
      delta("a", #""output_index":1,"content_index":0"#), completed(),
    ])
    #expect(whole.reasoning == "A.B.")
  }

  // MARK: Ends

  @Test(
    arguments: [
      ("response.completed", #""status":"completed""#, Finish.stop, "completed"),
      ("response.completed", "", .stop, "completed"),
      (
        "response.incomplete", #""status":"incomplete","incomplete_details":{"reason":"max_tokens"}"#,
        .length,
        "max_tokens"
      ),
      // A server that says completed and means a limit.
      (
        "response.completed", #""status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}"#,
        .length, "max_output_tokens"
      ), ("response.incomplete", #""status":"incomplete""#, .unknown, "incomplete"),
      ("response.done", #""status":"completed""#, .stop, "completed"),
    ])
  func finish(type: String, status: String, finish: Finish, raw: String) {
    let response = status.isEmpty ? "{}" : "{\(status)}"
    let (reading, reply) = read([delta("a"), #"{"type":"\#(type)","response":\#(response)}"#])
    #expect(reply.finish == finish)
    #expect(reply.rawFinish == raw)
    #expect(reply.outcome == .ok)
    #expect(reading.answer.isComplete)
  }

  @Test func aRefusalThatComesOnlyWhole() {
    let (_, reply) = read([
      completed(
        #"{"id":"m1","type":"message","role":"assistant","content":[{"type":"refusal","refusal":"No."}]}"#)
    ])
    #expect(reply.refusal == "No.")
    #expect(reply.outcome == .refused)
    #expect(reply.text.isEmpty)
  }

  @Test(arguments: [
    (
      #"{"type":"error","code":"context_length_exceeded","message":"Your input exceeds the context window of this model."}"#,
      ErrorClass.contextSizeExceeded
    ),
    (
      #"{"type":"error","error":{"type":"invalid_request_error","code":"invalid_base64_image","message":"bad"}}"#,
      .invalidRequest
    ),
    (#"{"type":"error","error":{"type":"server_error","code":null,"message":"oops"}}"#, .serverError),
    (
      #"{"type":"response.failed","response":{"status":"failed","error":{"code":"insufficient_quota","message":"no money"}}}"#,
      .quotaExceeded
    ), (#"{"type":"response.failed","response":{"status":"failed","error":null}}"#, .serverError),
    (#"{"error":{"code":500,"message":"llama.cpp says so","type":"server_error"}}"#, .serverError),
  ])
  func errorsInTheStream(event: String, kind: ErrorClass) {
    let (_, reply) = read([delta("a"), event])
    #expect(reply.outcome.error?.kind == kind)
    #expect(reply.outcome.error?.inBand == true)
    #expect(reply.text == "a")
    #expect(reply.finish == nil)
  }

  /// What a failed response cost is known all the same.
  @Test func usageOfAFailedResponse() {
    let (_, reply) = read([
      #"{"type":"error","error":{"code":"server_error","message":"first"}}"#,
      #"{"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded","message":"second"},"usage":{"input_tokens":7,"output_tokens":3,"total_tokens":10}}}"#,
    ])
    #expect(reply.outcome.error?.message == "first")
    #expect(reply.usage == Usage(input: 7, output: 3))
  }

  // MARK: What goes back

  @Test func reasoningThatCannotGoBackIsLeftOut() {
    let bare = #"{"id":"rs","type":"reasoning","summary":[]}"#
    let (_, talk) = read([completed(bare + "," + message("Hi."))])
    #expect(talk.providerState.isEmpty && talk.notes.isEmpty)
    let (_, calling) = read([completed(bare + "," + call("c1", "{}"))])
    #expect(calling.providerState.isEmpty)
    #expect(calling.notes.count == 1 && calling.notes[0].contains("'reasoning'"))
  }

  @Test func whatTextAndCallsCannotSayIsKept() {
    #expect(read([completed(message("Hi."))]).1.providerState.isEmpty)
    let phased = #"{"type":"message","phase":"final_answer","content":[{"type":"output_text","text":"Hi."}]}"#
    #expect(read([completed(phased)]).1.providerState.count == 1)
    // A terminal event without a snapshot: the items that were done are the output.
    let reasoning = #"{"type":"reasoning","summary":[],"encrypted_content":"AA"}"#
    let (_, reply) = read([
      #"{"type":"response.output_item.done","output_index":0,"item":\#(reasoning)}"#,
      #"{"type":"response.output_item.done","output_index":1,"item":\#(message("Hi."))}"#, completed(),
    ])
    #expect(reply.providerState.first?["output"]?.arrayValue?.count == 2)
    let cut = #"{"type":"response.incomplete","response":{"status":"incomplete","output":[\#(reasoning)]}}"#
    #expect(read([cut]).1.providerState.isEmpty)
  }

  // MARK: Bodies

  @Test func bodies() {
    let dialect = OpenAIResponses()
    let failed = readBody(
      dialect, #"{"status":"failed","error":{"code":"server_error","message":"x"},"output":[]}"#)
    #expect(failed.outcome.error?.kind == .serverError)
    let cut = readBody(
      dialect,
      #"{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[\#(message("a"))]}"#
    )
    #expect(cut.finish == .length && cut.text == "a")
    let unsaid = readBody(dialect, #"{"output":[\#(message("a"))]}"#)
    #expect(unsaid.finish == .unknown && unsaid.outcome == .ok && unsaid.rawFinish == nil)
    let unfinished = readBody(dialect, #"{"status":"in_progress","output":[]}"#)
    #expect(unfinished.outcome.error?.kind == .malformedResponse)
    let foreign = readBody(dialect, #"{"choices":[{"message":{"content":"a"}}]}"#)
    #expect(foreign.outcome.error?.kind == .malformedResponse)
  }
}
