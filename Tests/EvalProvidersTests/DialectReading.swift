import EvalCore
import EvalTestSupport
import Testing

@testable import EvalProviders

/// A reading of one dialect fed with events, one read each, stamped 1000, 2000, …
func readStream(_ dialect: any Dialect, _ events: [String], end: TransferEnd = .complete)
  -> (reading: StreamReading, reply: ProviderReply)
{
  read(dialect, events.map { "data: \($0)\n\n" }, type: "text/event-stream", end: end)
}

/// A reading of a body in one piece.
func readBody(_ dialect: any Dialect, _ body: String) -> ProviderReply {
  read(dialect, [body], type: "application/json", end: .complete).reply
}

private func read(_ dialect: any Dialect, _ reads: [String], type: String, end: TransferEnd)
  -> (reading: StreamReading, reply: ProviderReply)
{
  var reading = StreamReading(
    decoder: dialect.makeDecoder(streaming: true, dialect.servers[0]), framing: dialect.framing,
    asksForStream: true)
  reading.head(status: 200, headers: HTTPHeaders([("Content-Type", type)]))
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

/// A profile of a dialect on this machine.
func dialectProfile(
  _ provider: String, _ endpoint: String? = nil, _ change: (inout Profile) -> Void = { _ in }
)
  -> Profile
{
  var profile = Profile(name: "p", provider: provider, model: "m")
  profile.endpoint = endpoint
  change(&profile)
  return profile
}

/// The problems that a provider finds in a profile, by path.
func problemPaths(_ profile: Profile) -> [String?] {
  ProviderRegistry.all.first { $0.name == profile.provider }!.validate(profile).map(\.path)
}

extension WireCheck {
  /// Sends every case through profile, request, socket and reading, eight at a time, and compares what comes back.
  static func throughSockets(
    _ dialect: any Dialect, _ names: [String], grain: WireServer.Grain, speed: Double
  ) async throws {
    let server = try WireServer(speed: speed, grain: grain)
    let transport = HTTPTransport(maxConnections: 16, userAgent: "evalrun-tests")
    defer {
      transport.shutdown()
      server.stop()
    }
    let factory = ProviderFactory(transport: transport, environment: [:])
    let check = WireCheck(dialect)
    try await withThrowingTaskGroup(of: (String, ProviderReply).self) { group in
      var rest = names[...]
      func start() {
        guard let name = rest.popFirst() else { return }
        group.addTask {
          let profile = dialectProfile(dialect.descriptor.name, server.url(of: name))
          return (name, try await factory.make(profile).send(call(profile)))
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
        let label = "\(name) \(grain)"
        try check.compare(name, reply, nil, label)
        let entry = try #require(log.first { $0.name == name })
        let ttft = try WireFixtures.load(name).plan.ttft
        // The line ends that follow an event's last byte may come with the next flush.
        let sent = ttft.flatMap { event in entry.flushes.first { $0.to >= event.endOffset - 4 }?.before }
        if let token = reply.timeline.firstToken, let sent {
          #expect(token >= sent, "\(label): a token before it was sent")
        }
      }
    }
  }
}
