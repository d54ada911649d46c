import EvalCore

/// The permutation test of paired differences: under the null each unit's difference could as well have the other sign.
package enum SignFlip {
  package struct Result: Sendable, Hashable {
    /// Two-sided.
    package var p: Double
    /// Every pattern of signs was counted.
    package var isExact: Bool
    /// Units with a difference other than 0, the only ones that tell anything.
    package var nonzero: Int
  }

  /// Up to so many differences every pattern of signs is counted.
  static let exactLimit = 16

  /// `p = #{|T*| ≥ |T|}/2^m` over all signs of the m units whose difference is not 0, `T` the sum; beyond 16 units
  /// `p = (1 + #{|T*| ≥ |T|})/(B + 1)` over B seeded draws.
  ///
  /// Fisher, *The Design of Experiments* (1935), section 21; the count of the observed pattern among the draws by
  /// Phipson and Smyth, *Permutation P-values Should Never Be Zero* (2010).
  /// - Parameter units: one difference for each independent unit: of a case, or the sum over a cluster's cases.
  package static func test(_ units: [Double], seed: UInt64, draws: Int = 10_000) -> Result {
    let sizes = units.filter { $0 != 0 }
    guard !sizes.isEmpty else { return Result(p: 1, isExact: true, nonzero: 0) }
    let observed = abs(sizes.reduce(0, +))
    // Sums that are equal but for rounding count as equal.
    let bound = observed - 1e-10 * sizes.reduce(0) { $0 + abs($1) }
    guard sizes.count > exactLimit else {
      // The patterns with the other first sign mirror these.
      var sums = [sizes[0]]
      for size in sizes.dropFirst() { sums = sums.map { $0 + size } + sums.map { $0 - size } }
      let extreme = sums.count { abs($0) >= bound }
      return Result(p: Double(extreme) / Double(sums.count), isExact: true, nonzero: sizes.count)
    }
    let extreme = drawn(sizes, seed: seed, draws: draws).count { abs($0) >= bound }
    return Result(p: Double(1 + extreme) / Double(draws + 1), isExact: false, nonzero: sizes.count)
  }

  /// The sums of so many draws of signs. Eight units at a time, by a table of their 256 patterns: one random byte and
  /// one addition each, so that a hundred thousand units take a fraction of a second.
  private static func drawn(_ sizes: [Double], seed: UInt64, draws: Int) -> [Double] {
    var random = SeededRandom(seed: seed)
    var sums = [Double](repeating: 0, count: draws)
    var table = [Double](repeating: 0, count: 256)
    for start in stride(from: 0, to: sizes.count, by: 8) {
      let group = sizes[start..<min(start + 8, sizes.count)]
      table[0] = group.reduce(0, +)
      for pattern in 1..<256 {
        // Flips the lowest sign of a pattern that is in the table already.
        let bit = pattern.trailingZeroBitCount
        let size = bit < group.count ? group[start + bit] : 0
        table[pattern] = table[pattern & (pattern - 1)] - 2 * size
      }
      add(table, to: &sums, &random)
    }
    return sums
  }

  private static func add(_ table: [Double], to sums: inout [Double], _ random: inout SeededRandom) {
    sums.withUnsafeMutableBufferPointer { sums in
      table.withUnsafeBufferPointer { table in
        var word: UInt64 = 0
        for index in sums.indices {
          if index & 7 == 0 { word = random.next() }
          sums[index] += table[Int(word & 255)]
          word >>= 8
        }
      }
    }
  }
}
