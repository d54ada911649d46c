import EvalCore
import EvalTestSupport
import Foundation
import Testing

/// `evalrun route replay` and `route sweep` over a real run, with the real tool and no server.
@Suite(.timeLimit(.minutes(3))) struct RouteReplayTests {
  /// Ten cases of size 0…9: the near profile is right on 0…4, the far one on all but 9. One case is private.
  static func recorded(_ more: [String] = [], in tool: Tool) async throws {
    let world = try ReplayWorld()
    let cases = (0..<10).map { number in
      let signals =
        number == 2
        ? #"{"sensitivity": "private", "custom": {"size": 2}}"#
        : #"{"sensitivity": "public", "consent": true, "custom": {"size": \#(number)}}"#
      let near = number < 5 ? "right" : "wrong"
      let far = number < 9 ? "right" : "wrong"
      return ("c\(number)", "case \(number) near:\(near) far:\(far)", signals)
    }
    try tool.write("suite.json", world.suite(cases))
    let run = try await tool.run(["suite.json", "--no-reports"] + more)
    #expect(run.code == 0, "\(run.errors)")
    #expect(world.server.requests.count == 20)
    // From here on a call would fail.
    world.server.stop()
  }

  static let threshold = """
    {"policy": "threshold", "version": 1,
     "rules": [{"when": {"custom.size": {"atMost": 4}}, "use": ["near"]},
               {"else": true, "use": ["far", "near"]}],
     "onError": {"network": "next"}}
    """
  static let naive = """
    {"policy": "naive", "version": 1, "unprotected": "what everybody does",
     "rules": [{"else": true, "use": ["far", "near"]}], "onError": {"network": "next"}}
    """

  private func json(_ result: Tool.Result) throws -> JSONValue { try JSONValue.parse(result.output) }

  private func number(_ json: JSONValue?, _ path: String...) -> Double? {
    path.reduce(json) { $0?[$1] }?.doubleValue
  }

  @Test func `Policies are scored without a call, beside the arms, a coin and the oracle`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    try await Self.recorded(in: tool)
    try tool.write("threshold.json", Self.threshold)
    let result = try await tool.run(
      ["route", "replay", "latest", "--policy", "threshold.json", "--format", "json"])
    #expect(result.code == 0, "\(result.errors)")
    let report = try json(result)
    #expect(report["whatIf"] == true && report["scenario"] == [])
    let quadrants = report["quadrants"]
    #expect(quadrants?["rescue"]?.arrayValue?.count == 4 && quadrants?["safe"]?.arrayValue?.count == 5)
    #expect(quadrants?["hard"] == ["c9"])
    let arms = report["arms"]?.arrayValue ?? []
    #expect(arms.map { number($0, "quality", "value") } == [0.5, 0.9])
    let policy = report["policies"]?[0]
    // Sizes 0…4 near, all right; 5…9 far, one wrong; a call of far is 7 tokens in at $1 and 2 out at $2 a million.
    #expect(number(policy, "quality", "value") == 0.9)
    #expect(abs((number(policy, "costPerCase", "value") ?? 0) - 5 * 11e-6 / 10) < 1e-15)
    #expect(number(policy, "cloud", "thirdParty", "value") == 0.5)
    #expect(number(policy, "leaks", "calls") == 0)
    #expect(number(policy, "coverage", "exact") == 10)
    #expect(number(policy, "relative", "coin", "quality") == 0.7)
    #expect(abs((number(policy, "relative", "qualityOverCoin", "value") ?? 0) - 0.2) < 1e-12)
    // Far may not have the private case, but near is right there.
    #expect(number(report["oracle"], "quality", "value") == 0.9)
    #expect(policy?["origin"] == "threshold.json")
  }

  @Test func `Leaks end with exit code 1, are printed first, and pass only when asked`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    try await Self.recorded(in: tool)
    try tool.write("naive.json", Self.naive)
    try tool.write("threshold.json", Self.threshold)
    let command = ["route", "replay", "latest", "--policy", "threshold.json", "--policy", "naive.json"]
    let result = try await tool.run(command)
    #expect(result.code == 1)
    #expect(result.errors.contains("leaks: 1 call would have gone where they may not"), "\(result.errors)")
    let leaks = try #require(result.output.range(of: "LEAKS: naive 1"))
    let quadrants = try #require(result.output.range(of: "RESCUE"))
    let scores = try #require(result.output.range(of: "What-if scores"))
    #expect(leaks.lowerBound < quadrants.lowerBound && quadrants.lowerBound < scores.lowerBound)
    #expect(result.output.contains("unprotected: what"))
    let passed = try await tool.run(command + ["--no-fail"])
    #expect(passed.code == 0 && passed.errors.contains("--no-fail lets it pass"))
    let careful = try await tool.run(["route", "replay", "latest", "--policy", "threshold.json"])
    #expect(careful.code == 0 && !careful.output.contains("LEAKS"))
  }

  @Test(arguments: [
    // Far is down: near answers what far would have.
    (["--outage", "far"], 0.5, 0.0, "down: far"),
    // Nothing leaves without a network, with the same end.
    (["--offline"], 0.5, 0.0, #"network is "offline""#),
    (["--inject", "network=1, seed=3"], 0.5, 0.0, "network=1"),
    (["--prices", "prices.json"], 0.9, 0.5, "other prices: far"),
    (["--low-power"], 0.9, 0.5, "lowPower is true"),
  ])
  func `A what-if is applied, labelled and in the title`(
    _ options: [String], _ quality: Double, _ share: Double, _ words: String
  ) async throws {
    let tool = try Tool()
    defer { tool.remove() }
    try await Self.recorded(in: tool)
    try tool.write("threshold.json", Self.threshold)
    try tool.write("prices.json", #"{"far": {"input": 1000, "output": 2000}}"#)
    let command = ["route", "replay", "latest", "--policy", "threshold.json"] + options
    let report = try json(try await tool.run(command + ["--format", "json"]))
    let policy = report["policies"]?[0]
    #expect(number(policy, "quality", "value") == quality)
    #expect(number(policy, "cloud", "thirdParty", "value") == share)
    #expect(number(policy, "coverage", "exact") == 0 && number(policy, "coverage", "modeled") == 10)
    if options[0] == "--prices" {
      #expect(abs((number(policy, "costPerCase", "value") ?? 0) - 5 * 11e-3 / 10) < 1e-12)
    }
    let text = try await tool.run(command)
    #expect(text.output.prefix(200).contains("what if"), "\(text.output.prefix(300))")
    #expect(text.output.replacing("\n", with: " ").contains(words), "\(text.output.prefix(600))")
  }

  @Test func `A sweep chooses on half of the cases, and the policy it writes can be replayed`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    try await Self.recorded(in: tool)
    try tool.write("threshold.json", Self.threshold)
    let result = try await tool.run([
      "route", "sweep", "latest", "--policy", "threshold.json", "--vary",
      "rules[0].when.custom.size.atMost=0:9:1", "--vary",
      #"rules[1].use=["far","near"],["nowhere"],["near"]"#,
      "--subject-to", "cloudShare<=60%, leaks=0", "--out", "best.json", "--format", "json",
    ])
    #expect(result.code == 0, "\(result.errors)")
    let report = try json(result)
    #expect(report["policies"] == 20 && report["refused"] == 10)
    #expect(report["refusal"]?[0]?.stringValue?.contains("nowhere") == true)
    #expect(report["tuningCases"] == 5 && report["heldOutCases"] == 5)
    #expect((number(report["chosen"], "tuning", "cloudShare") ?? 1) <= 0.6)
    let best = try await tool.run(
      ["route", "replay", "latest", "--policy", "best.json", "--format", "json"])
    #expect(best.code == 0, "\(best.errors)")
    let tuned = try #require(number(report["chosen"], "tuning", "quality"))
    let other = try #require(number(report["chosen"], "heldOut", "quality"))
    let whole = try #require(number(try json(best)["policies"]?[0], "quality", "value"))
    // Both halves have five cases.
    #expect(abs((tuned + other) / 2 - whole) < 1e-12)
    #expect(abs((number(report["chosen"], "difference", "value") ?? 9) - (other - tuned)) < 1e-12)
    #expect(report["chosen"]?["hash"] == (try json(best))["policies"]?[0]?["hash"])
  }

  @Test func `What cannot be searched or replayed is refused with its place`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    try await Self.recorded(in: tool)
    try tool.write("threshold.json", Self.threshold)
    try tool.write(
      "broken.json", #"{"policy": "x", "version": 1, "rules": [{"else": true, "use": ["fra"]}]}"#)
    func refused(_ words: [String], _ lines: String...) async throws {
      let result = try await tool.run(words)
      #expect(result.code == 2 && result.output.isEmpty)
      for line in lines { #expect(result.errors.contains(line), "\(result.errors)") }
    }
    let sweep = ["route", "sweep", "latest", "--policy", "threshold.json"]
    try await refused(
      sweep + ["--vary", "rules[0].when.custom.sise.atMost=1:2:1", "--subject-to", "leak=0, cost<1"],
      "--vary:1:", "--subject-to:1:1: error: there is no metric 'leak'", "--subject-to:1:9:", "3 errors")
    try await refused(
      sweep + ["--vary", "constraints.maxAtempts=1,2"], "'maxAtempts' is not a key",
      "none of 2 variants is a right policy")
    try await refused(
      ["route", "replay", "latest", "--policy", "broken.json"], "broken.json:1:", "did you mean 'far'?")
    try await refused(
      [
        "route", "replay", "latest", "--policy", "threshold.json", "--inject", "netwrk=0.1", "--outage",
        "fra",
      ],
      "did you mean 'network'?", "did you mean 'far'?", "2 errors")
    try await refused(["route", "replay", "latest"], "no policy to replay")
    try await refused(["route", "replay", "latest", "--policy", "carful"], "the run has no route 'carful'")
    try await refused(
      ["route", "replay", "latest", "--policy", "threshold.json", "--weak", "x"], "--weak: the run has no arm"
    )
  }

  @Test func `A private run is replayed, and says what it cannot know`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    try await Self.recorded(["--private"], in: tool)
    try tool.write(
      "tokens.json",
      """
      {"policy": "tokens", "version": 1,
       "rules": [{"when": {"tokensIn": {"atMost": 7}}, "use": ["near"]}, {"else": true, "use": ["far", "near"]}]}
      """)
    let result = try await tool.run(
      ["route", "replay", "latest", "--policy", "tokens.json", "--format", "json"])
    #expect(result.code == 0, "\(result.errors)")
    let report = try json(result)
    #expect(report["tokenSources"]?["reported"] == 20)
    // The server reported 7 tokens for every input.
    #expect(number(report["policies"]?[0], "cloud", "any", "value") == 0)
    let text = try await tool.run(["route", "replay", "latest", "--policy", "tokens.json"])
    #expect(text.output.replacing("\n", with: " ").contains("its texts are not stored"))
  }
}
