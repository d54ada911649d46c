import EvalCore
import Foundation
import Testing

@testable import EvalAnalysis

/// Simulations: an interval holds the true difference in 93–97 % of many seeded draws, and a test of equal sides fires
/// in no more than 5 %. The observed rates stand in `Docs/Statistics.md`.
@Suite struct CompareCoverageTests {
  /// One case of two sides, each repeat a pair.
  struct CaseDraw {
    var pairs: [(Double, Double)]
    var cluster: Int?

    init(_ pairs: [(Double, Double)], cluster: Int? = nil) {
      self.pairs = pairs
      self.cluster = cluster
    }
  }

  /// Draws become the very values that a comparison is made from.
  static func sample(_ draws: [CaseDraw], _ measure: ComparisonMeasure) -> PairedSample {
    let pairs = draws.map { draw in
      func side(_ value: KeyPath<(Double, Double), Double>) -> ComparedCase {
        var one = ComparedCase(
          hash: someHash, id: "", cluster: draw.cluster.map { String($0) },
          trials: draw.pairs.enumerated().map { index, pair in
            var trial = ComparedTrial(repeatIndex: index)
            trial.score = pair[keyPath: value]
            trial.passed = pair[keyPath: value] == 1
            trial.latency = pair[keyPath: value]
            return trial
          })
        one.hasChecks = true
        return one
      }
      return CasePairing.Pair(reference: side(\.0), candidate: side(\.1))
    }
    return PairedSample(measure, pairs, anyVerdict: true)
  }

  private static let someHash = TestRun.hash("x")

  static func normal(_ random: inout SeededRandom) -> Double { CoverageTests.normal(&random) }

  static func bernoulli(_ p: Double, _ random: inout SeededRandom) -> Double { random.unit() < p ? 1 : 0 }

  static func expect(_ share: Double, _ what: String, in range: ClosedRange<Double> = 0.93...0.97) {
    print("simulation: \(what): \((share * 1000).rounded() / 10) %")
    #expect(range.contains(share), "\(what): \(share)")
  }

  /// Two verdicts on one case with the given discordant shares; what is left passes or fails twice.
  static func pair(gained: Double, lost: Double, _ random: inout SeededRandom) -> (Double, Double) {
    let u = random.unit()
    if u < gained { return (0, 1) }
    if u < gained + lost { return (1, 0) }
    return u < (1 + gained + lost) / 2 ? (1, 1) : (0, 0)
  }

  @Test func tangoOverSinglePairs() {
    let share = CoverageTests.covers(6000, seed: 101) { random in
      let n = 20 + random.below(181)
      let gained = 0.02 + 0.28 * random.unit()
      let lost = 0.02 + 0.28 * random.unit()
      let draws = (0..<n).map { _ in CaseDraw([Self.pair(gained: gained, lost: lost, &random)]) }
      let change = PairedDifference.mean(Self.sample(draws, .pass), .pass, confidence: 0.95)
      return change.interval!.contains(gained - lost)
    }
    Self.expect(share, "tango, n=20-200, discordant 4-60 %")
  }

  @Test func tangoOverRepeats() {
    // Each case has its own rates on both sides.
    let share = CoverageTests.covers(2000, seed: 102) { random in
      var truth = 0.0
      let n = 50
      let draws = (0..<n).map { _ in
        let before = 0.2 + 0.6 * random.unit()
        let after = min(1, max(0, before + 0.1 + 0.2 * (random.unit() - 0.5)))
        truth += 0.1 / Double(n)
        return CaseDraw(
          (0..<4).map { _ in (Self.bernoulli(before, &random), Self.bernoulli(after, &random)) })
      }
      let change = PairedDifference.mean(Self.sample(draws, .pass), .pass, confidence: 0.95)
      return change.interval!.contains(truth)
    }
    Self.expect(share, "tango-effective-n, 50 cases x 4 repeats")
  }

  @Test func tangoOverClusters() {
    var naive = 0
    let share = CoverageTests.covers(2000, seed: 103) { random in
      var draws: [CaseDraw] = []
      for cluster in 0..<40 {
        // A whole source is gained or lost more often; the mean difference is 0.1.
        let gained = 0.4 * random.unit()
        let lost = 0.2 * random.unit()
        for _ in 0..<(2 + cluster % 6) {
          draws.append(CaseDraw([Self.pair(gained: gained, lost: lost, &random)], cluster: cluster))
        }
      }
      let change = PairedDifference.mean(Self.sample(draws, .pass), .pass, confidence: 0.95)
      let alone = draws.map { CaseDraw($0.pairs) }
      if PairedDifference.mean(Self.sample(alone, .pass), .pass, confidence: 0.95).interval!.contains(0.1) {
        naive += 1
      }
      return change.interval!.contains(0.1)
    }
    Self.expect(share, "tango-effective-n, 40 clusters of 2-7")
    print("simulation: the same without clusters: \(Double(naive) / 20) %")
  }

  @Test func gradedScores() {
    let share = CoverageTests.covers(4000, seed: 104) { random in
      let draws = (0..<40).map { _ in
        let before = random.unit()
        // Most cases move a little upward: the mean difference is 1/6.
        return CaseDraw([(before * 0.5, before * 0.5 + 0.5 * random.unit() * random.unit() + 1.0 / 24)])
      }
      let change = PairedDifference.mean(Self.sample(draws, .score), .score, confidence: 0.95)
      return change.interval!.contains(0.125 + 1.0 / 24)
    }
    Self.expect(share, "t on graded differences, n=40")
  }

  @Test func gradedScoresOverClusters() {
    let share = CoverageTests.covers(2000, seed: 105) { random in
      var draws: [CaseDraw] = []
      for cluster in 0..<30 {
        let common = 0.1 * Self.normal(&random)
        for _ in 0..<(1 + cluster % 5) {
          let before = 0.3 + 0.1 * random.unit()
          draws.append(
            CaseDraw([(before, before + 0.1 + common + 0.1 * Self.normal(&random))], cluster: cluster))
        }
      }
      let change = PairedDifference.mean(Self.sample(draws, .score), .score, confidence: 0.95)
      return change.interval!.contains(0.1)
    }
    Self.expect(share, "t-clustered on graded differences, 30 clusters of 1-5")
  }

  @Test func ratiosOfTimes() {
    let share = CoverageTests.covers(4000, seed: 106) { random in
      let draws = (0..<30).map { _ in
        // Skewed, with a share of stalls; the median case is a fifth faster.
        let before = 400 * exp(0.7 * Self.normal(&random))
        let after = before * 0.8 * exp(0.4 * Self.normal(&random))
        return CaseDraw([(before, after)])
      }
      return PairedDifference(.latency, Self.sample(draws, .latency), seed: 1).change.interval!.contains(0.8)
    }
    Self.expect(share, "t-log, 30 lognormal pairs")
  }

  @Test func costPerSuccess() {
    let share = CoverageTests.covers(1000, seed: 113) { random in
      let units = (0..<40).map { _ in
        let size = 1 + random.unit()
        return SIMD4(
          size * (1 + random.unit()), Self.bernoulli(0.6, &random), size * (2 + random.unit()),
          Self.bernoulli(0.8, &random))
      }
      let changes = Bootstrap.sums(units, resamples: 300, seed: random.next()).map {
        $0.z / $0.w - $0.x / $0.y
      }
      // 1.5·2.5/0.8 − 1.5·1.5/0.6.
      return Bootstrap.interval(changes, units: 40)!.contains(1.5 * 2.5 / 0.8 - 1.5 * 1.5 / 0.6)
    }
    Self.expect(share, "cluster-bootstrap of cost per success, the difference, 40 cases")
  }

  /// The mean and the variance of resampled sums are n·x̄ and Σ(x − x̄)², and the same seed gives the same sums.
  @Test func resamplesAreDrawnUniformly() {
    let units = (0..<37).map { SIMD2(Double($0), Double($0 * $0)) }
    let sums = Bootstrap.sums(units, resamples: 20_000, seed: 9)
    #expect(sums == Bootstrap.sums(units, resamples: 20_000, seed: 9))
    #expect(Array(sums[..<64]) == Bootstrap.sums(units, resamples: 64, seed: 9))
    let mean = sums.reduce(.zero, +) / 20_000
    let variance = sums.reduce(SIMD2.zero) { $0 + ($1 - mean) * ($1 - mean) } / 20_000
    // Σ i = 666, Σ i² = 16,206; the variance of the first is Σ(i − 18)² = 4,218.
    #expect(abs(mean.x - 666) < 2 && abs(mean.y - 16_206) < 70)
    #expect(abs(variance.x / 4218 - 1) < 0.05)
  }

  @Test(arguments: [20, 60, 200])
  func mcNemarKeepsItsLevel(n: Int) {
    let share = CoverageTests.covers(4000, seed: 107) { random in
      let draws = (0..<n).map { _ in CaseDraw([Self.pair(gained: 0.15, lost: 0.15, &random)]) }
      let test = PairedDifference.test(Self.sample(draws, .pass), .pass, seed: 1)!
      return test.method == .mcNemar && test.p <= 0.05
    }
    Self.expect(share, "exact McNemar fires on equal sides, n=\(n)", in: 0...0.05)
  }

  @Test(arguments: [12, 40])
  func signFlipsKeepTheirLevel(n: Int) {
    let share = CoverageTests.covers(3000, seed: 108) { random in
      let units = (0..<n).map { _ in Self.normal(&random) * (1 + random.unit()) }
      return SignFlip.test(units, seed: random.next(), draws: 400).p <= 0.05
    }
    Self.expect(share, "sign flips fire on equal sides, n=\(n)", in: 0.035...0.058)
  }

  @Test func signFlipsOfClusters() {
    var naive = 0
    let share = CoverageTests.covers(2000, seed: 109) { random in
      var draws: [CaseDraw] = []
      for cluster in 0..<14 {
        let common = 0.15 * Self.normal(&random)
        for _ in 0..<8 {
          draws.append(CaseDraw([(0.5, 0.5 + common + 0.05 * Self.normal(&random))], cluster: cluster))
        }
      }
      let sample = Self.sample(draws, .score)
      if SignFlip.test(sample.differences.values, seed: 1, draws: 200).p <= 0.05 { naive += 1 }
      return PairedDifference.test(sample, .score, seed: 1)!.p <= 0.05
    }
    Self.expect(share, "sign flips of 14 clusters fire on equal sides", in: 0.03...0.06)
    print("simulation: the same without clusters: \(Double(naive) / 20) %")
    #expect(naive > 600)
  }

  @Test func aPlantedDifferenceOfTheDetectableSizeIsSeen() {
    // 100 cases, a fifth of the pairs discordant: 12.5 points.
    let size = Power.detectable(variance: 0.2, units: 100)
    let share = CoverageTests.covers(3000, seed: 110) { random in
      let draws = (0..<100).map { _ in
        CaseDraw([Self.pair(gained: 0.1 + size / 2, lost: 0.1 - size / 2, &random)])
      }
      let change = PairedDifference.mean(Self.sample(draws, .pass), .pass, confidence: 0.95)
      return change.interval!.lowerBound > 0
    }
    Self.expect(share, "a drop of the detectable size is seen, pass or fail, n=100", in: 0.76...0.88)
    for n in [10, 40] {
      let graded = CoverageTests.covers(3000, seed: 111) { random in
        var values = CaseValues()
        let shift = Power.detectable(standardError: 1 / Double(n).squareRoot(), df: Double(n - 1))
        for _ in 0..<n { values.append(shift + Self.normal(&random)) }
        return Mean.estimate(values).interval!.lowerBound > 0
      }
      Self.expect(graded, "a drop of the detectable size is seen, graded, n=\(n)", in: 0.77...0.84)
    }
  }

  @Test func aFamilyOfQuestionsKeepsItsLevel() {
    let share = CoverageTests.covers(1000, seed: 112) { random in
      let p = (0..<8).map { _ in
        SignFlip.test((0..<12).map { _ in Self.normal(&random) }, seed: 1).p
      }
      return Holm.adjusted(p).contains { $0 <= 0.05 }
    }
    Self.expect(share, "any of 8 questions fires on equal sides, Holm", in: 0...0.06)
  }
}
