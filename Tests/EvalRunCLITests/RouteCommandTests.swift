import EvalCore
import Foundation
import Testing

/// `evalrun route test`, `explain` and `lint`, as a person runs them.
@Suite struct RouteCommandTests {
  private static let policy = """
    {
      "policy": "near", "version": 1,
      "arms": {"local": {"boundary": "device"}, "cloud": {"boundary": "thirdParty"}},
      "rules": [
        {"name": "offline", "when": {"network": "offline"}, "use": ["local"]},
        {"else": true, "use": ["cloud", "local"]}
      ],
      "onError": {"service": "next"}
    }
    """

  private func tool(_ probes: String = "") throws -> Tool {
    let tool = try Tool()
    try tool.write("policy.json", Self.policy)
    try tool.write("probes.jsonl", probes)
    return tool
  }

  @Test func `Probes that a policy meets end with 0, a miss with 1, a broken file with 2`() async throws {
    let right =
      #"{"signals": {"sensitivity": "public", "consent": true}, "errors": {"cloud": "service"}, "expectArms": ["cloud", "local"]}"#
    let tool = try tool(right)
    defer { tool.remove() }
    let met = try await tool.run(["route", "test", "policy.json", "probes.jsonl"])
    #expect(met.code == 0 && met.output == "1 probe, all as expected\n")

    try tool.write(
      "probes.jsonl",
      right + "\n"
        + #"{"name": "no leak", "signals": {"sensitivity": "public", "consent": true}, "mustNot": ["thirdParty"]}"#
    )
    let missed = try await tool.run(["route", "test", "policy.json", "probes.jsonl"])
    #expect(missed.code == 1)
    #expect(
      missed.output == "probes.jsonl:2: no leak: called cloud, which is thirdParty\n2 probes, 1 missed\n")
    #expect(missed.errors.contains("see evalrun route explain policy.json --signals"))
    let json = try await tool.run(["route", "test", "policy.json", "probes.jsonl", "--format", "json"])
    #expect(try JSONValue.parse(json.output)["missed"]?[0]?["line"] == 2)

    try tool.write("probes.jsonl", #"{"signals": {}, "expectArms": ["clod"]}"#)
    let broken = try await tool.run(["route", "test", "policy.json", "probes.jsonl"])
    #expect(broken.code == 2 && broken.output.isEmpty)
    #expect(broken.errors.contains("probes.jsonl:1:32: error: there is no 'clod' here (expectArms[0])"))
    #expect(broken.errors.contains("did you mean 'cloud'?"))
    #expect(try await tool.run(["route", "test", "policy.json", "nowhere.jsonl"]).code == 2)
  }

  @Test func `A question is answered as a story, and for machines`() async throws {
    let tool = try tool()
    defer { tool.remove() }
    let question = [
      "route", "explain", "policy.json", "--signals", #"{"sensitivity": "public", "consent": true}"#,
      "--tokens", "90",
      "--errors", "cloud=service",
    ]
    let story = try await tool.run(question)
    #expect(story.code == 0)
    #expect(story.output.contains("2. local (device) is called: instead, after overloaded"))
    #expect(story.output.hasSuffix("served: the answer of local\n"))
    let json = try JSONValue.parse(try await tool.run(question + ["--format", "json"]).output)
    #expect(json["calls"]?[1]?["cause"] == "fallback:overloaded" && json["served"] == "local")
    let wrong = try await tool.run(["route", "explain", "policy.json", "--signals", #"{"netwrk": 1}"#])
    #expect(wrong.code == 2 && wrong.errors.contains("did you mean 'network'?"))
  }

  @Test func `Lint tabulates a policy, and ends with 1 for one that is refused`() async throws {
    let tool = try tool()
    defer { tool.remove() }
    let lint = try await tool.run(["route", "lint", "policy.json"])
    #expect(lint.code == 0 && lint.errors.isEmpty, "\(lint.errors)")
    #expect(lint.output.contains("cloud, local") && lint.output.contains("all 40 kinds of case"))

    try tool.write(
      "policy.json",
      Self.policy.replacingOccurrences(
        of: "onError\": {\"service\": \"next\"", with: "onError\": {\"guardrail\": \"next\""))
    let refused = try await tool.run(["route", "lint", "policy.json"])
    #expect(refused.code == 1)
    #expect(
      refused.errors.contains(
        "policy.json:8:28: error: after a guardrail 'next' is only for cases that are public"))
    #expect(try await tool.run(["route", "explain", "policy.json"]).code == 2)

    try tool.write(
      "policy.json", Self.policy.replacingOccurrences(of: "[\"cloud\", \"local\"]", with: "[\"local\"]"))
    let doubtful = try await tool.run(["route", "lint", "policy.json"])
    #expect(
      doubtful.code == 0
        && doubtful.errors.contains("policy.json:3:54: warning: no rule uses the arm 'cloud'"))
    #expect(try await tool.run(["route", "lint", "policy.json", "--strict"]).code == 1)
    try tool.write("policy.json", "{")
    #expect(try await tool.run(["route", "lint", "policy.json"]).code == 2)
  }

  @Test func `A suite gives arms and privacy`() async throws {
    let tool = try tool(#"{"signals": {"sensitivity": "internal", "consent": true}, "expectArms": ["far"]}"#)
    defer { tool.remove() }
    let suite = { (privacy: String) in
      """
      {"version": 1, \(privacy)
       "profiles": {"far": {"endpoint": "https://example.org/v1", "model": "m", "boundary": "thirdParty", "price": "free"}},
       "cases": [{"input": "a", "checks": [{"contains": "a"}]}]}
      """
    }
    try tool.write(
      "policy.json", #"{"policy": "p", "version": 1, "rules": [{"else": true, "use": ["far"]}]}"#)
    let words = ["route", "test", "policy.json", "probes.jsonl", "--suite", "suite.json"]
    try tool.write("suite.json", suite(""))
    let strict = try await tool.run(words)
    #expect(strict.code == 1 && strict.output.contains("expected far, called no call"), "\(strict)")
    try tool.write("suite.json", suite(#""privacy": {"maxBoundary": {"internal": "thirdParty"}},"#))
    #expect(try await tool.run(words).code == 0)
  }

  @Test func `A group of commands lists them, and suggests the one that was meant`() async throws {
    let tool = try tool()
    defer { tool.remove() }
    let list = try await tool.run(["route", "--help"])
    #expect(list.code == 0 && list.output.contains("route explain"))
    #expect(try await tool.run(["route"]).code == 2)
    let wrong = try await tool.run(["route", "tset"])
    #expect(wrong.code == 2 && wrong.errors.contains("did you mean 'test'?"))
    #expect(try await tool.run(["help", "route", "test"]).output.hasPrefix("Hold a policy against probes"))
    #expect(try await tool.run(["help", "route"]).output == list.output)
  }
}
