import EvalCore
import Foundation
import Testing

@testable import EvalAnalysis

/// Agreement and rankings against worked examples and against packages of others (`reference/judging.py`).
@Suite struct AgreementTests {
  private static let reference: JSONValue = {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("reference/judging.json")
    return (try? JSONValue.parse([UInt8](Data(contentsOf: file)))) ?? .null
  }()

  private static func units(_ columns: [[Int?]]) -> [Krippendorff.Unit] {
    columns.enumerated().map { Krippendorff.Unit(cluster: $0, levels: $1.compactMap(\.self)) }
  }

  /// Krippendorff, *Computing Krippendorff's Alpha-Reliability* (2011), example D: 4 observers, 12 units, missing data.
  @Test func krippendorffsOwnExample() throws {
    let observers: [[Int?]] = [
      [1, 2, 3, 3, 2, 1, 4, 1, 2, nil, nil, nil], [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, nil, 3],
      [nil, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, nil], [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, nil],
    ]
    let units = Self.units((0..<12).map { unit in observers.map { $0[unit].map { $0 - 1 } } })
    for (scale, expected) in [(Krippendorff.Scale.nominal, 0.743), (.ordinal, 0.815), (.interval, 0.849)] {
      let alpha = try #require(Krippendorff.alpha(units, levels: 5, scale: scale))
      #expect(abs(alpha - expected) < 0.0006, "\(scale): \(alpha)")
    }
  }

  @Test func everyAlphaAgreesWithThePackageKrippendorff() throws {
    let rows = try #require(Self.reference["alphas"]?.arrayValue)
    #expect(rows.count > 150)
    for row in rows {
      let units = (row["units"]?.arrayValue ?? []).map { unit in
        unit.arrayValue?.compactMap { $0.intValue.map { Int($0) } } ?? []
      }
      let levels = Int(row["levels"]?.intValue ?? 0)
      for (name, scale) in [
        ("nominal", Krippendorff.Scale.nominal), ("ordinal", .ordinal), ("interval", .interval),
      ] {
        let expected = try #require(row[name]?.doubleValue)
        let ours = try #require(Krippendorff.alpha(Self.units(units), levels: levels, scale: scale))
        #expect(abs(ours - expected) < 1e-10, "\(name) of \(units): \(ours), theirs \(expected)")
      }
    }
  }

  @Test func oneLevelOrOneVerdictTellsNothing() {
    #expect(Krippendorff.alpha(Self.units([[1, 1], [1, 1]]), levels: 4, scale: .ordinal) == nil)
    #expect(Krippendorff.alpha(Self.units([[1], [2]]), levels: 4, scale: .ordinal) == nil)
    #expect(Krippendorff.alpha([], levels: 4, scale: .ordinal) == nil)
    let estimate = Krippendorff.estimate(Self.units([[1], [2, 2]]), levels: 4, scale: .ordinal, seed: 1)
    #expect(estimate.value == nil && estimate.n == 1 && estimate.missing == 1)
  }

  @Test func chanceIsNoAgreementAndTheIntervalHoldsIt() throws {
    var random = SeededRandom(seed: 3)
    let units = (0..<300).map { Krippendorff.Unit(cluster: $0, levels: [random.below(4), random.below(4)]) }
    let estimate = Krippendorff.estimate(units, levels: 4, scale: .ordinal, seed: 1)
    let interval = try #require(estimate.interval)
    #expect(interval.contains(0) && interval.upperBound - interval.lowerBound < 0.3)
    #expect(estimate.n == 300 && estimate.method == .bootstrap)
    #expect(Krippendorff.estimate(units, levels: 4, scale: .ordinal, seed: 1) == estimate)
  }

  /// Ten copies of a case are no ten cases.
  @Test func answersOfOneCaseAreDrawnTogether() throws {
    var random = SeededRandom(seed: 4)
    let cases = (0..<30).map { _ in [random.below(3), random.below(3)] }
    let alone = cases.enumerated().map { Krippendorff.Unit(cluster: $0, levels: $1) }
    let copied = (0..<10).flatMap { _ in alone }
    let one = try #require(Krippendorff.estimate(alone, levels: 3, scale: .nominal, seed: 1).interval)
    let ten = try #require(Krippendorff.estimate(copied, levels: 3, scale: .nominal, seed: 1).interval)
    #expect(abs((ten.upperBound - ten.lowerBound) / (one.upperBound - one.lowerBound) - 1) < 0.1)
  }

  @Test func everyRankingAgreesWithThePackageChoix() throws {
    let rows = try #require(Self.reference["rankings"]?.arrayValue)
    #expect(rows.count >= 8)
    for row in rows {
      let matches = (row["matches"]?.arrayValue ?? []).enumerated().map { number, match in
        BradleyTerry.Match(
          cluster: number, first: Int(match[0]?.intValue ?? 0), second: Int(match[1]?.intValue ?? 0),
          score: match[2]?.doubleValue ?? 0)
      }
      let ours = try #require(BradleyTerry.strengths(matches, players: Int(row["players"]?.intValue ?? 0)))
      let theirs = row["strengths"]?.arrayValue?.compactMap(\.doubleValue) ?? []
      #expect(ours.count == theirs.count)
      for (own, other) in zip(ours, theirs) { #expect(abs(own - other) < 1e-6, "\(ours) \(theirs)") }
    }
  }

  /// Two players: the odds are those of the wins, `log(3/1)` apart.
  @Test func twoPlayersAreTheLogOfTheirWins() throws {
    let matches = [1.0, 1, 1, 0].enumerated().map {
      BradleyTerry.Match(cluster: $0, first: 0, second: 1, score: $1)
    }
    let strengths = try #require(BradleyTerry.strengths(matches, players: 2))
    #expect(abs(strengths[0] - strengths[1] - log(3)) < 1e-9 && abs(strengths[0] + strengths[1]) < 1e-9)
  }

  @Test func whoNeverLosesHasNoStrength() {
    func match(_ first: Int, _ second: Int, _ score: Double) -> BradleyTerry.Match {
      BradleyTerry.Match(cluster: 0, first: first, second: second, score: score)
    }
    #expect(BradleyTerry.strengths([match(0, 1, 1)], players: 2) == nil)
    #expect(BradleyTerry.strengths([match(0, 1, 0.5), match(1, 2, 1)], players: 3) == nil)
    #expect(BradleyTerry.strengths([match(0, 1, 0.5)], players: 3) == nil, "one who never played")
    #expect(BradleyTerry.strengths([match(0, 1, 1), match(1, 2, 1), match(2, 0, 1)], players: 3) != nil)
  }
}
