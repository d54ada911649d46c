import EvalCore
import Testing

@testable import EvalAnalysis

/// How often gates fire when nothing is wrong, and what they catch. The rates are those of `Docs/Statistics.md`.
@Suite struct GateSimulationTests {
  /// Two targets on the same cases; each case has a rate of its own, the same for both but for `drop`.
  struct World {
    var cases = 100
    var repeats = 1
    var drop = 0.0
    /// Cases in a cluster; they share their rate.
    var cluster = 1
    /// Scores are graded rather than pass or fail.
    var isGraded = false
  }

  /// Every trial of a world, not yet judged: hashes are slow to make, scores are not.
  static func blank(_ world: World) -> TestRun {
    var run = TestRun(["a", "b"], cases: world.cases, repeats: world.repeats)
    for number in 0..<world.cases {
      for target in ["a", "b"] {
        for index in 0..<world.repeats {
          run.add(
            case: "\(number)", target: target, repeatIndex: index,
            cluster: world.cluster > 1 ? "\(number / world.cluster)" : nil, attempts: [])
        }
      }
    }
    return run
  }

  static func draw(_ world: World, into run: inout TestRun, _ random: inout SeededRandom) {
    var rate = 0.0
    var place = 0
    for number in 0..<world.cases {
      if number % world.cluster == 0 { rate = 0.6 + 0.4 * random.unit() }
      for drop in [world.drop, 0] {
        for _ in 0..<world.repeats {
          var score = TrialScore(value: nil, passed: nil, unscored: nil)
          if world.isGraded {
            score.value = rate - drop + 0.4 * (random.unit() - 0.5) * (1 - rate)
          } else {
            let passed = random.unit() < rate - drop
            (score.value, score.passed) = (passed ? 1 : 0, passed)
          }
          run.trials[place].score = score
          place += 1
        }
      }
    }
  }

  /// The shares of draws with each outcome.
  static func rates(
    _ world: World, _ rule: String, draws: Int, seed: UInt64
  ) throws -> (fail: Double, pass: Double) {
    var random = SeededRandom(seed: seed)
    var settings = GateSettings()
    settings.gates = [try GateSpec.read(rule, measures: MeasureRegistry.infos)]
    var fails = 0
    var passes = 0
    var run = blank(world)
    for _ in 0..<draws {
      draw(world, into: &run, &random)
      let verdict = try RunSummary.make(from: run, gates: settings).verdict
      if verdict?.outcome == .fail { fails += 1 }
      if verdict?.outcome == .pass { passes += 1 }
    }
    return (Double(fails) / Double(draws), Double(passes) / Double(draws))
  }

  /// A/A: the same profile twice. With the margin 0 the truth lies at the limit, where a gate fails most often without
  /// a reason: 2.5 %, and passes without one just as often.
  @Test(
    arguments: [
      (World(), "passRate", UInt64(21)), (World(cases: 60, repeats: 3), "passRate", 22),
      (World(cases: 120, cluster: 4), "passRate", 43), (World(cases: 60, isGraded: true), "score", 34),
    ] as [(World, String, UInt64)])
  func sameProfileTwice(world: World, measure: String, seed: UInt64) throws {
    let rates = try Self.rates(world, "\(measure) not worse than b by 0", draws: 800, seed: seed)
    // 20 of 800 each with a standard error of 4.4; together 40 of 800.
    #expect(rates.fail <= 0.042 && rates.pass <= 0.042, "\(rates)")
    #expect((0.02...0.07).contains(rates.fail + rates.pass), "\(rates)")
  }

  /// With a margin that means something, no difference hardly ever fails.
  @Test func sameProfileTwiceWithAMargin() throws {
    let rates = try Self.rates(World(cases: 200), "passRate not worse than b by 0.05", draws: 300, seed: 25)
    #expect(rates.fail <= 0.004, "fails \(rates.fail)")
  }

  /// A limit at the truth, 0.8.
  @Test func aLimitAtTheTruth() throws {
    var random = SeededRandom(seed: 26)
    var (fails, passes) = (0, 0)
    var run = GateTests.shares(150, of: 150)
    for index in run.trials.indices { run.trials[index].attempts = [] }
    for _ in 0..<800 {
      for index in run.trials.indices {
        let passed = random.unit() < 0.8
        run.trials[index].score = TrialScore(value: passed ? 1 : 0, passed: passed, unscored: nil)
      }
      switch try GateTests.one(run, "passRate >= 0.8").outcome {
      case .fail: fails += 1
      case .pass: passes += 1
      default: break
      }
    }
    #expect((8...36).contains(fails) && (8...36).contains(passes), "\(fails), \(passes) of 800")
  }

  /// A drop of the size that is said to be seen is seen in four of five runs: the rate of single cases is 0.6…1.0
  /// less the drop, so that the variance of a pair's difference is known.
  @Test(
    arguments: [(World(cases: 200), UInt64(27)), (World(cases: 100, repeats: 4), 28)] as [(World, UInt64)])
  func aPlantedDropIsCaughtAtTheStatedPower(world: World, seed: UInt64) throws {
    // E[p(1−p)] for p uniform in 0.6…1 is 0.8 − (0.8² + 0.4²/12) = 0.14667; after the drop with p − δ.
    func within(_ mean: Double) -> Double { mean - mean * mean - 0.4 * 0.4 / 12 }
    var world = world
    for _ in 0..<20 {
      let variance = Power.variance(
        between: 0, withinA: within(0.8 - world.drop), repeatsA: world.repeats, withinB: within(0.8),
        repeatsB: world.repeats)
      world.drop = Power.detectable(variance: variance, units: Double(world.cases))
    }
    let rates = try Self.rates(world, "passRate not worse than b by 0", draws: 500, seed: seed)
    // 80 % with a standard error of 1.8.
    #expect((0.75...0.85).contains(rates.fail), "caught \(rates.fail) of drops of \(world.drop)")
  }

  /// Looking nine times before the end, at a truth that lies at the limit.
  @Test func lookingEarlyKeepsItsPromise() {
    var random = SeededRandom(seed: 29)
    var (early, total, naive) = (0, 0, 0)
    let draws = 1000
    let test = GateTest(comparison: .atLeast, limit: 0.8, isPoint: false)
    for _ in 0..<draws {
      var cases = CaseValues()
      cases.isBinary = true
      var (fired, firedNaive) = (false, false)
      for number in 1...300 {
        cases.append(random.unit() < 0.8 ? 1 : 0)
        guard number % 30 == 0 else { continue }
        if test.outcome(Mean.ofScores(cases).interval ?? 0...1) == .fail { firedNaive = true }
        guard number < 300, let confidence = EarlyLook.confidence(at: Double(number) / 300) else { continue }
        if test.outcome(Mean.ofScores(cases, confidence: confidence).interval ?? 0...1) == .fail {
          fired = true
        }
      }
      if fired { early += 1 }
      if firedNaive { naive += 1 }
      if fired || test.outcome(Mean.ofScores(cases).interval ?? 0...1) == .fail { total += 1 }
    }
    #expect(Double(early) / Double(draws) <= 0.025, "\(early) of \(draws)")
    #expect(Double(total) / Double(draws) <= 0.045, "\(total) of \(draws), the end included")
    #expect(Double(naive) / Double(draws) >= 0.06, "\(naive) of \(draws) without the correction")
  }

  @Test func theConstantOfTheBoundary() throws {
    #expect(abs(EarlyLook.constant() - 2.2414) < 1e-4)
    #expect(EarlyLook.confidence(at: 0.09) == nil)
    // At the end the boundary is c itself.
    #expect(abs(try #require(EarlyLook.confidence(at: 1)) - 0.975) < 1e-12)
    let half = try #require(EarlyLook.confidence(at: 0.5))
    #expect(abs(half - 0.998475) < 1e-5, "2·Φ(3.1698) − 1")
  }

  /// What a finished run decides, a third of it does not; what is far off it does.
  @Test func anUnfinishedRunIsJudgedWithTheCorrection() throws {
    var run = GateTests.shares(176, of: 200)
    #expect(try GateTests.one(run, "passRate >= 0.82").outcome == .pass)
    run.run.status = .interrupted
    run.run.plannedTrials = 400
    run.run.caseCount = 400
    let verdict = try GateTests.judge(
      run, ["passRate >= 0.82", "passRate >= 0.6", "latency.p50 <= 1s", "passRate >= 0.6 point"])
    #expect(verdict.earlyFraction == 0.5)
    #expect(verdict.results.map(\.outcome) == [.inconclusive, .pass, .inconclusive, .inconclusive])
    #expect(verdict.results[0].reason?.contains("widened for looking early") == true)
    #expect(verdict.results[2].reason?.contains("not judged before the run is finished") == true)
    run.run.plannedTrials = 4000
    #expect(try GateTests.one(run, "passRate >= 0.6").reason?.hasPrefix("too early") == true)
  }
}
