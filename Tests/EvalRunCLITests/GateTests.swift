import EvalCore
import EvalRunCLI
import EvalTestSupport
import Foundation
import Synchronization
import Testing

/// Gates of a suite and of the command line, through the real process.
@Suite(.timeLimit(.minutes(2))) struct GateTests {
  static func suite(_ server: StubServer, cases: Int, gates: String, mustPass: Int = 0, run: String = "")
    -> String
  {
    let list = (0..<cases).map {
      #"{"id": "c\#($0)", "input": "say \#($0)", "mustPass": \#($0 < mustPass)}"#
    }.joined(separator: ",")
    return """
      {
        "version": 1, "name": "gated",
        "profiles": {"local": {"endpoint": "\(server.url)/v1", "model": "m", "price": "free", "boundary": "device"}},
        "cases": [\(list)],
        "checks": [{"contains": "ok"}],
        "run": {"retries": {"limit": 0}\(run)},
        "gates": \(gates)
      }
      """
  }

  @Test func `The suite's gates are judged, reported in every format, and judged again from the store`()
    async throws
  {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("ok") }
    defer { server.stop() }
    try tool.write(
      "s.json",
      Self.suite(
        server, cases: 40,
        gates: #"["passRate >= 0.8", {"rule": "latency.p50 <= 0.001ms for local", "name": "quick"}]"#))
    let run = try await tool.run(["s.json"])
    #expect(run.code == ExitCode.gateFailed.rawValue, "\(run.errors)")
    #expect(run.output.contains("Verdict: fail"))
    #expect(run.errors.contains("gates: 1 fail, of 2"))

    let terminal = try await tool.run(["report", "latest"])
    #expect(terminal.code == 0 && terminal.output == run.output)
    let markdown = try await tool.run(["report", "latest", "-f", "md"])
    #expect(markdown.output.contains("**Verdict: fail**"))
    let json = try await tool.run(["report", "latest", "-f", "json"])
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let verdict = try #require(report["verdict"] as? [String: Any])
    let gates = try #require(verdict["gates"] as? [[String: Any]])
    #expect(verdict["outcome"] as? String == "fail")
    #expect(gates.map { $0["outcome"] as? String } == ["pass", "fail"])
    #expect(gates[1]["name"] as? String == "quick")
    #expect(gates.map { $0["line"] as? Int } == [7, 7])

    #expect(try await tool.run(["gate", "latest"]).code == ExitCode.gateFailed.rawValue)
    let more = try await tool.run(["gate", "latest", "--gate", "errorRate <= 0.2", "--no-fail"])
    #expect(more.code == 0 && more.output.contains("errorRate <= 0.2"))
    #expect(more.errors.contains("--no-fail: reporting only") && more.errors.contains("would have been 1"))
    #expect(server.requests.count == 40, "judging calls nobody")
  }

  @Test(arguments: [(nil, 3), ("pass", 0), ("fail", 1)] as [(String?, Int32)])
  func `Inconclusive is an outcome of its own unless told`(wish: String?, code: Int32) async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("ok") }
    defer { server.stop() }
    try tool.write("s.json", Self.suite(server, cases: 10, gates: #"["passRate >= 0.9"]"#))
    let result = try await tool.run(["s.json"] + (wish.map { ["--inconclusive", $0] } ?? []))
    #expect(result.code == code)
    #expect(result.output.contains("more cases would settle it"))
    // The same wish in the suite.
    let setting = wish.map { #", "inconclusive": "\#($0)""# } ?? ""
    try tool.write(
      "t.json", Self.suite(server, cases: 10, gates: #"{"rules": ["passRate >= 0.9"]\#(setting)}"#))
    #expect(try await tool.run(["t.json"]).code == code)
  }

  @Test func `A case that must pass fails the run`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { request, reply in
      reply.answer(request.bodyText.contains("say 1\"") ? "no" : "ok")
    }
    defer { server.stop() }
    try tool.write("s.json", Self.suite(server, cases: 5, gates: "[]", mustPass: 2))
    let result = try await tool.run(["s.json"])
    #expect(result.code == ExitCode.gateFailed.rawValue)
    #expect(result.output.contains("1 of 2 cases: c1"))
  }

  @Test func `Every wrong rule is said before anything runs`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("ok") }
    defer { server.stop() }
    try tool.write("s.json", Self.suite(server, cases: 1, gates: "[]"))
    let result = try await tool.run([
      "s.json", "--gate", "scor >= 0.8", "--gate", "score >= 0.8 for nobody", "--gate", "score >= 0.8 tag x",
    ])
    #expect(result.code == 2 && server.requests.isEmpty)
    #expect(result.errors.contains("did you mean 'score'?"))
    #expect(result.errors.contains("there is no target 'nobody'"))
    #expect(result.errors.contains("3 errors in --gate"))
  }

  @Test func `A run that goes on is judged by the gates of now`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in
      reply.sleep(ms: 20)
      reply.answer("ok")
    }
    defer { server.stop() }
    try tool.write("s.json", Self.suite(server, cases: 60, gates: #"["passRate >= 0.8"]"#))
    let running = try tool.start(["s.json"])
    try await until { server.requests.count >= 20 }
    running.process.interrupt()
    let stopped = await running.wait()
    #expect(stopped.code == ExitCode.interrupted.rawValue)
    #expect(stopped.output.contains("Looked at early"))

    try tool.write("s.json", Self.suite(server, cases: 60, gates: #"["passRate <= 0.5"]"#))
    let second = try await tool.run(["s.json"])
    #expect(second.errors.contains("goes on"))
    #expect(second.code == ExitCode.gateFailed.rawValue)
    let report = try await tool.run(["report", "latest"])
    #expect(report.output.contains("passRate <= 0.5") && !report.output.contains("passRate >= 0.8"))
  }

  @Test func `Exit codes survive make and pipes in the documented recipes`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("no") }
    defer { server.stop() }
    try tool.write("s.json", Self.suite(server, cases: 20, gates: #"["passRate >= 0.5"]"#))
    let command = "\(Tool.executable.path) s.json --no-reports"
    func shell(_ words: [String]) throws -> Int32 {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = words
      process.currentDirectoryURL = tool.folder
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
    #expect(try shell(["bash", "-c", "\(command) | tee log"]) == 0, "why the recipes are needed")
    #expect(try shell(["bash", "-c", "set -o pipefail; \(command) | tee log"]) == 1)
    #expect(try shell(["bash", "-c", "\(command) | tee log; exit ${PIPESTATUS[0]}"]) == 1)
    #expect(try shell(["sh", "-c", "\(command) > log; code=$?; cat log; exit $code"]) == 1)
    try tool.write("Makefile", "eval:\n\t\(command)\n")
    // make ends with 2 whatever its command said.
    #expect(try shell(["make", "eval"]) == 2)
    try tool.write(
      "Makefile", "SHELL := bash\n.SHELLFLAGS := -o pipefail -c\neval:\n\t\(command) | tee log\n")
    #expect(try shell(["make", "eval"]) == 2)
    try tool.write("Makefile", "eval:\n\t\(command) | tee log\n")
    #expect(try shell(["make", "eval"]) == 0, "without the two lines a pipe hides it")
    try tool.write("Makefile", "eval:\n\t@\(command); echo $$? > code\n")
    #expect(try shell(["make", "eval"]) == 0)
    #expect(try String(contentsOf: tool.folder.appendingPathComponent("code"), encoding: .utf8) == "1\n")
  }

  /// Answers as drawn, the same for both profiles of an A/A suite but for `drop` on the first.
  static func noisy(seed: UInt64, drop: Double) throws -> StubServer {
    let random = Mutex(SeededRandom(seed: seed))
    return try StubServer { request, reply in
      let draw = random.withLock { $0.unit() }
      let rate = request.bodyText.contains("first") ? 0.8 - drop : 0.8
      reply.answer(draw < rate ? "ok" : "no")
    }
  }

  static func pair(_ server: StubServer, cases: Int) -> String {
    let list = (0..<cases).map { #"{"id": "c\#($0)", "input": "say \#($0)"}"# }.joined(separator: ",")
    func profile(_ name: String) -> String {
      #""\#(name)": {"endpoint": "\#(server.url)/v1", "model": "\#(name)", "price": "free", "boundary": "device"}"#
    }
    return """
      {"version": 1, "name": "pair", "profiles": {\(profile("first")), \(profile("second"))},
       "cases": [\(list)], "checks": [{"contains": "ok"}],
       "gates": ["passRate not worse than second by 0 for first"]}
      """
  }

  /// One call after the other, so that the draws are the same on every machine.
  @Test(arguments: [(0.0, 0...3), (0.35, 18...20)])
  func `Twenty real runs: a noisy model against itself hardly fires, a planted drop does`(
    drop: Double, expected: ClosedRange<Int>
  ) async throws {
    let tool = try Tool()
    defer { tool.remove() }
    var fired = 0
    for seed in 0..<20 {
      let server = try Self.noisy(seed: UInt64(100 + seed), drop: drop)
      defer { server.stop() }
      try tool.write("s.json", Self.pair(server, cases: 60))
      let result = try await tool.run(["s.json", "--no-reports", "--quiet"])
      #expect([0, 1, 3].contains(result.code), "\(result.errors)")
      if result.code == 1 { fired += 1 }
    }
    #expect(expected.contains(fired), "\(fired) of 20")
  }

  @Test func `Repeats that are copies are a finding, by what was answered`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let count = Mutex(0)
    for (isNoisy, isFound) in [(false, true), (true, false)] {
      let server = try StubServer { _, reply in
        let number = count.withLock { count in
          count += 1
          return count
        }
        reply.answer(isNoisy ? "ok \(number)" : "ok")
      }
      defer { server.stop() }
      let suite = SmallSuite(
        endpoint: server.url + "/v1", cases: 4, profile: #", "temperature": 0.7"#, run: #", "repeats": 3"#)
      try tool.write("s.json", suite.text)
      for privacy in [[], ["--private"]] {
        _ = try await tool.run(["s.json"] + privacy)
        let report = try await tool.run(["report", "latest", "-f", "json"])
        #expect(report.output.contains("repeats-identical") == isFound)
      }
    }
  }

  @Test func `power says what a suite sees, assumed or with the noise of a run`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try Self.noisy(seed: 5, drop: 0)
    defer { server.stop() }
    try tool.write("s.json", Self.pair(server, cases: 100))
    let assumed = try await tool.run(["power", "s.json"])
    #expect(assumed.code == 0 && server.requests.isEmpty)
    #expect(assumed.output.contains("12.5 points") && assumed.output.contains("1,745"))
    #expect(assumed.output.contains("Assumed"))
    _ = try await tool.run(["s.json", "--repeats", "2", "--no-reports"])
    for arguments in [["power", "s.json", "--from", "latest"], ["power", "latest", "--points", "2"]] {
      let measured = try await tool.run(arguments)
      #expect(measured.code == 0, "\(measured.errors)")
      #expect(measured.output.contains("Variances are those of run"))
      #expect(measured.output.contains("itself, unchanged"))
    }
    #expect(try await tool.run(["power", "s.json", "--discordance", "3"]).code == 2)
    #expect(try await tool.run(["power", "nosuch"]).code == 2)
  }
}
