import EvalTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2))) struct BaselineTests {
  @Test func `A run gets a name, becomes a file, and the file works in an empty folder`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("ok") }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 3).text)
    #expect(try await tool.run(["s.json", "--no-reports"]).code == 0)

    let set = try await tool.run(["baseline", "set", "main", "latest"])
    #expect(set.code == 0 && set.output.hasPrefix("main is run "), "\(set)")
    let list = try await tool.run(["baseline", "list"])
    #expect(list.output.contains("main") && list.output.contains("small"), "\(list.output)")
    let export = try await tool.run(["baseline", "export", "main", "main.json"])
    #expect(export.code == 0 && export.errors.contains("3 cases"), "\(export)")
    let shown = try await tool.run(["baseline", "export", "latest", "-"])
    let text = try String(contentsOf: tool.folder.appendingPathComponent("main.json"), encoding: .utf8)
    #expect(shown.output.split(separator: "\n").count == text.split(separator: "\n").count)
    #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])

    let other = try Tool()
    defer { other.remove() }
    try other.write("there.json", text)
    let imported = try await other.run(["baseline", "import", "there.json", "--as", "nightly"])
    #expect(imported.code == 0 && imported.output.contains("nightly is run"), "\(imported)")
    let again = try await other.run(["baseline", "export", "nightly", "-"])
    #expect(again.output == text.replacing("\"name\": \"main\"", with: "\"name\": \"nightly\""))
    #expect(try await other.run(["baseline", "remove", "nightly"]).code == 0)
    #expect(try await other.run(["baseline", "list"]).output.contains("no baseline yet"))
  }

  @Test(arguments: [
    (["baseline", "set", "main", "nothing"], "there is no run 'nothing'"),
    (["baseline", "set", "a/b", "latest"], "cannot be a baseline's name"),
    (["baseline", "set", "x.json", "latest"], "cannot be a baseline's name"),
    (["baseline", "remove", "mian"], "there is no baseline 'mian'"),
    (["baseline", "export", "mian", "-"], "there is no run 'mian'"),
    (["baseline", "import", "not-there.json"], "cannot read not-there.json"),
    (["baseline", "import", "broken.json"], "broken.json:3:1: error: expected a key"),
    (["baseline", "exprot"], "did you mean 'export'?"),
  ])
  func `What is wrong is said, with exit code 2`(words: [String], message: String) async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("ok") }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1").text)
    try tool.write("broken.json", "{\n\"format\": \"evalrun.baseline\",\nx\n}\n")
    #expect(try await tool.run(["s.json", "--no-reports"]).code == 0)
    let result = try await tool.run(words)
    #expect(result.code == 2 && result.errors.contains(message), "\(result.errors)")
  }
}
