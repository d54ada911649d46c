import EvalTestSupport
import Foundation
import Synchronization

/// A suite of one subject and one judge on one server, and what a test makes the judge answer.
struct JudgeBench {
  /// A question as the judge's endpoint gets it.
  struct Asked {
    var body: [String: Any]
    /// The call's code, from the form in the system text.
    var code: String
    /// Everything that the user's message says.
    var prompt: String
    /// 1-based over all questions.
    var number: Int

    /// The text between the marks of the answer's section.
    var answer: String {
      let parts = prompt.components(separatedBy: "<<<ANSWER \(code)>>>\n")
      guard parts.count == 2 else { return "(\(parts.count - 1) sections)" }
      return parts[1].components(separatedBy: "\n<<<END ANSWER \(code)>>>")[0]
    }

    /// One of the two answers of a comparison, by its place from 1.
    func shown(_ place: Int) -> String {
      let parts = prompt.components(separatedBy: "<<<ANSWER \(place) \(code)>>>\n")
      guard parts.count == 2 else { return "(\(parts.count - 1) sections)" }
      return parts[1].components(separatedBy: "\n<<<END ANSWER \(place) \(code)>>>")[0]
    }

    func preference(_ better: String) -> String {
      #"{"verdict": "\#(code)", "reason": "so it is", "better": "\#(better)"}"#
    }

    func verdict(_ level: String = "\"4\"", code other: String? = nil) -> String {
      #"{"verdict": "\#(other ?? code)", "scores": {"right": {"reason": "so it is", "level": \#(level)}}}"#
    }
  }

  let tool: Tool
  let server: StubServer

  /// - Parameters:
  ///   - answer: what the subject says.
  ///   - answers: the same by model, where there are several subjects.
  ///   - judge: what the judge does.
  init(
    answer: String = "It is Paris.", answers: [String: String] = [:],
    judge: @escaping @Sendable (Asked, StubReply) -> Void
  ) throws {
    tool = try Tool()
    let count = Mutex(0)
    server = try StubServer { request, reply in
      let body = (try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]) ?? [:]
      let model = body["model"] as? String ?? ""
      guard model == "judge-model" else { return reply.say(answers[model] ?? answer) }
      let messages = body["messages"] as? [[String: Any]] ?? []
      let system = messages.first?["content"] as? String ?? ""
      let code = system.components(separatedBy: "{\"verdict\": \"").last?.prefix(16) ?? ""
      let number = count.withLock {
        $0 += 1
        return $0
      }
      judge(
        Asked(
          body: body, code: String(code), prompt: messages.last?["content"] as? String ?? "", number: number),
        reply)
    }
  }

  func close() {
    server.stop()
    tool.remove()
  }

  func suite(
    cases: Int = 1, judge: String = "", rubric: String = "",
    checks: String = #"[{"rubric": "r", "threshold": 0.5}]"#,
    run: String = ""
  ) -> String {
    let list = (0..<cases).map { #"{"id": "c\#($0)", "input": "say \#($0)"}"# }.joined(separator: ",")
    return """
      {"version": 1, "name": "judged",
       "profiles": {
         "subject": {"endpoint": "\(server.url)/v1", "model": "m", "price": "free"},
         "judge": {"endpoint": "\(server.url)/v1", "model": "judge-model", "target": false,
                   "price": {"input": 1000, "output": 10000}\(judge)}},
       "rubrics": {"r": {"judge": "judge", "criteria": {"right": {"question": "Is it right?",
         "levels": ["Wrong.", "Partly wrong.", "Nearly right.", "Right."]}}\(rubric)}},
       "cases": [\(list)], "checks": \(checks),
       "run": {"retries": {"limit": 1, "baseDelay": "1ms"}\(run)}}
      """
  }

  /// Several subjects, called as their models are, whose answers are compared.
  func comparing(_ models: [String], cases: Int, run: String = "") -> String {
    let subjects = models.map {
      #""\#($0)": {"endpoint": "\#(server.url)/v1", "model": "\#($0)", "price": "free"}"#
    }
    let list = (0..<cases).map {
      #"{"id": "c\#($0)", "input": "say \#($0)", "checks": [{"contains": "It"}]}"#
    }
    return """
      {"version": 1, "name": "compared", "defaults": {"judge": "judge"},
       "profiles": {\(subjects.joined(separator: ", ")),
         "judge": {"endpoint": "\(server.url)/v1", "model": "judge-model", "target": false, "price": "free"}},
       "comparisons": {"better": {"question": "Which is right?"}},
       "cases": [\(list.joined(separator: ", "))], "run": {"retries": {"limit": 0}\(run)}}
      """
  }

  /// Runs the suite and reads its JSON report.
  func report(_ suite: String? = nil, _ options: [String] = []) async throws -> Report {
    try tool.write("s.json", suite ?? self.suite())
    let result = try await tool.run(["s.json", "--no-reports"] + options)
    let json = try await tool.run(["report", "latest", "--format", "json"])
    let value = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any] ?? [:]
    return Report(code: result.code, output: result.output, errors: result.errors, json: value)
  }

  struct Report {
    var code: Int32
    var output: String
    var errors: String
    var json: [String: Any]

    var judging: [String: Any] { json["judging"] as? [String: Any] ?? [:] }
    var judge: [String: Any] { (judging["judges"] as? [[String: Any]])?.first ?? [:] }
    var target: [String: Any] { (json["targets"] as? [[String: Any]])?.first ?? [:] }
    var check: [String: Any] { (target["checks"] as? [[String: Any]])?.first ?? [:] }
    /// Why questions had no verdict, with how many.
    var unread: [String: Int] {
      let list = judge["unread"] as? [[String: Any]] ?? []
      return Dictionary(
        uniqueKeysWithValues: list.map { ($0["fault"] as? String ?? "", $0["n"] as? Int ?? 0) })
    }
    /// `pass`, `fail`, or the reason for no score.
    var word: String {
      if check["verdicts"] as? Int == 1 { return check["passes"] as? Int == 1 ? "pass" : "fail" }
      return ((check["unscored"] as? [[String: Any]])?.first?["reason"] as? String) ?? "?"
    }
    var value: Double? { (check["value"] as? [String: Any])?["value"] as? Double }
    var pairs: [[String: Any]] { judging["comparisons"] as? [[String: Any]] ?? [] }
    var forced: [String: Int] { judge["forced"] as? [String: Int] ?? [:] }
  }
}

extension StubReply {
  /// A whole streamed answer with any text.
  func say(
    _ text: String, finish: String = "stop", refusal: String? = nil,
    tool: (name: String, arguments: String)? = nil
  ) {
    func json(_ value: Any) -> String {
      String(
        decoding: (try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys])) ?? Data(),
        as: UTF8.self)
    }
    func event(_ delta: [String: Any], _ finish: String? = nil) {
      var choice: [String: Any] = ["index": 0, "delta": delta]
      if let finish { choice["finish_reason"] = finish }
      chunk("data: \(json(["model": "m", "choices": [choice]]))\n\n")
    }
    sseHead()
    event(["role": "assistant", "content": ""])
    if !text.isEmpty { event(["content": text]) }
    if let refusal { event(["refusal": refusal]) }
    if let tool {
      event([
        "tool_calls": [
          [
            "index": 0, "id": "call_1", "type": "function",
            "function": ["name": tool.name, "arguments": tool.arguments],
          ]
        ]
      ])
    }
    event([:], finish)
    chunk(
      "data: \(json(["choices": [], "usage": ["prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9]]))\n\n"
    )
    chunk("data: [DONE]\n\n")
    self.finish()
  }
}
