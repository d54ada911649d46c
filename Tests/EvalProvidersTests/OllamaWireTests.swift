import EvalCore
import EvalTestSupport
import Testing

@testable import EvalProviders

struct OllamaWireTests {
  private static let names = WireCheck.names("ollama")
  private let check = WireCheck(Ollama())

  @Test func allCasesAreThere() {
    #expect(Self.names.count == 11)
  }

  @Test(arguments: names, WireCheck.Cut.allCases)
  func isReadRight(name: String, cut: WireCheck.Cut) throws {
    try check.inMemory(name, cut)
  }

  private func read(_ reads: [String], type: String = "application/x-ndjson", streaming: Bool = true)
    -> (reading: StreamReading, reply: ProviderReply)
  {
    check.readTexts(reads, type: type, streaming: streaming)
  }

  private func line(_ content: String, _ rest: String = #""done":false"#) -> String {
    #"{"model":"m","message":{"role":"assistant","content":"\#(content)"},\#(rest)}"# + "\n"
  }

  private let end = #""done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":2"#

  // MARK: Ends

  @Test(
    arguments: [
      ("stop", .stop), ("length", .length), ("load", .unknown), ("unload", .unknown), ("new", .unknown),
    ] as [(String, Finish)])
  func finishWords(word: String, finish: Finish) {
    let (_, reply) = read([line("a"), line("", #""done":true,"done_reason":"\#(word)""#)])
    #expect(reply.finish == finish)
    #expect(reply.rawFinish == word)
    #expect(reply.outcome == .ok)
  }

  @Test func doneWithoutAReason() {
    let (_, reply) = read([line("a"), line("", #""done":true"#)])
    #expect(reply.finish == .unknown)
    #expect(reply.rawFinish == nil)
    #expect(reply.usage == nil)
  }

  /// The answer is over with its last line, however long the server keeps the connection.
  @Test func nothingIsReadAfterDone() {
    let (reading, reply) = read([line("a"), line("b", end), line("c")])
    #expect(reading.answer.isComplete)
    #expect(reply.text == "ab")
    #expect(reply.timeline.terminal == 2000)
    #expect(reply.usage == Usage(input: 7, output: 2))
  }

  @Test func aPromptOfZeroIsNotCounted() {
    let (_, reply) = read([
      line("a"), line("", #""done":true,"done_reason":"stop","prompt_eval_count":0,"eval_count":2"#),
    ])
    #expect(reply.usage == Usage(input: nil, output: 2))
  }

  @Test func cachedPrompt() {
    let (_, reply) = read([line("a"), line("", end + #","prompt_eval_cached_count":5"#)])
    #expect(reply.usage == Usage(input: 7, cachedInput: 5, output: 2))
  }

  @Test(arguments: [(999_999_999, nil), (2_349_000_000, "2.3 s")] as [(Int, String?)])
  func coldModel(load: Int, time: String?) {
    let (_, reply) = read([line("a"), line("", end + #","load_duration":\#(load)"#)])
    #expect(reply.notes == (time.map { ["cold model: the server spent \($0) loading it"] } ?? []))
  }

  @Test func aRemoteModelIsNoted() {
    let (_, reply) = read([
      #"{"model":"m","remote_model":"big","remote_host":"https://ollama.com:443","message":{"content":"a"},\#(end)}"#
    ])
    #expect(
      reply.notes == [
        "the server passed the request on to https://ollama.com:443, where it was answered by 'big'"
      ])
  }

  // MARK: Errors

  @Test func errorsInsideAStream() {
    for reads in [
      [line("a"), #"{"error":"boom"}"# + "\n"], [line("a"), #"{"error":"boom"}"#],
      [line("a"), #"{"error":{"message":"boom"}}"# + "\n"],
    ] {
      let (_, reply) = read(reads)
      #expect(reply.outcome.error?.kind == .serverError)
      #expect(reply.outcome.error?.message == "boom")
      #expect(reply.text == "a")
    }
    for type in ["application/x-ndjson", "application/json"] {
      let (_, alone) = read([#"{"error":"boom"}"#], type: type)
      #expect(alone.outcome.error?.message == "boom")
      #expect(alone.outcome.error?.inBand == true)
    }
  }

  @Test func aBrokenLineIsMalformed() {
    let (_, reply) = read([line("a"), "{\"message\":{\"content\":\"b\n", line("", end)])
    #expect(reply.outcome.error?.kind == .malformedResponse)
  }

  // MARK: Framing

  @Test func crlfBlankLinesAndMark() {
    let (reading, reply) = read([
      "\u{FEFF}" + line("a").dropLast() + "\r\n\r\n", "\n" + line("b"), line("", end),
    ])
    #expect(reply.text == "ab")
    #expect(reading.eventCount == 3)
    #expect(reading.firstTokenEvent == 0)
  }

  /// Proxies give a stream the type of one JSON text; its stamps stay those of its lines.
  @Test func linesUnderAJSONType() {
    let type = "application/json; charset=utf-8"
    let first = line("a")
    let (reading, reply) = read(
      [String(first.prefix(10)), String(first.dropFirst(10)), line("b"), line("", end)], type: type)
    #expect(reading.shape == .ndjson)
    #expect(reply.text == "ab")
    #expect(reply.timeline.firstToken == 2000)
    #expect(reply.timeline.tokenReads.map(\.at) == [2000, 3000])
    #expect(reply.timeline.terminal == 4000)
    let (glued, _) = read(["\n" + first + line("b") + line("", end)], type: type)
    #expect(glued.firstTokenEvent == 0)
    #expect(glued.eventCount == 3)
    #expect(glued.answer.text.text == "ab")
  }

  @Test func onePieceUnderAJSONType() {
    let whole = line("a", end)
    for body in [whole, whole.replacing(",", with: ",\n  "), whole + "\n"] {
      let (reading, reply) = read([body], type: "application/json")
      #expect(!reading.shape.isStream)
      #expect(reply.text == "a")
      #expect(reply.timeline.firstToken == nil)
      #expect(reply.outcome == .ok)
    }
  }

  // MARK: Tools and thoughts

  @Test func callsOfIndexZeroAreTwo() {
    let call = #"{"function":{"index":0,"name":"now","arguments":{}}}"#
    let (_, reply) = read([
      #"{"message":{"content":"","thinking":"Two.","tool_calls":[\#(call)]},"done":false}"# + "\n",
      #"{"message":{"content":"","tool_calls":[\#(call)]},\#(end)}"# + "\n",
    ])
    #expect(reply.toolCalls.map(\.name) == ["now", "now"])
    #expect(reply.finish == .toolCalls)
    #expect(reply.providerState == [["thinking": "Two."]])
  }
}

@Suite(.serialized, .timeLimit(.minutes(3)))
struct OllamaSocketTests {
  @Test func everyCaseAsPlanned() async throws {
    try await WireCheck(Ollama()).throughSockets(
      WireCheck.names("ollama"), provider: "ollama", grain: .planned, speed: 1)
  }

  @Test func everyCaseByteByByte() async throws {
    try await WireCheck(Ollama()).throughSockets(
      WireCheck.names("ollama"), provider: "ollama", grain: .singleBytes, speed: 0)
  }
}
