import EvalCore
import Testing

@testable import EvalSuites

@Suite struct PlannerTests {
  /// Cases `c0`, `c1`, … whose tags go round.
  private func suite(
    cases count: Int, targets: Int = 3, tags: [String] = ["x", "y", "z"], reversed: Bool = false
  ) -> EvalCore.Suite {
    var cases = (0..<count).map { index in
      Case(
        id: "c\(index)", tags: [tags[index % tags.count], "even\(index % 2)"],
        turns: [Turn(content: [.text("input \(index)")])])
    }
    if reversed { cases.reverse() }
    let profiles = (0..<targets).map { Profile(name: "p\($0)", provider: "openai-chat", model: "m\($0)") }
    return EvalCore.Suite(
      name: "s", path: "s.json", profiles: profiles, cases: CasesInMemory(cases), settings: RunSettings(),
      hash: ContentHash(of: 1, kind: "suite"))
  }

  private func plan(
    _ suite: EvalCore.Suite, repeats: Int = 1, seed: UInt64 = 1, _ selection: Selection = Selection()
  )
    throws(Problems) -> Plan
  {
    try Planner.plan(suite, selection: selection, repeats: repeats, seed: seed)
  }

  @Test(arguments: [(1, 1, 1), (16, 2, 3), (17, 3, 2), (100, 4, 1), (33, 1, 5)])
  func plansEveryTrialOnce(cases: Int, targets: Int, repeats: Int) throws {
    for seed in UInt64(0)..<5 {
      let plan = try plan(suite(cases: cases, targets: targets), repeats: repeats, seed: seed)
      #expect(plan.trials.count == cases * targets * repeats)
      #expect(
        Set(plan.trials.map { [Int($0.caseIndex), Int($0.targetIndex), Int($0.repeatIndex)] }).count
          == plan.trials.count)
      #expect(plan.caseCount == cases)
    }
  }

  @Test func afterAnyNumberOfTrialsTheTargetsHaveHadAsMany() throws {
    for seed in UInt64(0)..<5 {
      let plan = try plan(suite(cases: 50, targets: 3), repeats: 2, seed: seed)
      var counts = [0, 0, 0]
      for trial in plan.trials {
        counts[Int(trial.targetIndex)] += 1
        #expect(counts.max()! - counts.min()! <= 1)
      }
    }
  }

  @Test func aBlockHoldsAllTrialsOfItsCases() throws {
    let plan = try plan(suite(cases: 50, targets: 3), repeats: 2)
    #expect(zip(plan.trials, plan.trials.dropFirst()).allSatisfy { $0.block <= $1.block })
    let blocks = Dictionary(grouping: plan.trials, by: \.block)
    #expect(blocks.count == 4)
    #expect(blocks.values.map { Set($0.map(\.caseIndex)).count }.sorted() == [2, 16, 16, 16])
    for trials in blocks.values {
      for (_, same) in Dictionary(grouping: trials, by: \.caseIndex) { #expect(same.count == 6) }
    }
    // Drift would look like a difference if a target always came first, or saw the cases in the others' order.
    let first = Dictionary(
      grouping: stride(from: 0, to: plan.trials.count, by: 3).map { plan.trials[$0].targetIndex }
    ) { $0 }
    #expect(first.count == 3)
    #expect(first.values.allSatisfy { $0.count > 15 })
    let sameCase = stride(from: 0, to: plan.trials.count, by: 3).count {
      plan.trials[$0].caseIndex == plan.trials[$0 + 1].caseIndex
    }
    #expect(sameCase < 20)
  }

  @Test func theSeedDecidesTheOrder() throws {
    let suite = suite(cases: 40)
    #expect(try plan(suite, seed: 7).trials == plan(suite, seed: 7).trials)
    #expect(try plan(suite, seed: 7).trials != plan(suite, seed: 8).trials)
    #expect(try plan(suite, seed: 7).hash == plan(suite, seed: 8).hash)
  }

  @Test func thePlanIsNamedByItsTrialsInAnyOrder() throws {
    let hash = try plan(suite(cases: 40), repeats: 2).hash
    #expect(try plan(suite(cases: 40, reversed: true), repeats: 2).hash == hash)
    #expect(try plan(suite(cases: 40), repeats: 3).hash != hash)
    #expect(try plan(suite(cases: 41), repeats: 2).hash != hash)
    #expect(try plan(suite(cases: 40, targets: 2), repeats: 2).hash != hash)
    var swapped = suite(cases: 40)
    swapped.profiles.swapAt(0, 1)
    #expect(try plan(swapped, repeats: 2).hash == hash)
    var selection = Selection()
    selection.targets = ["p0", "p1"]
    #expect(
      try plan(suite(cases: 40), repeats: 2, selection).hash
        == plan(suite(cases: 40, targets: 2), repeats: 2).hash)
  }

  @Test func aNewCheckMakesAnotherPlan() throws {
    func suite(_ check: String) -> EvalCore.Suite {
      let subject = Case(
        id: "a", turns: [Turn(content: [.text("x")])],
        checks: [CheckSpec(kind: "contains", argument: .string(check))])
      var suite = self.suite(cases: 1)
      suite.cases = CasesInMemory([subject])
      return suite
    }
    #expect(suite("x").cases.summaries[0].hash == suite("y").cases.summaries[0].hash)
    #expect(try plan(suite("x")).hash != plan(suite("y")).hash)
  }

  @Test func aRoutesPlanDependsOnTheProfiles() throws {
    var one = suite(cases: 3, targets: 1)
    one.routes = [RouteSpec(name: "r", policy: ["arms": ["p0"]])]
    var selection = Selection()
    selection.targets = ["r"]
    let hash = try plan(one, selection).hash
    one.profiles[0].parameters.temperature = 1
    #expect(try plan(one, selection).hash != hash)
  }

  @Test func picksByIdAndTag() throws {
    var selection = Selection()
    selection.cases = ["c3", "c5"]
    #expect(Set(try plan(suite(cases: 20), selection).trials.map(\.caseIndex)) == [3, 5])
    selection = Selection()
    selection.tags = ["x", "y"]
    selection.targets = ["p1"]
    let tagged = try plan(suite(cases: 9), selection)
    #expect(Set(tagged.trials.map(\.caseIndex)) == [0, 1, 3, 4, 6, 7])
    #expect(tagged.targets.map(\.name) == ["p1"])
    selection.limit = 2
    #expect(Set(try plan(suite(cases: 9), selection).trials.map(\.caseIndex)) == [0, 1])
  }

  @Test func drawsInProportionToTheFirstTag() throws {
    // 60 of 100 are x, 30 y, 10 z.
    let tags = ["x", "x", "x", "x", "x", "x", "y", "y", "y", "z"]
    var selection = Selection()
    selection.sample = 20
    let suite = suite(cases: 100, targets: 1, tags: tags)
    let drawn = Set(try plan(suite, seed: 3, selection).trials.map { Int($0.caseIndex) })
    let counts = Dictionary(grouping: drawn) { suite.cases.summaries[$0].tags[0] }.mapValues(\.count)
    #expect(counts == ["x": 12, "y": 6, "z": 2])
    #expect(Set(try plan(suite, seed: 3, selection).trials.map { Int($0.caseIndex) }) == drawn)
    #expect(Set(try plan(suite, seed: 4, selection).trials.map { Int($0.caseIndex) }) != drawn)
    // The same cases are drawn whatever their order in the file.
    let reversed = self.suite(cases: 100, targets: 1, tags: tags, reversed: true)
    #expect(try plan(reversed, seed: 3, selection).hash == plan(suite, seed: 3, selection).hash)
    let info = try #require(try plan(suite, seed: 3, selection).sample)
    #expect(info.sentence == "20 of 100 cases drawn with seed 3: x 12 of 60, y 6 of 30, z 2 of 10")
    #expect(SampleInfo(settings: ["sample": info.json]) == info)
    selection.sample = 7
    #expect(try plan(suite, selection).caseCount == 7)
    selection.sample = 1_000
    #expect(try plan(suite, selection).caseCount == 100)
    #expect(try plan(suite, selection).sample == nil, "all of them are no sample")
  }

  /// Each stratum within one of its share, whatever the numbers; what is rare may be left out, and is named.
  @Test(arguments: [(10, 3), (97, 40), (200, 40), (31, 30), (500, 7)])
  func everyStratumHasItsShare(cases: Int, count: Int) throws {
    var selection = Selection()
    selection.sample = count
    let tags = ["a", "b", "a", "c", "a", "b", "d"]
    let info = try #require(try plan(suite(cases: cases, targets: 1, tags: tags), selection).sample)
    #expect(info.taken == count && info.of == cases)
    for stratum in info.strata {
      let share = Double(stratum.of) * Double(count) / Double(cases)
      #expect(abs(Double(stratum.taken) - share) < 1, "\(stratum)")
    }
  }

  /// A sample stays comparable with the one before a case was added.
  @Test func aNewCaseChangesTheDrawByAFewCases() throws {
    var selection = Selection()
    selection.sample = 40
    func drawn(_ cases: Int) throws -> Set<String> {
      let suite = suite(cases: cases, targets: 1)
      return Set(
        try plan(suite, seed: 5, selection).trials.map { suite.cases.summaries[Int($0.caseIndex)].id })
    }
    for cases in 200..<220 {
      let lost = try drawn(cases).subtracting(try drawn(cases + 1)).count
      #expect(lost <= 2, "\(cases)")
    }
  }

  @Test func refusesNamesThatLeadNowhere() {
    func problems(_ change: (inout Selection) -> Void, repeats: Int = 1) -> [String] {
      var selection = Selection()
      change(&selection)
      do throws(Problems) {
        _ = try plan(suite(cases: 20), repeats: repeats, selection)
        return []
      } catch {
        return error.all.map { $0.message + ($0.advice.map { " (\($0))" } ?? "") }
      }
    }
    #expect(
      problems { ($0.cases, $0.tags) = (["c1", "d3", "zebra"], ["X", "even3"]) } == [
        "there is no case 'd3' (did you mean 'c3'?)", "there is no case 'zebra'",
        "no case has the tag 'X' (did you mean 'x'?)", "no case has the tag 'even3' (did you mean 'even0'?)",
      ])
    #expect(
      problems { $0.targets = ["p9", "nothing"] } == [
        "there is no profile or route 'p9' (did you mean 'p0'?)",
        "there is no profile or route 'nothing' (there are p0, p1, p2)",
      ])
    #expect(
      problems { ($0.cases, $0.tags) = (["c1"], ["x"]) } == [
        "no case is left to run (loosen --case, --tag, --sample or --limit)"
      ])
    #expect(problems { $0.limit = 0 } == ["--limit 0: at least one case is run"])
    #expect(problems({ _ in }, repeats: 0) == ["repeats is a number from 1 to 65535, not 0"])
  }
}

@Suite struct PlanEstimateTests {
  private func suite(_ profiles: String, cases: String = #"[{"id": "a", "input": "Hello world"}]"#) throws
    -> EvalCore.Suite
  {
    try Folder().read(EvalSuitesTests.suite(profiles: profiles, cases: cases))
  }

  @Test func addsUpCallsTokensAndCosts() throws {
    let suite = try suite(
      """
      {"free": {"endpoint": "http://h", "model": "a", "price": "free"},
       "paid": {"endpoint": "http://h", "model": "b", "maxOutputTokens": 100,
                "price": {"input": 10, "cachedInput": 1, "output": 20}},
       "unknown": {"endpoint": "http://h", "model": "c", "maxOutputTokens": 100}}
      """,
      cases: #"[{"id": "a", "input": "Hello world"}, {"id": "b", "turns": ["Hello world", "Hello world"]}]"#)
    let columns = try PlanEstimate(Planner.plan(suite, repeats: 2, seed: 1), suite).columns
    #expect(columns.map(\.target) == ["free", "paid", "unknown"])
    #expect(columns.map(\.trials) == [4, 4, 4])
    // Per repeat one call of a, two of b.
    #expect(columns.map(\.calls) == [TokenRange(6, 6), TokenRange(6, 6), TokenRange(6, 6)])
    // One turn takes 2 words and 4 for the message; b's second call carries both turns and up to 100 tokens of answer.
    #expect(TokenEstimate.tokens(in: "Hello world") == 2)
    #expect(columns[1].input == TokenRange(2 * (6 + 6 + 12), 2 * (6 + 6 + 12 + 100)))
    #expect(columns[0].input == TokenRange(48, nil))
    #expect(columns[1].output == TokenRange(0, 600))
    #expect(columns[0].output == TokenRange(0, nil))
    #expect(columns[0].cost == PlanEstimate.CostRange(low: 0, high: 0))
    #expect(columns[1].cost?.low == 48.0 * 1 / 1_000_000)
    let high = (248.0 * 10 + 600.0 * 20) / 1_000_000
    #expect(abs((columns[1].cost?.high ?? 0) - high) < 1e-12)
    #expect(columns[2].cost == nil)
  }

  @Test func countsWhatAProfileAddsToEveryCall() throws {
    let bare = #""endpoint": "http://h", "model": "a", "price": "free""#
    let suite = try suite(
      """
      {"bare": {\(bare)},
       "more": {\(bare), "instructions": "Answer in {{id}} words please.", "responseSchema": {"type": "object"},
                "tools": [{"name": "clock"}]}}
      """)
    let columns = try PlanEstimate(Planner.plan(suite, repeats: 1, seed: 1), suite).columns
    let added =
      TokenEstimate.tokens(in: "Answer in a words please.") + TokenEstimate.perMessage
      + TokenEstimate.tokens(in: ["type": "object"])
      + TokenEstimate.tokens(in: suite.profiles[1].tools[0].json)
    #expect(columns[1].input.low - columns[0].input.low == added)
  }

  @Test func aRouteTakesAnyOfItsArmsOrAll() throws {
    var suite = try suite(
      """
      {"a": {"endpoint": "http://h", "model": "a", "price": "free", "maxOutputTokens": 10},
       "b": {"endpoint": "http://h", "model": "b", "price": {"input": 1, "output": 1}, "maxOutputTokens": 20}}
      """)
    suite.routes = [RouteSpec(name: "r", policy: ["arms": ["a", "b"]]), RouteSpec(name: "s", policy: [:])]
    let plan = try Planner.plan(suite, repeats: 1, seed: 1)
    let columns = try PlanEstimate(plan, suite, arms: { $0.name == "r" ? suite.profiles : [] }).columns
    #expect(columns[2].kind == "route")
    #expect(columns[2].calls == TokenRange(1, 2))
    #expect(columns[2].output == TokenRange(0, 30))
    #expect(columns[2].cost?.low == 0)
    #expect(columns[2].cost?.high == columns[1].cost?.high)
    #expect(columns[3].cost == nil)
    #expect(columns[3].output.high == nil)
  }
}
