/// Insertions, deletions and substitutions that turn one sequence into the other (Levenshtein), 64 at a time.
///
/// Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic programming", J. ACM 46(3),
/// 1999, in the block form of Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances",
/// 2003: time `⌈m/64⌉·n`.
enum EditDistance {
  static func levenshtein(_ left: [UInt32], _ right: [UInt32]) -> Int {
    let (pattern, text) = left.count <= right.count ? (left, right) : (right, left)
    if pattern.isEmpty { return text.count }
    let masks = SymbolMasks(pattern)
    let blocks = masks.blocks
    var positive = [UInt64](repeating: ~0, count: blocks)
    var negative = [UInt64](repeating: 0, count: blocks)
    let last = UInt64(1) << UInt64((pattern.count - 1) % 64)
    var score = pattern.count
    for symbol in text {
      // The first row grows by one from column to column.
      var carryPositive: UInt64 = 1
      var carryNegative: UInt64 = 0
      let base = masks.offset(of: symbol)
      for block in 0..<blocks {
        let match = masks.bits[base + block] | carryNegative
        let vertical = positive[block]
        let cross = masks.bits[base + block] | negative[block]
        let diagonal = ((match & vertical) &+ vertical) ^ vertical | match
        var horizontalPositive = negative[block] | ~(diagonal | vertical)
        var horizontalNegative = vertical & diagonal
        if block == blocks - 1 {
          if horizontalPositive & last != 0 { score += 1 }
          if horizontalNegative & last != 0 { score -= 1 }
        }
        let outPositive = horizontalPositive >> 63
        let outNegative = horizontalNegative >> 63
        horizontalPositive = horizontalPositive << 1 | carryPositive
        horizontalNegative = horizontalNegative << 1 | carryNegative
        positive[block] = horizontalNegative | ~(cross | horizontalPositive)
        negative[block] = horizontalPositive & cross
        carryPositive = outPositive
        carryNegative = outNegative
      }
    }
    return score
  }
}

/// The length of the longest common subsequence, 64 elements at a time.
///
/// Hyyrö, "Bit-parallel LCS-length computation revisited", 2004: `V ← (V + (V ∧ M)) ∨ (V ∧ ¬M)`.
enum CommonSubsequence {
  static func length(_ left: [UInt32], _ right: [UInt32]) -> Int {
    let (pattern, text) = left.count <= right.count ? (left, right) : (right, left)
    if pattern.isEmpty { return 0 }
    let masks = SymbolMasks(pattern)
    var row = [UInt64](repeating: ~0, count: masks.blocks)
    for symbol in text {
      let base = masks.offset(of: symbol)
      var carry = false
      for block in 0..<masks.blocks {
        let value = row[block]
        let match = value & masks.bits[base + block]
        let (sum, first) = value.addingReportingOverflow(match)
        let (total, second) = sum.addingReportingOverflow(carry ? 1 : 0)
        carry = first || second
        row[block] = total | (value & ~match)
      }
    }
    var length = 0
    for (block, value) in row.enumerated() {
      let used = min(64, pattern.count - block * 64)
      length += (~value & (used == 64 ? ~0 : (UInt64(1) << UInt64(used)) - 1)).nonzeroBitCount
    }
    return length
  }
}

/// For each symbol of a pattern, the places where it stands, as bits.
private struct SymbolMasks {
  let blocks: Int
  /// Row 0 is of symbols that do not occur.
  private(set) var bits: [UInt64]
  private var rows: [UInt32: Int] = [:]
  /// Rows of the ASCII symbols, which need no hashing.
  private var asciiRows = [Int32](repeating: 0, count: 128)

  init(_ pattern: [UInt32]) {
    blocks = (pattern.count + 63) / 64
    bits = [UInt64](repeating: 0, count: blocks)
    for (place, symbol) in pattern.enumerated() {
      let row = self.row(of: symbol)
      bits[row + place / 64] |= 1 << UInt64(place % 64)
    }
  }

  private mutating func row(of symbol: UInt32) -> Int {
    let known = offset(of: symbol)
    if known != 0 { return known }
    let row = bits.count
    bits += [UInt64](repeating: 0, count: blocks)
    if symbol < 128 { asciiRows[Int(symbol)] = Int32(row) } else { rows[symbol] = row }
    return row
  }

  func offset(of symbol: UInt32) -> Int {
    symbol < 128 ? Int(asciiRows[Int(symbol)]) : rows[symbol] ?? 0
  }
}
