import EvalCore
import EvalTestSupport
import Testing

@testable import EvalProviders

extension WireCheck {
  /// Feeds texts, one read each, stamped 1000, 2000, …
  func readTexts(
    _ reads: [String], type: String = "text/event-stream", status: Int = 200, streaming: Bool = true,
    end: TransferEnd = .complete
  ) -> (reading: StreamReading, reply: ProviderReply) {
    var reading = StreamReading(
      decoder: dialect.makeDecoder(streaming: streaming, traits), framing: dialect.framing,
      asksForStream: streaming, zeroInputIsAbsent: traits.zeroInputIsAbsent)
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
    return (reading, ReplyComposer(end: end, clientTime: 0).reply(from: reading))
  }

  /// Sends a call for every case to a server that replays it, and holds the reply against its expectation.
  func throughSockets(_ names: [String], provider: String, grain: WireServer.Grain, speed: Double)
    async throws
  {
    let server = try WireServer(speed: speed, grain: grain)
    let transport = HTTPTransport(maxConnections: 8, userAgent: "evalrun-tests")
    defer {
      transport.shutdown()
      server.stop()
    }
    let factory = ProviderFactory(transport: transport, environment: [:])
    let replies = try await withThrowingTaskGroup(of: (String, ProviderReply).self) { group in
      for name in names {
        group.addTask {
          var profile = Profile(name: "p", provider: provider, model: "m")
          profile.endpoint = server.url(of: name)
          return (name, try await factory.make(profile).send(call(profile)))
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let log = await server.entries(atLeast: names.count)
    #expect(replies.count == names.count)
    for (name, reply) in replies {
      try compare(name, reply, nil, "\(name) \(grain)")
      let entry = try #require(log.first { $0.name == name })
      let plan = try WireFixtures.load(name).plan
      // A chunk's own line end, and the LF of a CRLF, come after the byte that ends the event.
      if let token = reply.timeline.firstToken, let event = plan.ttft {
        let sent = try #require(entry.flushes.first { $0.to >= event.endOffset - 4 }).before
        #expect(token >= sent, "\(name): a token before it was sent")
      }
    }
  }
}
