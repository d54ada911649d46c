import EvalCore
import Testing

@testable import EvalReports

@Suite struct WordDiffTests {
  @Test(arguments: [
    ("She go to school.", "She goes to school.", "She [-go-]{+goes+} to school."),
    ("same words", "same words", "same words"),
    ("", "new", "{+new+}"),
    ("old", "", "[-old-]"),
    ("a b c", "a c", "a [-b -]c"),
    ("the red big house", "the small blue house", "the [-red big-]{+small blue+} house"),
    ("塔は高い", "塔は低い", "塔は[-高-]{+低+}い"),
    ("one\ntwo", "one two", "one[-\n-]{+ +}two"),
  ])
  func reads(old: String, new: String, expected: String) {
    #expect(WordDiff(old, new).text() == expected)
  }

  /// Whatever the texts: what is the same with what was removed is the old one, with what was added the new one.
  @Test func losesNothing() {
    var random = SeededRandom(seed: 3)
    let words = ["a", "b", "c", " ", " ", "\n", "塔", "🙂", "word"]
    for _ in 0..<2000 {
      func text() -> String { (0..<random.below(14)).map { _ in words[random.below(words.count)] }.joined() }
      let (old, new) = (text(), text())
      var (left, right) = ("", "")
      for piece in WordDiff(old, new).pieces {
        switch piece {
        case .same(let words):
          left += words
          right += words
        case .removed(let words): left += words
        case .added(let words): right += words
        }
      }
      #expect(left == old && right == new, "\(old.debugDescription) to \(new.debugDescription)")
    }
  }

  @Test func isTheShortest() {
    var random = SeededRandom(seed: 4)
    for _ in 0..<300 {
      let old = (0..<random.below(9)).map { _ in ["a", "b", "c"][random.below(3)] }
      let new = (0..<random.below(9)).map { _ in ["a", "b", "c"][random.below(3)] }
      // Every word a line of its own character: no blanks, so that words and changes are counted alike.
      let ideographs = ["a": "一", "b": "二", "c": "三"]
      let diff = WordDiff(old.map { ideographs[$0]! }.joined(), new.map { ideographs[$0]! }.joined())
      let kept = diff.pieces.reduce(0) { sum, piece in
        if case .same(let words) = piece { sum + words.count } else { sum }
      }
      #expect(kept == Self.commonLength(old, new))
    }
  }

  /// The longest common subsequence by the textbook's table.
  private static func commonLength(_ old: [String], _ new: [String]) -> Int {
    var row = [Int](repeating: 0, count: new.count + 1)
    for word in old {
      var corner = 0
      for (place, other) in new.enumerated() {
        let above = row[place + 1]
        row[place + 1] = word == other ? corner + 1 : max(above, row[place])
        corner = above
      }
    }
    return row[new.count]
  }

  @Test func longTextsAreShortened() {
    let long = (0..<200).map { "w\($0)" }
    var changed = long
    changed[100] = "new"
    let diff = WordDiff(long.joined(separator: " "), changed.joined(separator: " "))
    #expect(diff.text(context: 2) == "… w98 w99 [-w100-]{+new+} w101 w102 …")
    // Two texts of nothing in common, too long to look for the shortest way.
    let other = (0..<3000).map { "x\($0)" }.joined(separator: " ")
    let replaced = WordDiff((0..<3000).map { "y\($0)" }.joined(separator: " "), other)
    #expect(replaced.pieces.count == 2)
    #expect(replaced.text(context: 2).contains("more words)"))
  }
}
