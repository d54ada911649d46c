import EvalTestSupport
import Testing

@testable import EvalProviders

/// Time limits, each with a server that would otherwise take twenty seconds.
@Suite(.timeLimit(.minutes(1)))
struct TransportTimeoutTests {
  let transport = HTTPTransport.forTests()

  /// Sends a comment every 10 ms for twenty seconds or until the client leaves.
  static func ping(_ reply: StubReply) {
    for _ in 0..<2000 where !reply.clientGone {
      reply.sleep(ms: 10)
      reply.chunk(": ping\n\n")
    }
  }

  @Test func stallWhilePingsFlow() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      reply.chunk("data: 1\n\n")
      Self.ping(reply)
    }
    let sink = CollectingSink(terminal: "[DONE]")
    let result = await transport.post(server.url, sink, timeouts: .init(stall: .milliseconds(150)))
    #expect(result.end == .timeout(.stall))
    #expect(sink.text.contains(": ping"))
    let token = try #require(sink.reads.first?.at)
    #expect(result.stamps.done - token >= 150_000_000)
  }

  @Test func progressWindsTheStallLimitUp() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      for index in 0..<10 {
        reply.chunk("data: \(index)\n\n")
        reply.sleep(ms: 100)
      }
    }
    let sink = CollectingSink()
    let result = await transport.post(server.url, sink, timeouts: .init(stall: .milliseconds(800)))
    #expect(result.end == .complete)
    #expect(sink.reads.count == 10)
  }

  @Test func firstTokenWhilePingsFlow() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      Self.ping(reply)
    }
    let sink = CollectingSink()
    let limits = TransferTimeouts(firstToken: .milliseconds(150), stall: .milliseconds(20))
    let result = await transport.post(server.url, sink, timeouts: limits)
    #expect(result.end == .timeout(.firstToken))
    #expect(!sink.sawToken)
    #expect(sink.status == 200)
    #expect(result.stamps.done - (result.stamps.start ?? 0) >= 150_000_000)
  }

  @Test func aTokenStopsTheFirstTokenLimit() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      reply.chunk("data: 1\n\n")
      reply.sleep(ms: 1500)
      reply.chunk("data: 2\n\n")
    }
    let result = await transport.post(
      server.url, CollectingSink(), timeouts: .init(firstToken: .milliseconds(1000)))
    #expect(result.end == .complete)
  }

  @Test func totalWhileTokensFlow() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      for index in 0..<2000 where !reply.clientGone {
        reply.chunk("data: \(index)\n\n")
        reply.sleep(ms: 10)
      }
    }
    let result = await transport.post(
      server.url, CollectingSink(), timeouts: .init(total: .milliseconds(200)))
    #expect(result.end == .timeout(.total))
    #expect(result.stamps.done - (result.stamps.start ?? 0) >= 200_000_000)
  }

  @Test func noLimitAfterTheTerminalMarker() async throws {
    let server = try StubServer { _, reply in
      reply.sseHead()
      reply.chunk("data: [DONE]\n\n")
      reply.sleep(ms: 20_000)
    }
    let limits = TransferTimeouts(firstToken: .seconds(10), stall: .nanoseconds(1), total: .seconds(10))
    let result = await transport.post(server.url, CollectingSink(terminal: "[DONE]"), timeouts: limits)
    #expect(result.end == .stoppedBySink)
  }

  #if os(Linux)
    /// Linux drops the opening packet of a connection to a full backlog; other systems refuse it.
    @Test func connectToAFullBacklog() async throws {
      let full = try FullBacklog()
      let result = await transport.post(
        full.url, CollectingSink(), timeouts: .init(connect: .milliseconds(150), firstToken: .seconds(20)))
      #expect(result.end == .timeout(.connect))
      #expect(result.stamps.connReady == nil)
      #expect(result.stamps.start != nil)
      #expect(result.stamps.firstByte == nil)
    }
  #endif
}
