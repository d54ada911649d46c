import EvalCore
import Testing

@testable import EvalProviders

struct RecordingKeyTests {
  let bench = try! RecordingBench()
  let profile = RecordingBench.profile()

  private func record(_ answers: [CannedAnswers.Answer], _ calls: [ProviderCall]) async throws {
    let provider = try bench.recording(CannedAnswers(answers))
    for call in calls { _ = await provider.send(call) }
  }

  /// What differs and how a person is told.
  static let others: [(String, @Sendable (inout ProviderCall) -> Void, String)] = [
    ("model", { $0.profile.model = "tiny-2" }, "model is 'tiny-1' there and 'tiny-2' here"),
    ("temperature", { $0.profile.parameters.temperature = 0.7 }, "temperature is 0 there and 0.7 here"),
    ("seed", { $0.profile.parameters.seed = 3 }, "seed is not recorded"),
    ("limit", { $0.profile.parameters.maxOutputTokens = nil }, "is recorded and not asked for"),
    ("extra", { $0.profile.extraBody = ["a": ["b": true]] }, "a is not recorded"),
    (
      "instructions", { $0.instructions = "Be long." }, "line 3 (tiny, repeat 0): messages[0].content differs"
    ),
    ("input", { $0.messages = [Message(.user, "Hello!")] }, "messages[1].content differs"),
    (
      "repeat", { $0.repeatIndex = 1 },
      "for repeat 1: nearest is line 3, the same request; it is recorded for repeat 0"
    ),
  ]

  @Test(arguments: others.indices) func anotherRequestIsNeverServed(index: Int) async throws {
    let (name, change, words) = Self.others[index]
    try await record(
      [CannedAnswers.stream(["Hi"])],
      [
        RecordingBench.call(profile, "Bye"), RecordingBench.call(profile),
        RecordingBench.call(profile, "Why"),
      ])
    var call = RecordingBench.call(profile)
    #expect(try await bench.replayer().send(call).text == "Hi")
    change(&call)
    let reply = try await bench.replayer().send(call)
    #expect(reply.outcome.error?.kind == .notRecorded, "\(name)")
    #expect(reply.outcome.error?.retryable == false)
    #expect(reply.outcome.error?.message.contains(words) == true, "\(name): \(reply.outcome)")
    #expect(reply.text.isEmpty && reply.provenance == .recorded)
    #expect(reply.timeline.total == nil && reply.timeline.timeToFirstToken == nil)
  }

  @Test func anotherEndpointIsNeverServed() async throws {
    try await record([CannedAnswers.stream(["Hi"])], [RecordingBench.call(profile)])
    let other = RecordingBench.profile("http://127.0.0.1:10/v1")
    let reply = try await bench.replaying().make(other).send(RecordingBench.call(other))
    #expect(reply.outcome.error?.kind == .notRecorded)
    #expect(
      reply.outcome.error?.message.contains("endpoint is 'http://127.0.0.1:9/v1/chat/completions'") == true)
  }

  @Test func eachRepeatHasItsOwnAnswer() async throws {
    let texts = ["one", "two", "three"]
    try await record(
      texts.map { CannedAnswers.stream([$0]) },
      texts.indices.map { RecordingBench.call(profile, repeatIndex: $0) })
    let replay = try bench.replayer()
    for (index, text) in texts.enumerated().reversed() {
      #expect(await replay.send(RecordingBench.call(profile, repeatIndex: index)).text == text)
    }
    let fourth = await replay.send(RecordingBench.call(profile, repeatIndex: 3))
    #expect(fourth.outcome.error?.kind == .notRecorded)
    #expect(fourth.outcome.error?.message.contains("recorded for repeat 0, 1, 2") == true)
  }

  @Test func failuresAreNotServedUnlessAskedFor() async throws {
    try await record(
      [CannedAnswers.failure(429), CannedAnswers.failure(503), CannedAnswers.stream(["Hi"])],
      (0...2).map { RecordingBench.call(profile, attempt: $0) })
    // Whatever attempt asks, the answer is what counts.
    for attempt in 0...3 {
      let reply = try await bench.replayer().send(RecordingBench.call(profile, attempt: attempt))
      #expect(reply.text == "Hi")
    }
    let all = try bench.replayer(includeFailures: true)
    let outcomes: [ErrorClass?] = [.rateLimited, .overloaded, nil]
    for (attempt, kind) in outcomes.enumerated() {
      let reply = await all.send(RecordingBench.call(profile, attempt: attempt))
      #expect(reply.outcome.error?.kind == kind)
    }
  }

  @Test func aRetryIsNeverServedTheFailureBeforeIt() async throws {
    try await record([CannedAnswers.failure(429)], [RecordingBench.call(profile)])
    let only = try await bench.replayer().send(RecordingBench.call(profile))
    #expect(only.outcome.error?.kind == .notRecorded)
    #expect(only.outcome.error?.message.contains("which failed (rateLimited)") == true)
    let all = try bench.replayer(includeFailures: true)
    #expect(await all.send(RecordingBench.call(profile)).outcome.error?.kind == .rateLimited)
    let retry = await all.send(RecordingBench.call(profile, attempt: 1))
    #expect(retry.outcome.error?.kind == .notRecorded)
    #expect(retry.outcome.error?.message.contains("it failed in attempt 0") == true)
  }

  /// A 200 is not yet an answer.
  @Test(arguments: ["cut", "in-band error", "no end marker", "no JSON"])
  func anAnswerThatIsNotWholeIsNotServed(kind: String) async throws {
    var answer = CannedAnswers.stream(["Hi", " there"])
    switch kind {
    case "cut":
      answer.reads.removeLast()
      answer.end = .failed(code: 18, message: "closed with data remaining")
    case "in-band error": answer.reads[2] = "data: {\"error\":{\"message\":\"out of memory\"}}\n\n"
    case "no end marker": answer.reads.removeLast()
    default: answer.reads[1] = "data: {\"choices\n\n"
    }
    try await record([answer], [RecordingBench.call(profile)])
    let reply = try await bench.replayer().send(RecordingBench.call(profile))
    #expect(reply.outcome.error?.kind == .notRecorded)
  }

  @Test func aRefusalIsAnAnswer() async throws {
    var refusal = CannedAnswers.stream([])
    refusal.reads.insert(
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"refusal\":\"I cannot.\"}}]}\n\n", at: 0)
    try await record([refusal], [RecordingBench.call(profile)])
    #expect(try await bench.replayer().send(RecordingBench.call(profile)).refusal == "I cannot.")
  }

  @Test func theLastAnswerCounts() async throws {
    try await record(
      [CannedAnswers.stream(["first"]), CannedAnswers.stream(["second"]), CannedAnswers.failure(500)],
      Array(repeating: RecordingBench.call(profile), count: 3))
    #expect(try bench.lines.count == 4)
    for includeFailures in [false, true] {
      let replay = try bench.replayer(includeFailures: includeFailures)
      #expect(await replay.send(RecordingBench.call(profile)).text == "second")
    }
  }

  @Test func aMissQuotesNoPrompt() async throws {
    try await record([CannedAnswers.stream(["Hi"])], [RecordingBench.call(profile, "my diary")])
    let reply = try await bench.replayer().send(RecordingBench.call(profile, "my letters"))
    let message = try #require(reply.outcome.error?.message)
    #expect(!message.contains("diary") && !message.contains("letters") && !message.contains("brief"))
  }
}
