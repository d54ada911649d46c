import EvalCore
import EvalTestSupport
import Foundation
import Synchronization
import Testing

/// `evalrun compare` as a person gives it, over runs against a real server.
@Suite(.timeLimit(.minutes(2))) struct CompareTests {
  /// A server whose second model, and whose answers after `turn()`, do worse.
  private final class Server: Sendable {
    let stub: StubServer

    init() throws {
      stub = try StubServer { request, reply in
        let body = String(decoding: request.body, as: UTF8.self)
        // Case n of the worse model misses unless n is a multiple of 3.
        let number = body.firstMatch(of: /say (\d+)/).flatMap { Int($0.1) } ?? 0
        let misses = body.contains("\"worse\"") && number % 3 != 0
        reply.answer(misses ? "no luck with case \(number)" : "all ok with case \(number)")
      }
    }
  }

  private static func suite(
    _ url: String, cases: Range<Int> = 0..<24, models: [String: String], run: String = ""
  ) -> String {
    let profiles = models.sorted { $0.key < $1.key }.map { name, model in
      #""\#(name)": {"endpoint": "\#(url)/v1", "model": "\#(model)", "price": "free", "boundary": "device"}"#
    }
    let list = cases.map {
      #"{"id": "c\#($0)", "input": "say \#($0)", "tags": ["\#($0 % 2 == 0 ? "even" : "odd")"]}"#
    }
    return """
      {"version": 1, "name": "s", "profiles": {\(profiles.joined(separator: ","))},
       "cases": [\(list.joined(separator: ","))], "checks": [{"contains": "ok"}],
       "run": {"retries": {"limit": 0}\(run)}}
      """
  }

  @Test func `Two runs: what differs, how surely, which cases, and both answers`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try Server()
    defer { server.stub.stop() }
    let url = server.stub.url
    try tool.write("a.json", Self.suite(url, models: ["p": "better"]))
    try tool.write("b.json", Self.suite(url, cases: 1..<26, models: ["p": "worse"]))
    #expect(try await tool.run(["a.json", "--name", "main", "-q"]).code == 0)
    #expect(try await tool.run(["b.json", "-q"]).code == 0)
    let result = try await tool.run(["compare", "main", "latest"])
    #expect(result.code == 0, "\(result.errors)")
    let words = result.output.replacing("\n", with: " ")
    #expect(words.contains("23 cases on both sides, 23 pairs of trials; 1 and 2 cases are on one side only."))
    // Of 1…23 the worse model misses 16.
    #expect(words.contains("Worse: pass rate -69.6 points"))
    #expect(words.contains("p<0.0001 (exact McNemar"))
    #expect(words.contains("16 fell, 0 rose, of 23 cases."))
    #expect(result.output.contains("[-all ok-]{+no luck+} with case 1"))
    #expect(words.contains("Only main has 1 case: c0"))
    // The times are real ones of a busy machine: either way the reader is told what could have been seen.
    if words.contains("No difference seen in time to the end") {
      #expect(words.contains("would have been seen four times in five"))
    } else {
      #expect(words.contains("er: time to the end ×") || words.contains("se: time to the end ×"))
    }
    #expect(words.contains("By tag, exploratory"))
  }

  @Test func `Two targets of one run, in every form of asking`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try Server()
    defer { server.stub.stop() }
    let models = ["one": "better", "two": "worse", "three": "better"]
    try tool.write("s.json", Self.suite(server.stub.url, models: models, run: #", "repeats": 2"#))
    #expect(try await tool.run(["s.json", "-q"]).code == 0)
    let forms = [
      ["latest:one", "latest:two"], ["latest", "--target", "one", "--target", "two"],
    ]
    var outputs: Set<String> = []
    for form in forms {
      let result = try await tool.run(["compare"] + form + ["--format", "json"])
      #expect(result.code == 0, "\(result.errors)")
      outputs.insert(result.output)
      let json = try JSONValue.parse(result.output)
      let pass = try #require(json["comparisons"]?[0]?["differences"]?[0])
      #expect(pass["measure"]?.stringValue == "pass")
      #expect(pass["change"]?["value"]?.doubleValue.map { abs($0 + 2.0 / 3) < 1e-9 } == true)
      #expect(pass["change"]?["n"]?.intValue == 48 && pass["change"]?["units"]?.intValue == 24)
      #expect(pass["test"]?["method"]?.stringValue == "sign-flip-exact")
    }
    #expect(outputs.count == 1)
    let csv = try await tool.run(["compare", "latest:one", "latest:two", "-f", "csv"])
    let lines = csv.output.split(separator: "\r\n")
    #expect(lines.count == 25)
    #expect(lines[0].hasPrefix("reference,candidate,case,on,pairs,reference_pass_rate,candidate_pass_rate"))
    #expect(lines[1].hasPrefix("one,two,c0,both,2,1.0,1.0,"))
    let markdown = try await tool.run(["compare", "latest:one", "latest:two", "-f", "md", "-o", "c.md"])
    #expect(markdown.code == 0 && markdown.output.isEmpty)
    let file = try String(contentsOf: tool.folder.appendingPathComponent("c.md"), encoding: .utf8)
    #expect(file.hasPrefix("# two against one, run "))
  }

  @Test(arguments: [
    (["nothing", "latest"], "there is no run 'nothing'"),
    (["latest"], "one run alone needs two of its targets"),
    (["latest", "latest"], "both sides are the same"),
    (["latest:p", "latest:q"], "has no target 'q'"),
    (["latest", "--format", "junit"], "--format takes"),
    ([], "needs A"),
  ])
  func `What cannot be compared is a usage error with advice`(words: [String], message: String) async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try Server()
    defer { server.stub.stop() }
    try tool.write("s.json", Self.suite(server.stub.url, cases: 0..<2, models: ["p": "better"]))
    #expect(try await tool.run(["s.json", "-q"]).code == 0)
    let result = try await tool.run(["compare"] + words)
    #expect(result.code == 2)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test func `A baseline file compares without a database, and says the same as its run`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try Server()
    defer { server.stub.stop() }
    for model in ["better", "worse"] {
      try tool.write("\(model).json", Self.suite(server.stub.url, models: ["p": model]))
      #expect(try await tool.run(["\(model).json", "--name", model, "-q"]).code == 0)
      #expect(try await tool.run(["baseline", "set", "base-\(model)", model]).code == 0)
      #expect(try await tool.run(["baseline", "export", "base-\(model)", "base-\(model).json"]).code == 0)
    }
    func pass(_ words: [String]) async throws -> JSONValue {
      let result = try await tool.run(["compare"] + words + ["-f", "json"])
      #expect(result.code == 0, "\(result.errors)")
      return try #require(JSONValue.parse(result.output)["comparisons"]?[0]?["differences"]?[0])
    }
    let stored = try await pass(["better", "worse"])
    #expect(try await pass(["base-better", "worse"]) == stored)
    #expect(try await pass(["base-better.json", "worse:p"]) == stored)
    #expect(try await pass(["base-better.json:p", "base-worse.json", "--db", "nowhere.sqlite"]) == stored)
    let text = try await tool.run(["compare", "base-better.json", "worse"])
    #expect(text.output.hasPrefix("worse against base-better, target p"))
  }

  @Test func `Nothing in common is no verdict`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let server = try Server()
    defer { server.stub.stop() }
    for (name, cases) in [("a", 0..<3), ("b", 5..<8)] {
      try tool.write("\(name).json", Self.suite(server.stub.url, cases: cases, models: ["p": "better"]))
      #expect(try await tool.run(["\(name).json", "--name", name, "-q"]).code == 0)
    }
    let result = try await tool.run(["compare", "a", "b"])
    #expect(result.code == 3)
    #expect(result.output.contains("no case in common"))
  }
}
