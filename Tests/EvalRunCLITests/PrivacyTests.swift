import EvalTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2))) struct PrivacyTests {
  static let secret = "sk-planted-7Q9zX2-secret"

  /// Echoes everything it was sent, as a careless server does.
  private func echoServer(_ secret: String = Self.secret) throws -> StubServer {
    try StubServer { request, reply in
      let head = request.headers.map { "\($0.name): \($0.value)" }.joined(separator: " ")
      let echo = "you sent \(request.path) \(head) \(secret)"
      let quoted = String(decoding: (try? JSONEncoder().encode(echo)) ?? Data(), as: UTF8.self)
      if request.bodyText.contains("say 0") {
        reply.json(400, "{\"error\": {\"message\": \(quoted)}}")
      } else {
        let answer = String(decoding: (try? JSONEncoder().encode("ok \(secret)")) ?? Data(), as: UTF8.self)
        reply.answer(String(answer.dropFirst().dropLast()))
      }
    }
  }

  /// The second is written otherwise in JSON, in a page, in XML and in a cell.
  @Test(arguments: [Self.secret, #"sk-<planted>"7Q9zX2&'secret"#])
  func `A planted secret is in no file that the run wrote, the journal included, and in nothing it printed`(
    _ secret: String
  )
    async throws
  {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try echoServer(secret)
    defer { server.stop() }
    let suite = SmallSuite(
      endpoint: server.url + "/v1", cases: 3,
      profile: #", "key": {"env": "PLANTED"}, "headers": {"X-Team": {"env": "PLANTED"}}"#)
    try tool.write("s.json", suite.text)
    let environment = ["PLANTED": secret]
    var printed = ""
    for arguments in [
      ["s.json"], ["show", "latest"], ["show", "latest", "c0"], ["show", "latest", "c1"],
      ["report", "latest", "--format", "json"], ["report", "latest", "--format", "csv"],
      ["report", "latest", "--format", "md"], ["report", "latest", "--format", "html"], ["list"],
    ] {
      let result = try await tool.run(arguments, environment: environment)
      printed += result.output + result.errors
    }
    #expect(server.requests.contains { $0.header("authorization") == "Bearer \(secret)" })
    #expect(printed.contains("[redacted]"), "the echo itself is kept, without the secret")
    #expect(!printed.contains(secret))
    let files = tool.files()
    #expect(
      files.keys.contains { $0.hasSuffix(".sqlite") } && files.keys.contains { $0.hasSuffix("report.csv") })
    // All of it that is spelled alike everywhere; the whole is looked for in base64.
    let core = "7Q9zX2"
    #expect(!printed.contains(core))
    let base64 = Data(secret.utf8).base64EncodedString()
    for (name, data) in files {
      for spelling in [core, base64] {
        #expect(data.range(of: Data(spelling.utf8)) == nil, "\(name) holds the secret")
      }
    }
  }

  /// In a header, in the URL, in the request's body twice (a setting and a prompt), and in every answer and error; while
  /// the run is killed, so that the journal is there, and after it went on.
  @Test func `A planted secret is in no file wherever it was sent, also when the process was killed`()
    async throws
  {
    let secret = "planted-7Q9zX2-secret/+=%41"
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { request, reply in
      let head = request.headers.map { "\($0.name): \($0.value)" }.joined(separator: " ")
      let echo = "ok \(request.path) \(head) \(request.bodyText)"
      let quoted = String(decoding: (try? JSONEncoder().encode(echo)) ?? Data(), as: UTF8.self)
      if request.bodyText.contains("last one") { reply.sleep(ms: 60_000) }
      if request.bodyText.contains("say 0") {
        reply.json(400, "{\"error\": {\"message\": \(quoted)}}")
      } else {
        reply.answer(String(quoted.dropFirst().dropLast()))
      }
    }
    defer { server.stop() }
    try tool.write(
      "s.json",
      """
      {"version": 1, "name": "s",
       "profiles": {"p": {"endpoint": {"env": "ENDPOINT"}, "model": "m", "price": "free", "key": {"env": "PLANTED"},
         "headers": {"X-Team": {"env": "PLANTED"}}, "extraBody": {"user": "\(secret)"}}},
       "cases": [{"id": "a", "input": "say 0 \(secret)"}, {"id": "b", "input": "say 1 \(secret)"},
         {"id": "c", "input": "the last one"}],
       "checks": [{"contains": "ok"}], "run": {"concurrency": 3, "retries": {"limit": 0}}}
      """)
    let environment = ["PLANTED": secret, "ENDPOINT": "\(server.url)/\(secret)/v1"]
    func search() {
      let plain = Data(secret.utf8)
      let quoted = Data(secret.replacingOccurrences(of: "/", with: "\\/").utf8)
      let base64 = Data(plain.base64EncodedString().utf8)
      for (name, data) in tool.files() where name != "s.json" {
        for spelling in [plain, quoted, base64] {
          #expect(data.range(of: spelling) == nil, "\(name) holds the secret")
        }
      }
    }
    let running = try tool.start(["s.json", "--record", "r.jsonl"], environment: environment)
    // Until the two others are stored, which a reader of the database sees.
    var shown = try await tool.run(["show", "latest", "a"], environment: environment)
    for _ in 0..<200 where !shown.output.contains("[redacted]") {
      try await Task.sleep(for: .milliseconds(20))
      shown = try await tool.run(["show", "latest", "a"], environment: environment)
    }
    kill(running.process.processIdentifier, SIGKILL)
    _ = await running.wait()
    #expect(tool.files().contains { $0.key.hasSuffix("-wal") && !$0.value.isEmpty })
    search()
    #expect(
      server.requests.contains { $0.path.contains("planted-7Q9zX2") && $0.bodyText.contains("planted") })
    #expect(shown.output.contains("[redacted]") && !shown.output.contains("planted"), "\(shown.output)")
    search()
  }

  @Test func `What a prompt's answer says of the key is not shown, in pieces or whole`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { request, reply in
      let key = request.header("authorization") ?? ""
      if request.bodyText.contains("\"stream\":true") {
        reply.sseHead()
        for piece in "it is \(key), said in pieces" {
          reply.chunk("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\(piece)\"}}]}\n\n")
        }
        reply.chunk("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n")
        reply.chunk("data: [DONE]\n\n")
      } else {
        reply.json(
          200,
          "{\"choices\":[{\"index\":0,\"message\":{\"content\":\"it is \(key)\"},\"finish_reason\":\"stop\"}]}"
        )
      }
    }
    defer { server.stop() }
    for more in [[], ["--no-stream"]] {
      let result = try await tool.run(
        ["prompt", "hi", "--endpoint", server.url + "/v1", "--model", "m", "--key-env", "PLANTED"] + more,
        environment: ["PLANTED": Self.secret])
      #expect(result.code == 0, "\(result.errors)")
      #expect(result.output.hasPrefix("it is Bearer [redacted]"), "\(result.output)")
      #expect(!(result.output + result.errors).contains("planted"))
    }
  }

  @Test func `A private run keeps no prompt and no answer and reports everything else`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("ok the-answer-itself") }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 2).text)
    let result = try await tool.run(["s.json", "--private"])
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("2 of 2"))
    for (name, data) in tool.files() where name != "s.json" {
      for text in ["the-answer-itself", "say 0", "say 1"] {
        #expect(data.range(of: Data(text.utf8)) == nil, "\(name) holds '\(text)'")
      }
    }
  }

  @Test func `A key in the suite is refused before anything runs`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    try tool.write(
      "s.json", SmallSuite(endpoint: "http://127.0.0.1:1/v1", profile: #", "key": "sk-in-the-suite""#).text)
    let result = try await tool.run(["s.json"])
    #expect(result.code == 2)
    #expect(!(result.output + result.errors).contains("sk-in-the-suite"))
  }

  @Test func `A key that is not there is said by its name`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    try tool.write(
      "s.json",
      SmallSuite(endpoint: "http://127.0.0.1:1/v1", profile: #", "key": {"env": "NO_SUCH_KEY"}"#).text)
    let result = try await tool.run(["s.json"])
    #expect(result.code == 2 && result.errors.contains("NO_SUCH_KEY"))
  }
}
