import Foundation
import Testing

/// Programs started by the real tool, which blocks signals in every thread of its own.
@Suite(.timeLimit(.minutes(2))) struct CommandTests {
  private func suite(_ script: String, output: String = "text", checks: String = "[]") -> String {
    let command = script.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(
      of: "\"", with: "\\\"")
    return """
      {"version": 1, "name": "s", "cases": [{"id": "c", "input": "hi"}], "checks": \(checks),
       "profiles": {"p": {"provider": "command", "price": "free", "boundary": "device",
         "options": {"command": ["/bin/sh", "-c", "\(command)"], "output": "\(output)"}}}}
      """
  }

  #if os(Linux)
    @Test func `Programs and graders start with no signal blocked`() async throws {
      let tool = try Tool()
      defer { tool.remove() }
      let mask = "grep SigBlk /proc/self/status | tr -d '\\t'"
      let check =
        #"[{"command": ["/bin/sh", "-c", "grep -q '^SigBlk:.0000000000000000$' /proc/self/status && echo '{\"pass\": true}'"]}]"#
      try tool.write("s.json", suite(mask, checks: check))
      let asked = try await tool.run(["prompt", "hi", "--suite", "s.json", "--allow-commands"])
      #expect(asked.output == "SigBlk:0000000000000000\n", "\(asked.errors)")
      let run = try await tool.run(["s.json", "--allow-commands"])
      #expect(run.code == 0)
      let row = try await tool.run(["report", "latest", "--format", "csv"]).output
      #expect(row.contains(",ok,,1.0,true,"), "\(row)")
    }
  #endif

  @Test(arguments: [SIGINT, SIGTERM]) func `An interrupted prompt leaves no program behind`(_ signal: Int32)
    async throws
  {
    let tool = try Tool()
    defer { tool.remove() }
    try tool.write("s.json", suite("sleep 300 & echo $$ $! > ids.part; mv ids.part ids; wait"))
    let running = try tool.start(["prompt", "hi", "--suite", "s.json", "--allow-commands"])
    let file = tool.folder.appendingPathComponent("ids")
    while !FileManager.default.fileExists(atPath: file.path) {
      try await Task.sleep(for: .milliseconds(5))
    }
    let ids = try String(contentsOf: file, encoding: .utf8).split { !$0.isNumber }.compactMap { Int32($0) }
    #expect(ids.count == 2)
    kill(running.process.processIdentifier, signal)
    #expect(await running.wait().code == 130)
    for id in ids { #expect(await isGone(id), "process \(id) is still there") }
  }

  @Test func `A second Ctrl-C ends the programs of a run`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    try tool.write("s.json", suite("echo $$ > ids.part; mv ids.part ids; sleep 300"))
    let running = try tool.start(["s.json", "--allow-commands"])
    let file = tool.folder.appendingPathComponent("ids")
    while !FileManager.default.fileExists(atPath: file.path) {
      try await Task.sleep(for: .milliseconds(5))
    }
    let id = try #require(Int32(String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines)))
    running.process.interrupt()
    try await Task.sleep(for: .milliseconds(200))
    running.process.interrupt()
    #expect(await running.wait().code == 130)
    #expect(await isGone(id))
  }

  @Test func `What a program says of an inherited key is stored nowhere`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let key = "sk-inherited-0123456789"
    try tool.write("s.json", suite(#"echo "key $MY_API_KEY" >&2; echo "the key is $MY_API_KEY"; exit 1"#))
    let result = try await tool.run(["s.json", "--allow-commands"], environment: ["MY_API_KEY": key])
    #expect(result.code == 4)
    let asked = try await tool.run(
      ["prompt", "hi", "--suite", "s.json", "--allow-commands"], environment: ["MY_API_KEY": key])
    #expect(asked.errors.contains("key [redacted]"), "\(asked.errors)")
    for (path, bytes) in tool.files() {
      #expect(bytes.range(of: Data(key.utf8)) == nil, "\(path)")
    }
    #expect(!(result.output + result.errors + asked.errors).contains(key))
  }

  private func isGone(_ id: Int32) async -> Bool {
    for _ in 0..<500 {
      if kill(id, 0) != 0 { return true }
      let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
      if let status, status.contains(") Z ") { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }
}
