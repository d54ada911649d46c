import EvalTestSupport
import Foundation
import Synchronization

/// A suite of one subject and one embedder on one server.
struct EmbeddingBench {
  let tool: Tool
  let server: StubServer
  private let form: String
  private let seen: Seen

  private final class Seen: Sendable {
    let texts = Mutex<[String]>([])
    let keys = Mutex<Set<String>>([])
  }

  /// Every text that the embedder was asked for.
  var texts: [String] { seen.texts.withLock { $0 } }
  /// What the embedder's calls carried as their key.
  var keys: Set<String> { seen.keys.withLock { $0 } }

  /// - Parameters:
  ///   - embed: what the embedder does with some texts; a vector by their length unless given.
  init(
    form: String = "float", answer: String? = nil,
    embed: (@Sendable ([String], StubReply) -> Void)? = nil
  ) throws {
    tool = try Tool()
    self.form = form
    let seen = Seen()
    self.seen = seen
    server = try StubServer { request, reply in
      let body = (try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]) ?? [:]
      guard request.path.contains("embed") else {
        let messages = body["messages"] as? [[String: Any]] ?? []
        return reply.say(answer ?? "answer to \(messages.last?["content"] as? String ?? "")")
      }
      let texts = body["input"] as? [String] ?? [body["prompt"] as? String ?? ""]
      seen.texts.withLock { $0 += texts }
      if let key = request.header("authorization") { seen.keys.withLock { _ = $0.insert(key) } }
      if let embed { return embed(texts, reply) }
      Self.answer(texts, form, reply)
    }
  }

  /// The reference is (1, 2), everything else (2, 1).
  private static func answer(_ texts: [String], _ form: String, _ reply: StubReply) {
    let vectors = texts.map { $0 == "the reference" ? [1, 2] : [2, 1] }
    switch form {
    case "ollama":
      reply.json(200, #"{"model": "m", "embeddings": \#(vectors), "prompt_eval_count": 9}"#)
    case "ollama older": reply.json(200, #"{"embedding": \#(vectors[0])}"#)
    default:
      let items = vectors.enumerated().map { index, vector in
        // 1.0 and 2.0 as four bytes each, the least significant first.
        let packed = vector == [1, 2] ? "\"AACAPwAAAEA=\"" : "\"AAAAQAAAgD8=\""
        return #"{"index": \#(index), "embedding": \#(form == "base64" ? packed : "\(vector)")}"#
      }
      reply.json(
        200,
        #"{"data": [\#(items.joined(separator: ", "))], "model": "m", "usage": {"prompt_tokens": 9, "total_tokens": 9}}"#
      )
    }
  }

  func close() {
    server.stop()
    tool.remove()
  }

  func suite(cases: Int = 1, embedder: String = "", signals: String = "", run: String = "") -> String {
    let list = (0..<cases).map { #"{"id": "c\#($0)", "input": "say \#($0)"\#(signals)}"# }
    let place =
      switch form {
      case "ollama": #""provider": "ollama-embeddings", "endpoint": "\#(server.url)""#
      case "ollama older": #""provider": "ollama-embeddings", "endpoint": "\#(server.url)/api/embeddings""#
      default:
        #""provider": "openai-embeddings", "endpoint": "\#(server.url)/v1", "key": {"env": "EMBED_KEY"}"#
      }
    return """
      {"version": 1, "name": "embedded",
       "profiles": {
         "subject": {"endpoint": "\(server.url)/v1", "model": "m", "price": "free"},
         "embedder": {"target": false, \(place), "model": "embed-model", "price": {"input": 1000, "output": 0}\(embedder)}},
       "cases": [\(list.joined(separator: ", "))], "checks": [{"embeddingSimilarity": "the reference"}],
       "run": {"retries": {"limit": 1, "baseDelay": "1ms"}\(run)}}
      """
  }

  /// Runs the suite and reads its JSON report.
  func report(_ suite: String? = nil, _ options: [String] = [], db: String? = nil) async throws -> Report {
    try tool.write("s.json", suite ?? self.suite())
    let result = try await tool.run(
      ["s.json", "--no-reports"] + options, environment: ["EMBED_KEY": "sk-embedder-0815"])
    let json = try await tool.run(
      ["report", "latest", "--format", "json"] + (db.map { ["--db", $0] } ?? []))
    let value = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any] ?? [:]
    return Report(
      JudgeBench.Report(code: result.code, output: result.output, errors: result.errors, json: value))
  }

  /// The judges' report with the embedder's books.
  @dynamicMemberLookup struct Report {
    private let base: JudgeBench.Report

    init(_ base: JudgeBench.Report) { self.base = base }

    subscript<Value>(dynamicMember path: KeyPath<JudgeBench.Report, Value>) -> Value { base[keyPath: path] }

    var embedder: [String: Any] { (base.judging["embedders"] as? [[String: Any]])?.first ?? [:] }
  }
}
