import EvalCore
import Testing

@testable import EvalRouting

/// The table of rules that replays share, against decisions one by one.
struct RuledPolicyTests {
  @Test(arguments: 0..<3) func rulesOfATableAreTheRulesOfDecisions(seed: Int) {
    var world = RandomWorld(seed: UInt64(seed) &+ 100)
    var (policies, taken) = (0, 0)
    for _ in 0..<12 {
      let arms = world.arms()
      let rows = (0..<70).map { _ in world.facts(arms) }
      let table = FactTable(rows)
      // Many policies over one table: what they share is remembered, and must not be mixed up.
      for _ in 0..<30 {
        let source = PolicySource(world.policy(arms))
        guard let policy = PolicyReader(arms: arms, cases: [openSignals]).read(source).policy else {
          continue
        }
        policies += 1
        let rules = policy.rules(taking: table)
        for (row, facts) in rows.enumerated() {
          let index = decision(policy.next(facts))?["rule"]?["index"]?.intValue.map { Int($0) }
          #expect(Int(rules[row]) == index ?? policy.rules.count)
          taken += index == nil ? 0 : 1
        }
      }
    }
    #expect(policies > 40 && taken > 1000, "\(policies) \(taken)")
  }

  /// Policies whose rules have equal identities act alike, whichever cases the rules take.
  @Test(arguments: 0..<3) func equalIdentitiesActAlike(seed: Int) {
    var world = RandomWorld(seed: UInt64(seed) &+ 200)
    var calls = 0
    for _ in 0..<600 {
      let arms = world.arms()
      let json = world.policy(arms)
      let reader = PolicyReader(arms: arms, cases: [openSignals])
      guard let policy = reader.read(PolicySource(json)).policy,
        let other = reader.read(PolicySource(world.reworded(json, arms))).policy
      else { continue }
      for index in policy.rules.indices {
        #expect(policy.identity(ofRule: index) == other.identity(ofRule: index), "\(json.serialized())")
      }
      for _ in 0..<20 {
        var facts = world.facts(arms)
        guard let rule = policy.rule(taking: facts), other.rule(taking: facts) == rule else { continue }
        while true {
          let (left, right) = (policy.next(facts), other.next(facts))
          #expect(words(left) == words(right))
          guard case .call(let arm, let cause, _) = left, words(left) == words(right) else { break }
          calls += 1
          facts.attempts.append(world.end(of: arm, cause))
        }
      }
    }
    #expect(calls > 200, "\(calls)")
  }

  private static let base = """
    {"policy": "p", "version": 1, "rules": [{"when": {"tokensIn": {"atMost": 100}}, "use": ["device", "cloud"]},
     {"else": true, "use": ["private"]}], "onError": {"network": "next"}}
    """

  @Test func theIdentityIgnoresWhenAndHoldsEverythingElse() throws {
    let base = try policy(Self.base)
    let identity = base.identity(ofRule: 0)
    let moved = try policy(Self.base.replacing("100", with: "200").replacing(#""p""#, with: #""q""#))
    #expect(moved.identity(ofRule: 0) == identity && moved.hash != base.hash)
    #expect(base.identity(ofRule: 2) == moved.identity(ofRule: 2))
    for (old, new) in [
      (#"["device", "cloud"]"#, #"["cloud", "device"]"#), (#""next"}"#, #""stop"}"#),
      (#""onError""#, #""constraints": {"maxAttempts": 2}, "onError""#),
      (#""onError""#, #""constraints": {"maxBoundary": {"public": "device"}}, "onError""#),
      (#""onError""#, #""accept": {"when": {"finish": "stop"}}, "onError""#),
      (#""onError""#, #""unprotected": "to see", "onError""#),
    ] {
      let text = Self.base.replacing(old, with: new)
      guard let other = read(text).policy else { continue }
      #expect(other.identity(ofRule: 0) != identity, "\(new)")
    }
    var strict = PrivacyRules.standard
    strict.maxBoundary[.internal] = .device
    #expect(try policy(Self.base, privacy: strict).identity(ofRule: 0) != identity)
    var arms = threeArms
    arms[2].price = .free
    #expect(try policy(Self.base, arms: arms).identity(ofRule: 0) != identity)
    #expect(
      try policy(Self.base, arms: arms).identity(ofRule: 1) == base.identity(ofRule: 1), "another arm's price"
    )
  }
}
