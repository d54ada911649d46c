import EvalCore
import EvalTestSupport
import Testing

@testable import EvalProviders

/// The whole way: profile, request, socket, reading, reply.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct OpenAIChatSocketTests {
  /// Cases whose answer is no answer to a chat, or which have a test of their own.
  static let names = WireCheck.names("openai-chat").filter {
    $0 != "openai-chat__done_then_connection_held_open"
  }

  @Test func everyCaseAsPlanned() async throws {
    try await runAll(Self.names, grain: .planned, speed: 1)
  }

  @Test func everyCaseByteByByte() async throws {
    try await runAll(Self.names.filter { !$0.contains("huge") }, grain: .singleBytes, speed: 0)
  }

  private func runAll(_ names: [String], grain: WireServer.Grain, speed: Double) async throws {
    let server = try WireServer(speed: speed, grain: grain)
    let transport = HTTPTransport(maxConnections: 16, userAgent: "evalrun-tests")
    defer {
      transport.shutdown()
      server.stop()
    }
    let factory = ProviderFactory(transport: transport, environment: [:])
    try await withThrowingTaskGroup(of: (String, ProviderReply).self) { group in
      var rest = names[...]
      func start() {
        guard let name = rest.popFirst() else { return }
        group.addTask {
          let size = try WireCheck.expectation(name)["sendBodyBytes"]?.intValue.map { Int($0) }
          let prompt = String(repeating: "x", count: size ?? 2)
          let profile = chatProfile(server.url(of: name))
          return (name, try await factory.make(profile).send(call(profile, [Message(.user, prompt)])))
        }
      }
      for _ in 0..<8 { start() }
      var replies: [(String, ProviderReply)] = []
      for try await reply in group {
        replies.append(reply)
        start()
      }
      let log = await server.entries(atLeast: names.count)
      for (name, reply) in replies {
        try check(name, reply, #require(log.first { $0.name == name }), "\(name) \(grain)")
      }
    }
  }

  private func check(_ name: String, _ reply: ProviderReply, _ log: WireLogEntry, _ label: String) throws {
    try WireCheck(OpenAIChat()).compare(name, reply, nil, label)
    #expect(!log.expect100, "\(label): Expect")
    let plan = try WireFixtures.load(name).plan
    // A chunk's own line end, and the LF of a CRLF, come after the byte that ends the event.
    func sent(_ event: WirePlan.Event?) -> Int64? {
      event.flatMap { event in log.flushes.first { $0.to >= event.endOffset - 4 }?.before }
    }
    if let token = reply.timeline.firstToken, let sent = sent(plan.ttft) {
      #expect(token >= sent, "\(label): a token before it was sent")
    }
    if let content = reply.timeline.firstContent, let sent = sent(plan.firstText) {
      #expect(content >= sent, "\(label): text before it was sent")
    }
    let expected = try WireCheck.expectation(name)
    if let size = expected["sendBodyBytes"]?.intValue, let most = expected["maxExtraMs"]?.doubleValue {
      #expect(log.request.body.count >= Int(size))
      let wait = Double(log.flushes[0].before - reply.timeline.start!) / 1_000_000
      #expect(wait < most, "\(label): \(wait) ms before the first flush")
    }
    #expect(log.request.header("user-agent") == "evalrun-tests")
  }

  @Test func theAnswerEndsAtItsMarker() async throws {
    let name = "openai-chat__done_then_connection_held_open"
    let server = try WireServer()
    let transport = HTTPTransport(maxConnections: 2, userAgent: "evalrun-tests")
    defer {
      transport.shutdown()
      server.stop()
    }
    let profile = chatProfile(server.url(of: name))
    let reply = try await ProviderFactory(transport: transport, environment: [:]).make(profile).send(
      call(profile))
    try WireCheck(OpenAIChat()).compare(name, reply, nil, name)
    let most = try #require(WireCheck.expectation(name)["maxExtraMs"]?.doubleValue)
    #expect(Double(reply.timeline.total!) / 1_000_000 < most)
  }

  // MARK: Streams that misbehave

  private func send(
    streaming: Bool = true, limits: CallTimeouts = CallTimeouts(), _ script: @escaping StubServer.Script
  ) async throws -> ProviderReply {
    let server = try StubServer(script)
    let transport = HTTPTransport(maxConnections: 4, userAgent: "evalrun-tests")
    defer {
      transport.shutdown()
      server.stop()
    }
    let profile = chatProfile(server.url + "/v1") { $0.stream = streaming }
    var asked = call(profile)
    asked.timeouts = limits
    return try await ProviderFactory(transport: transport, environment: [:]).make(profile).send(asked)
  }

  @Test func resetAfterTheEndMarker() async throws {
    let reply = try await send { _, reply in
      reply.sseHead()
      for text in chatStream(["a"]).dropLast() { reply.chunk(text) }
      reply.reset()
    }
    #expect(reply.outcome == .ok)
    #expect(reply.usage?.output == 2)
  }

  @Test func resetInTheMiddle() async throws {
    let reply = try await send { _, reply in
      reply.sseHead()
      reply.chunk(chatStream(["a"])[0])
      reply.reset()
    }
    #expect(reply.outcome.error?.kind == .truncated)
    #expect(reply.text == "a")
  }

  @Test func stallAfterTheFirstToken() async throws {
    var limits = CallTimeouts()
    limits.stall = .milliseconds(150)
    let reply = try await send(limits: limits) { _, reply in
      reply.sseHead()
      reply.chunk(chatStream(["a"])[0])
      for _ in 0..<100 {
        reply.chunk(": ping\n\n")
        reply.sleep(ms: 20)
      }
    }
    #expect(reply.outcome.error?.kind == .stallTimeout)
    #expect(reply.text == "a")
    #expect(reply.timeline.firstToken != nil)
  }

  @Test func pingsAreNoFirstToken() async throws {
    var limits = CallTimeouts()
    limits.firstToken = .milliseconds(150)
    let reply = try await send(limits: limits) { _, reply in
      reply.sseHead()
      for _ in 0..<100 {
        reply.chunk(
          ": ping\n\n" + #"data: {"choices":[{"delta":{"role":"assistant","content":""}}]}"# + "\n\n")
        reply.sleep(ms: 20)
      }
    }
    #expect(reply.outcome.error?.kind == .firstTokenTimeout)
  }

  @Test func anAnswerInOnePieceHasNoFirstTokenLimit() async throws {
    var limits = CallTimeouts()
    limits.firstToken = .milliseconds(50)
    limits.stall = .milliseconds(50)
    let reply = try await send(streaming: false, limits: limits) { _, reply in
      reply.sleep(ms: 250)
      reply.json(200, #"{"choices":[{"message":{"content":"slow"},"finish_reason":"stop"}]}"#)
    }
    #expect(reply.text == "slow")
    #expect(reply.outcome == .ok)
  }

  @Test func nobodyListens() async throws {
    let server = try StubServer { _, reply in reply.close() }
    let port = server.port
    server.stop()
    let transport = HTTPTransport(maxConnections: 1, userAgent: "evalrun-tests")
    defer { transport.shutdown() }
    let profile = chatProfile("http://127.0.0.1:\(port)/v1")
    let reply = try await ProviderFactory(transport: transport, environment: [:]).make(profile).send(
      call(profile))
    #expect(reply.outcome.error?.kind == .network)
    #expect(reply.outcome.error?.retryable == true)
    #expect(reply.timeline.firstByte == nil)
  }

  @Test func cancelling() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      reply.chunk(chatStream(["a"])[0])
      reply.sleep(ms: 5000)
    }
    let transport = HTTPTransport(maxConnections: 1, userAgent: "evalrun-tests")
    defer {
      transport.shutdown()
      server.stop()
    }
    let profile = chatProfile(server.url + "/v1")
    let provider = try ProviderFactory(transport: transport, environment: [:]).make(profile)
    let counters = LiveCounters()
    var asked = call(profile)
    asked.counters = counters
    let task = Task { [asked] in await provider.send(asked) }
    while counters.tokenEvents == 0 { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    let reply = await task.value
    #expect(reply.outcome.error?.kind == .cancelled)
    #expect(reply.text == "a")
  }

  /// Two slow streams over one transport: each answer holds its own words, and only those.
  @Test func parallelStreamsDoNotMix() async throws {
    let server = try StubServer { request, reply in
      let word = request.bodyText.contains("left") ? "left" : "right"
      reply.sseHead()
      for index in 0..<20 {
        for piece in chatStream(["\(word)\(index) "]).prefix(1) {
          let cut = piece.utf8.count / 2
          reply.chunk(String(decoding: Array(piece.utf8)[..<cut], as: UTF8.self))
          reply.sleep(ms: 2)
          reply.chunk(String(decoding: Array(piece.utf8)[cut...], as: UTF8.self))
        }
      }
      for text in chatStream([]) { reply.chunk(text) }
    }
    let transport = HTTPTransport(maxConnections: 4, userAgent: "evalrun-tests")
    defer {
      transport.shutdown()
      server.stop()
    }
    let profile = chatProfile(server.url + "/v1")
    let provider = try ProviderFactory(transport: transport, environment: [:]).make(profile)
    async let left = provider.send(call(profile, [Message(.user, "left")]))
    async let right = provider.send(call(profile, [Message(.user, "other")]))
    #expect(await left.text == (0..<20).map { "left\($0) " }.joined())
    #expect(await right.text == (0..<20).map { "right\($0) " }.joined())
  }

  @Test func pieceByPiece() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      for text in chatStream(["a", "b"]) { reply.chunk(text) }
    }
    let transport = HTTPTransport(maxConnections: 1, userAgent: "evalrun-tests")
    defer {
      transport.shutdown()
      server.stop()
    }
    let (stream, continuation) = AsyncStream.makeStream(of: StreamPiece.self)
    let profile = chatProfile(server.url + "/v1")
    var asked = call(profile)
    asked.onPiece = { continuation.yield($0) }
    _ = try await ProviderFactory(transport: transport, environment: [:]).make(profile).send(asked)
    continuation.finish()
    var pieces: [StreamPiece] = []
    for await piece in stream { pieces.append(piece) }
    #expect(pieces == [.text("a"), .text("b")])
  }
}
