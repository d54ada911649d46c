import EvalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Strengths of several players from who beat whom: `P(i beats j) = p_i/(p_i + p_j)`.
///
/// Bradley and Terry, *Rank Analysis of Incomplete Block Designs*, Biometrika 39 (1952). A tie is half a win for each.
package enum BradleyTerry {
  /// One comparison.
  package struct Match: Sendable, Hashable {
    /// Comparisons of one case are drawn together.
    package var cluster: Int
    package var first: Int
    package var second: Int
    /// 1 when the first won, 0 when the second did, ½ for a tie.
    package var score: Double

    package init(cluster: Int, first: Int, second: Int, score: Double) {
      self.cluster = cluster
      self.first = first
      self.second = second
      self.score = score
    }
  }

  /// The logarithms of the strengths, whose mean is 0, by the minorise-maximise iteration
  /// `p_i ← W_i / Σ_j n_ij/(p_i + p_j)` (Hunter, *MM Algorithms for Generalized Bradley–Terry Models*, Annals of
  /// Statistics 32 (2004)).
  ///
  /// - Returns: `nil` when there is no maximum: the players fall into two groups of which one never won against the
  ///   other (Ford 1957).
  package static func strengths(_ matches: [Match], players: Int) -> [Double]? {
    var wins = [[Double]](repeating: [Double](repeating: 0, count: players), count: players)
    for match in matches {
      wins[match.first][match.second] += match.score
      wins[match.second][match.first] += 1 - match.score
    }
    guard players > 1, isConnected(wins) else { return nil }
    let won = wins.map { $0.reduce(0, +) }
    var strengths = [Double](repeating: 1, count: players)
    for _ in 0..<10_000 {
      var next = strengths
      for player in 0..<players {
        var sum = 0.0
        for other in 0..<players where other != player {
          sum += (wins[player][other] + wins[other][player]) / (strengths[player] + strengths[other])
        }
        next[player] = won[player] / sum
      }
      // Only ratios count; without this they would drift.
      let mean = exp(next.reduce(0) { $0 + log($1) } / Double(players))
      next = next.map { $0 / mean }
      let change = zip(next, strengths).map { abs(log($0) - log($1)) }.max() ?? 0
      strengths = next
      if change < 1e-12 { break }
    }
    return strengths.map { log($0) }
  }

  /// The strengths with 95 % intervals by the expanded percentile bootstrap over cases, seeded.
  ///
  /// - Returns: `nil` when they are not defined; without intervals when they are not in more than one of forty resamples.
  package static func estimates(
    _ matches: [Match], players: Int, seed: UInt64, resamples: Int = 500
  ) -> [Estimate]? {
    guard let strengths = strengths(matches, players: players) else { return nil }
    let clusters = Dictionary(grouping: matches) { $0.cluster }.sorted { $0.key < $1.key }.map(\.value)
    var estimates = strengths.enumerated().map { player, value in
      Estimate(
        value: value, n: matches.count { $0.first == player || $0.second == player }, units: clusters.count,
        method: .bootstrap)
    }
    guard clusters.count >= 2 else { return estimates }
    var random = SeededRandom(seed: seed)
    var samples: [[Double]] = []
    for _ in 0..<resamples {
      let drawn = clusters.indices.flatMap { _ in clusters[random.below(clusters.count)] }
      if let values = self.strengths(drawn, players: players) { samples.append(values) }
    }
    guard samples.count * 40 > resamples * 39 else { return estimates }
    for player in 0..<players {
      let (low, high) = Resamples.bounds(samples.map { $0[player] }.sorted(), units: clusters.count)
      estimates[player].interval = low...high
    }
    return estimates
  }

  /// Whether everybody can be reached from everybody over wins.
  private static func isConnected(_ wins: [[Double]]) -> Bool {
    func reached(_ beats: (Int, Int) -> Bool) -> Int {
      var seen: Set<Int> = [0]
      var open = [0]
      while let player = open.popLast() {
        for other in wins.indices where beats(player, other) && seen.insert(other).inserted {
          open.append(other)
        }
      }
      return seen.count
    }
    return reached { wins[$0][$1] > 0 } == wins.count && reached { wins[$1][$0] > 0 } == wins.count
  }
}
