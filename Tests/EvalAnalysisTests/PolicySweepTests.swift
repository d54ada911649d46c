import EvalCore
import Testing

@testable import EvalAnalysis

/// Tables and policies drawn at random, for what must hold of all of them.
struct RandomWorld {
  var table: ReplayTable
  var policies: [Contender]

  static let arms = [
    ReplayArm(name: "near", boundary: .device), ReplayArm(name: "pcc", boundary: .privateCloud),
    ReplayArm(name: "far", boundary: .thirdParty), ReplayArm(name: "odd", boundary: nil),
  ]

  /// - Parameter holes: the share of cells that are missing or unjudged.
  init(seed: UInt64, cases: Int = 40, repeats: Int, holes: Double, turns: Bool) {
    var random = SeededRandom(seed: seed)
    table = ReplayTable(
      cases: (0..<cases).map { index in
        let turns = turns && index % 7 == 3 ? 2 : 1
        let tokens = 10 * (1 + random.below(400))
        let sensitivity = Sensitivity.allCases[random.below(5)]
        return ReplayCase(
          id: "\(index)", hash: TestRun.hash("\(index)"), weight: Double(1 + random.below(3)),
          cluster: index % 3 == 0 ? "c\(index / 9)" : nil,
          signals: [
            "sensitivity": .string(sensitivity.rawValue), "consent": .bool(random.unit() < 0.5),
            "network": random.unit() < 0.1 ? "offline" : "online",
          ], expects: random.unit() < 0.05 ? .block : .answer,
          facts: Array(
            repeating: RandomWorld.arms.map { _ in ArmFacts(tokensIn: .counted(tokens)) }, count: turns))
      }, arms: RandomWorld.arms, repeats: repeats)
    for index in 0..<cases {
      for arm in RandomWorld.arms.indices {
        for repeatIndex in 0..<repeats where random.unit() >= holes {
          table[case: index, arm: arm, repeat: repeatIndex] = RandomWorld.cell(
            table.cases[index].turnCount, holes, &random)
        }
      }
    }
    policies = (0..<24).map { _ in
      Contender(policy: RandomWorld.policy(&random), constraints: random.unit() < 0.3 ? .standard : nil)
    }
  }

  private static func cell(_ turns: Int, _ holes: Double, _ random: inout SeededRandom) -> ReplayCell {
    let kinds: [ErrorClass] = [.contextSizeExceeded, .rateLimited, .contentFiltered, .network]
    let drawn = (0..<turns).map { _ -> ReplayTurn in
      var attempts: [ReplayAttempt] = []
      if random.unit() < 0.3 { attempts.append(TestTable.failure(kinds[random.below(4)])) }
      if random.unit() < 0.85 || attempts.isEmpty {
        attempts.append(
          ReplayAttempt(
            end: random.unit() < 0.05 ? .refused : .ok,
            cost: Cost(dollars: random.unit() < 0.01 ? nil : random.unit() / 100),
            latency: random.unit() < 0.01 ? nil : Int64(random.below(3_000_000_000)),
            bytesSent: 100, answer: ["check.ok": .number(random.unit())]))
      }
      return ReplayTurn(attempts: attempts, answerHash: random.next() % 3)
    }
    let status: TrialStatus =
      switch drawn.last?.attempts.last?.end {
      case .ok: .ok
      case .refused: .refused
      default: .failed
      }
    let isUnjudged = random.unit() < holes
    return ReplayCell(
      turns: drawn, status: status, quality: isUnjudged ? nil : random.unit(), isUnjudged: isUnjudged)
  }

  private static func policy(_ random: inout SeededRandom) -> TestPolicy {
    func use() -> [String] {
      var names = arms.map(\.name)
      random.shuffle(&names)
      return Array(names.prefix(1 + random.below(3)))
    }
    let limit = 200 * random.below(21)
    let word = Sensitivity.allCases[random.below(5)].rawValue
    var policy = TestPolicy(rules: [
      .init(
        condition: "tokens<=\(limit)", holds: { ($0.arms["near"]?.tokensIn?.tokens ?? .max) <= limit },
        use: use()),
      .init(
        condition: "sensitivity=\(word)", holds: { $0.signals["sensitivity"]?.stringValue == word },
        use: use()),
    ])
    if random.unit() < 0.7 { policy.rules.append(.init(condition: "true", holds: { _ in true }, use: use())) }
    for kind in [ErrorClass.contextSizeExceeded, .rateLimited, .network, .contentFiltered] {
      switch random.below(3) {
      case 0: policy.onError[kind] = .next
      case 1: policy.onError[kind] = .retry(1)
      default: break
      }
    }
    if random.unit() < 0.4 { policy.accept = Double(random.below(5)) / 5 }
    if random.unit() < 0.1 { policy.decidesRetries = false }
    if random.unit() < 0.1 {
      policy.readsRunSpending = true
      policy.runBudget = 0.1
    }
    return policy
  }
}

@Suite struct PolicySweepTests {
  /// The same numbers to the last bit as case by case, whatever is missing, however many turns and repeats.
  @Test(arguments: 0..<12) func equalsTheWalk(_ seed: Int) async {
    let world = RandomWorld(
      seed: UInt64(seed), repeats: 1 + seed % 3, holes: [0, 0.01, 0.1][seed / 4], turns: seed % 2 == 1)
    let scenario =
      seed % 4 == 3
      ? Scenario(injection: .init(rates: [.rateLimited: 0.2, .serverError: 0.1], seed: 5)) : .none
    var sweep = PolicySweep(Replayer(world.table, scenario: scenario), width: 1 + seed % 2)
    sweep.floor = seed % 3 == 0 ? 0.95 : 0.5
    let fast = await sweep.run(world.policies)
    let outcomes = world.policies.map(sweep.outcomes)
    let compared = outcomes.map { ReplayCoverage($0).share >= sweep.floor }
    let mask = (0..<world.table.trialCount).map { trial in
      zip(outcomes, compared).allSatisfy { !$1 || $0[trial].isScored }
    }
    for (index, score) in fast.enumerated() {
      var walked = SweepSums(sweep.replayer.table).score(
        OutcomeView(outcomes[index], cases: world.table.cases.count), mask: compared[index] ? mask : nil)
      walked.isCompared = compared[index]
      #expect(score == walked, "policy \(index)")
    }
    #expect(fast.contains { $0.isCompared } || seed >= 8)
  }

  /// The sums of a sweep are the scores of a comparison.
  @Test func agreesWithTheComparison() async throws {
    let world = try RoutingWorld()
    let comparison = RoutingComparisonTests.comparison(world)
    let arms = ["near", "pcc", "far"].map { Contender(policy: ArmAlone($0)) }
    let sweep = PolicySweep(Replayer(world.table), strong: "far")
    let scores = await sweep.run(arms + RoutingWorld.contenders)
    for (score, full) in zip(scores, comparison.arms + comparison.policies) {
      func same(_ left: Double?, _ right: Double?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return abs(left - right) < 1e-12
      }
      #expect(same(score.quality, full.quality.value), "\(full.name)")
      #expect(same(score.costPerCase, full.cost.value), "\(full.name)")
      #expect(same(score.latencyMean.map { $0 / 1000 }, full.meanSeconds), "\(full.name)")
      #expect(score.latencyP50 == full.latency.p50.observed?.value, "\(full.name)")
      #expect(score.latencyP95 == full.latency.p95.observed?.value, "\(full.name)")
      #expect(same(score.cloudShare, full.cloud.any.value), "\(full.name)")
      #expect(same(score.privateCloudShare, full.cloud.privateCloud.value), "\(full.name)")
      #expect(same(score.thirdPartyShare, full.cloud.thirdParty.value), "\(full.name)")
      #expect(same(score.servedCloudShare, full.cloud.served.value), "\(full.name)")
      #expect(same(score.strongShare, full.relative?.strongShare), "\(full.name)")
      #expect(same(score.fallbackRate, full.fallbacks.rate.value), "\(full.name)")
      #expect(same(score.escalationRate, full.fallbacks.escalation.value), "\(full.name)")
      #expect(same(score.blockedRate, full.fallbacks.blocked.value), "\(full.name)")
      #expect(score.leaks == full.leaks.attempts, "\(full.name)")
      #expect(score.coverage == full.coverage, "\(full.name)")
      #expect(score.trials == full.trials, "\(full.name)")
    }
  }

  @Test(arguments: 0..<20) func selectionIsTheSortedValue(_ seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let values = (0..<(1 + random.below(300))).map { _ in Double(random.below(50)) }
    let sorted = values.sorted()
    for rank in [0, values.count / 2, values.count - 1] {
      var some = values
      #expect(Selection.value(at: rank, of: &some, in: 0..<some.count) == sorted[rank])
      #expect(some.prefix(rank).allSatisfy { $0 <= sorted[rank] })
    }
  }
}

@Suite struct PolicyChoiceTests {
  @Test func readsConstraints() throws {
    let constraints = try SweepOptions.constraints(
      "costPerCase<=0.002, cloudShare <= 40%,leaks=0, quality > .5")
    #expect(
      constraints == [
        SweepConstraint(.costPerCase, .atMost, 0.002), SweepConstraint(.cloudShare, .atMost, 0.4),
        SweepConstraint(.leaks, .equal, 0), SweepConstraint(.quality, .moreThan, 0.5),
      ])
    #expect(constraints.map(\.text) == ["costPerCase<=0.002", "cloudShare<=0.4", "leaks=0", "quality>0.5"])
    #expect(try SweepOptions.objective(" latencyP95").isHigherBetter == false)
  }

  @Test func saysAllThatIsWrong() {
    let error = #expect(throws: Problems.self) {
      try SweepOptions.constraints("cloudshare<=1, quality=>1, leaks=none, cost")
    }
    #expect(
      error?.all.map(\.message) == [
        "there is no metric 'cloudshare'", "expected <=, >=, <, > or =, found '=>'",
        "expected a number, found 'none'",
        "expected METRIC<=NUMBER, such as costPerCase<=0.002, found 'cost'",
      ])
    #expect(error?.all.first?.advice == "did you mean 'cloudShare'?")
    #expect(error?.all.map { $0.location?.column } == [1, 23, 34, 40])
  }

  @Test func anUnknownNumberKeepsNoConstraint() {
    var score = SweepScore()
    #expect(!SweepConstraint(.costPerCase, .atMost, 1).isKept(by: score))
    score.costPerCase = 1
    #expect(SweepConstraint(.costPerCase, .atMost, 1).isKept(by: score))
    #expect(!SweepConstraint(.costPerCase, .lessThan, 1).isKept(by: score))
  }

  @Test func clustersAreNotTornApart() {
    let table = TestTable(100, cluster: { "c\($0 % 13)" }).table
    let split = CaseSplit(table.cases, share: 0.5, seed: 3)
    #expect((split.tuning + split.heldOut).sorted() == Array(0..<100))
    #expect(Set(split.tuning.map { $0 % 13 }).isDisjoint(with: split.heldOut.map { $0 % 13 }))
    #expect((50..<58).contains(split.tuning.count))
    #expect(split == CaseSplit(table.cases, share: 0.5, seed: 3))
    #expect(split != CaseSplit(table.cases, share: 0.5, seed: 4))
  }

  /// Far is right where near is not above 500 tokens, and costs 1: within a cost of 0.5 the threshold of 500 is best.
  @Test func choosesTheBestWithinItsLimits() async {
    var table = TestTable(20)
    for index in 0..<20 {
      table.answer(index, 0, quality: index < 5 ? 1 : 0, dollars: 0)
      table.answer(index, 1, quality: 1, dollars: 1)
    }
    let policies = stride(from: 0, through: 2000, by: 100).map {
      Contender(name: "\($0)", policy: TestPolicy.atMost($0, ["near"], else: ["far"]))
    }
    let sweep = PolicySweep(Replayer(table.table))
    let free = await sweep.choose(policies, SweepObjective(.quality), subjectTo: [], seed: 2)
    // Quality 1 up to 500 tokens; the cheapest of those is 500, or higher where no case for choosing lies between.
    let chosen = Int(policies[free.chosen ?? 0].name) ?? 0
    #expect(free.scores[free.chosen ?? 0].quality == 1)
    #expect(free.split.tuning.allSatisfy { ($0 + 1) * 100 > chosen || $0 < 5 })
    let limited = await sweep.choose(
      policies, SweepObjective(.quality), subjectTo: [SweepConstraint(.costPerCase, .atMost, 0.5)], seed: 2)
    #expect(limited.chosen.map { limited.scores[$0].costPerCase! <= 0.5 } == true)
    #expect(limited.feasible.count < policies.count)
    let none = await sweep.choose(
      policies, SweepObjective(.quality), subjectTo: [SweepConstraint(.costPerCase, .lessThan, 0)])
    #expect(none.chosen == nil)
    #expect(none.difference.value == nil)
  }

  /// A hundred and fifty coins that say nothing of the cases: the best of them on one half is not so good on the other, and the interval
  /// of the difference says how far.
  @Test func theBestOfManyCoinsLosesItsLuck() async throws {
    var random = SeededRandom(seed: 9)
    var table = TestTable(120)
    for index in 0..<120 {
      table.answer(index, 0, quality: random.unit() < 0.5 ? 1 : 0)
      table.answer(index, 1, quality: random.unit() < 0.5 ? 1 : 0)
    }
    let policies = (0..<150).map { seed -> Contender in
      var coin = SeededRandom(seed: UInt64(100 + seed))
      let near = Set((0..<120).filter { _ in coin.unit() < 0.5 }.map { "case \($0)" })
      return Contender(
        name: "\(seed)",
        policy: TestPolicy(rules: [
          .init(condition: "coin \(seed)", holds: { near.contains($0.caseID) }, use: ["near"]),
          .init(condition: "true", holds: { _ in true }, use: ["far"]),
        ]))
    }
    let sweep = PolicySweep(Replayer(table.table))
    var lost = 0.0
    var choice: PolicyChoice?
    // One half of the cases may be easier than the other; over several splits that evens out.
    for seed in 1...10 as ClosedRange<UInt64> {
      choice = await sweep.choose(
        policies, SweepObjective(.quality), subjectTo: [], seed: seed, resamples: seed < 10 ? 10 : 2000)
      let chosen = try #require(choice?.chosen)
      let tuned = try #require(choice?.scores[chosen].quality)
      let heldOut = try #require(choice?.heldOut?.quality)
      let difference = try #require(choice?.difference.value)
      #expect(abs(difference - (heldOut - tuned)) < 1e-12)
      lost += difference / 10
    }
    // A standard error of one half is 0.065; the best of 150 owes about one of them to luck.
    #expect((-0.15 ... -0.03).contains(lost))
    let interval = try #require(choice?.difference.interval)
    // Two means of 60 coins each: ±2·√(0.25/60 + 0.25/60) = ±0.18.
    #expect((0.28...0.42).contains(interval.upperBound - interval.lowerBound))
  }
}
