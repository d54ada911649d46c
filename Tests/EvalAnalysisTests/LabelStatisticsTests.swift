import EvalCore
import Foundation
import Testing

@testable import EvalAnalysis

/// Agreement with people and a judge's rates: against packages of others (`reference/labels.py`), against
/// worked examples, and against worlds whose truth is known.
@Suite struct LabelStatisticsTests {
  static let reference: JSONValue = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("reference/labels.json")
    return (try? JSONValue.parse([UInt8](Data(contentsOf: file)))) ?? .null
  }()

  static func rows(_ key: String) -> [JSONValue] { reference[key]?.arrayValue ?? [] }

  private static func integers(_ row: JSONValue, _ key: String) -> [Int] {
    (row[key]?.arrayValue ?? []).compactMap { $0.intValue.map { Int($0) } }
  }

  static func integer(_ row: JSONValue, _ key: String) -> Int { Int(row[key]?.intValue ?? -1) }

  /// Counts of a table with two levels: both pass, the judge alone fails, the judge alone passes, both fail.
  static func sample(_ both: Int, _ missed: Int, _ wrong: Int, _ neither: Int) -> LabelledSample {
    let cells = [(1, 1, both), (1, 0, missed), (0, 1, wrong), (0, 0, neither)]
    let verdicts = cells.flatMap { cell in Array(repeating: (cell.0, cell.1), count: cell.2) }
    return LabelledSample(
      verdicts.enumerated().map { LabelledPair(cluster: $0, person: $1.0, judge: $1.1) })
  }

  // MARK: Kappa

  /// Cohen's own kind of table: 20, 5, 10, 15 of 50: P_o = 0.7, P_e = 0.5, κ = 0.4.
  @Test func aWorkedKappa() throws {
    let kappa = try #require(CohenKappa.value(Self.sample(20, 5, 10, 15), levels: 2, .none))
    #expect(abs(kappa - 0.4) < 1e-12)
    let quadratic = try #require(CohenKappa.value(Self.sample(20, 5, 10, 15), levels: 2, .quadratic))
    #expect(abs(quadratic - 0.4) < 1e-12, "two levels have one distance")
  }

  @Test func everyKappaAgreesWithScikitLearn() throws {
    #expect(Self.rows("kappas").count > 40)
    for row in Self.rows("kappas") {
      let levels = Self.integer(row, "levels")
      let (people, judges) = (Self.integers(row, "person"), Self.integers(row, "judge"))
      let strata = Self.integers(row, "strata")
      let pairs = people.indices.map {
        LabelledPair(cluster: $0, stratum: strata[$0], person: people[$0], judge: judges[$0])
      }
      var sizes: [Int: Int] = [:]
      for (key, value) in row["sizes"]?.objectValue?.members ?? [] {
        sizes[Int(key) ?? -1] = value.intValue.map { Int($0) }
      }
      for (name, sizes, weighting) in [
        ("plain", [:], CohenKappa.Weighting.none), ("quadratic", [:], .quadratic), ("weighted", sizes, .none),
        ("weightedQuadratic", sizes, .quadratic),
      ] {
        let expected = try #require(row[name]?.doubleValue)
        let ours = try #require(
          CohenKappa.value(LabelledSample(pairs, sizes: sizes), levels: levels, weighting))
        #expect(abs(ours - expected) < 1e-10, "\(name): \(ours), theirs \(expected)")
      }
    }
  }

  @Test func perfectAgreementOfFewIsNotSure() throws {
    let ten = CohenKappa.estimate(Self.sample(5, 0, 0, 5), levels: 2, .none, seed: 1)
    #expect(ten.value == 1 && ten.n == 10)
    // Wilson's 10 of 10 is 72–100 %: κ = 1 − 0.278/0.5.
    let low = try #require(ten.interval?.lowerBound)
    #expect(abs(low - (1 - 2 * (1 - 0.7224672))) < 1e-4, "\(low)")
    let hundred = CohenKappa.estimate(Self.sample(50, 0, 0, 50), levels: 2, .none, seed: 1)
    #expect(try #require(hundred.interval?.lowerBound) > 0.9)
  }

  @Test func oneLevelTellsNothing() {
    let estimate = CohenKappa.estimate(Self.sample(20, 0, 0, 0), levels: 2, .none, seed: 1)
    #expect(estimate.value == nil && estimate.interval == nil && estimate.n == 20)
    #expect(CohenKappa.value(LabelledSample([]), levels: 4, .quadratic) == nil)
  }

  /// 20 or 60 labels of a judge that is right four times of five: κ = 0.6.
  @Test(arguments: [20, 60])
  func theIntervalOfKappaHoldsTheTruth(n: Int) {
    let share = CoverageTests.covers(400, seed: 31) { random in
      let pairs = (0..<n).map { number in
        let person = random.unit() < 0.5 ? 1 : 0
        return LabelledPair(
          cluster: number, person: person, judge: random.unit() < 0.8 ? person : 1 - person)
      }
      let estimate = CohenKappa.estimate(
        LabelledSample(pairs), levels: 2, .none, seed: random.next(), resamples: 400)
      return estimate.interval?.contains(0.6) ?? true
    }
    #expect((0.93...0.995).contains(share), "\(share)")
  }

  // MARK: Sensitivity and specificity

  @Test func aWorkedTableOfVerdicts() throws {
    let sample = Self.sample(36, 4, 6, 14)
    let sensitivity = JudgeAccuracy.sensitivity(sample)
    let specificity = JudgeAccuracy.specificity(sample)
    #expect(sensitivity.value == 0.9 && sensitivity.n == 40 && sensitivity.method == .wilson)
    #expect(specificity.value == 0.7 && specificity.n == 20)
    // statsmodels: proportion_confint(36, 40, method="wilson").
    let interval = try #require(sensitivity.interval)
    #expect(abs(interval.lowerBound - 0.7694822) < 1e-6 && abs(interval.upperBound - 0.9604205) < 1e-6)
    #expect(JudgeAccuracy.agreement(sample).value == 50.0 / 60)
    #expect(JudgeAccuracy.passed(sample).value == 40.0 / 60)
  }

  @Test func wilsonAgreesWithStatsmodels() throws {
    for row in Self.rows("wilson") {
      let (n, x) = (Self.integer(row, "n"), Self.integer(row, "x"))
      let interval = try #require(JudgeAccuracy.sensitivity(Self.sample(x, n - x, 0, 0)).interval)
      #expect(abs(interval.lowerBound - (row["low"]?.doubleValue ?? 9)) < 1e-9, "\(x) of \(n)")
      #expect(abs(interval.upperBound - (row["high"]?.doubleValue ?? 9)) < 1e-9, "\(x) of \(n)")
    }
  }

  /// Ten equal answers of a case are one case.
  @Test func repeatsOfACaseAreNoNewLabels() throws {
    let alone = (0..<20).map { LabelledPair(cluster: $0, person: 1, judge: $0 % 4 == 0 ? 0 : 1) }
    let repeated = (0..<10).flatMap { _ in alone }
    let one = try #require(JudgeAccuracy.sensitivity(LabelledSample(alone)).interval)
    let ten = JudgeAccuracy.sensitivity(LabelledSample(repeated))
    let interval = try #require(ten.interval)
    #expect(abs(interval.lowerBound - one.lowerBound) < 1e-9 && ten.n == 200 && ten.units == 20)
    #expect(ten.method == .effectiveWilson)
  }

  private static func grouped(_ row: JSONValue) -> LabelledSample {
    var pairs: [LabelledPair] = []
    var sizes: [Int: Int] = [:]
    for (number, group) in (row["groups"]?.arrayValue ?? []).enumerated() {
      let counts = (group.arrayValue ?? []).compactMap { $0.intValue.map { Int($0) } }
      let verdict = group[0]?.boolValue == true ? 1 : 0
      sizes[number] = counts[0]
      for place in 0..<counts[1] {
        pairs.append(
          LabelledPair(
            cluster: pairs.count, stratum: number, person: place < counts[2] ? 1 : 0, judge: verdict))
      }
    }
    return LabelledSample(pairs, sizes: sizes)
  }

  @Test func sharesOfUnevenGroupsHaveTheIntervalOfTheRatio() throws {
    #expect(Self.rows("ratios").count == 4)
    for row in Self.rows("ratios") {
      let estimate = JudgeAccuracy.sensitivity(Self.grouped(row))
      let interval = try #require(estimate.interval)
      #expect(estimate.method == .moverRatio)
      #expect(abs((estimate.value ?? 9) - (row["value"]?.doubleValue ?? 0)) < 1e-10)
      #expect(abs(interval.lowerBound - (row["low"]?.doubleValue ?? 9)) < 1e-9, "\(row.serialized())")
      #expect(abs(interval.upperBound - (row["high"]?.doubleValue ?? 9)) < 1e-9, "\(row.serialized())")
    }
  }

  /// A judge with sensitivity 0.85 and specificity 0.75 over a pool of answers; labels are drawn evenly by its verdict.
  private struct World {
    static let sensitivity = 0.85
    static let specificity = 0.75
    var drawn: LabelledSample
    var asIfSimple: LabelledSample

    init(_ random: inout SeededRandom, answers: Int = 2000, good: Double = 0.85, labels: Int = 80) {
      var groups: [[LabelledPair]] = [[], []]
      for number in 0..<answers {
        let person = random.unit() < good ? 1 : 0
        let isRight = random.unit() < (person == 1 ? World.sensitivity : World.specificity)
        let judge = isRight ? person : 1 - person
        groups[judge].append(LabelledPair(cluster: number, stratum: judge, person: person, judge: judge))
      }
      let sizes = [0: groups[0].count, 1: groups[1].count]
      var pairs: [LabelledPair] = []
      for group in groups.indices {
        random.shuffle(&groups[group])
        pairs += groups[group].prefix(labels / 2)
      }
      drawn = LabelledSample(pairs, sizes: sizes)
      asIfSimple = LabelledSample(pairs)
    }
  }

  /// Drawn by the judge's verdict, the plain shares are far off; those with the weights are not.
  @Test func weightsUndoTheBiasOfDrawingByVerdict() throws {
    var random = SeededRandom(seed: 41)
    var weighted = (0.0, 0.0)
    var naive = (0.0, 0.0)
    let draws = 400
    for _ in 0..<draws {
      let world = World(&random)
      weighted.0 += (JudgeAccuracy.sensitivity(world.drawn).value ?? 0) / Double(draws)
      weighted.1 += (JudgeAccuracy.specificity(world.drawn).value ?? 0) / Double(draws)
      naive.0 += (JudgeAccuracy.sensitivity(world.asIfSimple).value ?? 0) / Double(draws)
      naive.1 += (JudgeAccuracy.specificity(world.asIfSimple).value ?? 0) / Double(draws)
    }
    #expect(abs(weighted.0 - World.sensitivity) < 0.01, "\(weighted.0)")
    #expect(abs(weighted.1 - World.specificity) < 0.02, "\(weighted.1)")
    #expect(abs(naive.0 - World.sensitivity) > 0.1, "without weights: \(naive.0)")
    #expect(abs(naive.1 - World.specificity) > 0.1, "without weights: \(naive.1)")
  }

  @Test func intervalsOfUnevenGroupsHoldTheTruth() {
    for (truth, rate) in [
      (World.sensitivity, JudgeAccuracy.sensitivity), (World.specificity, JudgeAccuracy.specificity),
    ] as [(Double, (LabelledSample, Double) -> Estimate)] {
      let share = CoverageTests.covers(1000, seed: 42) { random in
        rate(World(&random).drawn, 0.95).interval?.contains(truth) ?? false
      }
      #expect((0.93...0.99).contains(share), "\(truth): \(share)")
    }
  }

  /// 0 of 20 wrong among 900 answers that the judge failed may still be 145 good ones.
  @Test func aGroupWithoutAnErrorKeepsItsDoubt() throws {
    let row: JSONValue = ["groups": [[true, 100, 20, 20], [false, 900, 20, 0]]]
    let estimate = JudgeAccuracy.sensitivity(Self.grouped(row))
    #expect(estimate.value == 1)
    let low = try #require(estimate.interval?.lowerBound)
    #expect(low < 0.5, "\(low)")
  }
}
