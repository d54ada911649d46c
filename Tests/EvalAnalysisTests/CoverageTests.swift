import EvalCore
import Testing

@testable import EvalAnalysis

/// A 95 % interval must hold the truth in 93–97 % of many seeded draws.
@Suite struct CoverageTests {
  static func normal(_ random: inout SeededRandom) -> Double {
    Normal.quantile(random.unit() * 0.999998 + 1e-6)
  }

  static func covers(_ draws: Int, seed: UInt64, _ one: (inout SeededRandom) -> Bool) -> Double {
    var random = SeededRandom(seed: seed)
    var hits = 0
    for _ in 0..<draws where one(&random) { hits += 1 }
    return Double(hits) / Double(draws)
  }

  @Test(arguments: [4, 30])
  func meansByT(n: Int) {
    let share = Self.covers(4000, seed: 11) { random in
      var cases = CaseValues()
      for _ in 0..<n { cases.append(2 + Self.normal(&random)) }
      return Mean.estimate(cases).interval!.contains(2)
    }
    #expect((0.93...0.97).contains(share), "\(share)")
  }

  @Test func meansOfSkewedScores() {
    // The square root of a uniform number: mean ⅔, in 0…1.
    let share = Self.covers(4000, seed: 12) { random in
      var cases = CaseValues()
      cases.isBinary = false
      for _ in 0..<40 { cases.append(random.unit().squareRoot()) }
      return Mean.ofScores(cases).interval!.contains(2.0 / 3)
    }
    #expect((0.93...0.97).contains(share), "\(share)")
  }

  @Test func meansOverClusters() {
    // 40 clusters of 1 to 5 cases with an intraclass correlation of ½. Without the clusters it covers far less.
    var naive = 0
    let share = Self.covers(2000, seed: 13) { random in
      var cases = CaseValues()
      var alone = CaseValues()
      for cluster in 0..<40 {
        let common = Self.normal(&random)
        for _ in 0..<(1 + cluster % 5) {
          let value = common + Self.normal(&random)
          cases.append(value, cluster: cluster)
          alone.append(value)
        }
      }
      if Mean.estimate(alone).interval!.contains(0) { naive += 1 }
      return Mean.estimate(cases).interval!.contains(0)
    }
    #expect((0.93...0.97).contains(share), "\(share)")
    #expect(naive < 1760, "without clusters it would cover less than 88 %: \(naive) of 2000")
  }

  @Test func passRatesByWilson() {
    // Over many true rates, since Wilson's coverage waves with each single one.
    let share = Self.covers(6000, seed: 14) { random in
      let truth = 0.02 + 0.96 * random.unit()
      let n = 20 + random.below(180)
      var passes = 0
      for _ in 0..<n where random.unit() < truth { passes += 1 }
      return Proportion.estimate(passes, of: n).interval!.contains(truth)
    }
    #expect((0.93...0.97).contains(share), "\(share)")
  }

  @Test func passRatesOverRepeats() {
    // 40 cases, 5 repeats, each case with a rate of its own: uniform in 0.3…0.9, mean 0.6.
    let share = Self.covers(3000, seed: 15) { random in
      var cases = CaseValues()
      for _ in 0..<40 {
        let rate = 0.3 + 0.6 * random.unit()
        var passes = 0
        for _ in 0..<5 where random.unit() < rate { passes += 1 }
        cases.append(Double(passes) / 5, trials: 5)
      }
      return Mean.ofScores(cases).interval!.contains(0.6)
    }
    #expect((0.93...0.97).contains(share), "\(share)")
  }

  @Test(arguments: [(0.5, 101), (0.9, 200), (0.95, 400)])
  func percentiles(p: Double, n: Int) {
    let share = Self.covers(2000, seed: 16) { random in
      let values = (0..<n).map { _ in random.unit() }.sorted()
      return Percentile(p, sorted: values).estimate.interval!.contains(p)
    }
    // Order statistics cover at least what they say; whole ranks make it a little more.
    #expect((0.94...0.98).contains(share), "\(share)")
  }

  @Test func costPerSuccessByBootstrap() {
    // Costs 0.5…1.5, two thirds succeed: 1.5 a success.
    let share = Self.covers(1000, seed: 17) { random in
      var sample = RatioSample()
      for _ in 0..<40 {
        sample.append(top: 0.5 + random.unit(), bottom: random.unit() < 2.0 / 3 ? 1 : 0)
      }
      return Ratio.estimate(sample, n: 40, seed: random.next(), resamples: 300).interval!.contains(1.5)
    }
    #expect((0.93...0.97).contains(share), "\(share)")
  }

  @Test func costPerSuccessLinearised() {
    let share = Self.covers(100, seed: 18) { random in
      var sample = RatioSample()
      for _ in 0..<10_001 {
        sample.append(top: 0.5 + random.unit(), bottom: random.unit() < 2.0 / 3 ? 1 : 0)
      }
      return Ratio.estimate(sample, n: 10_001, seed: 1).interval!.contains(1.5)
    }
    // 100 draws: 95 ± 3 standard errors of 2.2.
    #expect(share >= 0.88, "\(share)")
  }
}
