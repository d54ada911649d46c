/// The words that changed between two texts.
package struct WordDiff: Sendable, Hashable {
  package enum Piece: Sendable, Hashable {
    case same(String)
    case removed(String)
    case added(String)
  }

  package private(set) var pieces: [Piece]

  /// Beyond so many changed words the middle of the texts is shown as replaced: nobody reads such a diff.
  private static let changeLimit = 1000

  /// Compares word by word; a character of a script without blanks is a word of its own.
  package init(_ old: String, _ new: String) {
    let left = WordDiff.words(old)
    let right = WordDiff.words(new)
    var start = 0
    while start < left.count, start < right.count, left[start] == right[start] { start += 1 }
    var end = 0
    while end < left.count - start, end < right.count - start,
      left[left.count - 1 - end] == right[right.count - 1 - end]
    {
      end += 1
    }
    let steps = WordDiff.steps(left[start..<left.count - end], right[start..<right.count - end])
    var pieces = left[..<start].map { Piece.same(String($0)) } + steps
    pieces += left[(left.count - end)...].map { Piece.same(String($0)) }
    self.pieces = WordDiff.joined(pieces)
  }

  package var isEqual: Bool {
    pieces.allSatisfy { piece in
      if case .same = piece { true } else { false }
    }
  }

  /// As `git diff --word-diff=plain` writes it: `[-removed-]` and `{+added+}`; nothing is lost without colour.
  /// - Parameter context: words that stay beside a change where more are the same, and a twelfth part of the beginning of a
  ///   change that is longer; `nil` keeps all.
  package func text(context: Int? = nil) -> String {
    var text = ""
    for (index, piece) in pieces.enumerated() {
      switch piece {
      case .same(let words):
        text += WordDiff.shortened(
          words, to: context, isFirst: index == 0, isLast: index == pieces.count - 1)
      case .removed(let words): text += "[-\(WordDiff.cut(words, to: context))-]"
      case .added(let words): text += "{+\(WordDiff.cut(words, to: context))+}"
      }
    }
    return text
  }

  /// A long change keeps its beginning.
  private static func cut(_ text: String, to context: Int?) -> String {
    guard let context else { return text }
    let words = words(text)
    let kept = 12 * context
    guard words.count > kept + 20 else { return text }
    return words[..<kept].joined() + "… (\((words.count - kept) / 2) more words)"
  }

  private static func shortened(_ text: String, to context: Int?, isFirst: Bool, isLast: Bool) -> String {
    guard let context else { return text }
    let words = words(text)
    // A word and the blank behind it are two.
    let kept = 2 * context
    let head = isFirst ? 0 : kept
    let tail = isLast ? 0 : kept
    guard words.count > head + tail + 4 else { return text }
    let gap = isFirst ? "… " : isLast ? " …" : " … "
    return words[..<head].joined() + gap + words[(words.count - tail)...].joined()
  }

  /// Words and the blanks between them, in order; together they are the text.
  private static func words(_ text: String) -> [Substring] {
    var words: [Substring] = []
    var start = text.startIndex
    var kind = 0
    for index in text.indices {
      let next = WordDiff.kind(text[index])
      if index > start, next != kind || next == 2 {
        words.append(text[start..<index])
        start = index
      }
      kind = next
    }
    if start < text.endIndex { words.append(text[start...]) }
    return words
  }

  /// 0 for a blank, 1 for a part of a word, 2 for a word of its own.
  private static func kind(_ character: Character) -> Int {
    if character.isWhitespace { return 0 }
    guard let first = character.unicodeScalars.first?.value, first >= 0x0E00 else { return 1 }
    // Thai, Lao, Khmer and the ideographs with their kana are written without blanks; Hangul is not.
    switch first {
    case 0x0E00..<0x0F00, 0x1780..<0x1800, 0x2E80..<0xA000, 0xF900..<0xFB00, 0x20000..<0x32000: return 2
    default: return 1
    }
  }

  /// The shortest way from one list to the other.
  ///
  /// Myers, *An O(ND) Difference Algorithm and Its Variations*, Algorithmica 1 (1986), the greedy algorithm.
  private static func steps(_ left: ArraySlice<Substring>, _ right: ArraySlice<Substring>) -> [Piece] {
    let replaced = left.map { Piece.removed(String($0)) } + right.map { Piece.added(String($0)) }
    guard !left.isEmpty, !right.isEmpty else { return replaced }
    let (old, new) = (Array(left), Array(right))
    var furthest = [0, 0]
    var rounds: [[Int]] = []
    for distance in 0...min(changeLimit, old.count + new.count) {
      // Diagonals −distance…distance in steps of 2, stored from 0.
      var reached = [Int](repeating: 0, count: 2 * distance + 1)
      for diagonal in stride(from: -distance, through: distance, by: 2) {
        var x = WordDiff.begin(furthest, diagonal, distance)
        while x < old.count, x - diagonal < new.count, old[x] == new[x - diagonal] { x += 1 }
        reached[diagonal + distance] = x
        if x >= old.count, x - diagonal >= new.count { return path(rounds, old, new) }
      }
      rounds.append(reached)
      furthest = reached
    }
    return replaced
  }

  /// How far the old text is read before the round's diagonal is followed.
  private static func begin(_ furthest: [Int], _ diagonal: Int, _ distance: Int) -> Int {
    if distance == 0 { return 0 }
    let before = distance - 1
    let down = diagonal + 1 <= before ? furthest[diagonal + 1 + before] : -1
    let along = diagonal - 1 >= -before ? furthest[diagonal - 1 + before] + 1 : -1
    return max(down, along)
  }

  private static func path(_ rounds: [[Int]], _ old: [Substring], _ new: [Substring]) -> [Piece] {
    var pieces: [Piece] = []
    var (x, y) = (old.count, new.count)
    for distance in stride(from: rounds.count, to: 0, by: -1) {
      let furthest = rounds[distance - 1]
      let before = distance - 1
      let diagonal = x - y
      let down = diagonal + 1 <= before ? furthest[diagonal + 1 + before] : -1
      let along = diagonal - 1 >= -before ? furthest[diagonal - 1 + before] + 1 : -1
      let start = max(down, along)
      while x > start {
        x -= 1
        y -= 1
        pieces.append(.same(String(old[x])))
      }
      if along > down {
        x -= 1
        pieces.append(.removed(String(old[x])))
      } else {
        y -= 1
        pieces.append(.added(String(new[y])))
      }
    }
    while x > 0 {
      x -= 1
      pieces.append(.same(String(old[x])))
    }
    return pieces.reversed()
  }

  /// Words of one kind in one piece; changes with nothing but blanks between them become one change.
  private static func joined(_ pieces: [Piece]) -> [Piece] {
    var result: [Piece] = []
    var group: [Piece] = []
    func flush() {
      var trailing: [Piece] = []
      while case .same? = group.last { trailing.insert(group.removeLast(), at: 0) }
      append(merged(group), to: &result)
      append(trailing, to: &result)
      group = []
    }
    for piece in pieces {
      if case .same(let words) = piece, group.isEmpty || !words.allSatisfy(\.isWhitespace) {
        flush()
        append([piece], to: &result)
      } else {
        group.append(piece)
      }
    }
    flush()
    return result
  }

  /// One removal and one addition, where both have words.
  private static func merged(_ group: [Piece]) -> [Piece] {
    var (old, new) = ("", "")
    for piece in group {
      switch piece {
      case .same(let words):
        old += words
        new += words
      case .removed(let words): old += words
      case .added(let words): new += words
      }
    }
    let hasBoth = !old.allSatisfy(\.isWhitespace) && !new.allSatisfy(\.isWhitespace)
    return hasBoth ? [.removed(old), .added(new)] : group
  }

  private static func append(_ pieces: [Piece], to result: inout [Piece]) {
    for piece in pieces {
      switch (result.last, piece) {
      case (.same(let before)?, .same(let words)): result[result.count - 1] = .same(before + words)
      case (.removed(let before)?, .removed(let words)): result[result.count - 1] = .removed(before + words)
      case (.added(let before)?, .added(let words)): result[result.count - 1] = .added(before + words)
      default: result.append(piece)
      }
    }
  }
}
