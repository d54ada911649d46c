import EvalCore

/// How far several judges agree on the same answers, beyond what chance would give.
///
/// Krippendorff, *Content Analysis: An Introduction to Its Methodology*, 4th edition (2018), chapter 12. It takes any
/// number of judges and answers that some of them did not judge.
package enum Krippendorff {
  /// What the difference of two levels is.
  package enum Scale: Sendable, Hashable {
    /// All differences alike: `δ² = 1`.
    case nominal
    /// By the verdicts in between: `δ²_ck = (Σ_{g=c…k} n_g − (n_c + n_k)/2)²`.
    case ordinal
    /// By the distance: `δ²_ck = (c − k)²`.
    case interval
  }

  /// The verdicts on one answer, as levels from 0.
  package struct Unit: Sendable, Hashable {
    /// Answers of one case are drawn together.
    package var cluster: Int
    package var levels: [Int]

    package init(cluster: Int, levels: [Int]) {
      self.cluster = cluster
      self.levels = levels
    }
  }

  /// `α = 1 − D_o/D_e` with `D_o = Σ_ck o_ck·δ²_ck / n` and `D_e = Σ_ck n_c·n_k·δ²_ck / (n(n−1))`, where
  /// `o_ck = Σ_u n_uc·(n_uk − [c = k])/(m_u − 1)` counts the pairs of verdicts within answers.
  ///
  /// - Returns: 1 for perfect agreement, 0 for that of chance, below 0 for less; `nil` when no answer has two verdicts or
  ///   all verdicts are one level, which tells nothing.
  package static func alpha(_ units: [Unit], levels: Int, scale: Scale) -> Double? {
    var table = Table(levels: levels)
    for unit in units { table.add(Pairs(unit, levels: levels)) }
    return table.alpha(scale)
  }

  /// Alpha with its 95 % interval: the expanded percentile bootstrap over cases, seeded.
  ///
  /// - Returns: no interval with fewer than two cases, or when more than one in forty resamples has but one level.
  package static func estimate(
    _ units: [Unit], levels: Int, scale: Scale, seed: UInt64, resamples: Int = 1000
  ) -> Estimate {
    let pairable = units.filter { $0.levels.count > 1 }
    let clusters = Dictionary(grouping: pairable) { $0.cluster }.sorted { $0.key < $1.key }.map { cluster in
      cluster.value.map { Pairs($0, levels: levels) }
    }
    var estimate = Estimate(
      value: alpha(pairable, levels: levels, scale: scale), n: pairable.count,
      missing: units.count - pairable.count, units: clusters.count, method: .bootstrap)
    guard estimate.value != nil, clusters.count >= 2 else { return estimate }
    var random = SeededRandom(seed: seed)
    var values: [Double] = []
    for _ in 0..<resamples {
      var table = Table(levels: levels)
      for _ in clusters.indices {
        for pairs in clusters[random.below(clusters.count)] { table.add(pairs) }
      }
      if let alpha = table.alpha(scale) { values.append(alpha) }
    }
    guard values.count * 40 > resamples * 39 else { return estimate }
    values.sort()
    let (low, high) = Resamples.bounds(values, units: clusters.count)
    estimate.interval = low...high
    return estimate
  }
}

/// The pairs of verdicts within one answer.
private struct Pairs {
  /// Cells of the coincidence matrix with what the answer adds to each.
  private(set) var cells: [(cell: Int, weight: Double)] = []

  init(_ unit: Krippendorff.Unit, levels: Int) {
    guard unit.levels.count > 1 else { return }
    var counts: [Int: Int] = [:]
    for level in unit.levels { counts[level, default: 0] += 1 }
    let ordered = counts.sorted { $0.key < $1.key }
    let others = Double(unit.levels.count - 1)
    for (left, leftCount) in ordered {
      for (right, rightCount) in ordered {
        let pairs = leftCount * (rightCount - (left == right ? 1 : 0))
        if pairs > 0 { cells.append((left * levels + right, Double(pairs) / others)) }
      }
    }
  }
}

/// The coincidence matrix of many answers.
private struct Table {
  private let levels: Int
  private var cells: [Double]

  init(levels: Int) {
    self.levels = levels
    cells = Array(repeating: 0, count: levels * levels)
  }

  mutating func add(_ pairs: Pairs) {
    for (cell, weight) in pairs.cells { cells[cell] += weight }
  }

  func alpha(_ scale: Krippendorff.Scale) -> Double? {
    let totals = (0..<levels).map { level in cells[level * levels..<(level + 1) * levels].reduce(0, +) }
    let n = totals.reduce(0, +)
    guard n > 1 else { return nil }
    var observed = 0.0
    var expected = 0.0
    for left in 0..<levels {
      for right in 0..<levels where left != right {
        let distance = distance(left, right, totals, scale)
        observed += cells[left * levels + right] * distance
        expected += totals[left] * totals[right] * distance
      }
    }
    guard expected > 0 else { return nil }
    return 1 - observed * (n - 1) / expected
  }

  private func distance(_ left: Int, _ right: Int, _ totals: [Double], _ scale: Krippendorff.Scale) -> Double
  {
    switch scale {
    case .nominal: return 1
    case .interval: return Double((left - right) * (left - right))
    case .ordinal:
      let between = totals[min(left, right)...max(left, right)].reduce(0, +)
      let steps = between - (totals[left] + totals[right]) / 2
      return steps * steps
    }
  }
}
