import EvalCore
import Testing

@testable import EvalRouting

/// What conditions mean, each against a case that satisfies it and ones that do not.
struct ConditionTests {
  private func holds(_ when: String, _ signals: JSONObject, tokens: Int? = nil, turn: Int = 0) throws -> Bool
  {
    let text = """
      {"policy": "p", "version": 1, "rules": [{"when": \(when), "use": ["device"]}, {"else": true, "use": ["private"]}],
       "constraints": {"maxCostPerRun": 1, "reserveOutput": 1000}}
      """
    let policy = try policy(text)
    var facts = facts(signals, tokens: tokens)
    facts.turn = turn
    return policy.rule(taking: facts) == 0
  }

  @Test(
    arguments: [
      (#"{"network": "offline"}"#, ["network": "offline"], ["network": "online"]),
      (
        #"{"network": {"in": ["offline", "constrained"]}}"#, ["network": "constrained"], ["network": "online"]
      ),
      (#"{"network": {"not": "offline"}}"#, ["network": "online"], ["network": "offline"]),
      (
        #"{"network": {"not": ["offline", "constrained"]}}"#, ["network": "online"],
        ["network": "constrained"]
      ),
      (#"{"lowPower": true}"#, ["lowPower": true], ["lowPower": false]),
      (#"{"thermal": {"atLeast": "serious"}}"#, ["thermal": "critical"], ["thermal": "fair"]),
      (
        #"{"thermal": {"moreThan": "fair", "lessThan": "critical"}}"#, ["thermal": "serious"],
        ["thermal": "critical"]
      ),
      (#"{"sensitivity": {"atMost": "internal"}}"#, ["sensitivity": "public"], ["sensitivity": "private"]),
      (#"{"consent": true}"#, ["consent": true], ["consent": ["thirdParty"]]),
      (#"{"consent": false}"#, ["consent": []], ["consent": ["thirdParty"]]),
      (
        #"{"consent": {"contains": "thirdParty"}}"#, ["consent": ["thirdParty"]],
        ["consent": ["privateCloud"]]
      ),
      (#"{"needs": "tools"}"#, ["needs": ["tools", "images"]], ["needs": ["images"]]),
      (
        #"{"needs": {"contains": ["tools", "images"]}}"#, ["needs": ["images", "tools"]], ["needs": ["tools"]]
      ),
      (#"{"latencyTarget": {"atMost": "2s"}}"#, ["latencyTarget": "1500ms"], ["latencyTarget": 2.5]),
      (#"{"budget.case": {"atLeast": 0.01}}"#, ["budget": ["case": 0.01]], ["budget": ["case": 0.009]]),
      (#"{"budget.month": {"lessThan": 5}}"#, ["budget": ["month": 4.5]], ["budget": ["month": 5]]),
      (#"{"pinned": true}"#, ["pinned": "cloud"], [:]),
      (#"{"pinned": "cloud"}"#, ["pinned": "cloud"], ["pinned": "device"]),
      (#"{"custom.tier": "gold"}"#, ["custom": ["tier": "gold"]], ["custom": ["tier": "silver"]]),
      (#"{"custom.age": {"moreThan": 18}}"#, ["custom": ["age": 19]], ["custom": ["age": "nineteen"]]),
      (
        #"{"custom.flags": {"contains": "a"}}"#, ["custom": ["flags": ["b", "a"]]], ["custom": ["flags": "a"]]
      ),
      (
        #"{"task": "plan", "language": "de"}"#, ["task": "plan", "language": "de"],
        ["task": "plan", "language": "en"]
      ),
      (#"{"any": [{"task": "a"}, {"lowPower": true}]}"#, ["lowPower": true], ["lowPower": false]),
      (#"{"not": {"any": [{"task": "a"}, {"task": "b"}]}}"#, ["task": "c"], ["task": "b"]),
      (#"{"not": {"all": [{"task": "a"}, {"lowPower": true}]}}"#, ["task": "b"], ["task": "a"]),
    ] as [(String, JSONObject, JSONObject)])
  func aConditionTellsCasesApart(when: String, right: JSONObject, wrong: JSONObject) throws {
    #expect(try holds(when, right))
    #expect(try !holds(when, wrong))
  }

  /// An unknown satisfies neither a test nor its opposite.
  @Test(arguments: [
    #"{"network": "offline"}"#, #"{"network": {"not": "offline"}}"#, #"{"not": {"network": "offline"}}"#,
    #"{"not": {"not": {"network": "offline"}}}"#, #"{"sensitivity": {"not": "secret"}}"#,
    #"{"not": {"tokensIn": {"moreThan": 10}}}"#, #"{"not": {"custom.x": true}}"#,
    #"{"not": {"consent": true}}"#,
    #"{"not": {"needs": "tools"}}"#, #"{"fits": true}"#, #"{"not": {"fits": true}}"#,
  ])
  func whatIsMissingMatchesNothing(when: String) throws {
    #expect(try !holds(when, [:]))
    #expect(try !holds(when, ["network": 3, "sensitivity": "unknown", "custom": 1, "consent": "yes"]))
  }

  @Test func tokensAreThoseOfTheRulesFirstArmUnlessOneIsNamed() throws {
    var facts = facts([:])
    facts.arms["device"]?.tokensIn = .counted(900)
    facts.arms["cloud"]?.tokensIn = .counted(1100)
    func rule(_ when: String, _ use: String) throws -> Int? {
      try policy(
        """
        {"policy": "p", "version": 1, "rules": [{"when": \(when), "use": \(use)}, {"else": true, "use": ["private"]}]}
        """
      ).rule(taking: facts)
    }
    #expect(try rule(#"{"tokensIn": {"atMost": 1000}}"#, #"["device", "cloud"]"#) == 0)
    #expect(try rule(#"{"tokensIn": {"atMost": 1000}}"#, #"["cloud", "device"]"#) == 1)
    #expect(try rule(#"{"tokensIn.cloud": {"moreThan": 1000}}"#, #"["device"]"#) == 0)
    facts.signals["pinned"] = "cloud"
    #expect(try rule(#"{"tokensIn": {"atMost": 1000}}"#, #"["$pinned"]"#) == 1)
    facts.signals["pinned"] = "device"
    #expect(try rule(#"{"tokensIn": {"atMost": 1000}}"#, #"["$pinned"]"#) == 0)
  }

  /// 4096 · 0.95 = 3891.2, less 1000 for the answer.
  @Test(arguments: [(2891, true), (2892, false)]) func fitsHoldsReserveAndMarginBack(tokens: Int, fits: Bool)
    throws
  {
    #expect(try holds(#"{"fits": true}"#, [:], tokens: tokens) == fits)
    #expect(try holds(#"{"fits": false}"#, [:], tokens: tokens) == !fits)
  }

  @Test func theTurnAndTheMoneyOfTheRunAreKnown() throws {
    #expect(try holds(#"{"turn": {"atLeast": 1}}"#, [:], turn: 1))
    #expect(try !holds(#"{"turn": {"atLeast": 1}}"#, [:], turn: 0))
    #expect(try holds(#"{"budget.run": {"atLeast": 1}}"#, [:]), "1 dollar of maxCostPerRun is left")
    #expect(
      try holds(#"{"budget.run": {"lessThan": 0.5}}"#, ["budget": ["run": 0.25]]), "the case knows of less")
  }

  /// The rule is chosen once a turn: what its own calls cost does not move the case to another rule.
  @Test func theRuleStaysWhileTheTurnSpends() throws {
    let policy = try policy(
      """
      {"policy": "p", "version": 1, "constraints": {"maxCostPerCase": 0.01},
       "rules": [{"when": {"budget.case": {"atLeast": 0.01}}, "use": ["private", "cloud"]},
                 {"else": true, "use": ["device"]}], "onError": {"network": "next"}}
      """)
    let failed = failure("private", .network, dollars: 0.002)
    let step = policy.next(facts(attempts: [failed], spent: Spending(trial: 0.002, run: 0.002)))
    #expect(words(step) == "call cloud fallback:network")
    #expect(decision(step)?["signals"]?["budget.case"]?["value"] == 0.01)
  }
}
