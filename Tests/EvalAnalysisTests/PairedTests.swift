import EvalCore
import Testing

@testable import EvalAnalysis

/// Two sides of a comparison that a test writes down case by case.
struct TestPairs {
  var reference = TestRun(["a"], cases: 0)
  var candidate = TestRun(["a"], cases: 0)

  /// Adds a case with one judgement a side for each repeat.
  mutating func add(_ id: String, _ before: [Judgement], _ after: [Judgement], cluster: String? = nil) {
    for (index, one) in before.enumerated() {
      reference.add(case: id, repeatIndex: index, scores: [one], cluster: cluster)
    }
    for (index, one) in after.enumerated() {
      candidate.add(case: id, repeatIndex: index, scores: [one], cluster: cluster)
    }
  }

  /// So many cases that passed or failed before and after.
  mutating func add(_ count: Int, _ name: String, before: Bool, after: Bool) {
    for index in 0..<count { add("\(name)-\(index)", [.verdict(before)], [.verdict(after)]) }
  }

  func pairing() throws -> CasePairing {
    CasePairing(
      reference: try ComparisonInput.read(reference, label: "before")[0],
      candidate: try ComparisonInput.read(candidate, label: "after")[0])
  }

  func difference(_ measure: ComparisonMeasure) throws -> PairedDifference {
    PairedDifference(measure, try pairing(), seed: 1)
  }
}

@Suite struct PairedTests {
  @Test func passAndFailByHand() throws {
    // 20 cases: 9 pass twice, 8 are gained, 1 is lost, 2 fail twice.
    var pairs = TestPairs()
    pairs.add(9, "both", before: true, after: true)
    pairs.add(8, "gained", before: false, after: true)
    pairs.add(1, "lost", before: true, after: false)
    pairs.add(2, "neither", before: false, after: false)
    let pass = try pairs.difference(.pass)
    #expect(pass.reference.value == 0.5)
    #expect(pass.candidate.value == 0.85)
    #expect(abs(pass.change.value! - 0.35) < 1e-12)
    #expect(pass.change.method == .tango)
    #expect(pass.test?.method == .mcNemar)
    // 2·(1 + 9)/2⁹.
    #expect(abs(pass.test!.p - 20.0 / 512) < 1e-12)
    #expect(pass.test?.canBeSignificant == true)
    #expect(pass.isBetter == true)
    #expect(pass.isSure)
    #expect((pass.risen, pass.fallen) == (8, 1))
    // The same question as the sign flip's: nine differences of ±1.
    #expect(try pairs.difference(.score).test!.p == pass.test!.p)
  }

  @Test func fiveDiscordantPairsCannotBeSignificant() throws {
    var pairs = TestPairs()
    pairs.add(200, "both", before: true, after: true)
    pairs.add(5, "lost", before: true, after: false)
    var pass = try pairs.difference(.pass)
    #expect(abs(pass.test!.p - 0.0625) < 1e-12)
    #expect(pass.test?.canBeSignificant == false)
    #expect(!pass.isSure)
    pairs.add(1, "more", before: true, after: false)
    pass = try pairs.difference(.pass)
    #expect(abs(pass.test!.p - 0.03125) < 1e-12)
    #expect(pass.test?.canBeSignificant == true)
    #expect(pass.isBetter == false)
  }

  @Test func equalSidesAreNotKnownToNothing() throws {
    var pairs = TestPairs()
    pairs.add(20, "both", before: true, after: true)
    let pass = try pairs.difference(.pass)
    #expect(pass.change.value == 0)
    #expect(pass.test!.p == 1)
    // z²/(n + z²) on either side.
    #expect(abs(pass.change.interval!.upperBound - 3.8414588 / 23.8414588) < 1e-6)
    #expect(pass.detectable!.difference > 0.1)
    #expect(pass.detectable?.unitsForObserved == nil)
  }

  @Test func repeatsAreAveragedFirst() throws {
    var pairs = TestPairs()
    for index in 0..<10 {
      pairs.add(
        "case \(index)", [.verdict(true), .verdict(false), .verdict(index < 5)],
        [.verdict(true), .verdict(true), .verdict(index < 5)])
    }
    let pass = try pairs.difference(.pass)
    #expect(pass.change.n == 30)
    #expect(pass.change.units == 10)
    #expect(abs(pass.change.value! - 1.0 / 3) < 1e-12)
    #expect(pass.test?.method == .signFlip)
    // Ten cases that all rose, not thirty pairs.
    #expect(pass.test!.p == 2.0 / 1024)
  }

  @Test func clustersFlipTogether() throws {
    var pairs = TestPairs()
    for index in 0..<12 {
      pairs.add(
        "case \(index)", [.graded(0.2, threshold: nil)], [.graded(0.7, threshold: nil)],
        cluster: "cluster \(index / 2)")
    }
    let score = try pairs.difference(.score)
    #expect(score.test!.p == 2.0 / 64)
    #expect(score.test?.differing == 6)
    #expect(score.change.units == 6)
    #expect(score.change.isClustered)
  }

  @Test func unmatchedCasesAreListed() throws {
    var pairs = TestPairs()
    pairs.add(3, "both", before: true, after: true)
    pairs.reference.add(case: "old")
    pairs.candidate.add(case: "new 1")
    pairs.candidate.add(case: "new 2")
    pairs.candidate.add(case: "both-0", repeatIndex: 1)
    let pairing = try pairs.pairing()
    #expect(pairing.pairs.count == 3)
    #expect(pairing.onlyReference == ["old"])
    #expect(pairing.onlyCandidate == ["new 1", "new 2"])
    #expect(pairing.trialPairs == 3)
    #expect(pairing.unmatchedCandidateTrials == 1)
    #expect(pairing.coverage == 0.5)
  }

  @Test func noAnswerCountsInTheStrictReadingAlone() throws {
    var pairs = TestPairs()
    pairs.add(6, "both", before: true, after: true)
    for index in 0..<2 {
      pairs.reference.add(case: "down \(index)")
      pairs.candidate.add(
        case: "down \(index)", status: .failed, errorClass: .serverError,
        scores: [.unscored(.noAnswer, "")], attempts: [TestRun.attempt(error: .serverError)])
    }
    let strict = try pairs.difference(.pass)
    #expect(abs(strict.change.value! + 0.25) < 1e-12)
    #expect(strict.missing == 0)
    let conditional = try pairs.difference(.passConditional)
    #expect(conditional.change.value == 0)
    #expect(conditional.missing == 2)
    #expect(conditional.cases == 6)
  }

  @Test func timesAreComparedAsRatiosOfLikeWithLike() throws {
    var pairs = TestPairs()
    for index in 0..<8 {
      pairs.reference.add(case: "case \(index)", attempts: [TestRun.attempt(200)])
      pairs.candidate.add(case: "case \(index)", attempts: [TestRun.attempt(index % 2 == 0 ? 100 : 400)])
    }
    pairs.reference.add(case: "cold", attempts: [TestRun.attempt(900, cold: true)])
    pairs.candidate.add(case: "cold", attempts: [TestRun.attempt(100)])
    let latency = try pairs.difference(.latency)
    // Half twice as fast, half twice as slow: the mean of logarithms is 0.
    #expect(abs(latency.change.value! - 1) < 1e-12)
    #expect(latency.unlike == 1)
    #expect(latency.cases == 8)
    let interval = latency.change.interval!
    #expect(abs(interval.lowerBound * interval.upperBound - 1) < 1e-9)
    #expect(latency.detectable!.difference > 1)
  }

  @Test func freeOnBothSidesIsExact() throws {
    var pairs = TestPairs()
    pairs.add(4, "both", before: true, after: true)
    let cost = try pairs.difference(.cost)
    #expect(cost.change.method == .exact)
    #expect(cost.test == nil)
  }

  @Test func holmByHand() {
    #expect(Holm.adjusted([0.01, 0.04, 0.03, 0.005]) == [0.03, 0.06, 0.06, 0.02])
    #expect(Holm.adjusted([0.9, 0.6]) == [1, 1])
    #expect(Holm.adjusted([]).isEmpty)
  }

  @Test(arguments: [(50, 0.177), (100, 0.125), (200, 0.089), (400, 0.063), (1000, 0.040)])
  func powerOfPassAndFail(n: Int, points: Double) {
    #expect(abs(Power.detectable(variance: 0.2, units: Double(n)) - points) < 0.0005)
    #expect(abs(Power.units(toSee: points, variance: 0.2)! - n) <= n / 50)
  }
}
