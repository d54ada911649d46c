import EvalCore
import EvalTestSupport
import Testing

@testable import EvalProviders

/// A reading of Chat Completions fed with texts, one read each, stamped 1000, 2000, …
func readChat(
  _ reads: [String], type: String = "text/event-stream", status: Int = 200, end: TransferEnd = .complete
) -> (reading: StreamReading, reply: ProviderReply) {
  var reading = StreamReading(decoder: OpenAIChatDecoder(), framing: .sse, asksForStream: true)
  reading.head(status: status, headers: HTTPHeaders([("Content-Type", type)]))
  var end = end
  for (index, text) in reads.enumerated() {
    let isDone = Array(text.utf8).withUnsafeBytes {
      reading.body($0, at: Int64(index + 1) * 1000, readSequence: index)
    }
    if isDone {
      end = .stoppedBySink
      break
    }
  }
  let reply = ReplyComposer(end: end, clientTime: 0).reply(from: reading)
  reading.finish(isClean: end == .complete || end == .stoppedBySink)
  return (reading, reply)
}

private func chunk(_ delta: String, finish: String = "null") -> String {
  #"data: {"choices":[{"index":0,"delta":\#(delta),"finish_reason":\#(finish)}]}"# + "\n\n"
}

private let done = "data: [DONE]\n\n"

struct StreamReadingTests {
  // MARK: Stamps

  @Test func emptyDeltasAreNoTokens() {
    let (reading, reply) = readChat([
      chunk(#"{"role":"assistant","content":""}"#), chunk(#"{"content":null}"#), chunk(#"{"content":"a"}"#),
      chunk("{}", finish: #""stop""#), done,
    ])
    #expect(reading.firstTokenEvent == 2)
    #expect(reply.timeline.firstEvent == 1000)
    #expect(reply.timeline.firstToken == 3000)
    #expect(reply.timeline.firstContent == 3000)
    #expect(reply.timeline.lastToken == 3000)
    #expect(reply.timeline.terminal == 5000)
    #expect(reply.outcome == .ok)
  }

  @Test func reasoningComesFirstAndHasItsOwnStamp() {
    let (_, reply) = readChat([
      chunk(#"{"reasoning":"hm"}"#), chunk(#"{"content":"a"}"#), chunk("{}", finish: #""stop""#), done,
    ])
    #expect(reply.timeline.firstReasoning == 1000)
    #expect(reply.timeline.firstContent == 2000)
    #expect(reply.timeline.firstToken == 1000)
  }

  @Test func eventsOfOneReadShareItsStamp() {
    let (reading, reply) = readChat([
      chunk(#"{"content":"a"}"#) + chunk(#"{"content":"b"}"#) + chunk(#"{"content":"c"}"#),
      chunk(#"{"content":"d"}"#),
      chunk("{}", finish: #""stop""#) + done,
    ])
    #expect(reply.timeline.tokenReads == [TokenRead(at: 1000, events: 3), TokenRead(at: 2000, events: 1)])
    #expect(reading.tokenEventCount == 4)
  }

  @Test func severalCallsOfOneReadAreOneRead() {
    var reading = StreamReading(decoder: OpenAIChatDecoder(), framing: .sse, asksForStream: true)
    reading.head(status: 200, headers: HTTPHeaders([("Content-Type", "text/event-stream")]))
    for _ in 0..<2 {
      _ = Array(chunk(#"{"content":"a"}"#).utf8).withUnsafeBytes { reading.body($0, at: 7, readSequence: 0) }
    }
    #expect(reading.timeline.tokenReads == [TokenRead(at: 7, events: 2)])
  }

  @Test func anEventGetsTheStampOfTheReadInWhichItEnds() {
    let (_, reply) = readChat([#"data: {"choices":[{"delta":{"con"#, #"tent":"a"}}]}"#, "\n", "\n", done])
    #expect(reply.timeline.firstToken == 4000)
  }

  @Test func refusalIsATokenButNoText() {
    let (reading, reply) = readChat([chunk(#"{"refusal":"No."}"#), chunk("{}", finish: #""stop""#), done])
    #expect(reply.timeline.firstToken == 1000)
    #expect(reading.firstTokenEvent == 0)
    #expect(reading.firstTextEvent == nil)
    #expect(reply.outcome == .refused)
  }

  @Test func oneTokenAnswerHasNoTimePerToken() {
    let (_, reply) = readChat(chatStream(["Yes"], usage: #"{"prompt_tokens":1,"completion_tokens":1}"#))
    #expect(reply.outcome == .ok)
    #expect(reply.usage?.output == 1)
    #expect(reply.timeline.timePerOutputToken(outputTokens: reply.usage?.output) == nil)
  }

  // MARK: Ends

  @Test func aCutAfterTheEndMarkerIsNoFailure() {
    let (_, reply) = readChat(
      [chunk(#"{"content":"a"}"#), chunk("{}", finish: #""stop""#)], end: .failed(code: 56, message: "reset"))
    #expect(reply.outcome == .ok)
    #expect(reply.finish == .stop)
    #expect(reply.notes.contains { $0.contains("reset") })
  }

  @Test func endWithoutMarkerIsTruncated() {
    let (_, reply) = readChat([chunk(#"{"content":"a"}"#)])
    #expect(reply.outcome.error?.kind == .truncated)
    #expect(reply.text == "a")
    #expect(reply.finish == nil)
  }

  @Test func stallKeepsWhatCame() {
    let (_, reply) = readChat([chunk(#"{"content":"a"}"#)], end: .timeout(.stall))
    #expect(reply.outcome.error?.kind == .stallTimeout)
    #expect(reply.text == "a")
    #expect(reply.timeline.firstToken == 1000)
  }

  @Test func aProperEndWithNothingIsEmpty() {
    let (_, reply) = readChat([chunk(#"{"content":""}"#), chunk("{}", finish: #""stop""#), done])
    #expect(reply.outcome == .empty)
    #expect(reply.finish == .stop)
  }

  @Test func contentFilterIsNotOK() {
    let (_, reply) = readChat([chunk(#"{"content":"a"}"#), chunk("{}", finish: #""content_filter""#), done])
    #expect(reply.outcome == .refused)
    #expect(reply.finish == .contentFilter)
  }

  @Test func finishErrorWithoutAnObjectIsAnError() {
    let (_, reply) = readChat([
      chunk(#"{"content":"a"}"#), chunk("{}", finish: #""insufficient_system_resource""#),
    ])
    #expect(reply.outcome.error?.kind == .serverError)
    #expect(reply.finish == .error)
  }

  @Test func halfAnEventAtTheEndIsNotGuessedAt() {
    let (_, reply) = readChat([chunk(#"{"content":"a"}"#), #"data: {"choices":[{"delta":{"content":"b"}"#])
    #expect(reply.text == "a")
    #expect(reply.outcome.error?.kind == .truncated)
  }

  @Test func nothingIsReadAfterTheSentinel() {
    let (_, reply) = readChat([chunk(#"{"content":"a"}"#) + done + chunk(#"{"content":"b"}"#)])
    #expect(reply.text == "a")
  }

  // MARK: Odd bodies

  @Test func brokenEventIsMalformed() {
    let (_, reply) = readChat([chunk(#"{"content":"a"}"#), "data: {\"choices\":[{]}\n\n", done])
    #expect(reply.outcome.error?.kind == .malformedResponse)
    #expect(reply.text == "a")
  }

  @Test func wordsAreKeepAlives() {
    let (_, reply) = readChat([
      "data: ping\n\n", chunk(#"{"content":"a"}"#), chunk("{}", finish: #""stop""#), done,
    ])
    #expect(reply.outcome == .ok)
    #expect(reply.timeline.firstToken == 2000)
  }

  @Test func errorEventOfWords() {
    let (_, reply) = readChat(["event: error\ndata: upstream died\n\n"])
    #expect(reply.outcome.error?.kind == .serverError)
    #expect(reply.outcome.error?.message == "upstream died")
    #expect(reply.outcome.error?.inBand == true)
  }

  @Test func errorThenSentinelIsNoEnd() {
    let (_, reply) = readChat([
      chunk(#"{"content":"a"}"#), #"data: {"object":"error","message":"dead","code":500}"# + "\n\n", done,
    ])
    #expect(reply.outcome.error?.kind == .serverError)
    #expect(reply.finish == nil)
    #expect(reply.text == "a")
  }

  @Test(arguments: [
    #"{"choices":[{"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":9,"completion_tokens":4,"cached_tokens":5}}]}"#,
    #"{"choices":[{"delta":{},"finish_reason":"stop"}],"x_groq":{"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":5}}}}"#,
    #"{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_cache_hit_tokens":5,"prompt_cache_miss_tokens":4}}"#,
  ])
  func usageInItsPlaces(event: String) {
    let (_, reply) = readChat([chunk(#"{"content":"a"}"#), "data: \(event)\n\n", done])
    #expect(reply.usage == Usage(input: 9, cachedInput: 5, output: 4))
  }

  @Test func oneThoughtUnderTwoNamesIsOne() {
    let (_, reply) = readChat([
      chunk(
        #"{"reasoning":"hm","reasoning_content":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm"}]}"#
      ),
      chunk(
        #"{"reasoning":"","reasoning_details":[{"type":"reasoning.encrypted","data":"x"},{"type":"reasoning.text","text":"!"}]}"#
      ),
      chunk(#"{"content":"a"}"#, finish: #""stop""#), done,
    ])
    #expect(reply.reasoning == "hm!")
  }

  @Test func rawErrorAtTheEndOfAStream() {
    let (_, reply) = readChat([
      chunk(#"{"content":"a"}"#),
      "{\n  \"error\": {\r\n    \"code\": 503,\n    \"message\": \"busy\"\n  }\n}",
    ])
    #expect(reply.outcome.error?.kind == .overloaded)
    #expect(reply.text == "a")
  }

  @Test func wholeAnswerUnderAnEventStreamType() {
    let (_, reply) = readChat([
      #"{"choices":[{"message":{"content":"whole"},"finish_reason":"stop"}],"usage":{"prompt_tokens":2}}"#
    ])
    #expect(reply.outcome == .ok)
    #expect(reply.text == "whole")
    #expect(reply.timeline.firstToken == nil)
  }

  @Test func eventStreamUnderAJSONType() {
    let (_, reply) = readChat(chatStream(["a", "b"]), type: "application/json")
    #expect(reply.text == "ab")
    #expect(reply.timeline.firstToken == 1000)
  }

  @Test func eventStreamWithoutTypeByteByByte() {
    let bytes = "\u{FEFF}" + chatStream(["é", "b"]).joined()
    var reading = StreamReading(decoder: OpenAIChatDecoder(), framing: .sse, asksForStream: true)
    reading.head(status: 200, headers: HTTPHeaders())
    for (index, byte) in bytes.utf8.enumerated() {
      _ = withUnsafeBytes(of: byte) { reading.body($0, at: Int64(index), readSequence: index) }
    }
    #expect(reading.answer.text.text == "éb")
  }

  @Test func htmlIsMalformed() {
    let (_, reply) = readChat(["<!doctype html><html><title>Sign in</title>"], type: "text/html")
    #expect(reply.outcome.error?.kind == .malformedResponse)
    #expect(reply.outcome.error?.message.contains("sign in") == true)
  }

  @Test func jsonThatIsNoAnswerIsMalformed() {
    let (_, reply) = readChat([#"{"hello":1}"#], type: "application/json")
    #expect(reply.outcome.error?.kind == .malformedResponse)
  }

  @Test func wholeBodyCutShortIsTruncated() {
    let (_, reply) = readChat(
      [#"{"choices":[{"mess"#], type: "application/json", end: .failed(code: 18, message: "cut"))
    #expect(reply.outcome.error?.kind == .truncated)
  }

  @Test func errorStatusInsideAnEventStream() {
    let (_, reply) = readChat(
      [#"data: {"error":{"message":"no","code":"invalid_api_key"}}"# + "\n\n"], status: 401)
    #expect(reply.outcome.error?.kind == .authentication)
    #expect(reply.outcome.error?.message == "no")
  }

  @Test func onlyTheFirstChoiceIsRead() {
    let both = #"data: {"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"x"}}]}"#
    let second = #"data: {"choices":[{"index":1,"delta":{"content":"y"}}]}"#
    let (_, reply) = readChat([both + "\n\n" + second + "\n\n", chunk("{}", finish: #""stop""#), done])
    #expect(reply.text == "a")
  }

  @Test func wholeMessageAfterDeltasIsNotReadTwice() {
    let last = #"data: {"choices":[{"message":{"content":"ab"},"finish_reason":"stop"}]}"# + "\n\n"
    let (_, reply) = readChat([chunk(#"{"content":"a"}"#), chunk(#"{"content":"b"}"#), last, done])
    #expect(reply.text == "ab")
  }

  @Test func surrogateHalvesInTwoDeltasAreOneCharacter() {
    let (reading, reply) = readChat([
      chunk(#"{"content":"x\ud83d"}"#), chunk(#"{"content":"\ude00y"}"#), chunk("{}", finish: #""stop""#),
      done,
    ])
    #expect(reply.text == "x😀y")
    #expect(reading.tokenEventCount == 2)
  }

  @Test func piecesAreShownAsTheyCome() {
    var reading = StreamReading(decoder: OpenAIChatDecoder(), framing: .sse, asksForStream: true)
    var shown: [StreamPiece] = []
    reading.onPiece = { shown.append($0) }
    reading.head(status: 200, headers: HTTPHeaders([("Content-Type", "text/event-stream")]))
    for text in [chunk(#"{"reasoning":"hm"}"#), chunk(#"{"content":"a"}"#), chunk("{}", finish: #""stop""#)] {
      _ = Array(text.utf8).withUnsafeBytes { reading.body($0, at: 1, readSequence: 0) }
    }
    #expect(shown == [.reasoning("hm"), .text("a")])
  }

  // MARK: Any cut

  /// However the bytes are cut, the reading is the same.
  @Test(arguments: [
    "openai-chat__multiline_data_and_other_fields", "openai-chat__crlf_cr_lf_mixed",
    "openai-chat__bom_nospace_done_without_newline", "openai-chat__tool_calls_interleaved_by_index",
    "openai-chat__comments_keepalive_openrouter", "openai-chat__utf8_split_every_byte",
    "openai-chat__null_choices_null_delta_null_data", "openai-chat__nonstream_json_with_leading_blank_lines",
    "openai-chat__http_200_context_lmstudio_does_not_fit",
  ])
  func anyCutGivesTheSameReading(name: String) throws {
    let fixture = try WireFixtures.load(name)
    let check = WireCheck(OpenAIChat())
    var random = SeededRandom(seed: 7)
    for _ in 0..<40 {
      let most = 1 + random.below(60)
      var cuts: [Int] = []
      var at = fixture.plan.headerBytes
      while at < fixture.bytes.count {
        at = min(at + 1 + random.below(most), fixture.bytes.count)
        cuts.append(at)
      }
      let feed = WireFeed(fixture.bytes, cuts: cuts)
      let reading = check.read(feed)
      let reply = ReplyComposer(end: WireCheck.end(of: feed, reading), clientTime: 0).reply(from: reading)
      try check.compare(name, reply, reading, "\(name) cut at \(cuts)")
    }
  }
}
