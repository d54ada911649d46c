import EvalTestSupport
import Foundation

/// Two subjects and a judge of known errors on one server: 40 cases, of which every even one gets a right answer.
///
/// The judge passes 18 of 20 right answers and 4 of 20 wrong ones, of either subject.
struct LabelBench {
  let tool: Tool
  let server: StubServer

  init() throws {
    tool = try Tool()
    server = try StubServer { request, reply in
      let body = (try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]) ?? [:]
      let messages = body["messages"] as? [[String: Any]] ?? []
      let prompt = messages.last?["content"] as? String ?? ""
      guard body["model"] as? String == "judge-model" else {
        let number = Int(prompt.split(separator: " ").last ?? "") ?? 0
        return reply.say(LabelBench.answer(number))
      }
      let system = messages.first?["content"] as? String ?? ""
      let code = system.components(separatedBy: "{\"verdict\": \"").last?.prefix(16) ?? ""
      let level = prompt.contains("zeta") ? "yes" : "no"
      reply.say(
        #"{"verdict": "\#(code)", "scores": {"holds": {"reason": "so it is", "level": "\#(level)"}}}"#)
    }
  }

  /// `zeta` is what the judge looks for; what is right is for people to see.
  static func answer(_ number: Int) -> String {
    let isRight = number % 2 == 0
    let passes = isRight ? number >= 4 : number < 8
    return "\u{1B}[2JIt is \(isRight ? "right" : "wrong"), \(passes ? "zeta" : "eta") \(number)."
  }

  func close() {
    server.stop()
    tool.remove()
  }

  func suite(sentence: String = "The answer is right.", cases: Int = 40, extra: String = "") -> String {
    let list = (0..<cases).map { #"{"id": "c\#($0)", "input": "say \#($0)"}"# }.joined(separator: ",")
    return """
      {"version": 1, "name": "labelled",
       "profiles": {
         "arm-one": {"endpoint": "\(server.url)/v1", "model": "m1", "price": "free"},
         "arm-two": {"endpoint": "\(server.url)/v1", "model": "m2", "price": "free"},
         "critic": {"endpoint": "\(server.url)/v1", "model": "judge-model", "target": false, "price": "free"}},
       "cases": [\(list)],
       "checks": [{"judge": "\(sentence)", "name": "good", "by": "critic"}\(extra)],
       "run": {"retries": {"limit": 0}}}
      """
  }

  func run(_ suite: String? = nil, _ options: [String] = []) async throws -> Tool.Result {
    try tool.write("s.json", suite ?? self.suite())
    return try await tool.run(["s.json", "--no-reports"] + options)
  }

  func json(_ arguments: [String]) async throws -> [String: Any] {
    let result = try await tool.run(arguments + ["--format", "json"])
    return try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any] ?? [:]
  }

  /// The lines of a file of labels, its head first.
  func lines(_ name: String) throws -> [[String: Any]] {
    let text = try String(contentsOf: tool.folder.appendingPathComponent(name), encoding: .utf8)
    return try text.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
  }

  /// Labels every question of a file as a person would who reads the answers.
  func label(_ name: String) throws {
    let file = tool.folder.appendingPathComponent(name)
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line -> String in
      let word = line.contains("It is right") ? "pass" : "fail"
      return line.replacingOccurrences(of: "\"label\":null", with: "\"label\":\"\(word)\"")
    }
    try tool.write(name, lines.joined(separator: "\n") + "\n")
  }
}
