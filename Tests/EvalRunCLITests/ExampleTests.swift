import EvalTestSupport
import Foundation
import Synchronization
import Testing

/// The suites under `Suites/examples` run as they are.
@Suite(.timeLimit(.minutes(2))) struct ExampleTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Suites/examples")

  private static func hasPython() -> Bool {
    ["/usr/bin/python3", "/bin/python3"].contains { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// A run's rows by column name.
  private func rows(_ tool: Tool) async throws -> [[String: String]] {
    let lines = try await tool.run(["report", "latest", "--format", "csv"]).output
      .components(separatedBy: .newlines).filter { !$0.isEmpty }.map { $0.components(separatedBy: ",") }
    return lines.dropFirst().map { Dictionary(zip(lines[0], $0), uniquingKeysWith: { first, _ in first }) }
  }

  @Test(.enabled(if: hasPython())) func `A program is a profile, if it may be`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    try FileManager.default.copyItem(
      at: Self.folder.appendingPathComponent("command"), to: tool.folder.appendingPathComponent("sub"))
    let refused = try await tool.run(["sub/suite.json"])
    #expect(refused.code == 2)
    #expect(refused.errors.contains("pass --allow-commands if you trust this suite"), "\(refused.errors)")
    let result = try await tool.run(["sub/suite.json", "--allow-commands"])
    #expect(result.code == 0 && result.output.contains("9 of 9"), "\(result.errors)")
    let rows = try await rows(tool)
    #expect(rows.count == 9)
    for row in rows {
      #expect(row["passed"] == "true" && row["status"] == "ok", "\(row)")
      let isPlain = row["target"] == "plain"
      #expect((row["output_tokens"] == "") == isPlain, "\(row)")
      #expect(row["served_model"] == (isPlain ? "" : "echo-1"))
      #expect(row["first_token_ms"] != "")
    }
    #expect(!result.output.contains("served-model"))
  }

  @Test func `The template for Apple's models asks for one thing at a time`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let inFlight = Mutex((now: 0, most: 0))
    let server = try StubServer { request, reply in
      inFlight.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      reply.sseHead()
      reply.chunk(
        #"data: {"model":"system","choices":[{"index":0,"delta":{"content":"negative"}}]}"# + "\n\n")
      reply.sleep(ms: 30)
      let isStopped = request.bodyText.contains("Rewrite politely")
      reply.chunk(
        #"data: {"choices":[{"index":0,"delta":{},"finish_reason":"\#(isStopped ? "content_filter" : "stop")"}],"#
          + #""usage":{"prompt_tokens":0,"completion_tokens":1,"total_tokens":1}}"# + "\n\n")
      inFlight.withLock { $0.now -= 1 }
      reply.chunk("data: [DONE]\n\n")
    }
    defer { server.stop() }
    let template = try String(
      contentsOf: Self.folder.appendingPathComponent("apple-on-device.json"), encoding: .utf8)
    #expect(template.contains("http://127.0.0.1:1976/v1"))
    let untouched = try await tool.run([
      "validate", "--strict", Self.folder.appendingPathComponent("apple-on-device.json").path,
    ])
    #expect(untouched.code == 0, "\(untouched.errors)")
    try tool.write("s.json", template.replacingOccurrences(of: "http://127.0.0.1:1976", with: server.url))
    let result = try await tool.run(["s.json"])
    #expect(result.code == 0, "\(result.errors)")
    #expect(inFlight.withLock { $0.most } == 1)
    let rows = try await rows(tool)
    #expect(
      Set(rows.map { "\($0["target"] ?? "") \($0["boundary"] ?? "")" }) == [
        "system device", "pcc privateCloud",
      ])
    for row in rows {
      #expect(row["input_tokens"] == "" && row["output_tokens"] == "1" && row["cost_usd"] == "0.0", "\(row)")
      let isStopped = row["case"] == "rewrite"
      #expect(row["status"] == (isStopped ? "refused" : "ok"))
      #expect(row["finish"] == (isStopped ? "content_filter" : "stop"))
    }
  }
}
