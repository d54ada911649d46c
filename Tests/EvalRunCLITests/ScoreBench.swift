import EvalCore
import EvalStore
import EvalTestSupport
import Foundation

/// A run whose answers are of every kind, with a judge, on one server that knows who was asked.
struct ScoreBench {
  let tool: Tool
  let server: StubServer

  init(judge: @escaping @Sendable (StubReply) -> Void = { _ in }) throws {
    tool = try Tool()
    server = try StubServer { request, reply in
      let body = (try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]) ?? [:]
      let messages = body["messages"] as? [[String: Any]] ?? []
      let last = messages.last?["content"] as? String ?? ""
      guard body["model"] as? String == "judge-model" else {
        return ScoreBench.answer(last, messages, body["model"] as? String ?? "", reply)
      }
      judge(reply)
      let system = messages.first?["content"] as? String ?? ""
      let code = system.components(separatedBy: "{\"verdict\": \"").last?.prefix(16) ?? ""
      let level = last.contains("Paris") ? 4 : last.contains("Lyon") ? 1 : 2
      reply.say(
        #"{"verdict": "\#(code)", "scores": {"right": {"reason": "level \#(level)", "level": "\#(level)"}}}"#)
    }
  }

  func close() {
    server.stop()
    tool.remove()
  }

  private static func answer(
    _ input: String, _ messages: [[String: Any]], _ model: String, _ reply: StubReply
  ) {
    switch input {
    case "break": reply.json(500, #"{"error": {"message": "out of order"}}"#)
    case "refuse": reply.say("", refusal: "I cannot help with that.")
    case "empty": reply.say("")
    case "json": reply.say(#"{"city": "Paris", "people": 2100000, "tags": ["a", "b"]}"#)
    case "call":
      reply.say("", finish: "tool_calls", tool: (name: "find", arguments: #"{"name": "Ada"}"#))
    case "cut": reply.say("It is Par", finish: "length")
    default:
      if messages.last?["role"] as? String == "tool" { return reply.say("Ada lives in Paris.") }
      reply.say(model == "weak" ? "It is Lyon." : "It is Paris, \(messages.count) messages long.")
    }
  }

  /// Requests to judges, and to anybody else.
  var asked: (judges: Int, subjects: Int) {
    let judges = server.requests.count { $0.bodyText.contains("judge-model") }
    return (judges, server.requests.count - judges)
  }

  /// - Parameters:
  ///   - plain: a check of the case `plain`.
  ///   - cases: more of them.
  func suite(
    plain: String = #"{"contains": "Paris"}"#, cases: String = "", checks: String = "", judge: String = "",
    run: String = ""
  ) -> String {
    """
    {"version": 1, "name": "scored",
     "profiles": {
       "strong": {"endpoint": "\(server.url)/v1", "model": "strong", "price": {"input": 10, "output": 20},
         "boundary": "device", "tools": [{"name": "find", "description": "Finds somebody.",
           "parameters": {"type": "object", "properties": {"name": {"type": "string"}}}}]},
       "weak": {"endpoint": "\(server.url)/v1", "model": "weak", "price": "free", "boundary": "device"},
       "judge": {"endpoint": "\(server.url)/v1", "model": "judge-model", "target": false,
         "price": {"input": 1000, "output": 10000}\(judge)}},
     "routes": {"cascade": {"version": 1, "rules": [{"else": true, "use": ["weak", "strong"]}],
       "accept": {"arms": ["weak"], "when": {"signal": "check.names-paris", "atLeast": 1}}}},
     "rubrics": {"r": {"judge": "judge", "criteria": {"right": {"question": "Is it right?",
       "levels": ["Wrong.", "Partly wrong.", "Nearly right.", "Right."]}}}},
     "cases": [
       {"id": "plain", "input": "capital?", "checks": [\(plain)]},
       {"id": "many", "input": "capital!", "reference": "It is Paris.", "tags": ["t"], "checks": [
         {"similarity": "tokenF1"}, {"regex": "Par.s", "weight": 2}, {"length": {"max": 3}, "unit": "words"},
         {"latency": {"atMost": "60s"}}, {"cost": {"atMost": 0.5}}, {"finish": "stop"},
         {"not": {"contains": "Rome"}}, {"length": {"max": 9}, "unit": "tokens", "name": "tokens"}]},
       {"id": "json", "input": "json", "checks": [
         {"jsonSchema": {"type": "object", "required": ["city"]}},
         {"fields": {"city": "exact", "people": {"compare": "number", "relativeTolerance": 0.1}},
          "expected": {"city": "Paris", "people": 2000000}}]},
       {"id": "turns", "checks": [{"regex": "messages"}], "turns": [
         {"input": "first?", "checks": [{"contains": "1 messages", "name": "one"}]},
         {"input": "second?", "checks": [{"contains": "3 messages", "name": "two"}]}]},
       {"id": "tools", "turns": [{"input": "call",
         "toolResults": [{"tool": "find", "result": "Ada lives in Paris."}],
         "checks": [{"toolCalls": [{"name": "find", "arguments": {"name": "Ada"}}]}]}]},
       {"id": "breaks", "input": "break", "checks": [{"contains": "x"}]},
       {"id": "refuses", "input": "refuse", "expects": "refusal"},
       {"id": "refuses too", "input": "refuse", "checks": [{"refusal": true}]},
       {"id": "empty", "input": "empty", "checks": [{"exact": ""}]},
       {"id": "cut", "input": "cut", "checks": [{"contains": "Paris"}]}\(cases)],
     "checks": [{"contains": "Paris", "name": "names-paris"}, {"rubric": "r", "threshold": 0.5}\(checks)],
     "run": {"retries": {"limit": 0}\(run)}}
    """
  }

  func store() throws -> RunStore {
    try RunStore(path: tool.folder.appendingPathComponent(".evalrun/evalrun.sqlite").path, access: .read)
  }

  /// What a grading says, by target, case and repeat.
  struct Graded: Equatable {
    var score: TrialScore
    var scores: [ScoreRecord]
  }

  func graded(_ set: String = "0") throws -> [String: Graded] {
    let store = try store()
    let run = try store.run(matching: "latest")
    var found: [String: Graded] = [:]
    try store.trials(run, scores: store.scoreSet(set, of: run.id)).forEachTrial { trial in
      found["\(trial.target) \(trial.caseID) \(trial.key.repeatIndex)"] = Graded(
        score: trial.score, scores: trial.scores)
    }
    return found
  }

  /// Runs `score latest` and reads what it prints as JSON.
  func score(_ options: [String], code: Int32 = 0) async throws -> [String: Any] {
    let result = try await tool.run(["score", "latest", "--format", "json"] + options)
    guard result.code == code else { throw Unexpected(result: result) }
    return try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any] ?? [:]
  }

  struct Unexpected: Error {
    var result: Tool.Result
  }
}

extension [String: Any] {
  func list(_ key: String) -> [[String: Any]] { self[key] as? [[String: Any]] ?? [] }
  func object(_ key: String) -> [String: Any] { self[key] as? [String: Any] ?? [:] }
}
