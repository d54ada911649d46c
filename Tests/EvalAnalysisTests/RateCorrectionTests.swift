import EvalCore
import Testing

@testable import EvalAnalysis

/// Judged rates without the judge's errors.
@Suite struct RateCorrectionTests {
  @Test func everyCorrectedRateIsAsItsFormula() throws {
    #expect(LabelStatisticsTests.rows("corrected").count == 45)
    for row in LabelStatisticsTests.rows("corrected") {
      let (n, x) = (LabelStatisticsTests.integer(row, "n"), LabelStatisticsTests.integer(row, "x"))
      let result = RateCorrection.corrected(
        Proportion.estimate(x, of: n),
        sensitivity: Proportion.estimate(
          LabelStatisticsTests.integer(row, "a"), of: LabelStatisticsTests.integer(row, "m1")),
        specificity: Proportion.estimate(
          LabelStatisticsTests.integer(row, "b"), of: LabelStatisticsTests.integer(row, "m0")))
      let rate = try result.get()
      #expect(abs(rate.uncut - (row["uncut"]?.doubleValue ?? 99)) < 1e-10)
      #expect(rate.estimate.value == min(1, max(0, rate.uncut)))
      #expect(rate.isCut == (rate.uncut < 0 || rate.uncut > 1))
      let interval = try #require(rate.estimate.interval)
      #expect(abs(interval.lowerBound - (row["low"]?.doubleValue ?? 9)) < 1e-6, "\(row.serialized())")
      #expect(abs(interval.upperBound - (row["high"]?.doubleValue ?? 9)) < 1e-6, "\(row.serialized())")
    }
  }

  /// Rogan and Gladen by hand: 0.6 observed, 0.9 and 0.7: (0.6 + 0.7 − 1)/(0.9 + 0.7 − 1) = 0.5.
  @Test func aWorkedCorrection() throws {
    let rate = try RateCorrection.corrected(
      Proportion.estimate(60, of: 100), sensitivity: Proportion.estimate(36, of: 40),
      specificity: Proportion.estimate(28, of: 40)
    ).get()
    #expect(abs((rate.estimate.value ?? 0) - 0.5) < 1e-12 && rate.estimate.method == .roganGladen)
    // Labels are part of the doubt: with the judge's rates known it would be Wilson's ±9.5 points over 0.6.
    #expect((rate.estimate.margin ?? 0) > 0.095 / 0.6)
  }

  @Test func whatCorrectsNothingIsRefused() {
    func refusal(_ a: (Int, Int), _ b: (Int, Int)) -> CorrectionRefusal? {
      let result = RateCorrection.corrected(
        Proportion.estimate(60, of: 100), sensitivity: Proportion.estimate(a.0, of: a.1),
        specificity: Proportion.estimate(b.0, of: b.1))
      if case .failure(let refusal) = result { return refusal }
      return nil
    }
    #expect(refusal((9, 9), (40, 50)) == .tooFewLabels(passes: 9, fails: 50, needed: 10))
    #expect(refusal((9, 10), (0, 0)) == .tooFewLabels(passes: 10, fails: 0, needed: 10))
    #expect(refusal((20, 40), (20, 40)) == .noBetterThanChance(0))
    #expect(refusal((10, 40), (20, 40)) == .noBetterThanChance(-0.25))
    guard case .perhapsNoBetterThanChance(let low)? = refusal((12, 20), (12, 20)) else {
      Issue.record("0.6 and 0.6 of 20 may be chance")
      return
    }
    #expect(low < 0)
    #expect(refusal((36, 40), (28, 40)) == nil)
  }

  /// The judge says pass too easily; the corrected rate is the true one in 95 of 100 worlds, the raw one hardly ever.
  @Test func correctedIntervalsHoldTheTruth() {
    var raw = 0
    let share = CoverageTests.covers(1500, seed: 43) { random in
      func share(_ n: Int, _ p: Double) -> Estimate {
        Proportion.estimate((0..<n).count { _ in random.unit() < p }, of: n)
      }
      let observed = share(300, 0.6 * 0.9 + 0.4 * 0.3)
      if observed.interval?.contains(0.6) == true { raw += 1 }
      let result = RateCorrection.corrected(
        observed, sensitivity: share(40, 0.9), specificity: share(40, 0.7))
      guard case .success(let rate) = result else { return true }
      return rate.estimate.interval?.contains(0.6) ?? false
    }
    #expect((0.93...0.985).contains(share), "\(share)")
    #expect(raw < 900, "\(raw)")
  }

  /// Newcombe's own example: 56/70 − 48/80 = 0.2, 0.0524 to 0.3339 (Statistics in Medicine 17 (1998), table II).
  @Test func theDifferenceOfTwoShares() throws {
    let interval = try #require(
      ShareDifference.newcombe(Proportion.estimate(56, of: 70), Proportion.estimate(48, of: 80)))
    #expect(abs(interval.lowerBound - 0.0524) < 1e-4 && abs(interval.upperBound - 0.3339) < 1e-4)
  }
}
