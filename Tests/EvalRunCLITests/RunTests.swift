import EvalTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct RunTests {
  @Test func `kill -9 loses at most the calls in flight, and the same command goes on`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in
      reply.sleep(ms: 10)
      reply.answer("ok")
    }
    defer { server.stop() }
    let width = 4
    try tool.write(
      "s.json", SmallSuite(endpoint: server.url + "/v1", cases: 100, run: #", "concurrency": \#(width)"#).text
    )
    let running = try tool.start(["s.json"])
    try await until { !(server.requests.count < 50) }
    kill(running.process.processIdentifier, SIGKILL)
    _ = await running.wait()
    usleep(100_000)
    let before = server.requests.count
    #expect(before < 100)
    let second = try await tool.run(["s.json"])
    #expect(second.code == 0, "\(second.errors)")
    #expect(second.output.contains("100 of 100"))
    // What was in flight, and what ended within the last commit, is asked again.
    #expect(server.requests.count - before <= 100 - before + 2 * width)
    #expect(server.requests.count >= 100)
  }

  @Test func `A moved case is the same case, an edited one is another run's`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in
      reply.sleep(ms: 30)
      reply.answer("ok")
    }
    defer { server.stop() }
    func suite(_ ids: [Int]) -> String {
      let list = ids.map { #"{"id": "c\#($0)", "input": "say \#($0)"}"# }.joined(separator: ",")
      return """
        {"version": 1, "name": "s", "profiles": {"p": {"endpoint": "\(server.url)/v1", "model": "m", "price": "free"}},
         "cases": [\(list)], "checks": [{"contains": "ok"}]}
        """
    }
    try tool.write("s.json", suite(Array(0..<30)))
    let running = try tool.start(["s.json"])
    try await until { !(server.requests.count < 6) }
    running.process.interrupt()
    _ = await running.wait()
    try tool.write("s.json", suite(Array((0..<30).reversed())))
    let moved = try await tool.run(["s.json"])
    #expect(moved.errors.contains("goes on"), "\(moved.errors)")
    #expect(server.requests.count == 30)

    try tool.write("s.json", suite(Array(1..<31)))
    let edited = try await tool.run(["s.json"])
    #expect(!edited.errors.contains("goes on"))
    #expect(server.requests.count == 60, "a finished run is never touched")
  }

  @Test func `A finished run is not touched: the same command starts another`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("ok") }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 2).text)
    for count in 1...2 {
      let result = try await tool.run(["s.json"])
      #expect(result.code == 0 && server.requests.count == 2 * count)
    }
    let list = try await tool.run(["list"])
    #expect(list.output.components(separatedBy: "finished").count >= 3, "\(list.output)")
  }

  @Test func `A second process on the same run is refused by name`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in
      reply.sleep(ms: 100)
      reply.answer("ok")
    }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 30).text)
    let running = try tool.start(["s.json"])
    try await until { !(server.requests.count < 2) }
    let second = try await tool.run(["s.json"])
    #expect(second.code == 4)
    #expect(second.errors.contains("is being worked on by process \(running.process.processIdentifier)"))
    running.process.interrupt()
    _ = await running.wait()
  }

  @Test func `--fresh abandons the unfinished run and says so`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in
      reply.sleep(ms: 20)
      reply.answer("ok")
    }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 20).text)
    let running = try tool.start(["s.json"])
    try await until { !(server.requests.count < 3) }
    running.process.interrupt()
    _ = await running.wait()
    let before = server.requests.count
    let fresh = try await tool.run(["s.json", "--fresh"])
    #expect(fresh.errors.contains("is abandoned for a fresh one"))
    #expect(server.requests.count == before + 20)
    let list = try await tool.run(["list"])
    #expect(list.output.contains("abandoned"))
  }

  @Test func `Results go to standard output, and a closed pipe does not lose the run`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("ok") }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 2).text)
    let quiet = try await tool.run(["s.json", "--quiet", "--no-reports"])
    #expect(quiet.errors.isEmpty && quiet.output.contains("2 of 2"))
    let json = try await tool.run(["report", "latest", "--format", "json"])
    #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
  }

  @Test func `Retry-After is waited for; the wait is apart from the answer's own time`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let calls = Mutex(0)
    let server = try StubServer { _, reply in
      let call = calls.withLock {
        $0 += 1
        return $0
      }
      if call == 1 {
        reply.json(429, #"{"error": {"message": "slow down"}}"#, headers: [("Retry-After", "1")])
      } else {
        reply.answer("ok")
      }
    }
    defer { server.stop() }
    let suite = SmallSuite(endpoint: server.url + "/v1").text.replacingOccurrences(
      of: #""limit": 0"#, with: #""limit": 2"#)
    try tool.write("s.json", suite)
    #expect(try await tool.run(["s.json", "--no-reports"]).code == 0)
    let times = server.requests.map(\.arrivedAt)
    #expect(times.count == 2 && times[1] - times[0] >= 1_000_000_000)
    let show = try await tool.run(["show", "latest", "c0"])
    #expect(show.output.contains("rateLimited"))
    let csv = try await tool.run(["report", "latest", "--format", "csv"])
    #expect(csv.output.contains("c0"))
  }

  @Test func `Warm-up calls are reported apart and make no trial`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("ok") }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 2, run: #", "warmup": 3"#).text)
    let result = try await tool.run(["s.json", "--no-reports"])
    #expect(server.requests.count == 5)
    #expect(
      result.output.contains("2 of 2") && result.output.lowercased().contains("warm-up"), "\(result.output)")
    let json = try await tool.run(["report", "latest", "--format", "json"])
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let warmUps = try #require(report["warmUps"] as? [[String: Any]])
    #expect(warmUps.first?["calls"] as? Int == 3, "\(warmUps)")
  }

  @Test func `Two profiles of the same content are two targets`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("ok") }
    defer { server.stop() }
    let profile = #"{"endpoint": "\#(server.url)/v1", "model": "m", "price": "free"}"#
    try tool.write(
      "s.json",
      """
      {"version": 1, "name": "aa", "profiles": {"a": \(profile), "b": \(profile)},
       "cases": [{"id": "x", "input": "hi"}, {"id": "y", "input": "ho"}], "checks": [{"contains": "ok"}]}
      """)
    let result = try await tool.run(["s.json", "--no-reports"])
    #expect(server.requests.count == 4)
    #expect(result.output.components(separatedBy: "2 of 2").count > 4, "\(result.output)")
  }

  @Test func `A recording answers without a server, says so, and misses are errors`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("ok") }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 3).text)
    #expect(try await tool.run(["s.json", "--record", "r.jsonl", "--no-reports"]).code == 0)
    server.stop()
    let replayed = try await tool.run(["s.json", "--replay", "r.jsonl", "--pace", "instant"])
    #expect(replayed.code == 0, "\(replayed.errors)")
    #expect(replayed.output.lowercased().contains("recorded") && replayed.output.contains("3 of 3"))
    for (name, data) in tool.files() where name.hasPrefix("Reports/") && !name.hasSuffix("/") {
      #expect(String(decoding: data, as: UTF8.self).contains("recorded"), "\(name) does not say so")
    }
    try tool.write("t.json", SmallSuite(endpoint: server.url + "/v1", cases: 4).text)
    let missed = try await tool.run(["t.json", "--replay", "r.jsonl", "--no-reports"])
    #expect(missed.output.contains("notRecorded"), "\(missed.output)")
    let other = try await tool.run(["s.json", "--replay", "r.jsonl", "--repeats", "2", "--no-reports"])
    #expect(other.output.contains("notRecorded"), "one stored answer is not two draws")
  }
}
