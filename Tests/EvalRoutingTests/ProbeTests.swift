import EvalCore
import Testing

@testable import EvalRouting

/// Probes, stories and lint.
struct ProbeTests {
  private func probes(_ text: String, _ policy: RoutePolicy) -> (probes: [Probe], problems: [Problem]) {
    ProbeReader(policy).read(SourceText(name: "probes.jsonl", bytes: Array(text.utf8)))
  }

  private static let policyText = chain(
    #"["device", "private", "cloud"]"#,
    onError:
      #"{"rateLimited": {"retry": 1, "then": "next"}, "network": "next", "guardrail": "nextSameBoundary"}"#,
    more: #", "accept": {"arms": ["device"], "when": {"finish": "stop"}}"#)

  @Test(
    arguments: [
      (#"{"signals": {}, "expectArms": ["device"]}"#, []),
      (
        #"{"signals": {"sensitivity": "public", "consent": true}, "errors": {"device": "rateLimited"}, "expectArms": ["device", "device", "private"]}"#,
        []
      ),
      (
        #"{"signals": {"sensitivity": "public", "consent": true}, "errors": {"device": "rateLimited", "private": "network"}, "mustNot": ["thirdParty"]}"#,
        []
      ),
      (
        #"{"signals": {"sensitivity": "public", "consent": true}, "errors": {"device": "network", "private": "overloaded"}, "expectArms": ["device", "private"]}"#,
        []
      ),
      (
        #"{"signals": {"sensitivity": "public", "consent": true}, "errors": {"device": "network", "private": "network"}, "mustNot": ["thirdParty", "private"]}"#,
        ["called cloud, which is thirdParty", "called private, which it must not"]
      ),
      (
        #"{"signals": {"sensitivity": "private"}, "errors": {"device": "guardrail"}, "expectArms": ["device", "private"]}"#,
        ["expected device → private, called device"]
      ),
      (
        #"{"signals": {"sensitivity": "private"}, "errors": {"device": "notAccepted"}, "expectArms": ["device", "private"]}"#,
        []
      ),
      (#"{"signals": {"sensitivity": "private"}, "tokensIn": 5000, "expectArms": ["private"]}"#, []),
      (
        #"{"signals": {"sensitivity": "private"}, "tokensIn": {"device": 50}, "expectArms": ["private"]}"#,
        ["expected private, called device"]
      ),
      (#"{"signals": {"pinned": "cloud"}, "expectArms": []}"#, []),
      (#"{"signals": {"pinned": "cloud"}, "expectArms": ["cloud"]}"#, ["expected cloud, called no call"]),
    ] as [(String, [String])])
  func aProbeIsHeldAgainstTheWholeChain(line: String, misses: [String]) throws {
    let policy = try policy(Self.policyText)
    let (probes, problems) = probes(line, policy)
    #expect(problems.isEmpty, "\(problems)")
    #expect(probes.map { ProbeRun(policy).result(of: $0).misses } == [misses])
  }

  @Test func whatIsWrongWithProbesIsToldByLine() throws {
    let text = """
      {"signals": {}, "expectArms": ["device"]}

      {"signals": {"lowPower": "yes", "sensitivty": "x"}, "expectArm": ["device"]}
      {"signals": {}, "expectArms": ["devise"], "mustNot": ["third"], "errors": {"device": "gaurdrail", "x": "network"}}
      {"signals": {"budget": {"case": -1}, "latencyTarget": "soon"}, "mustNot": [], "tokensIn": {"nobody": 3, "device": 1.5}}
      {"signals": {}
      """
    let (probes, problems) = probes(text, try policy(Self.policyText))
    #expect(probes.count == 1 && probes[0].line == 1)
    let told = problems.map {
      "\($0.location?.line ?? 0):\($0.location?.column ?? 0) \($0.path ?? "") \($0.message)"
    }
    #expect(
      told == [
        "3:1  a probe expects something", "3:26 signals.lowPower expected true or false, found \"yes\"",
        "3:33 signals.sensitivty 'sensitivty' is not a signal",
        "3:53 expectArm 'expectArm' is not a key of a probe", "4:32 expectArms[0] there is no 'devise' here",
        "4:55 mustNot[0] there is no 'third' here", "4:86 errors.device 'gaurdrail' is no error",
        "4:99 errors.x 'x' is not a key of the errors",
        "5:24 signals.budget expected at least 0 at case, found an object",
        "5:55 signals.latencyTarget expected a duration such as \"500ms\" or \"10s\", or seconds as a number, found \"soon\"",
        "5:92 tokensIn.nobody 'nobody' is not a key of the tokens by arm",
        "5:115 tokensIn.device expected a whole number from 0 to 1000000000, found 1.5",
        "6:15  unexpected end of text",
      ])
    #expect(self.probes("\n", try policy(Self.policyText)).problems[0].message == "probes.jsonl has no probe")
  }

  @Test func theStoryNamesRuleReasonsAndEnd() throws {
    let policy = try policy(
      """
      {"policy": "careful", "version": 1, "rules": [
        {"name": "small", "when": {"tokensIn": {"atMost": 500}, "task": "plan"}, "use": ["device"]},
        {"else": true, "use": ["cloud", "private"]}], "onError": {"network": "next"}}
      """)
    let signals: JSONObject = ["sensitivity": "private", "task": "rewrite"]
    let story = RouteStory(policy, facts(signals), ends: ["private": try #require(WalkEnd(word: "network"))])
    #expect(
      story.lines == [
        "policy careful (\(policy.hash.short))", "small does not",
        "  tokensIn.device ≤ 500: 100 (estimated), so yes", #"  task = "plan": "rewrite" (case), so no"#,
        "rules[1] takes the case", "  use cloud, private",
        "1. private (privateCloud) is called: the first arm that may answer",
        "  cloud (100 tokens estimated, fits): no",
        "    boundary: thirdParty is beyond privateCloud, the limit for private content",
        "    consent: the person has not agreed to thirdParty",
        "  private (100 tokens estimated, fits): chosen", "  it fails: network",
        "  cloud (100 tokens estimated, fits): no",
        "    passed: it stands before the arm that was called",
        "    boundary: thirdParty is beyond privateCloud, the limit for private content",
        "    consent: the person has not agreed to thirdParty",
        "  private (100 tokens estimated, fits): no", "    tried: it was called already",
        "stopped: onError.network is next, but no arm is left", "served: the failure of private",
      ])
    #expect(story.json["calls"]?[0]?["arm"] == "private" && story.json["end"] == "served")
  }

  @Test func aDecisionRecordSaysEverythingAndIsTheSameEveryTime() throws {
    let policy = try policy(
      #"{"policy": "p", "version": 1, "rules": [{"name": "r", "when": {"tokensIn": {"atMost": 500}}, "use": ["cloud", "device"]}]}"#
    )
    let facts = facts(["sensitivity": "secret", "consent": true, "task": "x"])
    let record = try #require(decision(policy.next(facts)))
    #expect(record == decision(policy.next(facts)))
    let expected: JSONValue = [
      "policy": .string(policy.hash.short), "rule": ["index": 0, "name": "r"],
      "signals": [
        "tokensIn.cloud": ["value": 100, "source": "estimated"],
        "sensitivity": ["value": "secret", "source": "case"],
        "consent": ["value": ["device", "privateCloud", "thirdParty"], "source": "case"],
      ],
      "candidates": [
        [
          "arm": "cloud", "boundary": "thirdParty", "tokensIn": 100, "tokensFrom": "estimated", "fits": true,
          "rejected": ["boundary: thirdParty is beyond device, the limit for secret content"],
        ],
        [
          "arm": "device", "boundary": "device", "tokensIn": 100, "tokensFrom": "estimated", "fits": true,
          "rejected": [],
        ],
      ],
      "arm": "device", "boundary": "device", "cause": "first",
    ]
    #expect(record.jsonEquals(expected), "\(record.serialized())")
  }
}

struct LintTests {
  private func findings(_ text: String, arms: [ArmTraits]? = threeArms) throws -> [String] {
    PolicyLint(try policy(text, arms: arms)).findings.map { "\($0.path ?? "") \($0.message)" }
  }

  @Test func anOrderlyPolicyHasNoFinding() throws {
    #expect(
      try findings(chain(#"["device", "private", "cloud"]"#, onError: ErrorTableTests.defaults)).isEmpty)
  }

  @Test func partsThatCanNeverMatterAreNamed() throws {
    let text = """
      {"policy": "p", "version": 1, "rules": [
        {"when": {"lowPower": true}, "use": ["device"]},
        {"when": {"lowPower": false}, "use": ["device"]},
        {"when": {"any": [{"lowPower": true, "turn": 0}, {"network": "offline"}]}, "use": ["device"]}],
       "onError": {"network": "next", "service": "stop"}, "accept": {"when": {"finish": "stop"}}}
      """
    #expect(
      try findings(text) == [
        "rules[2].when 'lowPower = true and turn = 0' never counts here: rules[0] takes those cases",
        "arms.cloud no rule uses the arm 'cloud'", "arms.private no rule uses the arm 'private'",
        "onError.network no rule has a second arm, so 'next' never finds one",
        "accept[0] no rule has an arm behind one whose answers this judges, so it changes nothing",
        #"rules cases that no rule takes are blocked, such as {"consent":["device"]}"#,
      ])
  }

  @Test func aRuleThatOthersCoverTogetherIsFoundByTheTable() throws {
    let text = """
      {"policy": "p", "version": 1, "rules": [
        {"when": {"tokensIn": {"atMost": 10}}, "use": ["device"]},
        {"when": {"tokensIn": {"atLeast": 11}}, "use": ["device"]},
        {"when": {"tokensIn": {"atLeast": 5, "atMost": 15}}, "use": ["device"]}]}
      """
    let lint = PolicyLint(try policy(text))
    #expect(lint.table.isExhaustive && lint.findings.first?.path == "rules[2]")
  }

  /// 0.02 dollars less 1,200 tokens of output at 15 dollars a million leave 666 tokens of input at 3.
  @Test func anArmThatIsTooDearForEveryCaseIsFound() throws {
    let dear = chain(
      #"["cloud", "device"]"#, more: #", "constraints": {"maxCostPerCase": 0.0179, "reserveOutput": 1200}"#)
    #expect(try findings(dear).contains { $0.hasPrefix("rules[0].use[0] none of the ") })
    let fair = dear.replacing("0.0179", with: "0.02")
    #expect(try !findings(fair).contains { $0.contains("calls 'cloud'") })
    let row = try #require(PolicyLint(try policy(fair)).table.rows.first { $0.arms.first == "cloud" })
    #expect(row.when.contains { $0.signal == "tokensIn" && $0.values == "1|666" }, "\(row.when)")
  }

  @Test func theTableCountsEveryCombinationOnce() throws {
    let text = """
      {"policy": "p", "version": 1, "rules": [{"when": {"network": "offline"}, "use": ["device"]},
       {"else": true, "use": ["device"]}]}
      """
    let table = DecisionTable(try policy(text, arms: [threeArms[0]]))
    // 5 sensitivities, consent to nothing, 3 networks and none, tokens 1 and at the edge of the window.
    #expect(table.combinations == 5 * 1 * 4 * 3 && table.isExhaustive)
    #expect(table.rows.filter { $0.rule == "rules[0]" }.map(\.cases).reduce(0, +) == 15)
    #expect(table.rows.map(\.cases).reduce(0, +) == 60)
  }

  @Test func whatIsTooMuchIsSampledAndSaysSo() throws {
    let tests = (0..<12).map { #"{"custom.f\#($0)": true}"# }.joined(separator: ", ")
    let table = DecisionTable(
      try policy(
        #"{"policy": "p", "version": 1, "rules": [{"when": {"all": [\#(tests)]}, "use": ["device"]}, {"else": true, "use": ["device"]}]}"#,
        arms: [threeArms[0]]))
    #expect(!table.isExhaustive && table.cases == LintSamples.limit && table.combinations > table.cases)
  }

  @Test func aFindingStandsWhereItsPathLeads() throws {
    let text =
      "{\"policy\": \"p\", \"version\": 1,\n \"rules\": [\n  {\"else\": true, \"use\": [\"device\"]}]}"
    let source = SourceText(name: "p.json", bytes: Array(text.utf8))
    let document = try JSONDocument(parsing: source.bytes)
    let placed = PolicySource(source, root: document.root).placed(
      Problem(.warning, "x", path: "rules[0].use[0]"))
    #expect(placed.location == SourceLocation(file: "p.json", line: 3, column: 26))
  }
}
