import EvalCore
import EvalTestSupport
import Foundation
import Testing

@testable import EvalProviders

struct HTTPProviderTests {
  private func make(
    _ exchange: ScriptedExchange, _ profile: Profile, environment: [String: String] = [:]
  ) throws -> any Provider {
    try ProviderFactory(exchange: exchange, environment: environment).make(profile)
  }

  private func headers(_ request: ExchangeRequest) -> [String: String] {
    Dictionary(request.http.headers.map { ($0.0.lowercased(), $0.1) }, uniquingKeysWith: { _, _ in "twice" })
  }

  @Test func aWholeReply() async throws {
    let exchange = ScriptedExchange([.init(reads: chatStream(["Hel", "lo"]))])
    let reply = try await make(exchange, chatProfile()).send(call(chatProfile()))
    #expect(reply.outcome == .ok)
    #expect(reply.text == "Hello")
    #expect(reply.usage == Usage(input: 3, output: 2))
    #expect(reply.timeline.scheduled == 50)
    #expect(reply.timeline.start == 100)
    #expect(reply.timeline.connectionReady == 200)
    #expect(reply.timeline.firstByte == 500)
    #expect(reply.timeline.firstToken == 1000)
    #expect(reply.timeline.terminal == 4000)
    #expect(reply.timeline.done == 5000)
    #expect(reply.provenance == .live)
    #expect(
      reply.connection == ConnectionInfo(isCold: true, httpVersion: "1.1", bytesSent: 10, bytesReceived: 20))
    #expect(reply.requestHash?.count == 64)
  }

  @Test func anAnswerInOnePieceEndsWithItsBody() async throws {
    let body = #"{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}"#
    let exchange = ScriptedExchange([.json(200, body)])
    let profile = chatProfile { $0.stream = false }
    let reply = try await make(exchange, profile).send(call(profile))
    #expect(reply.timeline.firstToken == nil)
    #expect(reply.timeline.terminal == 2000)
    #expect(reply.timeline.total == 1900)
    let limits = exchange.requests[0].http.timeouts
    #expect(limits.firstToken == nil && limits.stall == nil && limits.total != nil)
  }

  @Test func headersOfTheProfileHaveTheLastWord() async throws {
    let exchange = ScriptedExchange([.init(reads: chatStream(["a"]))])
    let profile = chatProfile { profile in
      profile.key = .environment("KEY")
      profile.headers = [
        HeaderField(name: "X-Team", value: .environment("TEAM")),
        HeaderField(name: "content-type", value: .literal("application/json; charset=utf-8")),
      ]
    }
    let factory = ProviderFactory(
      exchange: exchange, environment: ["KEY": "sk-123456", "TEAM": "blue-team\n"])
    _ = try await factory.make(profile).send(call(profile))
    let sent = headers(exchange.requests[0])
    #expect(sent["authorization"] == "Bearer sk-123456")
    #expect(sent["x-team"] == "blue-team")
    #expect(sent["content-type"] == "application/json; charset=utf-8")
    #expect(factory.resolver.secrets == ["blue-team", "sk-123456"])
  }

  @Test func extraBodyHasTheLastWordMemberByMember() async throws {
    let exchange = ScriptedExchange([.init(reads: chatStream(["a"]))])
    let profile = chatProfile { profile in
      profile.parameters.temperature = 1
      profile.extraBody = ["temperature": 0, "stream_options": ["x": 1], "min_p": 0.1]
    }
    _ = try await make(exchange, profile).send(call(profile))
    let body = exchange.requests[0].body
    #expect(body["temperature"] == 0)
    #expect(body["min_p"] == 0.1)
    #expect(body["stream_options"] == ["include_usage": true, "x": 1])
    #expect(exchange.requests[0].http.body == body.bytes(.compact))
  }

  @Test func theHashIsOfEndpointAndBodyAlone() async throws {
    let exchange = ScriptedExchange((0..<4).map { _ in .init(reads: chatStream(["a"])) })
    let plain = chatProfile()
    let keyed = chatProfile { $0.key = .environment("KEY") }
    let elsewhere = chatProfile("http://127.0.0.1:10/v1")
    let warmer = chatProfile { $0.parameters.temperature = 1 }
    for profile in [plain, keyed, elsewhere, warmer] {
      _ = try await make(exchange, profile, environment: ["KEY": "sk-123456"]).send(call(profile))
    }
    let hashes = exchange.requests.map(\.hash)
    #expect(hashes[0] == hashes[1])
    #expect(Set(hashes).count == 3)
  }

  @Test func streamOptionsAreDroppedOnceAndForAll() async throws {
    let refusal =
      #"{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}"#
    let exchange = ScriptedExchange([
      .json(422, refusal), .init(reads: chatStream(["a"])), .init(reads: chatStream(["b"])),
    ])
    let provider = try make(exchange, chatProfile())
    let first = await provider.send(call(chatProfile()))
    #expect(first.outcome == .ok)
    #expect(first.notes.contains { $0.contains("stream_options") })
    let second = await provider.send(call(chatProfile()))
    #expect(second.notes.isEmpty)
    #expect(exchange.requests.map { $0.body["stream_options"] != nil } == [true, false, false])
  }

  @Test func otherRefusalsAreNotSentAgain() async throws {
    let exchange = ScriptedExchange([.json(400, #"{"error":{"message":"no such thing as min_p"}}"#)])
    let reply = try await make(exchange, chatProfile()).send(call(chatProfile()))
    #expect(reply.outcome.error?.kind == .invalidRequest)
    #expect(exchange.requests.count == 1)
  }

  @Test func limitThenSuccessAreTwoCalls() async throws {
    let exchange = ScriptedExchange([
      .json(429, "", headers: [("Retry-After", "2")]), .init(reads: chatStream(["a"])),
    ])
    let provider = try make(exchange, chatProfile())
    let first = await provider.send(call(chatProfile()))
    #expect(first.outcome.error?.kind == .rateLimited)
    #expect(first.outcome.error?.retryAfterMilliseconds == 2000)
    let second = await provider.send(call(chatProfile()))
    #expect(second.outcome == .ok)
  }

  @Test func zeroPromptIsAbsentWhereTheServerDoesNotCount() async throws {
    let usage = #"{"prompt_tokens":0,"completion_tokens":5,"total_tokens":5}"#
    for (server, input) in [("fm-serve", nil), ("generic", 0)] as [(String, Int?)] {
      let exchange = ScriptedExchange([.init(reads: chatStream(["a"], usage: usage))])
      let profile = chatProfile { $0.server = server }
      let reply = try await make(exchange, profile).send(call(profile))
      #expect(reply.usage == Usage(input: input, output: 5))
    }
  }

  @Test func countersCountTokenEvents() async throws {
    let exchange = ScriptedExchange([.init(reads: chatStream(["a", "b", "c"]))])
    let counters = LiveCounters()
    var asked = call(chatProfile())
    asked.counters = counters
    _ = try await make(exchange, chatProfile()).send(asked)
    #expect(counters.tokenEvents == 3)
  }

  // MARK: Keys

  @Test func limitKeyIsOriginAndKey() throws {
    let exchange = ScriptedExchange([])
    func limitKey(_ endpoint: String, _ key: ConfiguredValue?) throws -> String {
      let environment = ["A": "secret-a", "B": "secret-b"]
      return try make(exchange, chatProfile(endpoint) { $0.key = key }, environment: environment).limitKey
    }
    let first = try limitKey("https://h/v1", .environment("A"))
    #expect(first == "https://h:443#env:A")
    #expect(try limitKey("https://h:443/v2", .environment("A")) == first)
    #expect(try limitKey("https://h/v1", .environment("B")) != first)
    #expect(try limitKey("https://h/v1", nil) == "https://h:443")
  }

  @Test func aProvidersKeyGoesToItsOwnHostOnly() throws {
    let environment = ["OPENAI_API_KEY": "sk-123456"]
    func key(_ endpoint: String?, _ server: String? = nil) throws -> String {
      let profile = chatProfile("") { profile in
        profile.endpoint = endpoint
        profile.server = server
      }
      return try make(ScriptedExchange([]), profile, environment: environment).limitKey
    }
    #expect(try key(nil).hasSuffix("#env:OPENAI_API_KEY"))
    #expect(try key("https://api.openai.com/v1").hasSuffix("#env:OPENAI_API_KEY"))
    #expect(try !key("https://elsewhere.example/v1", "openai").contains("#"))
    #expect(try !key("http://api.openai.com/v1").contains("#"))
    #expect(try !key("http://127.0.0.1:8080/v1").contains("#"))
  }

  @Test(arguments: [
    ConfiguredValue.environment("MISSING"), .environment("EMPTY"), .environment("TWO_LINES"),
    .literal("sk-1"),
    .file("/nonexistent/key"), .file("/"),
  ])
  func keysThatCannotBe(key: ConfiguredValue) {
    let environment = ["EMPTY": "", "TWO_LINES": "sk-1\nX-Evil: 1"]
    let problem = #expect(throws: Problem.self) {
      _ = try make(ScriptedExchange([]), chatProfile { $0.key = key }, environment: environment)
    }
    #expect(problem?.path == "key")
  }

  @Test func keyFilesMustBePrivate() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "evalrun-key-\(UUID().uuidString)")
    try Data("sk-from-file\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let resolver = SecretResolver(environment: [:])
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    let problem = #expect(throws: Problem.self) { try resolver.resolve(.file(file.path), path: "key") }
    #expect(problem?.advice?.contains("chmod 600") == true)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    #expect(try resolver.resolve(.file(file.path), path: "key") == "sk-from-file")
    #expect(resolver.secrets == ["sk-from-file"])
  }

  @Test(arguments: ["X Y", "", "a:b", "é", "x\ny"])
  func headerNamesThatAreNone(name: String) {
    let profile = chatProfile { $0.headers = [HeaderField(name: name, value: .literal("v"))] }
    #expect(throws: Problem.self) { _ = try make(ScriptedExchange([]), profile) }
  }

  @Test func unknownProvider() {
    var profile = chatProfile()
    profile.provider = "openai-chats"
    let problem = #expect(throws: Problem.self) { _ = try make(ScriptedExchange([]), profile) }
    #expect(problem?.advice == "did you mean 'openai-chat'?")
  }
}
