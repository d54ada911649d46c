import EvalCore
import Testing

@testable import EvalAnalysis

/// How many cases would settle what is open.
@Suite struct SettlingTests {
  /// By hand from Wilson's bounds: at a share of 0 the upper one is z²/(n+z²), below 1 % from n = z²·99 = 380.3 on; at a
  /// share of 1 the lower one is n/(n+z²), above 97 % from n = z²·97/3 = 124.2 on.
  @Test(arguments: [(0.0, 0.01, 24.0, 381.0), (1.0, 0.97, 60.0, 125.0), (0.75, 0.8, 24.0, 246.0)])
  func sharesBySolvingTheInterval(share: Double, limit: Double, n: Double, needed: Double) {
    let found = GateTest.wilsonUnits(share, limit, from: n)
    #expect(found == needed)
    func isOpen(_ n: Double) -> Bool { Proportion.wilson(share: share, n: n).contains(limit) }
    #expect(isOpen(found - 1) && !isOpen(found))
  }

  @Test func aShareAtItsLimitIsNeverSettled() {
    #expect(GateTest.wilsonUnits(0.8, 0.8, from: 24) == .infinity)
  }

  /// 60 of 60: one of 62 is taken to differ, p = 1/62, 2.80·√(p(1−p)/60) = 4.56 points.
  @Test func allAlikeIsNoProofThatNoneDiffers() throws {
    let plan = PowerPlan.assumed(units: 60, repeats: 1, goal: 0.03, passRate: 1, discordance: 0)
    for row in plan.rows {
      #expect(abs(row.detectable - 0.0456) < 0.0002)
      #expect(try #require(row.casesForGoal) > 100)
    }
  }
}
