import EvalTestSupport
import Foundation
import Synchronization
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A pull request as CI runs it: a committed baseline file, a fresh clone, a server whose answers got worse.
@Suite(.timeLimit(.minutes(2))) struct CITests {
  private static let gate = "passRate not worse than baseline by 0.1"

  /// Each case on a line of its own, the first on line 5; case 0 must pass.
  private func suite(_ server: StubServer, gates: [String] = [Self.gate], cases: Int = 40) -> String {
    let list = (0..<cases).map { number in
      let more = number == 0 ? #", "mustPass": true"# : ""
      return
        #"    {"id": "c\#(number)", "input": "say \#(number)", "tags": ["t\#(number % 4 == 0 ? 0 : 1)"]\#(more)}"#
    }
    let rules = gates.map { "\"\($0)\"" }.joined(separator: ", ")
    return """
      {
        "version": 1, "name": "pull",
        "profiles": {"local": {"endpoint": "\(server.url)/v1", "model": "m", "price": "free", "boundary": "device"}},
        "cases": [
      \(list.joined(separator: ",\n"))
        ],
        "checks": [{"contains": "ok"}],
        "gates": [\(rules)],
        "run": {"retries": {"limit": 0}, "concurrency": 4}
      }
      """
  }

  /// Answers wrongly where `isWrong` says so of the number in the question.
  private func server(_ isWrong: @escaping @Sendable (Int) -> Bool) throws -> StubServer {
    try StubServer { request, reply in
      let body = String(decoding: request.body, as: UTF8.self)
      let number = body.split(separator: "say ").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
      reply.answer(isWrong(number ?? 0) ? "no\\n::error::injected" : "ok")
    }
  }

  /// The baseline file of a run in which everything was right.
  private func baseline(_ gates: [String] = [Self.gate]) async throws -> String {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try server { _ in false }
    defer { server.stop() }
    try tool.write("s.json", suite(server, gates: []))
    #expect(try await tool.run(["s.json", "--no-reports"]).code == 0)
    #expect(try await tool.run(["baseline", "set", "main", "latest"]).code == 0)
    return try await tool.run(["baseline", "export", "main", "-"]).output
  }

  private func text(_ tool: Tool, _ name: String) throws -> String {
    try String(contentsOf: tool.folder.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func `Worse than the committed baseline: exit code 1, and GitHub is told where`() async throws {
    let file = try await baseline()
    let tool = try Tool()
    defer { tool.remove() }
    let server = try server { $0 % 2 == 0 }
    defer { server.stop() }
    try FileManager.default.createDirectory(
      at: tool.folder.appendingPathComponent("evals"), withIntermediateDirectories: true)
    try tool.write("evals/s.json", suite(server))
    try tool.write("evals/main.json", file)
    try tool.write("summary.md", "before\n")
    let result = try await tool.run(
      ["evals/s.json", "--baseline", "evals/main.json", "--ci"],
      environment: [
        "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": tool.folder.path,
        "GITHUB_STEP_SUMMARY": tool.folder.path + "/summary.md",
      ])
    #expect(result.code == 1, "\(result.errors)")

    let lines = result.output.split(separator: "\n").map(String.init)
    let first = try #require(lines.first)
    #expect(first.hasPrefix("::stop-commands::evalrun-"))
    let word = first.dropFirst("::stop-commands::".count)
    let resumed = try #require(lines.firstIndex(of: "::\(word)::"))
    let commands = lines[(resumed + 1)...].filter { $0.hasPrefix("::") }
    #expect(!lines[1..<resumed].contains { $0.hasPrefix("::error file=") })
    #expect(
      commands.contains {
        $0.hasPrefix("::error file=evals/s.json,line=47,col=")
          && $0.contains("gate failed%3A passRate not worse than baseline by 0.1 (local)")
      }, "\(commands)")
    #expect(
      commands.contains { $0.hasPrefix("::error file=evals/s.json,line=5,col=5,title=c0 fails::mustPass") })
    #expect(
      commands.contains {
        $0.hasPrefix(
          "::warning file=evals/s.json,line=7,col=5,title=c2 fell (local)::passed in main, did not pass now")
      })
    // 19 cases fell beside the one that must pass: nine are shown and the rest is counted.
    #expect(
      commands.filter { $0.hasPrefix("::warning ") }.count == 10 && commands.last?.contains("10 more") == true
    )

    let summary = try text(tool, "summary.md")
    #expect(summary.hasPrefix("before\n# ❌ pull: 2 failed of 2 gates"), "\(summary.prefix(200))")
    #expect(summary.contains("against main") && summary.contains("Cases that changed"))
    let comment = try text(tool, "Reports/comment.md")
    #expect(comment.hasPrefix("<!-- evalrun: pull -->\n# ❌ pull"))
    #expect(comment.utf8.count <= 65_536)
    let junit = try XMLDocument(data: Data(text(tool, "Reports/junit.xml").utf8))
    let suites = try junit.nodes(forXPath: "/testsuites/testsuite").compactMap { $0 as? XMLElement }
    #expect(suites.map { $0.attribute(forName: "name")?.stringValue } == ["pull: local", "pull: gates"])
    #expect(suites.map { $0.attribute(forName: "failures")?.stringValue } == ["20", "2"])
  }

  @Test func `As good as the baseline: exit code 0`() async throws {
    let file = try await baseline()
    let tool = try Tool()
    defer { tool.remove() }
    let server = try server { _ in false }
    defer { server.stop() }
    try tool.write("s.json", suite(server))
    try tool.write("main.json", file)
    let result = try await tool.run(["s.json", "--baseline", "main.json", "--ci"])
    #expect(result.code == 0, "\(result.errors)\(result.output)")
    #expect(!result.output.contains("::"), "outside GitHub there is no command")
    #expect(try text(tool, "Reports/comment.md").contains("✅ pull: all 2 gates passed"))
    #expect(try text(tool, "Reports/junit.xml").contains("tests=\"40\" failures=\"0\""))
    // The stored run can be held against it again, and a name in the database does as well as a file.
    #expect(try await tool.run(["gate", "latest", "--baseline", "main.json"]).code == 0)
    #expect(try await tool.run(["baseline", "import", "main.json"]).code == 0)
    #expect(try await tool.run(["gate", "latest", "--baseline", "main"]).code == 0)
    #expect(try await tool.run(["gate", "latest"]).code == 3, "without a baseline the gate is not decided")
  }

  @Test func `A sample is compared with the cases of the full baseline that it has, and says so`()
    async throws
  {
    let file = try await baseline()
    let tool = try Tool()
    defer { tool.remove() }
    let server = try server { $0 % 2 == 0 }
    defer { server.stop() }
    try tool.write("s.json", suite(server))
    try tool.write("main.json", file)
    let result = try await tool.run(["s.json", "--baseline", "main.json", "--sample", "12", "--ci"])
    #expect(server.requests.count == 12)
    let sentence = "12 of 40 cases drawn with seed 1: t0 3 of 10, t1 9 of 30"
    #expect(result.output.replacing("\n", with: " ").contains(sentence), "\(result.output)")
    let comment = try text(tool, "Reports/comment.md")
    #expect(
      comment.contains("a sample: \(sentence)")
        && comment.contains("the comparison is of the 12 cases that both have"))
    #expect(comment.contains("12 cases on both sides"))
    // The same cases for the next pull request.
    let first = Set(server.requests.map { String(decoding: $0.body, as: UTF8.self) })
    _ = try await tool.run(["s.json", "--sample", "12", "--no-reports"])
    #expect(Set(server.requests.map { String(decoding: $0.body, as: UTF8.self) }) == first)
  }

  @Test(arguments: [
    (["--baseline", "broken.json"], "broken.json:1:1: error: this is not a baseline"),
    (["--baseline", "gone.json"], "cannot read gone.json"), (["--baseline", "mian"], "no results at"),
  ])
  func `A wrong baseline is found before a call is made`(options: [String], message: String) async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try server { _ in false }
    defer { server.stop() }
    try tool.write("s.json", suite(server, cases: 2))
    try tool.write("broken.json", "{\n  \"format\": \"x\"\n}\n")
    let result = try await tool.run(["s.json", "--ci"] + options)
    #expect(
      result.code == 2 && result.errors.contains(message), "\(result.errors)"
    )
    #expect(server.requests.isEmpty)
  }

  @Test func `A baseline that nothing is held against is said to decide nothing`() async throws {
    let file = try await baseline()
    let tool = try Tool()
    defer { tool.remove() }
    let server = try server { $0 != 0 }
    defer { server.stop() }
    try tool.write("s.json", suite(server, gates: []))
    try tool.write("main.json", file)
    let result = try await tool.run([
      "s.json", "--baseline", "main.json", "--junit", "out/j.xml", "--no-reports",
    ])
    #expect(result.code == 0 && result.errors.contains("decides nothing"), "\(result.errors)")
    #expect(result.output.contains("against main"), "\(result.output)")
    #expect(FileManager.default.fileExists(atPath: tool.folder.path + "/out/j.xml"))
    #expect(!FileManager.default.fileExists(atPath: tool.folder.path + "/Reports"))
  }

  /// GitHub takes any line that begins with `::`, blanks before it left out, for a command.
  @Test func `A name with a line break is no command`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    try tool.write(
      "s.json", #"{"version": 1, "profiles": {}, "cases": [], "k\n  ::error title=hi::owned": 1}"#)
    let result = try await tool.run(["s.json", "--ci"], environment: ["GITHUB_ACTIONS": "true"])
    #expect(result.code == 2 && result.errors.contains("::error title=hi"))
    for line in result.errors.split(separator: "\n") { #expect(!line.drop { $0 == " " }.hasPrefix("::")) }
  }
}
