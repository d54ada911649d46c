import EvalRunCLI
import EvalTestSupport
import Foundation
import Testing

/// One test of the real process for each row of the table of exit codes that this version uses.
@Suite(.timeLimit(.minutes(2))) struct ExitCodeTests {
  @Test func `0: done, though checks failed`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("no") }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 3).text)
    let result = try await tool.run(["s.json"])
    #expect(result.code == ExitCode.done.rawValue, "\(result.errors)")
    #expect(result.output.contains("0 of 3"))
    #expect(result.errors.contains("reports: Reports/small-"))
  }

  @Test(arguments: [
    ("passRate >= 0.5", "ok", ExitCode.done), ("passRate >= 0.5", "no", .gateFailed),
    // Twenty of twenty is 84–100 %.
    ("passRate >= 0.9", "ok", .inconclusive),
  ])
  func `0, 1, 3: what a gate says`(rule: String, answer: String, code: ExitCode) async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer(answer) }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 20).text)
    let result = try await tool.run(["s.json", "--gate", rule])
    #expect(result.code == code.rawValue, "\(result.errors)")
    #expect(result.output.contains("Verdict: "))
    #expect(result.errors.contains("gates: ") == (code != .done))
  }

  @Test func `3: too many infrastructure errors are invalid, whatever the gate`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { request, reply in
      if request.bodyText.contains("say 1\"") { return reply.json(503, #"{"error": {"message": "down"}}"#) }
      reply.answer("ok")
    }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 10).text)
    for arguments in [[], ["--inconclusive", "pass"], ["--inconclusive", "fail"]] {
      let result = try await tool.run(["s.json", "--gate", "passRate >= 0.1"] + arguments)
      #expect(result.code == ExitCode.inconclusive.rawValue, "\(result.errors)")
      #expect(result.output.contains("Verdict: invalid"))
    }
  }

  @Test(arguments: [
    ["nosuch.json"], ["frobnicate"], ["s.json", "--nosuch"], ["s.json", "--concurrency", "0"], ["run"],
    ["s.json", "--target", "nobody"], ["report", "nosuch"], ["validate", "broken.json"], [],
    ["s.json", "--gate", "scor >= 0.8"], ["s.json", "--gate", "score >= 0.8 for nobody"],
    ["s.json", "--gate", "score >= 0.8", "--inconclusive", "maybe"], ["gate", "nosuch"],
  ])
  func `2: what is wrong is said and nothing runs`(arguments: [String]) async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("ok") }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1").text)
    try tool.write("broken.json", #"{"version": 1, "name": "x", "profiles": {}, "cases": [}"#)
    let result = try await tool.run(arguments)
    #expect(result.code == ExitCode.usage.rawValue)
    #expect(!result.errors.isEmpty && result.output.isEmpty)
    #expect(server.requests.isEmpty)
  }

  @Test func `4: no call succeeded`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in
      reply.json(401, #"{"error": {"message": "bad key", "code": "invalid_api_key"}}"#)
    }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 2).text)
    let result = try await tool.run(["s.json"])
    #expect(result.code == ExitCode.couldNotRun.rawValue)
    #expect(result.errors.contains("no call succeeded"))
    #expect(result.output.contains("authentication"))
  }

  @Test func `4: a gate changes nothing where no call succeeded`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.json(401, #"{"error": {"message": "bad key"}}"#) }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 2).text)
    let result = try await tool.run(["s.json", "--gate", "passRate >= 0.5", "--no-fail"])
    #expect(result.code == ExitCode.couldNotRun.rawValue)
  }

  @Test func `4: the database cannot be opened`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("ok") }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1").text)
    try tool.write("notadb", "these bytes are no database, and there are enough of them to tell")
    let result = try await tool.run(["s.json", "--db", "notadb"])
    #expect(result.code == ExitCode.couldNotRun.rawValue)
    #expect(result.errors.contains("notadb"))
    #expect(server.requests.isEmpty)
  }

  @Test func `130: interrupted, saved, and the same command goes on`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in
      reply.sleep(ms: 40)
      reply.answer("ok")
    }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 60).text)
    let running = try tool.start(["s.json"])
    try await until { !(server.requests.count < 5) }
    running.process.interrupt()
    let result = await running.wait()
    #expect(result.code == ExitCode.interrupted.rawValue)
    #expect(result.errors.contains("the same command goes on"))
    let before = server.requests.count
    #expect(before < 60)

    let second = try await tool.run(["s.json"])
    #expect(second.code == ExitCode.done.rawValue, "\(second.errors)")
    #expect(second.errors.contains("goes on"))
    #expect(server.requests.count == 60, "nothing was asked twice, nothing was left out")
    #expect(second.output.contains("60 of 60"))
  }

  @Test func `A second interrupt cancels calls in flight`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in
      reply.sseHead()
      reply.sleep(ms: 30_000)
    }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 4).text)
    let running = try tool.start(["s.json"])
    try await until { !(server.requests.isEmpty) }
    let began = Date()
    running.process.interrupt()
    try await until { !(!running.errorsSoFar.contains("stopping")) }
    running.process.interrupt()
    let result = await running.wait()
    #expect(result.code == ExitCode.interrupted.rawValue)
    #expect(Date().timeIntervalSince(began) < 20)
  }

  @Test func `The codes of the table are the documented ones`() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 130])
  }
}
