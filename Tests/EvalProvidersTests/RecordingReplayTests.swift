import EvalCore
import EvalTestSupport
import Foundation
import Testing

@testable import EvalProviders

struct RecordingReplayTests {
  let bench = try! RecordingBench()

  @Test(arguments: ReplayPace.allCases) func aStreamComesBackAsItWas(pace: ReplayPace) async throws {
    let sent = CannedAnswers.stream(["Good", " mor", "ning 🙂"]).reads
    let server = try StubServer { _, reply in
      reply.sseHead(headers: [("X-Request-Id", "r-1"), ("Set-Cookie", "session=1")])
      for chunk in sent {
        reply.sleep(ms: 20)
        reply.chunk(chunk)
      }
    }
    let profile = RecordingBench.profile(server.url + "/v1")
    let live = try await bench.recording().make(profile).send(RecordingBench.call(profile))
    server.stop()
    let factory = try bench.replaying(pace)
    let began = Monotonic.now()
    let replayed = try await factory.make(profile).send(RecordingBench.call(profile))
    let took = Monotonic.now() - began

    #expect(live.text == "Good morning 🙂")
    expectSame(live, replayed, "stream")
    #expect(live.timeline.tokenReads.count == 3)
    #expect(live.provenance == .live && replayed.provenance == .recorded)
    #expect(replayed.timeline.start! >= began)
    let recorded = try #require(live.timeline.done) - live.timeline.start!
    #expect(recorded > 60_000_000)
    if pace == .recorded { #expect(took >= recorded) }

    let recording = try Recording(path: bench.path)
    let exchange = try recording.exchange(at: recording.entries[0])
    #expect(exchange.stream == sent.flatMap { Array($0.utf8) })
    #expect(exchange.headers.map(\.name).sorted() == ["content-type", "x-request-id"])
    #expect(factory.recording == "recorded 2026-11-30T07:15:33Z by evalrun 0.0.1: two cores; tiny = tiny-1")
    #expect(factory.provenance == .recorded)
  }

  /// Answers, errors, cut streams, odd encodings: whatever was read live is read again.
  @Test func everyWireCaseComesBackAsItWas() async throws {
    let server = try WireServer(speed: 0)
    let names = WireCheck.names("openai-chat")
    #expect(names.count >= 52)
    var live: [String: ProviderReply] = [:]
    let recorder = try bench.recording()
    for name in names {
      let profile = RecordingBench.profile(server.url(of: name))
      live[name] = try await recorder.make(profile).send(RecordingBench.call(profile))
    }
    server.stop()
    let answers = try bench.replaying()
    let everything = try bench.replaying(includeFailures: true)
    for name in names {
      let profile = RecordingBench.profile(server.url(of: name))
      let call = RecordingBench.call(profile)
      let all = try await everything.make(profile).send(call)
      let only = try await answers.make(profile).send(call)
      expectSame(try #require(live[name]), all, name)
      if live[name]?.outcome.error == nil {
        expectSame(try #require(live[name]), only, name)
      } else {
        #expect(only.outcome.error?.kind == .notRecorded, "\(name)")
      }
    }
  }

  @Test func aReplayNeedsNoKeyAndNoServer() async throws {
    let server = try StubServer { request, reply in
      #expect(request.header("authorization") == "Bearer key-for-the-test")
      reply.sseHead()
      for chunk in CannedAnswers.stream(["Hi"]).reads { reply.chunk(chunk) }
    }
    var profile = RecordingBench.profile(server.url)
    profile.key = .environment("EVALRUN_TEST_KEY")
    profile.headers = [HeaderField(name: "X-Team", value: .environment("EVALRUN_TEST_TEAM"))]
    let factory = try bench.recording(
      environment: ["EVALRUN_TEST_KEY": "key-for-the-test", "EVALRUN_TEST_TEAM": "team-for-the-test"])
    #expect(try await factory.make(profile).send(RecordingBench.call(profile)).text == "Hi")
    #expect(server.connectionCount == 1)

    let replay = try bench.replaying()
    #expect(try await replay.make(profile).send(RecordingBench.call(profile)).text == "Hi")
    #expect(server.connectionCount == 1)
    #expect(replay.resolver.secrets.isEmpty)
  }

  @Test func cancellingAPacedReplayEndsIt() async throws {
    var slow = CannedAnswers.stream(["a"])
    slow.gap = 60_000_000_000
    _ = try await bench.recording(CannedAnswers([slow])).send(RecordingBench.call(RecordingBench.profile()))
    let provider = try bench.replaying(.recorded).make(RecordingBench.profile())
    let began = Monotonic.now()
    let task = Task { await provider.send(RecordingBench.call(RecordingBench.profile())) }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    let reply = await task.value
    #expect(reply.outcome.error?.kind == .cancelled)
    // It would have lasted two minutes.
    #expect(Monotonic.now() - began < 20_000_000_000)
  }

  /// A server that refuses `stream_options` was asked without it, and the recording has only that form.
  @Test func aRequestWithoutARefusedMemberIsFound() async throws {
    let server = try StubServer { request, reply in
      if request.bodyText.contains("stream_options") {
        return reply.json(400, #"{"error":{"message":"unknown field stream_options"}}"#)
      }
      reply.sseHead()
      for chunk in CannedAnswers.stream(["Hi"]).reads { reply.chunk(chunk) }
    }
    let profile = RecordingBench.profile(server.url)
    let recorder = try bench.recording().make(profile)
    for text in ["one", "two"] {
      #expect(await recorder.send(RecordingBench.call(profile, text)).text == "Hi")
    }
    let replay = try bench.replaying().make(profile)
    for text in ["two", "one"] {
      #expect(await replay.send(RecordingBench.call(profile, text)).text == "Hi", "\(text)")
    }
    #expect(
      await replay.send(RecordingBench.call(profile, "three")).outcome.error?.kind == .notRecorded)
  }

  private func expectSame(_ live: ProviderReply, _ replayed: ProviderReply, _ label: String) {
    #expect(live.outcome == replayed.outcome, "\(label): outcome")
    #expect(live.text == replayed.text, "\(label): text")
    #expect(live.reasoning == replayed.reasoning, "\(label): reasoning")
    #expect(live.refusal == replayed.refusal, "\(label): refusal")
    #expect(live.toolCalls == replayed.toolCalls, "\(label): tool calls")
    #expect(live.finish == replayed.finish && live.rawFinish == replayed.rawFinish, "\(label): finish")
    #expect(live.usage == replayed.usage, "\(label): usage")
    #expect(live.servedModel == replayed.servedModel, "\(label): model")
    #expect(live.responseID == replayed.responseID, "\(label): id")
    #expect(live.requestHash == replayed.requestHash, "\(label): request")
    #expect(live.providerState == replayed.providerState, "\(label): state")
    #expect(live.allowance == replayed.allowance, "\(label): allowance")
    #expect(live.notes == replayed.notes, "\(label): notes")
    #expect(live.connection == replayed.connection, "\(label): connection")
    #expect(live.moments == replayed.moments, "\(label): moments")
    #expect(
      live.timeline.tokenReads.map(\.events) == replayed.timeline.tokenReads.map(\.events),
      "\(label): events")
  }
}
