import EvalTestSupport
import Foundation
import Synchronization
import Testing

/// Routes from end to end: the real tool against two real servers.
@Suite struct RouteRunTests {
  /// A suite of one route over a near and a far arm.
  struct RouteSuite {
    var near: String
    var far: String
    var rules = #"[{"else": true, "use": ["near", "far"]}]"#
    var onError =
      #"{"service": "next", "rateLimited": "next", "network": "next", "firstTokenTimeout": "next"}"#
    var more = ""
    var signals = #"{"sensitivity": "public", "consent": true}"#
    var cases = 1
    var run = ""
    var expects = ""

    var text: String {
      let list = (0..<cases).map {
        #"{"id": "c\#($0)", "input": "say \#($0)", "signals": \#(signals)\#(expects)}"#
      }
      return """
        {
          "version": 1, "name": "routed",
          "profiles": {
            "near": {"endpoint": "\(near)", "model": "m", "price": "free", "boundary": "device"},
            "far": {"endpoint": "\(far)", "model": "n", "price": {"input": 1, "output": 2}, "boundary": "thirdParty"}
          },
          "routes": {"careful": {"policy": "careful", "version": 1, "rules": \(rules), "onError": \(onError)\(more)}},
          "cases": [\(list.joined(separator: ","))],
          "checks": [{"contains": "ok"}],
          "run": {"adaptsWidth": false, "retries": {"limit": 0}\(run)}
        }
        """
    }
  }

  private func run(
    _ suite: RouteSuite, _ more: [String] = [], in tool: Tool
  ) async throws -> Tool.Result {
    try tool.write("suite.json", suite.text)
    return try await tool.run(
      ["suite.json", "--target", "careful", "--output", "out", "--db", "runs.db"] + more)
  }

  private func report(_ tool: Tool) throws -> [String: Any] {
    let file = tool.files().first { $0.key.hasSuffix("report.json") }
    let json = try JSONSerialization.jsonObject(with: try #require(file?.value)) as? [String: Any]
    let targets = try #require(json?["targets"] as? [[String: Any]])
    return try #require(targets.first { $0["kind"] as? String == "route" })
  }

  private func value(_ report: [String: Any], _ path: String...) -> Double? {
    var value: Any? = report
    for key in path { value = (value as? [String: Any])?[key] }
    return value as? Double
  }

  private static func failing(_ status: Int) throws -> StubServer {
    try StubServer { _, reply in reply.json(status, #"{"error": {"message": "no"}}"#) }
  }

  private static func answering() throws -> StubServer { try StubServer { _, reply in reply.answer("ok") } }

  @Test(arguments: [429, 500])
  func `An arm that fails is followed by the next, and the report tells it`(_ status: Int) async throws {
    let (near, far) = (try Self.failing(status), try Self.answering())
    let tool = try Tool()
    defer { tool.remove() }
    let result = try await run(RouteSuite(near: near.url, far: far.url, cases: 3), in: tool)
    #expect(result.code == 0, "\(result.errors)")
    #expect(near.requests.count == 3 && far.requests.count == 3)
    let route = try #require(try report(tool)["route"] as? [String: Any])
    #expect(value(route, "leftDevice", "any", "value") == 1)
    #expect(value(route, "leftDevice", "privateCloud", "value") == 0)
    #expect(
      value(route, "fallbacks", "rate", "value") == 1 && value(route, "fallbacks", "recovery", "value") == 1)
    #expect(value(route, "servedFrom", "thirdParty", "value") == 1)
    #expect(value(route, "waste", "attempts") == 3 && value(route, "leakCount") == 0)
    let classes = (route["fallbacks"] as? [String: Any])?["classes"] as? [[String: Any]]
    #expect(classes?.first?["class"] as? String == (status == 429 ? "rateLimited" : "serverError"))
    #expect(
      result.output.contains("Where requests went") && result.output.contains("fell back after an error"))
    let story = try await tool.run(["show", "latest", "c0", "--db", "runs.db"])
    #expect(story.output.contains("The policy knew:"))
    #expect(story.output.contains("near was called"))
    #expect(story.output.contains("far was called after"))
    #expect(story.output.contains("bytes went to thirdParty"))
  }

  @Test func `A timeout before the first token falls back`() async throws {
    let near = try StubServer { _, reply in
      reply.sseHead()
      reply.sleep(ms: 20_000)
    }
    let far = try Self.answering()
    let tool = try Tool()
    defer { tool.remove() }
    let suite = RouteSuite(
      near: near.url, far: far.url, run: #", "timeouts": {"firstToken": "200ms"}"#)
    let result = try await run(suite, in: tool)
    #expect(result.code == 0 && far.requests.count == 1, "\(result.errors)")
  }

  @Test func `Nothing follows output that was shown`() async throws {
    let near = try StubServer { _, reply in
      reply.sseHead()
      reply.chunk("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"half an\"}}]}\n\n")
      reply.close()
    }
    let far = try Self.answering()
    let tool = try Tool()
    defer { tool.remove() }
    let result = try await run(RouteSuite(near: near.url, far: far.url), in: tool)
    #expect(result.code == 4 && far.requests.isEmpty, "\(result.errors)")
    let story = try await tool.run(["show", "latest", "c0", "--db", "runs.db"])
    #expect(story.output.contains("part of the answer was shown already"))
  }

  @Test func `A guardrail stop is served and goes nowhere else`() async throws {
    let near = try StubServer { _, reply in
      reply.json(400, #"{"error": {"message": "blocked", "code": "content_filter"}}"#)
    }
    let far = try Self.answering()
    let tool = try Tool()
    defer { tool.remove() }
    let result = try await run(RouteSuite(near: near.url, far: far.url, cases: 2), in: tool)
    #expect(far.requests.isEmpty && near.requests.count == 2, "\(result.errors)")
    let trials = try report(tool)["trials"] as? [String: Any]
    let failures = trials?["failures"] as? [[String: Any]]
    #expect(failures?.first?["class"] as? String == "contentFiltered")
  }

  @Test func `A refusal is what the case may want`() async throws {
    let near = try StubServer { _, reply in
      reply.json(
        200,
        #"{"model": "m", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": null, "refusal": "I cannot"}}]}"#
      )
    }
    let far = try Self.answering()
    let tool = try Tool()
    defer { tool.remove() }
    var suite = RouteSuite(near: near.url, far: far.url)
    suite.expects = #", "expects": "refusal""#
    let result = try await run(suite, in: tool)
    #expect(result.code == 0 && far.requests.isEmpty, "\(result.errors)")
    let score = try report(tool)["score"] as? [String: Any]
    #expect(value(score ?? [:], "strict", "value") == 1)
  }

  @Test func `An answer that is not accepted is escalated, which is no fallback`() async throws {
    let near = try StubServer { _, reply in reply.answer("bad") }
    let far = try Self.answering()
    let tool = try Tool()
    defer { tool.remove() }
    var suite = RouteSuite(near: near.url, far: far.url)
    suite.more = #", "accept": [{"when": {"signal": "check.contains", "atLeast": 0.5}}]"#
    let result = try await run(suite, in: tool)
    #expect(result.code == 0, "\(result.errors)")
    let route = try #require(try report(tool)["route"] as? [String: Any])
    #expect(value(route, "escalations", "value") == 1 && value(route, "fallbacks", "rate", "value") == 0)
    let story = try await tool.run(["show", "latest", "c0", "--db", "runs.db"])
    #expect(story.output.contains("because the answer before was not good enough"))
  }

  @Test func `A case that is offline stays, and one whose content may not travel is blocked`() async throws {
    let (near, far) = (try Self.failing(500), try Self.answering())
    let tool = try Tool()
    defer { tool.remove() }
    var suite = RouteSuite(near: near.url, far: far.url)
    suite.signals = #"{"sensitivity": "public", "consent": true, "network": "offline"}"#
    let offline = try await run(suite, in: tool)
    #expect(far.requests.isEmpty && near.requests.count == 1, "\(offline.errors)")
    suite.signals = #"{"sensitivity": "secret"}"#
    suite.rules = #"[{"when": {"sensitivity": "public"}, "use": ["near"]}, {"else": true, "use": ["far"]}]"#
    suite.expects = #", "expects": "block""#
    let blocked = try await run(suite, in: tool)
    #expect(blocked.code == 0 && far.requests.isEmpty, "\(blocked.errors)")
    #expect(blocked.output.contains("blocked by the policy"))
    let story = try await tool.run(["show", "latest", "c0", "--db", "runs.db"])
    #expect(story.output.contains("Blocked by"))
  }

  @Test func `A pinned case calls no other arm`() async throws {
    let (near, far) = (try Self.failing(500), try Self.answering())
    let tool = try Tool()
    defer { tool.remove() }
    var suite = RouteSuite(near: near.url, far: far.url)
    suite.signals = #"{"sensitivity": "public", "consent": true, "pinned": "near"}"#
    suite.rules = #"[{"when": {"pinned": true}, "use": ["$pinned"]}, {"else": true, "use": ["near", "far"]}]"#
    _ = try await run(suite, in: tool)
    #expect(near.requests.count == 1 && far.requests.isEmpty)
  }

  @Test func `A budget that is used up calls nobody who costs`() async throws {
    let (near, far) = (try Self.failing(500), try Self.answering())
    let tool = try Tool()
    defer { tool.remove() }
    var suite = RouteSuite(near: near.url, far: far.url)
    suite.more = #", "constraints": {"maxCostPerCase": 0.000000001}"#
    _ = try await run(suite, in: tool)
    #expect(near.requests.count == 1 && far.requests.isEmpty)
  }

  @Test func `An unprotected policy leaks, says where, and fails the run`() async throws {
    let (near, far) = (try Self.failing(500), try Self.answering())
    let tool = try Tool()
    defer { tool.remove() }
    var suite = RouteSuite(near: near.url, far: far.url, cases: 2)
    suite.signals = #"{"sensitivity": "secret"}"#
    suite.more = #", "unprotected": "the policy that we have today""#
    let result = try await run(suite, in: tool)
    #expect(result.code == 1 && far.requests.count == 2)
    #expect(result.errors.contains("LEAKS: 2 attempts") && result.errors.contains("c0"))
    #expect(result.output.contains("2 LEAKS of careful"))
    #expect(result.output.contains("too far for secret content"))
    let route = try #require(try report(tool)["route"] as? [String: Any])
    let leaks = try #require(route["leaks"] as? [[String: Any]])
    #expect(leaks.map { $0["case"] as? String } == ["c0", "c1"])
    #expect(leaks.allSatisfy { $0["attempt"] as? Int == 2 && $0["arm"] as? String == "far" })
    let quiet = try await run(suite, ["--no-fail"], in: tool)
    #expect(quiet.code == 0 && quiet.errors.contains("the leak gate FAILED"))
  }

  @Test func `An unprotected policy does not run live over an arm elsewhere`() async throws {
    let near = try Self.answering()
    let tool = try Tool()
    defer { tool.remove() }
    var suite = RouteSuite(near: near.url, far: "http://models.example.com")
    suite.more = #", "unprotected": "as it is today""#
    let result = try await run(suite, in: tool)
    #expect(result.code == 2 && near.requests.isEmpty)
    #expect(result.errors.contains("unprotected") && result.errors.contains("route replay"))
  }

  @Test func `Every problem of a policy is told at its place, and plan and validate read policies`()
    async throws
  {
    let tool = try Tool()
    defer { tool.remove() }
    var suite = RouteSuite(near: "http://127.0.0.1:1", far: "http://127.0.0.1:2")
    let right = try await { () async throws -> Tool.Result in
      try tool.write("suite.json", suite.text)
      return try await tool.run(["plan", "suite.json"])
    }()
    #expect(right.code == 0 && right.output.contains("careful"), "\(right.errors)")
    #expect(right.output.contains("near, far"))
    suite.onError = #"{"guardrail": "next", "servic": "next"}"#
    suite.signals = #"{"sensitivity": "private"}"#
    try tool.write("suite.json", suite.text)
    let wrong = try await tool.run(["validate", "suite.json"])
    #expect(wrong.code == 2)
    #expect(wrong.errors.contains("suite.json:7:") && wrong.errors.contains("servic"))
    suite.signals = #"{"sensitivty": "private"}"#
    try tool.write("suite.json", suite.text)
    let signal = try await tool.run(["validate", "suite.json"])
    #expect(signal.errors.contains("'sensitivty' is not a signal") && signal.errors.contains("'sensitivity'"))
  }

  @Test func `A run that is killed in the middle of a route goes on and repeats nothing`() async throws {
    let near = try Self.failing(500)
    let cut = Mutex(false)
    let far = try StubServer { request, reply in
      // One case is cut while its second arm answers.
      let isFirst =
        request.bodyText.contains("say 3")
        && cut.withLock { cut in
          defer { cut = true }
          return !cut
        }
      if isFirst { reply.sleep(ms: 60_000) }
      reply.answer("ok")
    }
    func asked(_ text: String) -> Int { far.requests.count { $0.bodyText.contains(text) } }
    let tool = try Tool()
    defer { tool.remove() }
    try tool.write(
      "suite.json", RouteSuite(near: near.url, far: far.url, cases: 4, run: #", "concurrency": 4"#).text)
    let arguments = ["suite.json", "--target", "careful", "--output", "out", "--db", "runs.db"]
    let first = try tool.start(arguments)
    var done = ""
    while !done.contains("3/4") && !done.contains("3 of 4") {
      try await Task.sleep(for: .milliseconds(50))
      done = try await tool.run(["list", "--db", "runs.db"]).output
    }
    kill(first.process.processIdentifier, SIGKILL)
    _ = await first.wait()
    let second = try await tool.run(arguments)
    #expect(second.code == 0, "\(second.errors)")
    #expect((0..<3).map { asked("say \($0)") } == [1, 1, 1] && asked("say 3") == 2)
  }

  @Test func `The report's attempt log is the database's`() async throws {
    let (near, far) = (try Self.failing(500), try Self.answering())
    let tool = try Tool()
    defer { tool.remove() }
    _ = try await run(RouteSuite(near: near.url, far: far.url, cases: 2), in: tool)
    let csv = String(
      decoding: try #require(tool.files().first { $0.key.hasSuffix("report.csv") }?.value), as: UTF8.self)
    let lines = csv.split(separator: "\r\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    func column(_ name: String) throws -> [String] {
      let index = try #require(lines.first?.firstIndex(of: Substring(name)))
      return lines.dropFirst().map { String($0[index]) }
    }
    #expect(try column("attempts") == ["2", "2"] && column("fallbacks") == ["1", "1"])
    #expect(try column("left_device") == ["true", "true"] && column("leaks") == ["0", "0"])
    #expect(try column("profile") == ["far", "far"])
  }
}
