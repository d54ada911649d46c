import EvalCore
import Testing

@testable import EvalAnalysis

/// The cost of being wrong, on examples worked by hand and against users who ask until an answer is accepted.
@Suite struct AcceptanceTests {
  private func attempt(_ dollars: Double?, _ milliseconds: Int64 = 100, wait: Int64 = 0) -> AttemptRecord {
    TestRun.attempt(milliseconds, wait: wait, cost: Cost(dollars: dollars))
  }

  private func acceptance(_ run: TestRun) throws -> AcceptanceSummary? {
    try RunSummary.make(from: run).targets[0].acceptance
  }

  @Test func aCheapAnswerThatMustBeAskedAgainIsNotCheap() throws {
    var run = TestRun(["cheap", "dear"], cases: 4)
    for index in 0..<4 {
      run.add(
        case: "c\(index)", target: "cheap", scores: [.verdict(index == 0)], attempts: [attempt(0.01, 100)])
      run.add(case: "c\(index)", target: "dear", attempts: [attempt(0.03, 300)])
    }
    let targets = try RunSummary.make(from: run).targets
    let cheap = try #require(targets[0].acceptance)
    let dear = try #require(targets[1].acceptance)
    // 0.01/0.25 and 100 ms/0.25, but one passed case of four leaves no upper end.
    #expect(
      cheap.rate.value == 0.25 && cheap.cost.reason == .fewAccepted && cheap.cost.perAccepted.value == nil)
    #expect(dear.cost.perAccepted.value == 0.03 && dear.wait.perAccepted.value == 300)
    let most = Proportion.wilson(share: 0.25, n: 4).upperBound
    #expect(abs(try #require(cheap.cost.atLeast) - 0.01 / most) < 1e-12)
  }

  @Test func theMeanOverTheRate() throws {
    var run = TestRun(cases: 20)
    for index in 0..<20 {
      run.add(
        case: "c\(index)", scores: [.verdict(index % 2 == 0)],
        attempts: [attempt(Double(index + 1) / 100, 100, wait: 20)])
    }
    let found = try #require(try acceptance(run))
    // Mean cost 0.105 and wait 120 ms, half accepted.
    #expect(abs(try #require(found.cost.perAsk.value) - 0.105) < 1e-12)
    #expect(abs(try #require(found.cost.perAccepted.value) - 0.21) < 1e-12)
    #expect(abs(try #require(found.wait.perAccepted.value) - 240) < 1e-9)
    #expect(found.cost.perAccepted.n == 20 && found.cost.perAccepted.interval != nil && found.again == nil)
  }

  @Test func whatHasNoAnswerIsAskedAgainAndWhatCannotBeJudgedIsMissing() throws {
    var run = TestRun(cases: 12)
    for index in 0..<8 { run.add(case: "c\(index)", attempts: [attempt(0.02)]) }
    for index in 8..<10 {
      run.add(
        case: "c\(index)", status: .failed, errorClass: .overloaded, scores: [.unscored(.noAnswer, "")],
        attempts: [attempt(0.02, 400)])
    }
    run.add(case: "c10", scores: [.unscored(.graderFailed, "")], attempts: [attempt(9)])
    run.add(case: "c11", attempts: [attempt(nil)])
    let found = try #require(try acceptance(run))
    let rate = try #require(found.rate.value)
    #expect(abs(rate - 9.0 / 11) < 1e-12 && found.rate.missing == 1)
    // Ten trials of 0.02, eight accepted; the eleventh's cost is unknown, the twelfth has no verdict.
    #expect(abs(try #require(found.cost.perAccepted.value) - 0.02 / 0.8) < 1e-12)
    #expect(found.cost.perAccepted.n == 10 && found.cost.perAccepted.missing == 2)
    // Nine answers of 100 ms and two failures of 400 ms; nine accepted.
    let wait = try #require(found.wait.perAccepted.value)
    #expect(abs(wait - 1700.0 / 9) < 1e-9)
  }

  @Test func nothingAcceptedHasOnlyALowerBound() throws {
    var run = TestRun(cases: 10)
    for index in 0..<10 {
      run.add(case: "c\(index)", scores: [.verdict(false)], attempts: [attempt(0.01)])
    }
    let found = try #require(try acceptance(run))
    #expect(found.cost.reason == .noneAccepted && found.cost.perAccepted.value == nil)
    // Wilson's upper end for 0 of 10 is 0.2775.
    #expect(abs(try #require(found.cost.atLeast) - 0.01 / 0.277533) < 1e-6)
  }

  @Test func withoutAVerdictThereIsNothingToAccept() throws {
    var run = TestRun(cases: 2)
    run.add(case: "a", scores: [.scored(value: 0.5, passed: nil)])
    run.add(case: "b", status: .failed, errorClass: .overloaded, scores: [])
    #expect(try acceptance(run) == nil)
  }

  @Test func repeatsShowThatAskingAgainIsNoNewDraw() throws {
    var run = TestRun(cases: 20, repeats: 5)
    for index in 0..<20 {
      for number in 0..<5 {
        run.add(
          case: "c\(index)", repeatIndex: number, scores: [.verdict(index < 10)], attempts: [attempt(0.01)])
      }
    }
    let summary = try RunSummary.make(from: run)
    let again = try #require(summary.targets[0].acceptance?.again)
    #expect(again.cases == 20 && again.never == 10 && again.share.value == 0.5)
    // 20·C(95, 50)/C(100, 50)
    #expect(abs(again.neverExpected - 0.562846) < 1e-5, "\(again.neverExpected)")
    #expect(try #require(again.pValue) < 1e-6)
    #expect(summary.findings.contains { $0.code == "asking-again-helps-little" })
    #expect(abs(try #require(summary.targets[0].acceptance?.cost.perAccepted.value) - 0.02) < 1e-12)
  }

  /// By scipy: `scipy.stats.chi2.sf`, and the sum of hypergeometric chances.
  @Test(
    arguments: [
      ([0, 5, 5, 0, 3, 2], [5, 5, 5, 5, 5, 5], 0.0010511, 0.1264368),
      ([3, 2, 3, 4, 2, 3, 3, 2], [5, 5, 5, 5, 5, 5, 5, 5], 0.900420, 0.1041689),
      ([0, 0, 4, 4], [4, 4, 4, 4], 0.00113398, 0.1538462),
      ([1, 3, 0, 2], [2, 4, 3, 5], 0.2619144, 0.5594406),
    ] as [([Int], [Int], Double, Double)])
  func dispersionIsScipys(passes: [Int], trials: [Int], p: Double, expected: Double) throws {
    let cases = zip(passes, trials).map { (passes: $0, trials: $1) }
    #expect(abs(try #require(Dispersion.pValue(cases)) - p) < 0.05 * p + 0.0005)
    #expect(abs(Dispersion.expectedWithoutPass(cases) - expected) < 1e-5)
  }

  /// Users who ask until an answer is accepted pay what the formula says, and the interval holds it as often as it claims.
  @Test func usersPayWhatTheFormulaSays() throws {
    var random = SeededRandom(seed: 11)
    func chance() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
    // A question has a cost of its own, in 0.01…0.03, and every ask an even chance of 0.4.
    let rate = 0.4
    var paid = 0.0
    let users = 20_000
    for _ in 0..<users {
      let cost = 0.01 + 0.02 * chance()
      repeat { paid += cost } while chance() >= rate
    }
    let truth = 0.02 / rate
    #expect(abs(paid / Double(users) - truth) < 0.001, "\(paid / Double(users))")
    var held = 0
    let runs = 200
    for _ in 0..<runs {
      var run = TestRun(cases: 60)
      for index in 0..<60 {
        run.add(
          case: "c\(index)", scores: [.verdict(chance() < rate)], attempts: [attempt(0.01 + 0.02 * chance())])
      }
      let interval = try acceptance(run)?.cost.perAccepted.interval
      if interval?.contains(truth) == true { held += 1 }
    }
    // 95 % of 200 is 190, three standard errors are 9.
    #expect(held >= 181, "\(held) of \(runs)")
  }
}
