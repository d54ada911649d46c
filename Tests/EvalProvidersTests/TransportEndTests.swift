import EvalTestSupport
import Testing

@testable import EvalProviders

/// How transfers end, well and badly, and what becomes of their connections.
@Suite(.timeLimit(.minutes(1)))
struct TransportEndTests {
  let transport = HTTPTransport.forTests()

  @Test func resetInMidStreamIs56() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      reply.chunk("data: 1\n\n")
      reply.reset()
    }
    let sink = CollectingSink(terminal: "[DONE]")
    let result = await transport.post(server.url, sink)
    #expect(result.end.code == 56)
    #expect(sink.text == "data: 1\n\n")
  }

  @Test func cutBeforeTheLastChunkIs18() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      reply.chunk("data: 1\n\n")
      reply.close()
    }
    let sink = CollectingSink(terminal: "[DONE]")
    let result = await transport.post(server.url, sink)
    #expect(result.end.code == 18)
    #expect(sink.text == "data: 1\n\n")
  }

  @Test func noAnswerAtAllIs52() async throws {
    let server = try StubServer { _, reply in reply.close() }
    let result = await transport.post(server.url, CollectingSink())
    #expect(result.end.code == 52)
    #expect(result.stamps.firstByte == nil)
    #expect(result.newConnection == true)
  }

  @Test func nobodyListeningIs7() async throws {
    let server = try StubServer { _, reply in reply.close() }
    server.stop()
    // The port is free again once the accepting thread has seen the stop.
    var end = TransferEnd.complete
    for _ in 0..<200 {
      end = await transport.post(server.url, CollectingSink()).end
      if end.code == 7 { break }
      try await Task.sleep(for: .milliseconds(5))
    }
    guard case .failed(7, let message) = end else {
      Issue.record("ended as \(end)")
      return
    }
    #expect(message.contains("\(server.port)"))
  }

  @Test func errorAfterTheTerminalMarkerIsSuccess() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      reply.chunk("data: 1\n\n")
      reply.chunk("data: [DONE]\n\n")
      reply.reset()
    }
    let sink = CollectingSink(terminal: "[DONE]")
    let result = await transport.post(server.url, sink)
    #expect(result.end == .stoppedBySink)
    #expect(sink.text == "data: 1\n\ndata: [DONE]\n\n")
  }

  @Test func doneThenHeldOpenReturnsAtOnce() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      reply.chunk("data: 1\n\ndata: [DONE]\n\n")
      reply.sleep(ms: 20_000)
    }
    let sink = CollectingSink(terminal: "[DONE]")
    let result = await transport.post(server.url, sink)
    let returned = monotonicNanoseconds()
    #expect(result.end == .stoppedBySink)
    #expect(result.stamps.done == sink.reads.last?.at)
    #expect(returned - result.stamps.done < 5_000_000_000)
  }

  @Test func nothingReachesASinkThatIsDone() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      reply.raw("e\r\ndata: [DONE]\n\n\r\n9\r\ndata: 2\n\n\r\n")
      reply.chunk("data: 3\n\n")
    }
    for _ in 0..<10 {
      let sink = CollectingSink(terminal: "[DONE]")
      let result = await transport.post(server.url, sink)
      #expect(result.end == .stoppedBySink)
      #expect(sink.text == "data: [DONE]\n\n")
      #expect(sink.callsAfterDone == 0)
    }
  }

  /// A server that ends its response in a packet of its own, as most do.
  static func serverWithLateEnd() throws -> StubServer {
    try StubServer { _, reply in
      reply.sseHead()
      reply.chunk("data: 1\n\n")
      reply.chunk("data: [DONE]\n\n")
      reply.sleep(ms: 1)
      reply.finish()
    }
  }

  @Test func hundredRequestsDoNotOpenHundredConnections() async throws {
    let server = try Self.serverWithLateEnd()
    var fresh = 0
    for _ in 0..<100 {
      let result = await transport.post(server.url, CollectingSink(terminal: "[DONE]"))
      #expect(result.end == .stoppedBySink)
      if result.newConnection == true { fresh += 1 }
    }
    // One, unless a busy machine takes longer than the settle time to deliver an end.
    #expect(server.connectionCount <= 10)
    #expect(fresh == server.connectionCount)
  }

  @Test func aLateEndDoesNotCostAConnection() async throws {
    // Any of these rounds may be disturbed by a busy machine, but not all of them.
    var counts: [Int] = []
    for _ in 0..<10 where counts.last != 1 {
      let server = try Self.serverWithLateEnd()
      for _ in 0..<10 { _ = await transport.post(server.url, CollectingSink(terminal: "[DONE]")) }
      counts.append(server.connectionCount)
    }
    // Six where the late end is not waited for.
    #expect(counts.min() ?? .max <= 3, "connections in each round: \(counts)")
  }

  @Test func aLateEndStillKeepsTheConnection() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      reply.chunk("data: [DONE]\n\n")
      reply.sleep(ms: 15)
      reply.finish()
    }
    for _ in 0..<5 {
      let result = await transport.post(server.url, CollectingSink(terminal: "[DONE]"))
      #expect(result.end == .stoppedBySink)
      // Longer than the late end takes, far shorter than the linger time would close it.
      try await Task.sleep(for: .milliseconds(40))
    }
    #expect(server.connectionCount < 5)
  }

  @Test func aDeadKeptConnectionShowsAsNew() async throws {
    let server = try StubServer { request, reply in
      reply.json(200, "{}")
      if request.path == "/last" { reply.close() }
    }
    var fresh: [Bool?] = []
    for path in ["/", "/last", "/", "/"] {
      let sink = CollectingSink()
      let result = await transport.post(server.url + path, sink)
      #expect(result.end == .complete)
      #expect(sink.text == "{}")
      fresh.append(result.newConnection)
    }
    #expect(fresh == [true, false, true, false])
    #expect(server.requests.map(\.connection) == [1, 1, 2, 2])
  }

  @Test func cancellingTheTaskEndsTheTransfer() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      reply.chunk("data: 1\n\n")
      reply.sleep(ms: 20_000)
    }
    let (reads, arrived) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      await transport.post(server.url, CollectingSink(onRead: { arrived.yield() }))
    }
    for await _ in reads { break }
    task.cancel()
    let result = await task.value
    #expect(result.end == .cancelled)
    #expect(result.stamps.firstByte != nil)
  }

  @Test func aTaskThatWasCancelledBeforeSendsNothing() async throws {
    let server = try StubServer { _, reply in reply.json(200, "{}") }
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await transport.post(server.url, CollectingSink())
    }
    task.cancel()
    let result = await task.value
    #expect(result.end == .cancelled)
    #expect(result.stamps.start == nil)
    #expect(result.newConnection == nil)
    #expect(server.requests.isEmpty)
  }

  @Test func shutdownCancelsWhatRunsAndWhatComes() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      reply.chunk("data: 1\n\n")
      reply.sleep(ms: 20_000)
    }
    let (reads, arrived) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      await transport.post(server.url, CollectingSink(onRead: { arrived.yield() }))
    }
    for await _ in reads { break }
    transport.shutdown()
    let running = await task.value
    #expect(running.end == .cancelled)
    let late = await transport.post(server.url, CollectingSink())
    #expect(late.end == .cancelled)
    #expect(server.requests.count == 1)
  }

  @Test func childProcessesDoNotInheritConnections() async throws {
    let server = try StubServer { _, reply in reply.json(200, "{}") }
    #expect(await transport.post(server.url, CollectingSink()).end == .complete)
    let sockets = openSockets(toPort: server.port)
    #expect(sockets.count == 1, "the kept connection")
    #expect(sockets.allSatisfy { $0.closesOnExec })
  }
}
