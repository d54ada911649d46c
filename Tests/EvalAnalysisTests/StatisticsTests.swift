import Testing

@testable import EvalAnalysis

/// Worked examples: small numbers that a person can follow.
@Suite struct StatisticsTests {
  static func cases(_ values: [Double], clusters: [Int]? = nil) -> CaseValues {
    var cases = CaseValues()
    for (index, value) in values.enumerated() { cases.append(value, cluster: clusters?[index]) }
    return cases
  }

  @Test func meanOfThree() throws {
    // 1, 2, 6: mean 3, variance 7, SE √(7/3) = 1.52753; t with 2 degrees of freedom 4.30265.
    let estimate = Mean.estimate(Self.cases([1, 2, 6]))
    #expect(estimate.value == 3)
    let interval = try #require(estimate.interval)
    #expect(abs(interval.upperBound - (3 + 4.302652730 * 1.527525232)) < 1e-6)
    #expect(estimate.n == 3 && estimate.method == .t)
  }

  @Test func clustersWidenTheInterval() throws {
    // Two clusters of equal answers: e = ∓½, SE² = 4·¼/(4·3) + (1/16)(4·¼·1 twice ½·½ each way)
    // Σ_{i≠j} per cluster = (Σe)² − Σe² = 1 − ½ = ½, two clusters: 1; SE² = 1/12 + 1/16.
    let clustered = try #require(Mean.moments(Self.cases([0, 0, 1, 1], clusters: [7, 7, 9, 9])))
    #expect(abs(clustered.standardError - (1.0 / 12 + 1.0 / 16).squareRoot()) < 1e-15)
    #expect(clustered.units == 2)
    let alone = try #require(Mean.moments(Self.cases([0, 0, 1, 1])))
    #expect(abs(alone.standardError - (1.0 / 12).squareRoot()) < 1e-15)
  }

  @Test func oneCaseHasNoInterval() {
    let estimate = Mean.estimate(Self.cases([0.4]))
    #expect(estimate.value == 0.4 && estimate.interval == nil)
    #expect(Mean.estimate(CaseValues(), missing: 3) == Estimate(value: nil, n: 0, missing: 3, method: .t))
  }

  @Test func wilsonOfTheTextbook() {
    let some = Proportion.wilson(share: 17.0 / 20, n: 20)
    #expect((some.lowerBound * 100).rounded() == 64 && (some.upperBound * 100).rounded() == 95)
    let all = Proportion.estimate(20, of: 20)
    #expect(all.interval?.upperBound == 1)
    #expect(((all.interval?.lowerBound ?? 0) * 100).rounded() == 84)
    #expect(Proportion.estimate(0, of: 30).interval?.lowerBound == 0)
    #expect(Proportion.estimate(0, of: 0).value == nil)
  }

  @Test func equalScoresKeepADoubt() throws {
    // Ten cases at 0.5 have no spread, yet nobody knows the mean to nothing.
    var cases = Self.cases(Array(repeating: 0.5, count: 10))
    cases.isBinary = false
    let interval = try #require(Mean.ofScores(cases).interval)
    #expect(interval.lowerBound < 0.3 && interval.upperBound > 0.7)
  }

  @Test func repeatsAreNotCases() throws {
    // 10 cases with 10 repeats each, every repeat of a case alike: 10 facts, not 100.
    var cases = CaseValues()
    for index in 0..<10 { cases.append(index < 5 ? 1 : 0, trials: 10) }
    let estimate = Mean.ofScores(cases)
    #expect(estimate.n == 100 && estimate.units == 10 && estimate.method == .effectiveWilson)
    let margin = try #require(estimate.margin)
    let naive = Proportion.wilson(share: 0.5, n: 100)
    #expect(margin > 2.5 * (naive.upperBound - naive.lowerBound) / 2)
  }

  @Test func nearestRank() {
    #expect(Percentile.rank(0.95, of: 20) == 19)
    #expect(Percentile.rank(0.95, of: 19) == 19)
    #expect(Percentile.rank(0.5, of: 1) == 1)
    #expect(Percentile.rank(0.07, of: 100) == 7)
    let values = (1...100).map(Double.init)
    #expect(Percentile(0.9, sorted: values).observed == .value(90))
  }

  @Test func whatAPercentileTakes() {
    #expect([0.5, 0.9, 0.95, 0.99].map { Percentile.required($0) } == [6, 36, 72, 368])
    let few = Percentile(0.95, sorted: (1...71).map(Double.init))
    #expect(!few.isEstimable && few.estimate.value == nil && few.low == nil)
    #expect(few.observed == .value(68) && !few.isMaximum)
    let enough = Percentile(0.95, sorted: (1...72).map(Double.init))
    #expect(enough.estimate.value == 69)
    #expect(enough.estimate.interval == 64...72)
    #expect(Percentile(0.95, sorted: (1...19).map(Double.init)).isMaximum)
    #expect(Percentile(0.5, sorted: []).observed == nil)
  }

  @Test func failuresAreSlowerThanEverything() {
    let values = (1...90).map(Double.init)
    let adjusted = Percentile(0.95, sorted: values, failures: 10)
    #expect(adjusted.n == 100 && adjusted.observed == .beyond)
    #expect(adjusted.estimate.value == nil)
    #expect(Percentile(0.5, sorted: values, failures: 10).observed == .value(50))
    #expect(Percentile(0.9, sorted: values, failures: 10).high == .beyond)
    #expect(Percentile(0.5, sorted: [], failures: 3).observed == .beyond)
  }

  @Test func passAtKOfChen() throws {
    // 5 answers, 2 right: at least one of 2 is right with 1 − C(3,2)/C(5,2) = 0.7, both with 1/10.
    #expect(abs(try #require(Repeats.passAtK(passes: 2, of: 5, k: 2)) - 0.7) < 1e-15)
    #expect(abs(try #require(Repeats.passHatK(passes: 2, of: 5, k: 2)) - 0.1) < 1e-15)
    #expect(Repeats.passAtK(passes: 5, of: 5, k: 5) == 1)
    #expect(Repeats.passHatK(passes: 4, of: 5, k: 5) == 0)
    #expect(Repeats.passAtK(passes: 2, of: 5, k: 6) == nil)
  }

  @Test func flipRateCountsMixedCases() {
    let rate = Repeats.flipRate([(0, 3), (3, 3), (2, 3), (1, 1)].map { (passes: $0.0, verdicts: $0.1) })
    #expect(rate.n == 3)
    #expect(rate.value == 1.0 / 3)
  }

  @Test func boundsOfTheMissing() {
    #expect(worstCaseBounds(sum: 6, missing: 2, planned: 10) == 0.6...0.8)
    #expect(worstCaseBounds(sum: 0, missing: 0, planned: 0) == nil)
  }

  @Test func costPerSuccess() throws {
    var sample = RatioSample()
    for index in 0..<40 { sample.append(top: 0.01, bottom: index % 2 == 0 ? 1 : 0) }
    let estimate = Ratio.estimate(sample, n: 40, seed: 1, resamples: 500)
    #expect(abs(try #require(estimate.value) - 0.02) < 1e-12)
    let interval = try #require(estimate.interval)
    #expect(interval.lowerBound > 0.013 && interval.lowerBound < 0.0185)
    #expect(interval.upperBound > 0.0215 && interval.upperBound < 0.033)
    #expect(Ratio.estimate(sample, n: 40, seed: 1, resamples: 500) == estimate)
  }

  @Test func noSuccessHasNoCost() {
    var sample = RatioSample()
    sample.append(top: 0.01, bottom: 0)
    sample.append(top: 0.01, bottom: 0)
    #expect(Ratio.estimate(sample, n: 2, seed: 1).value == nil)
    // One success in two cases: a quarter of the resamples has none, so there is no upper end.
    sample.append(top: 0.01, bottom: 1)
    #expect(Ratio.estimate(sample, n: 3, seed: 1).interval == nil)
  }

  @Test func manyCasesAreLinearised() throws {
    var big = RatioSample()
    var small = RatioSample()
    for index in 0..<10_500 {
      let pair = (top: Double(index % 7 + 1), bottom: index % 3 == 0 ? 0.0 : 1.0)
      big.append(top: pair.top, bottom: pair.bottom)
      if index < 4200 { small.append(top: pair.top, bottom: pair.bottom) }
    }
    let linear = Ratio.estimate(big, n: 10_500, seed: 3)
    #expect(linear.method == .linearised)
    let boot = Ratio.estimate(small, n: 4200, seed: 3, resamples: 200)
    #expect(boot.method == .clusterBootstrap)
    // The widths go with 1/√n; both ways agree but for the noise of 200 resamples.
    let expected = try #require(boot.margin) * (4200.0 / 10_500).squareRoot()
    #expect(abs(try #require(linear.margin) / expected - 1) < 0.2)
  }
}
