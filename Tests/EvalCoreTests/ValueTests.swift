import Testing

@testable import EvalCore

@Suite struct ValueTests {
  @Test func `Cost prices caches apart and needs what it needs`() {
    let price = Price(input: 2, cachedInput: 0.5, cacheWrite: 2.5, output: 10)
    let usage = Usage(input: 1000, cachedInput: 600, cacheWrite: 100, output: 200, reasoning: 150)
    // 300·2 + 600·0.5 + 100·2.5 + 200·10 = 600 + 300 + 250 + 2000, for a million.
    #expect(price.cost(of: usage) == 3150 / 1_000_000.0)
    #expect(price.cost(of: Usage(input: 10)) == nil)
    #expect(price.cost(of: nil) == nil)
    #expect(Price.free.cost(of: nil) == 0)
    #expect(
      Price(input: 1, output: 1).cost(of: Usage(input: 100, cachedInput: 100, output: 0)) == 100 / 1_000_000.0
    )
  }

  @Test func `Parts that do not fit in their wholes are noticed`() {
    #expect(Usage(input: 10, cachedInput: 11).isInconsistent)
    #expect(Usage(output: 5, reasoning: 6).isInconsistent)
    #expect(!Usage(input: 10, cachedInput: 10, output: 5, reasoning: 5).isInconsistent)
    #expect(!Usage().isInconsistent)
  }

  @Test func `A sum of costs is unknown when one is`() {
    #expect(
      Cost.sum(of: [Cost(dollars: 1), Cost(dollars: 2, isLowerBound: true)])
        == Cost(dollars: 3, isLowerBound: true))
    #expect(Cost.sum(of: [Cost(dollars: 1), Cost(dollars: nil)]).dollars == nil)
    #expect(Cost.sum(of: []) == Cost(dollars: 0))
  }

  @Test func `A trial's score weighs values, and one unscored check leaves it unscored`() {
    func score(_ judgement: Judgement, weight: Double = 1) -> Score {
      Score(check: "c", kind: "k", weight: weight, judgement: judgement)
    }
    let mixed = TrialScore([score(.verdict(true), weight: 3), score(.verdict(false))])
    #expect(mixed == TrialScore(value: 0.75, passed: false, unscored: nil))
    let open = TrialScore([score(.verdict(true)), score(.unscored(.graderFailed, "x"))])
    #expect(open == TrialScore(value: nil, passed: nil, unscored: .graderFailed))
    let failed = TrialScore([score(.verdict(false)), score(.unscored(.graderFailed, "x"))])
    #expect(failed == TrialScore(value: nil, passed: false, unscored: .graderFailed))
    #expect(TrialScore([]) == TrialScore(value: nil, passed: nil, unscored: nil))
    #expect(TrialScore([score(.scored(value: 0.4, passed: nil))]).passed == nil)
  }

  @Test func `No judgement holds a number that is not one`() {
    guard case .unscored(.graderFailed, _) = Judgement.graded(.nan, threshold: 0.5) else {
      Issue.record("NaN was scored")
      return
    }
    #expect(Judgement.graded(1.2, threshold: 1) == .scored(value: 1, passed: true))
    #expect(Judgement.graded(0.49, threshold: 0.5) == .scored(value: 0.49, passed: false))
  }

  @Test func `Intervals come from stamps, and a missing stamp gives none`() {
    var timeline = Timeline()
    #expect(timeline.timeToFirstToken == nil && timeline.total == nil)
    timeline.start = 1000
    timeline.firstReasoning = 1300
    timeline.firstContent = 2000
    timeline.lastToken = 2200
    timeline.terminal = 2300
    timeline.done = 2400
    #expect(timeline.timeToFirstToken == 300 && timeline.timeToFirstContent == 1000)
    #expect(timeline.endToEnd == 1200 && timeline.total == 1300)
  }

  @Test func `Time per token needs reads that tell it`() {
    var timeline = Timeline()
    timeline.start = 0
    timeline.firstContent = 100
    timeline.lastToken = 1000
    timeline.tokenReads = (0..<10).map { TokenRead(at: 100 + $0 * 100, events: 1) }
    #expect(timeline.timePerOutputToken(outputTokens: 10) == 100)
    #expect(timeline.timePerOutputToken(outputTokens: 1) == nil)
    #expect(timeline.timePerOutputToken(outputTokens: nil) == nil)
    timeline.tokenReads = [TokenRead(at: 100, events: 20), TokenRead(at: 1000, events: 20)]
    #expect(timeline.isBuffered(outputTokens: 40))
    #expect(timeline.timePerOutputToken(outputTokens: 40) == nil)
  }

  @Test func `A case is named by its content, not by its id, tags or checks`() {
    let turn = Turn(content: [.text("hi")])
    let plain = Case(id: "a", turns: [turn])
    let other = Case(id: "b", tags: ["t"], turns: [turn], checks: [CheckSpec(kind: "exact", argument: "x")])
    #expect(plain.hash == other.hash && plain.checksHash != other.checksHash)
    #expect(plain.hash != Case(id: "a", turns: [Turn(content: [.text("ho")])]).hash)
    #expect(plain.hash != Case(id: "a", turns: [turn], reference: "x").hash)
    #expect(plain.hash != Case(id: "a", turns: [turn], signals: ["sensitivity": "private"]).hash)
  }

  @Test func `A profile is named by what can change its answers or its bill`() {
    let base = Profile(name: "a", provider: "p", model: "m")
    var renamed = base
    renamed.name = "b"
    renamed.concurrency = 9
    #expect(base.hash == renamed.hash)
    var warmer = base
    warmer.parameters.temperature = 0.1
    var priced = base
    priced.price = .free
    #expect(Set([base.hash, warmer.hash, priced.hash]).count == 3)
  }

  @Test func `What a profile does not say is not in its content`() {
    let content = Profile(name: "a", provider: "p", model: "m").contentObject
    #expect(content.keys.sorted() == ["model", "provider", "stream"])
    let turn = Turn(content: [.text("x")])
    #expect(turn.identity == ["content": [["text": "x"]]])
  }

  @Test func `A content hash keeps its digits`() throws {
    let hash = ContentHash(of: ["b": 1, "a": 2], kind: "case")
    #expect(hash == ContentHash(of: ["a": 2, "b": 1], kind: "case"))
    #expect(hash != ContentHash(of: ["b": 1, "a": 2], kind: "profile"))
    #expect(try #require(ContentHash(hex: hash.hex)) == hash)
    #expect(ContentHash(hex: "xyz") == nil && hash.short.count == 12)
  }

  @Test func `Retryable and blame are settled for every class`() {
    #expect(!ErrorClass.unknown.isRetryable && ErrorClass.unknown.blame == .infrastructure)
    #expect(ErrorClass.contentFiltered.blame == .model && ErrorClass.authentication.blame == .configuration)
    #expect(!ErrorClass.quotaExceeded.isRetryable && ErrorClass.rateLimited.isRetryable)
  }

  @Test(arguments: ["first", "retry:rateLimited", "fallback:network", "escalation"])
  func `A cause reads back from its label`(label: String) {
    #expect(AttemptCause(label: label)?.label == label)
  }

  @Test(arguments: [
    ("concurency", "did you mean 'concurrency'?"), ("modle", "did you mean 'model'?"), ("xyz", nil),
  ])
  func `A near miss gets a suggestion`(word: String, expected: String?) {
    #expect(suggestion(for: word, among: ["concurrency", "model", "boundary"]) == expected)
  }

  @Test func `Boundaries are ordered from near to far`() {
    #expect(Boundary.device < .privateCloud && Boundary.privateCloud < .thirdParty)
  }
}

@Suite struct SeededRandomTests {
  @Test func `SplitMix64 gives its published numbers`() {
    // Reference output for seed 1234567, from the public-domain splitmix64.c by Vigna.
    var random = SeededRandom(seed: 1_234_567)
    let drawn = (0..<5).map { _ in random.next() }
    #expect(
      drawn == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }

  @Test func `Bounded draws are even and shuffles are permutations`() {
    var random = SeededRandom(seed: 5)
    var counts = [Int](repeating: 0, count: 7)
    for _ in 0..<70_000 { counts[random.below(7)] += 1 }
    #expect(counts.allSatisfy { abs($0 - 10_000) < 500 })
    var elements = Array(0..<100)
    random.shuffle(&elements)
    #expect(elements != Array(0..<100) && elements.sorted() == Array(0..<100))
  }

  @Test func `A control drains once, aborts once and tells late listeners`() {
    let control = RunControl()
    control.drain(.failFast)
    control.drain(.interrupted)
    #expect(control.state == .draining(.failFast))
    control.abort(.interrupted)
    #expect(control.state == .aborting(.interrupted))
    nonisolated(unsafe) var heard: RunControl.State?
    control.onChange { heard = $0 }
    #expect(heard == .aborting(.interrupted))
  }
}
