import EvalRunCLI
import EvalTestSupport
import Foundation
import Testing

/// Standard output and signals, in every state in which a shell may hand them over.
@Suite(.timeLimit(.minutes(2))) struct StreamTests {
  private func withFinishedRun(_ body: (Tool) async throws -> Void) async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("ok") }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 30).text)
    #expect(try await tool.run(["s.json", "--no-reports"]).code == 0)
    try await body(tool)
  }

  @Test func `A reader that goes away is no error, and the run is whole`() async throws {
    try await withFinishedRun { tool in
      for command in [
        "s.json --no-reports", "report latest --format json", "report latest -f csv", "list", "schema",
      ] {
        let result = try await tool.shell("evalrun \(command) | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}")
        #expect(result.output == "0\n" && !result.errors.contains("error"), "\(command): \(result)")
      }
      #expect(try await tool.run(["report", "latest"]).output.contains("30 of 30"))
    }
  }

  #if os(Linux)
    @Test func `A full disk behind standard output is said, and the run is whole`() async throws {
      try await withFinishedRun { tool in
        for command in ["report latest --format json", "list", "s.json --no-reports", "schema"] {
          let result = try await tool.shell("evalrun \(command) >/dev/full")
          #expect(result.code == ExitCode.couldNotRun.rawValue, "\(command)")
          #expect(result.errors.contains("standard output is not whole"), "\(command): \(result.errors)")
        }
        #expect(try await tool.run(["report", "latest"]).output.contains("30 of 30"))
      }
    }
  #endif

  /// The next file that is opened would get the number 1, and the report would be written into it.
  @Test func `A closed standard output does not put the report into another file`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in reply.answer("ok") }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 3).text)
    let result = try await tool.shell("evalrun s.json --record r.jsonl --no-reports >&- 2>&- <&-")
    #expect(result.code == 0)
    for (name, data) in tool.files() {
      #expect(!String(decoding: data, as: UTF8.self).contains("trials finished"), "\(name)")
    }
    let replayed = try await tool.run(["s.json", "--replay", "r.jsonl", "--pace", "instant", "--no-reports"])
    #expect(replayed.code == 0 && replayed.output.contains("3 of 3"), "\(replayed)")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `A signal ends a command that has nothing to save`(signal: Int32) async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let process = Process()
    process.executableURL = Tool.executable
    process.arguments = ["schema"]
    process.currentDirectoryURL = tool.folder
    // The schema is larger than a pipe takes, and nobody reads.
    let pipe = Pipe()
    process.standardOutput = pipe
    let ended = Ended()
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    try await Task.sleep(for: .milliseconds(300))
    #expect(process.isRunning)
    kill(process.processIdentifier, signal)
    await ended.wait()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
    withExtendedLifetime(pipe) {}
  }

  @Test func `A time limit of nothing is refused`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    try tool.write("s.json", SmallSuite(endpoint: "http://127.0.0.1:9/v1").text)
    for time in ["0", "0s", "-1s", "soon"] {
      let result = try await tool.run(["s.json", "--timeout", time])
      #expect(result.code == ExitCode.usage.rawValue && result.errors.contains("above 0"), "\(time)")
    }
  }

  /// Without files the calls fail for no reason of the endpoint's, and libdispatch ends the process.
  @Test func `Open files are made enough for the calls, or the run is refused`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in
      reply.sleep(ms: 200)
      reply.answer("ok")
    }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 150).text)
    let refused = try await tool.shell("ulimit -n 60; evalrun s.json --concurrency 80 --no-reports")
    #expect(refused.code == ExitCode.usage.rawValue && server.requests.isEmpty)
    #expect(refused.errors.contains("80 calls at once need 120 open files"), "\(refused.errors)")
    #expect(refused.errors.contains("ulimit -n"))
    let raised = try await tool.shell("ulimit -Sn 60; evalrun s.json --concurrency 80 --no-reports")
    #expect(raised.code == 0 && raised.output.contains("150 of 150"), "\(raised)")
    #expect(!raised.output.contains("failed"), "\(raised.output)")
  }
}
