import EvalCore
import EvalTestSupport
import Foundation
import Testing

@testable import EvalProviders

/// Both forms of embeddings, read from a socket (`Tests/Fixtures/embeddings`) and spelled as their servers want it.
@Suite(.timeLimit(.minutes(2))) struct EmbeddingsTests {
  struct Body: Sendable, Codable, CustomTestStringConvertible {
    var name: String
    var api: String
    var status: Int
    var body: String
    /// `nil` where a number is none: JSON cannot say it.
    var vectors: [[Float]]?
    var error: String?
    var input: Int?
    var testDescription: String { name }
  }

  static let bodies: [Body] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../Fixtures/embeddings/bodies.json")
    return (try? JSONDecoder().decode([Body].self, from: Data(contentsOf: file))) ?? []
  }()

  @Test func allBodiesAreThere() { #expect(Self.bodies.count == 18) }

  @Test(arguments: bodies) func isReadRight(body: Body) async throws {
    let server = try StubServer { _, reply in reply.json(body.status, body.body) }
    let transport = HTTPTransport(maxConnections: 2, userAgent: "evalrun-tests")
    defer {
      transport.shutdown()
      server.stop()
    }
    let profile = Self.profile(body.api, server.url)
    let provider = try ProviderFactory(transport: transport, environment: [:]).make(profile)
    let reply = await provider.send(call(profile, [Message(.user, "a text")]))
    #expect(reply.outcome.error?.kind.rawValue == body.error, "\(reply.outcome)")
    #expect(reply.usage == body.input.map { Usage(input: $0, output: 0) })
    if let vectors = body.vectors {
      #expect(reply.embeddings == vectors)
    } else if body.error == nil {
      #expect(reply.embeddings.map(\.count) == [3] && reply.embeddings[0][1].isNaN)
    } else {
      #expect(reply.embeddings.isEmpty)
    }
  }

  private static func profile(
    _ provider: String, _ endpoint: String?, _ change: (inout Profile) -> Void = { _ in }
  ) -> Profile {
    dialectProfile(provider, endpoint) { profile in
      profile.isTarget = false
      profile.stream = false
      change(&profile)
    }
  }

  private func encoded(
    _ dialect: any Dialect, _ endpoint: String? = nil, _ change: (inout Profile) -> Void = { _ in }
  ) -> (path: String, body: String) {
    let profile = Self.profile(dialect.descriptor.name, endpoint, change)
    let request = dialect.encode(
      call(profile, [Message(.user, "one"), Message(.user, "two")], instructions: "not sent"),
      dialect.servers[0])
    return (request.path, JSONValue.object(request.body).serialized(.compact))
  }

  @Test func requestsAsTheServersWantThem() {
    let openai = encoded(OpenAIEmbeddings())
    #expect(openai.path == "/embeddings" && openai.body == #"{"model":"m","input":["one","two"]}"#)
    let asked = encoded(OpenAIEmbeddings()) { $0.options = ["encoding": "base64", "dimensions": 64] }
    #expect(
      asked.body
        == #"{"model":"m","input":["one","two"],"encoding_format":"base64","dimensions":64}"#)
    let ollama = encoded(OllamaEmbeddings())
    #expect(ollama.path == "/api/embed")
    #expect(ollama.body == #"{"model":"m","input":["one","two"],"truncate":false}"#)
    #expect(encoded(OllamaEmbeddings(), "http://h:1/api").path == "/embed")
    let older = encoded(OllamaEmbeddings(), "http://h:1/api/embeddings")
    #expect(older.path == "/api/embeddings" && older.body == #"{"model":"m","prompt":"one"}"#)
  }

  @Test func anEmbedderIsNobodysTarget() {
    for name in ["openai-embeddings", "ollama-embeddings"] {
      #expect(problemPaths(dialectProfile(name, "http://h:1") { $0.isTarget = false }).isEmpty)
      #expect(problemPaths(dialectProfile(name, "http://h:1")) == ["target"])
    }
    func warned(_ endpoint: String) -> [String?] {
      problemPaths(dialectProfile("ollama-embeddings", endpoint) { $0.isTarget = false })
    }
    #expect(warned("http://h:1/v1") == ["endpoint"] && warned("http://h:1/api/embeddings") == ["endpoint"])
  }
}
