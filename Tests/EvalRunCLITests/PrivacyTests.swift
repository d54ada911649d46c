import EvalTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2))) struct PrivacyTests {
  static let secret = "sk-planted-7Q9zX2-secret"

  /// Echoes everything it was sent, as a careless server does.
  private func echoServer() throws -> StubServer {
    try StubServer { request, reply in
      let head = request.headers.map { "\($0.name): \($0.value)" }.joined(separator: " ")
      let echo = "you sent \(request.path) \(head) \(Self.secret)"
      let quoted = String(decoding: (try? JSONEncoder().encode(echo)) ?? Data(), as: UTF8.self)
      if request.bodyText.contains("say 0") {
        reply.json(400, "{\"error\": {\"message\": \(quoted)}}")
      } else {
        reply.answer("ok \(Self.secret)")
      }
    }
  }

  @Test
  func `A planted secret is in no file that the run wrote, the journal included, and in nothing it printed`()
    async throws
  {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try echoServer()
    defer { server.stop() }
    let suite = SmallSuite(
      endpoint: server.url + "/v1", cases: 3,
      profile: #", "key": {"env": "PLANTED"}, "headers": {"X-Team": {"env": "PLANTED"}}"#)
    try tool.write("s.json", suite.text)
    let environment = ["PLANTED": Self.secret]
    var printed = ""
    for arguments in [
      ["s.json"], ["show", "latest"], ["show", "latest", "c0"], ["show", "latest", "c1"],
      ["report", "latest", "--format", "json"], ["report", "latest", "--format", "csv"],
      ["report", "latest", "--format", "md"], ["list"],
    ] {
      let result = try await tool.run(arguments, environment: environment)
      printed += result.output + result.errors
    }
    #expect(server.requests.contains { $0.header("authorization") == "Bearer \(Self.secret)" })
    #expect(printed.contains("[redacted]"), "the echo itself is kept, without the secret")
    #expect(!printed.contains(Self.secret))
    let files = tool.files()
    #expect(
      files.keys.contains { $0.hasSuffix(".sqlite") } && files.keys.contains { $0.hasSuffix("report.csv") })
    let base64 = Data(Self.secret.utf8).base64EncodedString()
    for (name, data) in files {
      for spelling in [Self.secret, base64] {
        #expect(data.range(of: Data(spelling.utf8)) == nil, "\(name) holds the secret")
      }
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
