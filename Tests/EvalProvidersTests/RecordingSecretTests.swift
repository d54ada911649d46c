import EvalCore
import EvalTestSupport
import Testing

@testable import EvalProviders

struct RecordingSecretTests {
  let bench = try! RecordingBench()
  /// With what JSON, URLs and headers spell differently.
  static let secret = #"sk-"q+u/o\te=d"#

  /// The value as it would be found by a person who looks for it.
  static let spellings: [String] = [
    secret, #"sk-\"q+u/o\\te=d"#, #"sk-\\\"q+u/o\\\\te=d"#, "sk-%22q%2Bu%2Fo%5Cte%3Dd",
    base64(Array(secret.utf8)), "q+u/o",
  ]

  private func send(_ script: @escaping StubServer.Script, prompt: String = "Hello") async throws
    -> (ProviderReply, ProviderFactory)
  {
    let server = try StubServer(script)
    var profile = RecordingBench.profile(server.url)
    profile.key = .environment("EVALRUN_TEST_KEY")
    let factory = try bench.recording(environment: ["EVALRUN_TEST_KEY": Self.secret])
    let reply = try await factory.make(profile).send(RecordingBench.call(profile, prompt))
    return (reply, factory)
  }

  private func expectNoSecret() throws {
    let bytes = try bench.bytes
    for spelling in Self.spellings {
      #expect(bytes.firstRange(of: Array(spelling.utf8)) == nil, "\(spelling)")
    }
  }

  @Test func anEchoingErrorIsRedacted() async throws {
    let (reply, _) = try await send(
      { request, reply in
        let key = request.header("authorization") ?? ""
        let body: JSONValue = ["error": ["message": .string("bad key: \(key)"), "code": "invalid_api_key"]]
        reply.json(401, body.serialized(), headers: [("X-Request-Id", key)])
      }, prompt: "My key is \(Self.secret)")
    #expect(reply.outcome.error?.message.contains(Self.secret) == true)
    try expectNoSecret()
    let recording = try Recording(path: bench.path)
    let exchange = try recording.exchange(at: recording.entries[0])
    #expect(String(decoding: exchange.stream, as: UTF8.self).contains("bad key: Bearer [redacted]"))
    #expect(exchange.body?.serialized().contains("My key is [redacted]") == true)
    #expect(exchange.headers.contains { $0.value == "Bearer [redacted]" })
  }

  /// The secret lies across two reads, so that neither holds it.
  @Test func aSecretAcrossReadsIsRedacted() async throws {
    let quoted = JSONValue.string(Self.secret).serialized()
    let (_, factory) = try await send { _, reply in
      reply.raw(
        "HTTP/1.1 500 Error\r\nContent-Type: application/json\r\nContent-Length: \(quoted.utf8.count + 22)\r\n\r\n"
      )
      reply.raw(#"{"error":{"message":"# + String(quoted.prefix(6)))
      reply.sleep(ms: 40)
      reply.raw(String(quoted.dropFirst(6)) + "}}")
    }
    try expectNoSecret()
    let recording = try Recording(path: bench.path)
    let exchange = try recording.exchange(at: recording.entries[0])
    #expect(String(decoding: exchange.stream, as: UTF8.self) == #"{"error":{"message":"[redacted]"}}"#)
    #expect(exchange.reads.last?.end == exchange.stream.count)
    #expect(factory.findings.isEmpty)
  }

  /// Event by event the secret is words that nobody can find; put together it is the secret.
  @Test func anAnswerThatSpellsTheSecretIsLeftOut() async throws {
    let pieces = Self.secret.map(String.init)
    let (reply, factory) = try await send { _, reply in
      reply.sseHead()
      for chunk in CannedAnswers.stream(["The key is "] + pieces).reads { reply.chunk(chunk) }
    }
    #expect(reply.text == "The key is \(Self.secret)")
    #expect(factory.findings.map(\.code) == ["recording-withheld"])
    #expect(try bench.bytes.isEmpty)
  }

  @Test func aPrivateRunIsNotRecorded() throws {
    #expect(throws: Problem.self) {
      try ProviderFactory(
        .recording(to: bench.path, header: RecordingBench.header, isPrivate: true),
        transport: HTTPTransport.forTests(), environment: [:])
    }
    #expect(throws: (any Error).self) { try bench.bytes }
  }

  @Test func readsKeepTheirPlacesWhenASecretGoes() {
    let redactor = Redactor(secrets: ["secret"])
    var ends = [2, 5, 8, 11]
    let bytes = redactor.redact(Array("a secret b!".utf8), moving: &ends)
    #expect(String(decoding: bytes, as: UTF8.self) == "a [redacted] b!")
    #expect(ends == [2, 12, 12, 15])
  }
}
