/// How alike two texts are, from 0 for nothing in common to 1 for the same.
enum Similarity: String, CaseIterable, Sendable {
  /// `1 − d/max(|a|, |b|)` with the Levenshtein distance `d` over characters.
  case levenshtein
  /// F1 of the longest common subsequence of words: `2·L/(|a| + |b|)` (Lin, "ROUGE", 2004, §3, with β = 1).
  case rougeL
  /// F1 of the words in common, normalised as SQuAD does (Rajpurkar et al., 2016, §6.1, and its evaluation script).
  case tokenF1

  /// The longest text that is compared, in characters or words.
  static let limit = 50_000

  /// - Returns: `nil` when a text is longer than ``limit``.
  func callAsFunction(_ left: String, _ right: String, ignoreCase: Bool = false) -> Double? {
    switch self {
    case .levenshtein: Similarity.editRatio(left, right, ignoreCase: ignoreCase)
    case .rougeL: Similarity.sequenceF1(left, right)
    case .tokenF1: Similarity.bagF1(left, right)
    }
  }

  private static func editRatio(_ left: String, _ right: String, ignoreCase: Bool) -> Double? {
    var table = SymbolTable()
    let first = table.symbols(of: ignoreCase ? left.folded : left)
    let second = table.symbols(of: ignoreCase ? right.folded : right)
    let longest = max(first.count, second.count)
    if longest == 0 { return 1 }
    guard longest <= limit else { return nil }
    return 1 - Double(EditDistance.levenshtein(first, second)) / Double(longest)
  }

  private static func sequenceF1(_ left: String, _ right: String) -> Double? {
    var words = WordTable()
    let first = words.words(of: left)
    let second = words.words(of: right)
    guard max(first.count, second.count) <= limit else { return nil }
    return f1(CommonSubsequence.length(first, second), first.count, second.count)
  }

  private static func bagF1(_ left: String, _ right: String) -> Double? {
    var words = WordTable()
    let first = words.words(of: left, squad: true)
    let second = words.words(of: right, squad: true)
    guard max(first.count, second.count) <= limit else { return nil }
    var counts: [UInt32: Int] = [:]
    for word in second { counts[word, default: 0] += 1 }
    var common = 0
    for word in first {
      guard let count = counts[word], count > 0 else { continue }
      counts[word] = count - 1
      common += 1
    }
    return f1(common, first.count, second.count)
  }

  /// `2PR/(P + R)`; two empty texts are the same, one empty text has nothing in common.
  private static func f1(_ common: Int, _ first: Int, _ second: Int) -> Double {
    first + second == 0 ? 1 : 2 * Double(common) / Double(first + second)
  }
}

/// Numbers words, so that equal numbers are equal words by canonical equivalence.
struct WordTable {
  private var known: [String: UInt32] = [:]

  /// The words of a text in lower case: runs of letters and digits.
  /// - Parameter squad: join what punctuation separates (`U.S.` is `us`) and leave out `a`, `an` and `the`.
  mutating func words(of text: String, squad: Bool = false) -> [UInt32] {
    var numbers: [UInt32] = []
    var word: [UInt8] = []
    for scalar in text.folded.unicodeScalars {
      if scalar.isWordPart {
        if scalar.value < 0x80 {
          word.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
          word.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
        }
      } else if !squad || scalar.isWhite {
        close(&word, &numbers, squad)
      }
    }
    close(&word, &numbers, squad)
    return numbers
  }

  private mutating func close(_ word: inout [UInt8], _ numbers: inout [UInt32], _ squad: Bool) {
    guard !word.isEmpty else { return }
    let text = String(decoding: word, as: UTF8.self)
    word.removeAll(keepingCapacity: true)
    if squad, text == "a" || text == "an" || text == "the" { return }
    if let number = known[text] {
      numbers.append(number)
    } else {
      let number = UInt32(known.count)
      known[text] = number
      numbers.append(number)
    }
  }
}
