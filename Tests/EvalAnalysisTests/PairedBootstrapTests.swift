import EvalCore
import Testing

@testable import EvalAnalysis

/// Whether the paired intervals of routing scores hold what they promise, by simulation with fixed seeds.
@Suite struct PairedBootstrapTests {
  /// Two sides over clusters whose cases are alike; the true difference in quality is 0.
  private func covered(clusters: Int, draws: Int, seed: UInt64, ignoringClusters: Bool = false) -> Double {
    var random = SeededRandom(seed: seed)
    var hits = 0
    for draw in 0..<draws {
      var cases: [ReplayCase] = []
      var sides: [[CaseMeans]] = [[], []]
      for cluster in 0..<clusters {
        // What a cluster does for one side or the other, and 1 to 5 cases of it.
        let shift = random.unit() - 0.5
        for _ in 0...random.below(5) {
          cases.append(
            ReplayCase(
              id: "\(cases.count)", hash: TestRun.hash("c"),
              cluster: ignoringClusters ? nil : "\(cluster)", facts: [[]]))
          let base = random.unit()
          sides[0].append(CaseMeans(quality: base, dollars: 0, seconds: 0))
          sides[1].append(
            CaseMeans(quality: base + shift + 0.6 * (random.unit() - 0.5), dollars: 0, seconds: 0))
        }
      }
      var paired = PairedCases(cases)
      for side in sides { paired.add(side) }
      let interval = paired.resampled(199, seed: UInt64(draw)).difference(1, 0, of: \.quality)
      if interval?.contains(0) == true { hits += 1 }
    }
    return Double(hits) / Double(draws)
  }

  @Test(arguments: [12, 40]) func differencesAreCoveredByCluster(_ clusters: Int) {
    let share = covered(clusters: clusters, draws: 300, seed: 5)
    #expect((0.92...0.98).contains(share), "\(share)")
  }

  /// The same data with each case a draw of its own: too sure.
  @Test func ignoringClustersIsTooSure() {
    let share = covered(clusters: 40, draws: 150, seed: 5, ignoringClusters: true)
    #expect(share < 0.9, "\(share)")
  }
}
