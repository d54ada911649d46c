import EvalCore
import Testing

@testable import EvalAnalysis

/// Who is ahead, and whether that is sure.
@Suite struct StandingTests {
  /// A run whose targets pass the cases in front of these numbers, and take so many milliseconds.
  private func run(
    _ passes: [(name: String, passes: Set<Int>, milliseconds: Int64)], cases: Int
  ) -> TestRun {
    var run = TestRun(passes.map(\.name), cases: cases)
    for number in 0..<cases {
      for target in passes {
        run.add(
          case: "c\(number)", target: target.name, scores: [.verdict(target.passes.contains(number))],
          attempts: [TestRun.attempt(target.milliseconds + Int64(number % 7), firstToken: nil)])
      }
    }
    return run
  }

  private func standing(_ measure: ComparisonMeasure, _ run: TestRun) throws -> Standing {
    try #require(try RunSummary.make(from: run).standings.first { $0.measure == measure })
  }

  @Test func aRealDifferenceIsSettled() throws {
    let run = run([("a", Set(0..<10), 100), ("b", Set(0..<30), 101)], cases: 40)
    let pass = try standing(.pass, run)
    #expect(pass.leader == "b" && pass.isSettled && pass.behind.map(\.name) == ["a"])
    let difference = pass.rivals[0].difference
    #expect(difference.candidate.value == 0.75 && difference.reference.value == 0.25)
    // Twenty cases gained and none lost: exact McNemar, and Holm over pass rate and time.
    #expect(abs((difference.test?.p ?? 1) - 2 / Double(1 << 20)) < 1e-15)
    #expect(try RunSummary.make(from: run).standings.map(\.measure) == [.pass, .latency, .cost])
  }

  @Test func aDifferenceByChanceIsNot() throws {
    // 21 against 19 of 40: six lost and eight gained.
    let run = run(
      [("a", Set(0..<19), 100), ("b", Set(6..<27), 100)], cases: 40)
    let pass = try standing(.pass, run)
    #expect(pass.leader == "b" && !pass.isSettled && pass.behind.isEmpty)
    // Equal to the last digit: the first leads and nothing is behind.
    #expect(try standing(.latency, run).leader == "a" && !(standing(.latency, run).isSettled))
  }

  /// A point value that is ahead of every other is not enough where one of the others is near.
  @Test func theBestOfThreeMustBeatBoth() throws {
    let near = run(
      [("a", Set(0..<10), 100), ("b", Set(0..<38), 100), ("c", Set(1..<40), 100)], cases: 40)
    let pass = try standing(.pass, near)
    #expect(pass.leader == "c" && !pass.isSettled)
    #expect(pass.behind.map(\.name) == ["a"] && pass.undecided.map(\.name) == ["b"])
    let far = run([("a", Set(0..<10), 100), ("b", Set(0..<20), 100), ("c", Set(0..<40), 100)], cases: 40)
    #expect(try standing(.pass, far).isSettled)
  }

  /// The same p as `evalrun compare` over the same two targets, from both sides.
  @Test func twoTargetsAreTheComparison() throws {
    var run = TestRun(["a", "b"], cases: 30, repeats: 2, price: nil)
    var random = SeededRandom(seed: 3)
    for number in 0..<30 {
      for (target, shift) in [("a", 0), ("b", 25)] {
        for index in 0..<2 {
          let draw = Int(random.next() % 100)
          run.add(
            case: "c\(number)", target: target, repeatIndex: index,
            scores: [.verdict(draw > 60 - shift), .graded(Double(draw) / 100, threshold: nil)],
            attempts: [TestRun.attempt(Int64(100 + draw - shift), cost: Cost(dollars: Double(draw) / 1000))])
        }
      }
    }
    let sides = try ComparisonInput.read(run, label: "r")
    let comparison = Comparison(reference: sides[0], candidate: sides[1])
    let standings = Standing.all(sides)
    #expect(standings.count == comparison.differences.filter { $0.test != nil }.count && standings.count >= 4)
    for standing in standings {
      let other = try #require(comparison.difference(standing.measure))
      let mine = standing.rivals[0].difference
      #expect(mine == (standing.leader == "b" ? other : other.inverted))
      #expect(mine.isBetter != false)
    }
    // Seen from the other side, everything turns but the doubt.
    let turned = Standing.all(sides.reversed())
    for (one, two) in zip(standings, turned) where one.rivals[0].difference.isBetter != nil {
      #expect(one.leader == two.leader && one.rivals[0].difference.test == two.rivals[0].difference.test)
    }
  }

  @Test func turnedTwiceIsTheSame() throws {
    let run = run([("a", Set(0..<10), 120), ("b", Set(0..<12), 100)], cases: 20)
    let sides = try ComparisonInput.read(run, label: "r")
    for difference in Comparison(reference: sides[0], candidate: sides[1]).differences {
      let turned = difference.inverted
      #expect(turned.candidate == difference.reference && turned.reference == difference.candidate)
      if let value = difference.change.value, difference.measure.scale == .ratio {
        #expect(abs(turned.change.value! * value - 1) < 1e-12)
        #expect(turned.change.interval!.contains(turned.change.value!))
      }
    }
  }

  /// All pairs are one family: three targets make three tests of a measure.
  @Test func moreTargetsMakeEachHarderToSettle() throws {
    // Six gained, none lost: p = 2/2⁶ = 0.031 alone, which three pairs make 0.094 or more.
    let two = run([("a", Set(0..<10), 100), ("b", Set(0..<16), 100)], cases: 40)
    let three = run(
      [("a", Set(0..<10), 100), ("b", Set(0..<16), 100), ("c", Set(0..<10), 100)], cases: 40)
    let alone = try standing(.pass, two).rivals[0].difference.test
    #expect(abs((alone?.p ?? 1) - 2.0 / 64) < 1e-12)
    let among = try standing(.pass, three)
    #expect(among.rivals.allSatisfy { ($0.difference.test?.adjusted ?? 0) >= 3 * 2.0 / 64 - 1e-12 })
    #expect(among.behind.isEmpty)
  }

  @Test func whoHasNoValueIsUnknown() throws {
    var run = TestRun(["a", "b", "c"], cases: 12)
    for number in 0..<12 {
      for (target, dollars) in [("a", 0.001), ("b", 0.01), ("c", nil)] {
        run.add(
          case: "c\(number)", target: target, scores: [.verdict(true)],
          attempts: [TestRun.attempt(100 + Int64(number), cost: Cost(dollars: dollars))])
      }
    }
    let cost = try standing(.cost, run)
    #expect(cost.leader == "a" && cost.behind.map(\.name) == ["b"])
    #expect(cost.unknown == ["c"] && !cost.isSettled)
  }

  @Test func oneTargetStandsAlone() throws {
    #expect(try RunSummary.make(from: run([("a", [0], 100)], cases: 3)).standings.isEmpty)
  }
}
