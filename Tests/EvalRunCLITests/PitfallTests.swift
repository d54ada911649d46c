import EvalTestSupport
import Foundation
import Synchronization
import Testing

/// Errors that other tools have made, each tried on the whole tool as a person would meet it. `Docs/Pitfalls.md` has
/// the list, with the tests of single rooms.
@Suite(.timeLimit(.minutes(2))) struct PitfallTests {
  // MARK: Time

  @Test func `Two clocks: the first token of any kind, and the first that can be read`() async throws {
    let bench = try PitfallBench { _, reply in
      func delta(_ delta: String, finish: String = "null") {
        reply.chunk("data: {\"choices\":[{\"index\":0,\"delta\":\(delta),\"finish_reason\":\(finish)}]}\n\n")
      }
      reply.sseHead()
      delta(#"{"role":"assistant","content":""}"#)
      reply.sleep(ms: 200)
      delta(#"{"reasoning_content":"hm"}"#)
      reply.sleep(ms: 400)
      delta(#"{"content":"ok"}"#)
      delta(#"{"content":null}"#)
      reply.sleep(ms: 200)
      delta("{}", finish: #""stop""#)
      reply.chunk("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2}}\n\n")
      reply.chunk("data: [DONE]\n\n")
    }
    defer { bench.end() }
    try bench.write(SmallSuite(endpoint: bench.url, cases: 1))
    #expect(try await bench.run().code == 0)
    let row = try #require(try await bench.rows().first)
    func time(_ column: String) throws -> Double {
      try #require(row[column].flatMap { Double($0) }, "\(column)")
    }
    // A loaded machine stamps late, never early; the three stay apart.
    let (first, content, total) = try (time("first_token_ms"), time("first_content_ms"), time("total_ms"))
    #expect(first >= 200 && content >= 600 && total >= 800, "\(first) \(content) \(total)")
    #expect(content - first >= 100 && total - content >= 50, "\(first) \(content) \(total)")
  }

  @Test func `A replay measures nothing: no live times, and no limit on time or cost is passed`() async throws
  {
    let bench = try PitfallBench { _, reply in reply.answer("ok") }
    defer { bench.end() }
    let suite = SmallSuite(endpoint: bench.url, cases: 3).text.replacingOccurrences(
      of: #"[{"contains": "ok"}]"#,
      with: #"[{"contains": "ok"}, {"latency": "60s"}, {"firstToken": "60s"}, {"cost": 1}]"#)
    try bench.tool.write("s.json", suite)
    #expect(try await bench.run(["--record", "r.jsonl"]).code == 0)
    let live = try await bench.target()
    #expect(PitfallBench.passes(live) == ["contains": 3, "latency": 3, "firstToken": 3, "cost": 3])
    #expect(try await bench.run(["--replay", "r.jsonl", "--pace", "instant"]).code == 0)
    let replayed = try await bench.target()
    #expect(PitfallBench.passes(replayed) == ["contains": 3, "latency": 0, "firstToken": 0, "cost": 0])
    let latency = try #require(replayed["latency"] as? [[String: Any]])
    #expect(latency.allSatisfy { $0["source"] as? String == "recorded" } && !latency.isEmpty)
    let trials = try #require(replayed["trials"] as? [String: Any])
    let unscored = try #require((trials["unscored"] as? [[String: Any]])?.first)
    #expect(unscored["reason"] as? String == "notMeasured" && unscored["n"] as? Int == 3)
    #expect(bench.server.requests.count == 3)
  }

  @Test func `Repeats are draws of their own, live and from a recording`() async throws {
    let count = Mutex(0)
    let bench = try PitfallBench { _, reply in
      let number = count.withLock { count in
        count += 1
        return count
      }
      reply.answer("ok \(number)")
    }
    defer { bench.end() }
    try bench.write(SmallSuite(endpoint: bench.url, cases: 1))
    #expect(try await bench.run(["--repeats", "3", "--record", "r.jsonl"]).code == 0)
    let live = try await bench.rows().compactMap { $0["answer"] }
    #expect(Set(live).count == 3)
    #expect(try await bench.run(["--repeats", "3", "--replay", "r.jsonl", "--pace", "instant"]).code == 0)
    #expect(try await bench.rows().compactMap { $0["answer"] } == live)
    #expect(bench.server.requests.count == 3)
  }

  // MARK: What fails

  @Test func `Rate limits that never end are failures of the infrastructure, in every denominator`()
    async throws
  {
    let bench = try PitfallBench { request, reply in
      if request.bodyText.contains("say 1") || request.bodyText.contains("say 3") {
        reply.json(429, #"{"error": {"message": "slow down"}}"#, headers: [("Retry-After", "0")])
      } else {
        reply.answer(request.bodyText.contains("say 0") ? "no" : "ok")
      }
    }
    defer { bench.end() }
    try bench.write(SmallSuite(endpoint: bench.url, cases: 5))
    let result = try await bench.run(["--retries", "1"])
    #expect(result.code == 0 && result.output.contains("5 of 5"))
    // Said in the first table, and as a finding, which the terminal breaks into lines.
    let text = result.output.replacingOccurrences(of: "\n  ", with: " ")
    #expect(text.contains("2 failed") && text.contains("(rateLimited 2)"), "\(text)")
    let target = try await bench.target()
    let trials = try #require(target["trials"] as? [String: Any])
    #expect(trials["planned"] as? Int == 5 && trials["failed"] as? Int == 2 && trials["scored"] as? Int == 3)
    let failure = try #require((trials["failures"] as? [[String: Any]])?.first)
    #expect(failure["class"] as? String == "rateLimited" && failure["blame"] as? String == "infrastructure")
    let score = try #require(target["score"] as? [String: Any])
    func rate(_ name: String) -> [String: Any]? { score[name] as? [String: Any] }
    #expect(rate("passRateStrict")?["value"] as? Double == 0.4 && rate("passRateStrict")?["n"] as? Int == 5)
    #expect(rate("passRateConditional")?["n"] as? Int == 3)
    #expect(rate("passRateConditional")?["missing"] as? Int == 2)
  }

  @Test func `A model whose every call fails stands beside one that answers, and costs nothing`() async throws
  {
    let bench = try PitfallBench { request, reply in
      if request.bodyText.contains("\"broken\"") {
        reply.json(401, #"{"error": {"message": "no such key"}}"#)
      } else {
        reply.answer("ok")
      }
    }
    defer { bench.end() }
    try bench.tool.write(
      "s.json",
      """
      {"version": 1, "name": "s", "defaults": {"profile": {"endpoint": "\(bench.url)", "price": {"input": 1, "output": 1}}},
       "profiles": {"good": {"model": "m"}, "bad": {"model": "broken"}},
       "cases": [{"id": "x", "input": "hi"}, {"id": "y", "input": "ho"}], "checks": [{"contains": "ok"}]}
      """)
    #expect(try await bench.run().code == 0)
    let targets = try await bench.targets()
    let bad = try #require(targets.first { $0["name"] as? String == "bad" })
    let trials = try #require(bad["trials"] as? [String: Any])
    #expect(trials["planned"] as? Int == 2 && trials["failed"] as? Int == 2)
    let cost = try #require(bad["cost"] as? [String: Any])
    #expect(cost["knownDollars"] as? Double == 0 && cost["unknown"] as? Int == 0)
    #expect(cost["dollarsPerSuccess"].flatMap { ($0 as? [String: Any])?["value"] } is NSNull)
    #expect(bench.server.requests.count == 4, "a wrong key is not tried again")
  }

  @Test func `Bytes that are no text are shown as such, and nothing is lost`() async throws {
    let bench = try PitfallBench { request, reply in
      let bytes: [UInt8] = [0xFF, 0xFE, 0xC3, 0x28]
      if request.bodyText.contains("say 0") {
        reply.sseHead()
        let text = Array("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ok ".utf8) + bytes
        let event = text + Array("\"}}]}\n\n".utf8)
        reply.raw(Array("\(String(event.count, radix: 16))\r\n".utf8) + event + Array("\r\n".utf8))
        reply.chunk("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n")
        reply.chunk("data: [DONE]\n\n")
      } else {
        let head = "HTTP/1.1 500 no\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\n"
        reply.raw(Array(head.utf8) + bytes)
      }
    }
    defer { bench.end() }
    try bench.write(SmallSuite(endpoint: bench.url, cases: 2))
    let result = try await bench.run([], environment: ["LANG": "C"])
    #expect(result.code == 0 && result.output.contains("2 of 2"))
    let rows = try await bench.rows()
    #expect(rows.first { $0["case"] == "c0" }?["answer"]?.hasPrefix("ok \u{FFFD}") == true)
    #expect(rows.first { $0["case"] == "c1" }?["error_class"] == "serverError")
  }

  @Test func `An answer of millions of letters in one word is stored, graded and shown`() async throws {
    let word = String(repeating: "x", count: 16_384)
    let bench = try PitfallBench { _, reply in
      reply.sseHead()
      for _ in 0..<128 {
        reply.chunk("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\(word)\"}}]}\n\n")
      }
      reply.chunk(
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\n")
      reply.chunk("data: [DONE]\n\n")
    }
    defer { bench.end() }
    try bench.write(SmallSuite(endpoint: bench.url, cases: 1))
    #expect(try await bench.run().code == 0)
    let shown = try await bench.tool.run(["show", "latest", "c0"])
    #expect(shown.code == 0 && shown.output.utf8.count > 2_000_000 && shown.output.contains("passed"))
  }

  // MARK: What is asked for

  @Test func `A case that no check looks at is refused under --strict, before anything runs`() async throws {
    let bench = try PitfallBench { _, reply in reply.answer("ok") }
    defer { bench.end() }
    try bench.tool.write(
      "s.json",
      SmallSuite(endpoint: bench.url, cases: 2).text.replacingOccurrences(
        of: #""checks": [{"contains": "ok"}],"#, with: ""))
    for command in ["run", "validate", "plan"] {
      let strict = try await bench.tool.run([command, "s.json", "--strict"])
      #expect(strict.code == 2 && strict.errors.contains("no check looks at any of the 2 cases"))
    }
    #expect(bench.server.requests.isEmpty)
    let result = try await bench.run()
    #expect(result.code == 0 && result.errors.contains("no check looks at"))
    #expect(result.output.contains("no check looks at"), "the report says it, too")
  }

  @Test func `--max-cost is refused where a price is not known`() async throws {
    let bench = try PitfallBench { _, reply in reply.answer("ok") }
    defer { bench.end() }
    try bench.tool.write(
      "s.json",
      SmallSuite(endpoint: bench.url, cases: 2).text.replacingOccurrences(of: #""price": "free", "#, with: "")
    )
    let result = try await bench.run(["--max-cost", "1"])
    #expect(result.code == 2 && result.errors.contains("the profile 'local' has no price"))
    #expect(bench.server.requests.isEmpty)
  }

  @Test func `Limits stop a run in order, and the same command goes on with the rest`() async throws {
    let bench = try PitfallBench { request, reply in
      if request.bodyText.contains("say 2") {
        reply.json(400, #"{"error": {"message": "no"}}"#)
      } else {
        reply.answer("ok")
      }
    }
    defer { bench.end() }
    let suite = SmallSuite(endpoint: bench.url, cases: 12).text.replacingOccurrences(
      of: #""price": "free""#, with: #""price": {"input": 1000, "output": 1000}"#)
    try bench.tool.write("s.json", suite)
    // 9 tokens a call: 0.009 dollars.
    let byCost = try await bench.run(["--max-cost", "0.02"])
    #expect(byCost.code == 4 && byCost.errors.contains("stopped by --max-cost"), "\(byCost.errors)")
    #expect(bench.server.requests.count <= 3)
    for option in [["--fail-fast"], ["--max-errors", "1"]] {
      let before = bench.server.requests.count
      let stopped = try await bench.run(["--fresh"] + option)
      #expect(stopped.code == 4 && stopped.errors.contains("stopped by \(option[0])"), "\(stopped.errors)")
      let last = try #require(bench.server.requests[before...].last)
      #expect(last.bodyText.contains("say 2"), "nothing starts after the failure")
    }
    let rest = try await bench.run()
    #expect(rest.code == 0 && rest.errors.contains("goes on") && rest.output.contains("12 of 12"))
    #expect(Set(bench.server.requests.map(\.bodyText)).count == 12)
  }

  /// The figures of a run that goes on are those of its rows, not of one process.
  @Test func `Counts are those of the rows, whichever process wrote them`() async throws {
    let bench = try PitfallBench { request, reply in
      if request.bodyText.contains("say 3") { reply.sleep(ms: 30_000) }
      reply.answer("ok")
    }
    defer { bench.end() }
    try bench.write(SmallSuite(endpoint: bench.url, cases: 4, run: #", "concurrency": 2"#))
    let running = try bench.tool.start(["s.json", "--no-reports"])
    try await until { bench.server.requests.count == 4 }
    for _ in 0..<200 where !(try await bench.tool.run(["list"]).output.contains("3 of 4")) {
      try await Task.sleep(for: .milliseconds(20))
    }
    kill(running.process.processIdentifier, SIGKILL)
    _ = await running.wait()
    #expect(try await bench.tool.run(["list"]).output.contains("3 of 4"))
    #expect(try await bench.tool.run(["report", "latest"]).output.contains("3 of 4 trials finished"))
    let trials = try #require(try await bench.target()["trials"] as? [String: Any])
    #expect(trials["planned"] as? Int == 4 && trials["unfinished"] as? Int == 1)
  }

  @Test func `A plan calls nobody, and every selection is one`() async throws {
    let bench = try PitfallBench { _, reply in reply.answer("ok") }
    defer { bench.end() }
    let cases = (0..<12).map {
      #"{"id": "c\#($0)", "input": "say \#($0)", "tags": ["\#($0 < 8 ? "easy" : "hard")"]}"#
    }
    try bench.tool.write(
      "s.json",
      """
      {"version": 1, "name": "s", "defaults": {"profile": {"endpoint": "\(bench.url)", "price": "free"}},
       "profiles": {"a": {"model": "m"}, "b": {"model": "n"}}, "cases": [\(cases.joined(separator: ","))],
       "checks": [{"contains": "ok"}]}
      """)
    for (options, size) in [
      ([], "24 trials: 12 cases × 2 targets × 1 repeat"),
      (["--limit", "5", "--repeats", "2"], "20 trials: 5 cases × 2 targets × 2 repeats"),
      (["--target", "b"], "12 trials: 12 cases × 1 target × 1 repeat"),
      (["--case", "c1", "--case", "c11"], "4 trials: 2 cases × 2 targets × 1 repeat"),
      (["--tag", "hard", "--limit", "3"], "6 trials: 3 cases × 2 targets × 1 repeat"),
      (["--sample", "6"], "12 trials: 6 cases × 2 targets × 1 repeat"),
    ] {
      let plan = try await bench.tool.run(["plan", "s.json", "--order"] + options)
      #expect(plan.code == 0 && plan.output.contains(size), "\(options): \(plan.output)")
    }
    #expect(bench.server.requests.isEmpty)
    #expect(try await bench.run(["--sample", "6", "--target", "a"]).code == 0)
    let tags = try await bench.rows().map { $0["tags"] }
    #expect(tags.count { $0 == "easy" } == 4 && tags.count { $0 == "hard" } == 2, "\(tags)")
  }
}

/// A tool beside a server, and what a run of it left behind.
private struct PitfallBench {
  let tool: Tool
  let server: StubServer

  init(_ script: @escaping StubServer.Script) throws {
    tool = try Tool()
    server = try StubServer(script)
  }

  var url: String { server.url + "/v1" }

  func end() {
    server.stop()
    tool.remove()
  }

  func write(_ suite: SmallSuite) throws { try tool.write("s.json", suite.text) }

  func run(_ options: [String] = [], environment: [String: String] = [:]) async throws -> Tool.Result {
    try await tool.run(["s.json", "--no-reports"] + options, environment: environment)
  }

  /// The targets of the newest run's JSON report.
  func targets() async throws -> [[String: Any]] {
    let text = try await tool.run(["report", "latest", "--format", "json"]).output
    let report = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return try #require(report?["targets"] as? [[String: Any]])
  }

  func target() async throws -> [String: Any] { try #require(try await targets().first) }

  /// The rows of the newest run's CSV report, whose cells need no quotes here.
  func rows() async throws -> [[String: String]] {
    let text = try await tool.run(["report", "latest", "--format", "csv"]).output
    let lines = text.components(separatedBy: "\r\n").filter { !$0.isEmpty }.map {
      $0.components(separatedBy: ",")
    }
    let header = try #require(lines.first)
    return lines.dropFirst().map { Dictionary(zip(header, $0), uniquingKeysWith: { first, _ in first }) }
  }

  static func passes(_ target: [String: Any]) -> [String: Int] {
    let checks = target["checks"] as? [[String: Any]] ?? []
    return Dictionary(
      checks.map { ($0["name"] as? String ?? "", $0["passes"] as? Int ?? -1) },
      uniquingKeysWith: { first, _ in first })
  }
}
