import EvalTestSupport
import Foundation
import Testing

/// What a person sees on terminals of every kind.
@Suite(.timeLimit(.minutes(2))) struct TerminalTests {
  /// A tool, a suite of two cases, and a server whose answers take long enough to be waited for.
  private func onTerminal(
    _ environment: [String: String], columns: UInt16 = 80, answer: String = "ok"
  ) async throws -> (code: Int32, screen: String) {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try StubServer { _, reply in
      reply.sleep(ms: 250)
      reply.answer(answer)
    }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 2).text)
    return try await tool.run(["s.json", "--no-reports"], columns: columns, environment: environment)
  }

  @Test func `A live line and colours where there can be`() async throws {
    let (code, screen) = try await onTerminal(["LANG": "C.UTF-8", "TERM": "xterm"])
    #expect(code == 0)
    #expect(screen.contains("\r\u{1B}[K") && screen.contains("0/2") && screen.contains("░"), "\(screen)")
    #expect(screen.contains("\u{1B}[1m"))
  }

  @Test func `NO_COLOR takes colours away and leaves the live line`() async throws {
    let (_, screen) = try await onTerminal(["LANG": "C.UTF-8", "TERM": "xterm", "NO_COLOR": "1"])
    #expect(!screen.contains("\u{1B}[1m") && !screen.contains("\u{1B}[2m") && screen.contains("0/2"))
  }

  @Test func `A dumb terminal gets no escape and no line that is written over`() async throws {
    let (_, screen) = try await onTerminal(["LANG": "C.UTF-8", "TERM": "dumb"])
    #expect(!screen.contains("\u{1B}") && !screen.contains("\r"), "\(screen)")
    #expect(screen.contains("2 of 2"))
  }

  @Test func `A terminal without UTF-8 gets ASCII alone, within its width`() async throws {
    let (code, screen) = try await onTerminal(["LC_ALL": "C", "TERM": "xterm", "NO_COLOR": "1"], columns: 50)
    #expect(code == 0)
    #expect(screen.utf8.allSatisfy { $0 < 0x80 }, "\(screen)")
    let lines = screen.replacingOccurrences(of: "\u{1B}[K", with: "").split { "\n\r".contains($0) }
    #expect(lines.allSatisfy { $0.count <= 50 }, "\(lines.filter { $0.count > 50 })")
  }

  @Test(arguments: ["C.UTF-8", "C"])
  func `Nothing that a server, a model or a suite says controls the terminal`(locale: String) async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let evil = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31m"
    let quoted = #"\u001b]0;owned\u0007\u001b[2J\u009b31m"#
    let server = try StubServer { request, reply in
      if request.bodyText.contains("say 0") {
        reply.json(400, "{\"error\": {\"message\": \"\(quoted)\"}}")
      } else {
        reply.answer("ok " + quoted)
      }
    }
    defer { server.stop() }
    try tool.write("s.json", SmallSuite(endpoint: server.url + "/v1", cases: 2).text)
    try tool.write("bad.json", "{\"version\": 1, \"\(quoted)\": 1}")
    let environment = ["LANG": locale, "TERM": "xterm", "NO_COLOR": "1"]
    let endpoint = ["--endpoint", server.url + "/v1", "--model", "m"]
    for arguments in [
      ["s.json", "--no-reports"], ["show", "latest", "c0"], ["show", "latest", "c1"], ["report", "latest"],
      ["prompt", "say 0"] + endpoint, ["prompt", "say 1"] + endpoint, ["validate", "bad.json"],
      ["show", evil],
    ] {
      let (_, screen) = try await tool.run(arguments, environment: environment)
      // The live line erases its rest; nothing else may begin a sequence.
      let rest = screen.replacingOccurrences(of: "\r\u{1B}[K", with: "").replacingOccurrences(
        of: "\u{1B}[K", with: "")
      #expect(
        !rest.unicodeScalars.contains { [0x1B, 0x07, 0x9B].contains($0.value) }, "\(arguments): \(screen)")
      #expect(!screen.isEmpty)
    }
  }
}
