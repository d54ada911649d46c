import EvalCore
import EvalTestSupport
import Testing

@testable import EvalProviders

struct GeminiWireTests {
  private static let names = WireCheck.names("gemini")
  private let check = WireCheck(Gemini())

  @Test func allCasesAreThere() {
    #expect(Self.names.count == 16)
  }

  @Test(arguments: names, WireCheck.Cut.allCases)
  func isReadRight(name: String, cut: WireCheck.Cut) throws {
    try check.inMemory(name, cut)
  }

  private func event(_ json: String) -> String { "data: \(json)\r\n\r\n" }

  private func chunk(_ parts: String, _ rest: String = "") -> String {
    event(#"{"candidates":[{"content":{"parts":[\#(parts)],"role":"model"},"index":0\#(rest)}]}"#)
  }

  private let stop = #","finishReason":"STOP""#

  // MARK: Usage

  @Test(
    arguments: [
      (
        #""promptTokenCount":10,"candidatesTokenCount":4,"thoughtsTokenCount":6,"totalTokenCount":20"#, 10, 10
      ),
      // Thoughts among the candidates, as the total shows.
      (
        #""promptTokenCount":10,"candidatesTokenCount":10,"thoughtsTokenCount":6,"totalTokenCount":20"#, 10,
        10
      ),
      (#""promptTokenCount":10,"candidatesTokenCount":4,"thoughtsTokenCount":6"#, 10, 10),
      (
        #""promptTokenCount":10,"toolUsePromptTokenCount":5,"candidatesTokenCount":4,"totalTokenCount":19"#,
        15, 4
      ),
      (#""promptTokenCount":10,"totalTokenCount":13"#, 10, 3),
      (#""promptTokenCount":10,"thoughtsTokenCount":6,"totalTokenCount":16"#, 10, 6),
      // Nobody counted the words that are there.
      (#""promptTokenCount":10,"totalTokenCount":10"#, 10, nil), (#""promptTokenCount":10"#, 10, nil),
      (#""candidatesTokenCount":4"#, nil, 4), (#""promptTokenCount":-3,"candidatesTokenCount":4"#, nil, 4),
      (
        #""promptTokenCount":9223372036854775807,"toolUsePromptTokenCount":1,"candidatesTokenCount":4"#, nil,
        4
      ),
    ] as [(String, Int?, Int?)])
  func usageArithmetic(metadata: String, input: Int?, output: Int?) {
    let (_, reply) = check.readTexts([
      chunk(#"{"text":"a"}"#, stop), event(#"{"usageMetadata":{\#(metadata)}}"#),
    ])
    #expect(reply.usage?.input == input)
    #expect(reply.usage?.output == output)
  }

  @Test func usageIsNeverSummed() {
    let (_, reply) = check.readTexts([
      event(#"{"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":1,"totalTokenCount":10}}"#),
      event(#"{"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":3,"totalTokenCount":12}}"#),
      chunk(#"{"text":"a"}"#, stop), event(#"{"usageMetadata":{}}"#),
    ])
    #expect(reply.usage == Usage(input: 9, output: 3))
    let (_, none) = check.readTexts([chunk(#"{"text":"a"}"#, stop)])
    #expect(none.usage == nil)
  }

  // MARK: Ends

  @Test(
    arguments: [
      ("STOP", .stop, nil), ("MAX_TOKENS", .length, nil), ("RECITATION", .contentFilter, nil),
      ("IMAGE_SAFETY", .contentFilter, nil), ("OTHER", .contentFilter, nil),
      ("MALFORMED_FUNCTION_CALL", .error, .malformedResponse), ("NO_IMAGE", .error, .serverError),
      ("MISSING_THOUGHT_SIGNATURE", .error, .invalidRequest), ("SOMETHING_NEW", .unknown, nil),
    ] as [(String, Finish, ErrorClass?)])
  func finishWords(word: String, finish: Finish, kind: ErrorClass?) {
    let (_, reply) = check.readTexts([
      chunk(#"{"text":"a"}"#, #","finishReason":"\#(word)","finishMessage":"Because.""#)
    ])
    #expect(reply.finish == finish)
    #expect(reply.rawFinish == word)
    #expect(reply.outcome.error?.kind == kind)
    #expect((reply.outcome == .refused) == (finish == .contentFilter))
    #expect(reply.notes == (word == "STOP" ? [] : ["\(word): Because."]))
    #expect(kind != .malformedResponse || reply.outcome.error?.retryable == true)
  }

  @Test func unspecifiedIsNoEnd() {
    let (_, reply) = check.readTexts([
      chunk(#"{"text":"a"}"#, #","finishReason":"FINISH_REASON_UNSPECIFIED""#),
      event(#"{"promptFeedback":{"blockReason":"BLOCK_REASON_UNSPECIFIED"}}"#),
    ])
    #expect(reply.outcome.error?.kind == .truncated)
    #expect(reply.text == "a")
  }

  /// Older models name a reason in every chunk; the answer ends with the last of them.
  @Test func aReasonInEveryChunk() {
    let (_, reply) = check.readTexts([chunk(#"{"text":"a"}"#, stop), chunk(#"{"text":"b"}"#, stop)])
    #expect(reply.text == "ab")
    #expect(reply.timeline.terminal == 2000)
  }

  @Test func blockedPromptInOnePiece() {
    let body =
      #"{"promptFeedback":{"blockReason":"SAFETY","blockReasonMessage":"No."},"usageMetadata":{"promptTokenCount":5,"totalTokenCount":5}}"#
    let (_, reply) = check.readTexts([body], type: "application/json", streaming: false)
    #expect(reply.outcome == .refused)
    #expect(reply.rawFinish == "SAFETY")
    #expect(reply.usage == Usage(input: 5, output: 0))
    #expect(reply.notes == ["the prompt was blocked: No."])
  }

  @Test func anAnswerWithoutAReason() {
    let body = #"{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}"#
    let (_, reply) = check.readTexts([body], type: "application/json", streaming: false)
    #expect(reply.finish == .unknown)
    let (_, strange) = check.readTexts([#"{"a":1}"#], type: "application/json", streaming: false)
    #expect(strange.outcome.error?.kind == .malformedResponse)
  }

  // MARK: Errors

  private let busy = #"{"error":{"code":503,"message":"Busy.","status":"UNAVAILABLE"}}"#

  @Test func errorsInsideAStream() {
    let text = chunk(#"{"text":"a"}"#)
    for reads in [
      [text, event(busy)], [text, event("[\(busy)]")], [text, "event: error\ndata: \(busy)\n\n"],
      [text, "\n\(busy)\n"], [text, busy],
    ] {
      let (_, reply) = check.readTexts(reads)
      #expect(reply.outcome.error?.kind == .overloaded, "\(reads[1])")
      #expect(reply.outcome.error?.message == "Busy.")
      #expect(reply.text == "a")
    }
    let elements = ["[", #"{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}"#, ",\n", busy, "]"]
    let (_, array) = check.readTexts(elements, type: "application/json")
    #expect(array.outcome.error?.kind == .overloaded)
    #expect(array.text == "a")
  }

  @Test func errorBeforeAnyEvent() {
    for (reads, type) in [
      ([busy], "application/json"), (["[\(busy)]"], "application/json"), ([busy], "text/event-stream"),
    ] {
      let (_, reply) = check.readTexts(reads, type: type)
      #expect(reply.outcome.error?.kind == .overloaded, "\(type)")
      #expect(reply.outcome.error?.inBand == true)
    }
  }

  /// A bare text is noise beside an answer, and the only explanation where there is none.
  @Test func aTextForAnEvent() {
    let (_, fine) = check.readTexts([event(#""hello""#), chunk(#"{"text":"a"}"#, stop)])
    #expect(fine.outcome == .ok)
    let (_, broken) = check.readTexts([chunk(#"{"text":"a"}"#), event(#""internal error""#)])
    #expect(broken.outcome.error?.kind == .serverError)
    #expect(broken.outcome.error?.message == "internal error")
  }

  @Test(
    arguments: [
      (
        400,
        #""code":400,"message":"Request payload size exceeds the limit: 20971520 bytes.","status":"INVALID_ARGUMENT""#,
        .requestTooLarge, nil
      ),
      (
        429,
        #""code":429,"status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]},{"retryDelay":"3s"}]"#,
        .quotaExceeded, 3000
      ),
      (
        429,
        #""code":429,"status":"RESOURCE_EXHAUSTED","details":[{"reason":"RATE_LIMIT_EXCEEDED","metadata":{"quota_limit":"GenerateContentRequestsPerDayPerProject"}}]"#,
        .quotaExceeded, nil
      ),
      (
        429,
        #""code":429,"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":{"seconds":2,"nanos":500000000}}]"#,
        .rateLimited, 2500
      ),
      (403, #""code":403,"status":"PERMISSION_DENIED""#, .permission, nil),
      (404, #""code":404,"status":"NOT_FOUND""#, .notFound, nil),
      (504, #""code":504,"status":"DEADLINE_EXCEEDED""#, .serverTimeout, nil),
    ] as [(Int, String, ErrorClass, Double?)])
  func statusErrors(status: Int, body: String, kind: ErrorClass, retryAfter: Double?) {
    for text in ["{\"error\":{\(body)}}", "[{\"error\":{\(body)}}]"] {
      let (_, reply) = check.readTexts([text], type: "application/json", status: status)
      #expect(reply.outcome.error?.kind == kind)
      #expect(reply.outcome.error?.retryAfterMilliseconds == retryAfter)
    }
  }

  // MARK: Parts

  @Test func callsOfOneNameAreTwo() {
    let (_, reply) = check.readTexts([
      chunk(#"{"functionCall":{"id":"x","name":"now"}}"#), chunk(#"{"functionCall":{"name":"now"}}"#, stop),
    ])
    #expect(reply.toolCalls.map(\.id) == ["x", nil])
    #expect(reply.toolCalls.map(\.arguments) == [[:], [:]])
    #expect(reply.finish == .toolCalls)
  }

  @Test func onlyTheFirstCandidateIsRead() {
    let (_, reply) = check.readTexts([
      event(
        #"{"candidates":[{"index":0,"content":{"parts":[{"text":"a"}]}},{"index":1,"content":{"parts":[{"text":"x"}]}}]}"#
      ),
      event(#"{"candidates":[{"index":1,"finishReason":"SAFETY"}]}"#), chunk(#"{"text":"b"}"#, stop),
    ])
    #expect(reply.text == "ab")
    #expect(reply.finish == .stop)
  }

  @Test func otherPartsAreNoted() {
    let (reading, reply) = check.readTexts([
      chunk(#"{"executableCode":{"language":"PYTHON","code":"1"}}"#), chunk(#"{"text":"a"}"#, stop),
    ])
    #expect(reply.text == "a")
    #expect(reading.firstTokenEvent == 1)
    #expect(
      reply.notes == ["the answer holds a part of the kind 'executableCode', which is not read as text"])
    #expect(reply.providerState.isEmpty)
  }

  @Test func identityOfTheAnswer() {
    let (_, reply) = check.readTexts([
      event(
        #"{"modelVersion":"gemini-3-x","responseId":"r1","candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"a"}]}}]}"#
      )
    ])
    #expect(reply.servedModel == "gemini-3-x")
    #expect(reply.responseID == "r1")
  }
}

@Suite(.serialized, .timeLimit(.minutes(3)))
struct GeminiSocketTests {
  @Test func everyCaseAsPlanned() async throws {
    try await WireCheck(Gemini()).throughSockets(
      WireCheck.names("gemini"), provider: "gemini", grain: .planned, speed: 1)
  }

  @Test func everyCaseByteByByte() async throws {
    try await WireCheck(Gemini()).throughSockets(
      WireCheck.names("gemini"), provider: "gemini", grain: .singleBytes, speed: 0)
  }
}
