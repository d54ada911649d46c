import EvalCore
import Testing

@testable import EvalAnalysis

@Suite struct PowerTests {
  /// Of 20 % discordant pairs: 12.5 points with 100 cases, 17.7 with 50, and 3 points take 1,745.
  @Test(arguments: [(50, 17.7), (100, 12.5), (200, 8.9), (1000, 4.0)])
  func assumedDiscordance(cases: Int, seen: Double) throws {
    let plan = PowerPlan.assumed(units: cases, repeats: 1, goal: 0.03, passRate: 0.8, discordance: 0.2)
    #expect(!plan.isMeasured)
    #expect(abs(plan.rows[1].detectable * 100 - seen) < 0.06)
    #expect(plan.rows[1].casesForGoal == 1745)
    // √(0.16/n) in place of √(0.2/n).
    #expect(abs(plan.rows[0].detectable / plan.rows[1].detectable - 0.8.squareRoot()) < 1e-12)
  }

  /// Cases that differ by nothing but the noise of p = 0.5: all of the variance is within.
  @Test func noiseIsWhatRepeatsAverageAway() throws {
    var random = SeededRandom(seed: 31)
    var run = TestRun(["a", "b"], cases: 400, repeats: 5)
    for number in 0..<400 {
      for target in ["a", "b"] {
        for index in 0..<5 {
          run.add(
            case: "\(number)", target: target, repeatIndex: index, scores: [.verdict(random.unit() < 0.5)])
        }
      }
    }
    let sides = try ComparisonInput.read(run, label: "r")
    let plan = PowerPlan.measured(sides, units: nil, repeats: nil, goal: 0.03)
    #expect(plan.isMeasured && plan.units == 400 && plan.repeats == 5)
    #expect(plan.rows.map(\.reference) == [nil, "itself, unchanged", nil, "itself, unchanged", "a"])
    for row in plan.rows {
      let sidesOfRow = row.reference == nil ? 1.0 : 2.0
      #expect(abs((row.variance.within ?? 0) - 0.25 * sidesOfRow) < 0.02, "\(row)")
      #expect(row.variance.between < 0.03, "\(row)")
    }
    // Four times the repeats halve what can be seen of pure noise.
    let more = PowerPlan.measured(sides, units: nil, repeats: 20, goal: 0.03)
    #expect(abs(more.rows[1].detectable / plan.rows[1].detectable - 0.5) < 1e-9)
  }

  /// Cases that always pass or always fail: repeats do not help, and an unchanged target is the same again.
  @Test func repeatsDoNotHelpWhereThereIsNoNoise() throws {
    var run = TestRun(cases: 100, repeats: 3)
    for number in 0..<100 {
      for index in 0..<3 { run.add(case: "\(number)", repeatIndex: index, scores: [.verdict(number < 80)]) }
    }
    let sides = try ComparisonInput.read(run, label: "r")
    let plan = PowerPlan.measured(sides, units: nil, repeats: nil, goal: 0.03)
    #expect(plan.rows[0].variance.within == 0)
    #expect(abs(plan.rows[0].variance.between - 0.16 * 100 / 99) < 1e-9)
    // One of 102 is taken to differ.
    #expect(abs(plan.rows[1].detectable - 0.0276) < 1e-4)
    let more = PowerPlan.measured(sides, units: nil, repeats: 30, goal: 0.03)
    #expect(more.rows[0].detectable == plan.rows[0].detectable)
  }

  @Test func oneRepeatSaysNothingOfRepeats() throws {
    let sides = try ComparisonInput.read(GateTests.shares(80, of: 100), label: "r")
    let plan = PowerPlan.measured(sides, units: 200, repeats: 4, goal: 0.03)
    #expect(plan.rows.count == 1 && plan.rows[0].variance.within == nil)
    #expect(plan.units == 200)
  }

  @Test func clustersAreTheUnits() throws {
    var run = TestRun(cases: 100)
    for number in 0..<100 {
      run.add(case: "\(number)", scores: [.verdict(number / 5 % 2 == 0)], cluster: "\(number / 5)")
    }
    let plan = PowerPlan.measured(
      try ComparisonInput.read(run, label: "r"), units: nil, repeats: nil, goal: 0.03)
    #expect(plan.isClustered && plan.units == 20)
    // Twenty clusters that are all one or the other see what twenty cases see.
    #expect(abs(plan.rows[0].variance.of(repeats: 1) - 0.25) < 0.02)
  }
}
