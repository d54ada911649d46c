import EvalAnalysis
import EvalCore
import EvalRouting
import Testing

/// A sweep's short way, by rules and their identities, against policy files walked case by case.
struct SweepWalkTests {
  static let arms = [
    ArmTraits(name: "near", boundary: .device, window: .tokens(3000), price: .free, isLocalEndpoint: true),
    ArmTraits(
      name: "mid", boundary: .privateCloud, window: .tokens(8000), price: Price(input: 1, output: 2)),
    ArmTraits(
      name: "far", boundary: .thirdParty, window: .tokens(100_000), price: Price(input: 3, output: 15)),
  ]

  /// Cases of every sensitivity, some offline, pinned or without consent; arms that fail in all ways that can be repeated.
  static func table(seed: UInt64) -> ReplayTable {
    var random = SeededRandom(seed: seed)
    func draw<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }
    var table = ReplayTable(
      cases: (0..<60).map { index in
        var signals: JSONObject = [
          "sensitivity": draw(["public", "public", "internal", "private", "secret", "odd"]),
          "consent": .bool(random.unit() < 0.6), "network": draw(["online", "online", "online", "offline"]),
          "task": draw(["plan", "rewrite"]), "lowPower": .bool(random.unit() < 0.3),
        ]
        if random.unit() < 0.1 { signals["pinned"] = draw(["near", "far"]) }
        if random.unit() < 0.1 { signals["budget"] = ["case": .number(draw([0.0001, 0.01]))] }
        let tokens = 1 + random.below(6000)
        return ReplayCase(
          id: "\(index)", hash: ContentHash(of: .integer(Int64(index)), kind: "test"), signals: signals,
          facts: [arms.map { _ in ArmFacts(tokensIn: .counted(tokens)) }])
      }, arms: arms.map { ReplayArm(name: $0.name, boundary: $0.boundary, price: $0.price) }, repeats: 2)
    let ends: [RoutedAttempt.End] = [
      .ok, .ok, .ok, .ok, .refused, .empty, .failed(.contextSizeExceeded), .failed(.contentFiltered),
      .failed(.unavailable), .failed(.serverError), .failed(.rateLimited), .failed(.invalidRequest),
    ]
    for index in table.cases.indices {
      for arm in arms.indices {
        for repeatIndex in 0..<2 {
          let attempt = ReplayAttempt(
            end: draw(ends), isRetryable: random.unit() < 0.5, hasVisibleOutput: random.unit() < 0.1,
            cost: Cost(dollars: arm == 0 ? 0 : random.unit() / 1000),
            latency: Int64(random.below(2_000_000_000)),
            bytesSent: 100, answer: ["check.right": .number(random.unit()), "finish": "stop"])
          table[case: index, arm: arm, repeat: repeatIndex] = ReplayCell(
            turns: [ReplayTurn(attempts: [attempt])], status: attempt.end == .ok ? .ok : .failed,
            quality: random.unit())
        }
      }
    }
    return table
  }

  /// Policies that differ in thresholds, orders, errors, limits and acceptance.
  static func policies() -> [String] {
    var texts: [String] = []
    for tokens in stride(from: 0, through: 6000, by: 1500) {
      for use in [#"["near", "mid"]"#, #"["near", "far", "mid"]"#] {
        for more in [
          #""constraints": {"maxAttempts": 2}"#, #""constraints": {"maxCostPerCase": 0.001}"#,
          #""constraints": {"maxBoundary": {"internal": "device"}}"#,
          #""accept": [{"arms": ["near"], "when": {"check.right": {"atLeast": 0.5}}}]"#,
          #""unprotected": "to see what it does""#,
        ] {
          texts.append(
            """
            {"policy": "p\(texts.count)", "version": 1, \(more),
             "rules": [{"when": {"pinned": true}, "use": ["$pinned"]},
                       {"when": {"tokensIn": {"atMost": \(tokens)}, "task": "plan"}, "use": \(use)},
                       {"when": {"any": [{"lowPower": true}, {"network": {"not": "online"}}]}, "use": ["near"]},
                       {"when": {"sensitivity": {"in": ["public", "internal"]}}, "use": ["mid", "far"]}],
             "onError": {"contextOverflow": "nextLarger", "unavailable": "next",
                         "service": {"retry": 1, "then": "next"}, "rateLimited": "nextSameBoundary",
                         "network": "next", "empty": "next"}}
            """)
        }
      }
    }
    return texts
  }

  @Test func aSweepOfPolicyFilesIsTheirWalk() async throws {
    let contenders = try Self.policies().map { text in
      let source = SourceText(name: "policy.json", bytes: Array(text.utf8))
      let found = PolicyReader(arms: Self.arms, cases: [["sensitivity": "public", "consent": true]])
        .read(source)
      let policy = try #require(found.policy, "\(found.problems.map(\.message)) in \(text)")
      return Contender(policy: policy, constraints: policy.privacy)
    }
    var sweep = PolicySweep(Replayer(Self.table(seed: 1)), width: 2)
    // Above what can be: every policy stands by itself, as when it is walked.
    sweep.floor = 2
    let swept = await sweep.run(contenders)
    for (contender, score) in zip(contenders, swept) {
      #expect(score == sweep.walk(contender), "\(contender.policy.name)")
    }
    #expect(Set(swept.compactMap(\.quality)).count > 20)
    #expect(swept.contains { $0.leaks > 0 } && swept.contains { $0.leaks == 0 })
  }
}
