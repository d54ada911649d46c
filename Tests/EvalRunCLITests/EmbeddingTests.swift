import EvalTestSupport
import Foundation
import Synchronization
import Testing

/// Embedders that behave and embedders that do not, played by a server, seen from the command line.
@Suite(.timeLimit(.minutes(3))) struct EmbeddingTests {
  // MARK: Values and books

  @Test(arguments: ["float", "base64", "ollama", "ollama older"])
  func everyFormGivesTheCosine(form: String) async throws {
    let bench = try EmbeddingBench(form: form)
    defer { bench.close() }
    let report = try await bench.report()
    #expect(report.code == 0, "\(report.errors)")
    // (1, 2) and (2, 1): 4/5.
    #expect(report.value.map { abs($0 - 0.8) < 1e-6 } == true, "\(report.json)")
    #expect(report.target["cost"].flatMap { ($0 as? [String: Any])?["knownDollars"] as? Double } == 0)
    #expect((report.target["cost"] as? [String: Any])?["attempts"] as? Int == 1)
    #expect(report.embedder["texts"] as? Int == 2)
    #expect(report.embedder["calls"] as? Int == 2)
    if form == "ollama older" {
      #expect(report.embedder["unknownCosts"] as? Int == 2, "it counts no tokens")
    } else {
      #expect((report.embedder["inputTokens"] as? [String: Any])?["sum"] as? Int == 18)
      #expect(report.embedder["knownDollars"] as? Double == 0.018)
    }
    #expect(report.output.contains("Embedders"), "\(report.output)")
    #expect(bench.keys == Set(form.hasPrefix("ollama") ? [] : ["Bearer sk-embedder-0815"]))
    for (name, data) in bench.tool.files() {
      #expect(data.range(of: Data("sk-embedder-0815".utf8)) == nil, "\(name) holds the key")
    }
  }

  @Test func aTextIsAskedForOnce() async throws {
    let bench = try EmbeddingBench()
    defer { bench.close() }
    let suite = bench.suite(cases: 6, run: #", "concurrency": 6"#)
    let first = try await bench.report(suite)
    // Six answers of their own, one text to compare with.
    #expect(bench.texts.count == 7 && Set(bench.texts).count == 7, "\(bench.texts)")
    #expect(first.embedder["texts"] as? Int == 12 && first.embedder["fromRun"] as? Int == 5)
    #expect(first.embedder["fromDatabase"] as? Int == 0)

    let second = try await bench.report(suite)
    #expect(bench.texts.count == 7, "the second run asks for nothing")
    #expect(second.embedder["calls"] as? Int == 0 && second.embedder["fromDatabase"] as? Int == 7)
    #expect(
      second.embedder["knownDollars"] as? Double == nil || second.embedder["knownDollars"] as? Double == 0)
    #expect(second.value == first.value)

    let fresh = try await bench.report(suite, ["--fresh"])
    #expect(bench.texts.count == 14 && fresh.value == first.value)
    // Another model makes other vectors.
    _ = try await bench.report(suite.replacingOccurrences(of: "\"embed-model\"", with: "\"embed-model-2\""))
    #expect(bench.texts.count == 21)
  }

  @Test func aPrivateRunKeepsNoVector() async throws {
    let bench = try EmbeddingBench()
    defer { bench.close() }
    let report = try await bench.report(nil, ["--private"])
    #expect(report.value != nil)
    _ = try await bench.report(nil, ["--private"])
    #expect(bench.texts.count == 4, "nothing was kept, so both runs ask")
    for (name, data) in bench.tool.files() where !name.hasSuffix("s.json") && !name.contains("stdout") {
      #expect(data.range(of: Data("the reference".utf8)) == nil, "\(name) holds the text")
    }
  }

  @Test func aRecordingHoldsTheCalls() async throws {
    let bench = try EmbeddingBench()
    defer { bench.close() }
    // What the database knows does not leave a hole in the recording.
    let live = try await bench.report()
    let recorded = try await bench.report(nil, ["--record", "r.jsonl"])
    #expect(bench.texts.count == 4)
    bench.server.stop()
    let replayed = try await bench.report(
      nil, ["--replay", "r.jsonl", "--db", "other.sqlite"], db: "other.sqlite")
    #expect(replayed.code == 0, "\(replayed.errors)")
    #expect(live.value != nil && recorded.value == live.value && replayed.value == live.value)
    #expect(replayed.embedder["calls"] as? Int == 2)
  }

  @Test func aLimitOnTheCostCountsEmbeddersIn() async throws {
    let bench = try EmbeddingBench()
    defer { bench.close() }
    let stopped = try await bench.report(bench.suite(cases: 6), ["--max-cost", "0.02"])
    #expect(stopped.code == 4 && stopped.errors.contains("--max-cost"), "\(stopped.code) \(stopped.errors)")
    #expect(bench.texts.count < 7)
    let unpriced = bench.suite().replacingOccurrences(
      of: #", "price": {"input": 1000, "output": 0}"#, with: "")
    let refused = try await bench.report(unpriced, ["--max-cost", "1"])
    #expect(refused.code == 2)
    #expect(refused.errors.contains("'embedder' has no price"), "\(refused.errors)")
  }

  // MARK: Faults

  struct Fault: Sendable, CustomTestStringConvertible {
    var name: String
    var calls: Int
    var play: @Sendable ([String], StubReply) -> Void
    var testDescription: String { name }

    init(_ name: String, calls: Int = 1, _ play: @escaping @Sendable ([String], StubReply) -> Void) {
      (self.name, self.calls, self.play) = (name, calls, play)
    }
  }

  private static func body(_ vectors: String...) -> String {
    let items = vectors.enumerated().map { #"{"index": \#($0), "embedding": \#($1)}"# }
    return #"{"data": [\#(items.joined(separator: ", "))], "usage": {"prompt_tokens": 9}}"#
  }

  static let faults: [Fault] = [
    Fault("too long") {
      $1.json(400, #"{"error": {"message": "maximum context length is 8 tokens"}}"#)
    },
    Fault("429 for ever", calls: 2) { $1.json(429, #"{"error": {"message": "slow down"}}"#) },
    Fault("500 for ever", calls: 2) { $1.json(500, #"{"error": {"message": "out of order"}}"#) },
    Fault("cut", calls: 2) {
      $1.raw("HTTP/1.1 200 OK\r\nContent-Length: 90\r\nContent-Type: application/json\r\n\r\n{\"data\": [")
      $1.close()
    },
    Fault("no data") { $1.json(200, #"{"object": "list"}"#) },
    Fault("two vectors for a text") { $1.json(200, body("[1, 2]", "[1, 2]")) },
    Fault("an empty list") { $1.json(200, body()) },
    Fault("lengths that differ", calls: 2) {
      $1.json(200, body($0 == ["the reference"] ? "[1, 2]" : "[1, 2, 3]"))
    },
    Fault("zeros") { $1.json(200, body("[0, 0]")) },
    Fault("a null") { $1.json(200, body("[1, null]")) },
    Fault("NaN in base64") { $1.json(200, body("\"AADAfwAAgD8=\"")) },
    Fault("no vector in an item") { $1.json(200, body("null")) },
  ]

  @Test(arguments: faults) func whatCannotBeComparedIsUnscored(fault: Fault) async throws {
    let bench = try EmbeddingBench(embed: fault.play)
    defer { bench.close() }
    let report = try await bench.report()
    #expect(report.word == "graderFailed" && report.value == nil, "\(report.check)")
    #expect(report.output.contains("unscored"))
    #expect(report.embedder["calls"] as? Int == fault.calls)
    #expect(report.embedder["failures"] as? Int == (fault.name == "lengths that differ" ? 0 : 1))
  }

  @Test func a429IsTriedAgain() async throws {
    let count = Mutex(0)
    let bench = try EmbeddingBench { texts, reply in
      let number = count.withLock {
        $0 += 1
        return $0
      }
      if number == 1 { return reply.json(429, #"{"error": {"message": "slow down"}}"#) }
      reply.json(200, Self.body(texts == ["the reference"] ? "[1, 2]" : "[2, 1]"))
    }
    defer { bench.close() }
    let report = try await bench.report()
    #expect(report.value.map { abs($0 - 0.8) < 1e-6 } == true)
    #expect(report.embedder["retries"] as? Int == 1 && report.embedder["failures"] as? Int == 0)
    #expect(!report.output.contains("embedding-failed"))
  }

  @Test func anEmptyAnswerIsNotSent() async throws {
    let bench = try EmbeddingBench(answer: "")
    defer { bench.close() }
    let report = try await bench.report()
    #expect(report.word == "noAnswer" && bench.texts.isEmpty)
  }

  // MARK: How far an answer travels

  @Test(arguments: [
    ("private", "thirdParty", false), ("private", "device", true), ("public", "privateCloud", true),
  ])
  func aSensitiveAnswerStaysWhereItMay(sensitivity: String, boundary: String, isSent: Bool) async throws {
    let bench = try EmbeddingBench()
    defer { bench.close() }
    let suite = bench.suite(
      embedder: #", "boundary": "\#(boundary)""#, signals: #", "signals": {"sensitivity": "\#(sensitivity)"}"#
    )
    let report = try await bench.report(suite)
    #expect(bench.texts.isEmpty != isSent)
    #expect(report.word == (isSent ? "?" : "graderFailed"), "\(report.check)")
    if !isSent {
      let story = try await bench.tool.run(["show", "latest", "c0"])
      #expect(story.output.contains("to 'embedder' (thirdParty): nobody was asked"), "\(story.output)")
    }
  }

  @Test func aJudgeIsHeldToTheSame() async throws {
    let bench = try JudgeBench { $1.say($0.verdict()) }
    defer { bench.close() }
    func suite(_ boundary: String) -> String {
      bench.suite(judge: #", "boundary": "\#(boundary)""#).replacingOccurrences(
        of: #""input": "say 0""#, with: #""input": "say 0", "signals": {"sensitivity": "secret"}"#)
    }
    let kept = try await bench.report(suite("privateCloud"))
    #expect(kept.word == "graderFailed" && bench.server.requests.count == 1, "the subject alone was asked")
    let near = try await bench.report(suite("device"))
    #expect(near.word == "pass")
  }

  // MARK: Suites

  @Test func whatIsWrongWithASuite() async throws {
    let bench = try EmbeddingBench()
    defer { bench.close() }
    for (from, to, words) in [
      (#""target": false, "#, "", "makes vectors, which answer no case"),
      (
        #""embeddingSimilarity": "the reference""#,
        #""embeddingSimilarity": "the reference", "by": "subject""#,
        "no profile \"subject\" that embeds"
      ),
      (
        #""embeddingSimilarity": "the reference""#, #""judge": "it is right", "by": "embedder""#,
        "no profile 'embedder' to judge"
      ),
      (
        #""version": 1,"#,
        #""version": 1, "routes": {"r": {"policy": "p", "version": 1, "rules": [{"else": true, "use": ["embedder"]}]}},"#,
        "'embedder'"
      ),
    ] {
      let suite = bench.suite()
      #expect(suite.contains(from), "\(from)")
      try bench.tool.write("bad.json", suite.replacingOccurrences(of: from, with: to))
      let result = try await bench.tool.run(["validate", "bad.json"])
      #expect(result.code == 2, "\(to)")
      #expect(
        result.errors.contains(words) || result.output.contains(words), "\(result.errors)\(result.output)")
    }
  }
}
