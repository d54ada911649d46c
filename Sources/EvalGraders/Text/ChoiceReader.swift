import EvalCore

/// Reads which of several options an answer chooses.
///
/// In this order, the first rule that says anything decides:
/// 1. the whole answer is an option, decoration aside;
/// 2. a statement such as `Answer: B`, `the answer is (B)` or `\boxed{B}`;
/// 3. the answer begins with an option before `)`, `.`, `:`, `,`, a dash or a line's end, and no later line begins with
///    another; or the last line is an option alone;
/// 4. one option, and no other, occurs as a whole word.
struct ChoiceReader: Sendable {
  /// Which statement counts when several differ.
  enum Pick: String, CaseIterable { case only, first, last }

  enum Reading: Equatable, Sendable {
    case option(String)
    /// Options that the answer names without deciding.
    case ambiguous([String])
    case none
    case tooExpensive
  }

  let options: [String]
  private let folded: [String: String]
  private let pick: Pick
  /// Bytes of the longest text that can be an option with decoration; a longer one need not be stripped of it.
  private let wholeLimit: Int
  private let statement: Pattern
  private let leading: Pattern
  private let lineStart: Pattern
  private let token: Pattern

  /// - Throws: `Pattern.SyntaxError` when PCRE2 refuses the options, which are quoted and should always do.
  init(options: [String], pick: Pick = .only) throws(Pattern.SyntaxError) {
    self.options = options
    self.pick = pick
    wholeLimit = (options.map(\.utf8.count).max() ?? 0) * 2 + 40
    folded = Dictionary(options.map { ($0.folded, $0) }) { first, _ in first }
    let words = ChoiceSyntax(options: options)
    statement = try Pattern(words.statement, flags: "m")
    leading = try Pattern(words.leading, flags: "m")
    lineStart = try Pattern(words.lineStart, flags: "m")
    token = try Pattern(words.token, flags: "m")
  }

  func read(_ answer: String) -> Reading {
    let text = answer.trimmedFast
    if let whole = whole(text) { return .option(whole) }
    guard let stated = found(statement, text) else { return .tooExpensive }
    if let reading = decide(stated) { return reading }
    guard let first = found(leading, text), let starts = found(lineStart, text) else { return .tooExpensive }
    if let first = first.first, Set(starts).subtracting([first]).isEmpty { return .option(first) }
    if let line = text.split(whereSeparator: \.isNewline).last, let last = whole(String(line)) {
      return .option(last)
    }
    guard let tokens = found(token, text) else { return .tooExpensive }
    let distinct = ChoiceReader.distinct(tokens)
    switch distinct.count {
    case 0: return .none
    case 1: return .option(distinct[0])
    default: return .ambiguous(distinct)
    }
  }

  private func decide(_ stated: [String]) -> Reading? {
    let distinct = ChoiceReader.distinct(stated)
    guard let first = stated.first, let last = stated.last else { return nil }
    switch pick {
    case .first: return .option(first)
    case .last: return .option(last)
    case .only: return distinct.count == 1 ? .option(first) : .ambiguous(distinct)
    }
  }

  private func found(_ pattern: Pattern, _ text: String) -> [String]? {
    pattern.matches(in: text)?.compactMap { $0.groups[1].flatMap(option) }
  }

  private func option(_ text: String) -> String? { folded[text.folded] }

  /// The option that a text is, decoration aside.
  private func whole(_ text: String) -> String? {
    text.utf8.count <= wholeLimit ? option(ChoiceReader.undecorated(text)) : nil
  }

  private static func distinct(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }

  /// The text without brackets, quotes, emphasis and full stops around it.
  private static func undecorated(_ text: String) -> String {
    let decoration: Set<Character> = [
      "*", "_", "`", "\"", "'", "(", ")", "[", "]", "{", "}", "<", ">", ".", ":", ",", ";", "!", "$", "#",
      "“", "”",
      "‘", "’", "。",
    ]
    var view = text[...]
    while let first = view.first, first.isWhitespace || decoration.contains(first) { view.removeFirst() }
    while let last = view.last, last.isWhitespace || decoration.contains(last) { view.removeLast() }
    return String(view)
  }
}

/// The patterns of ``ChoiceReader``, made of its options. Group 1 is always the option.
struct ChoiceSyntax {
  private let alternatives: String
  private let stated: String

  init(options: [String]) {
    // The longest first, so that "strongly agree" is not read as "agree".
    let sorted = options.sorted { $0.count > $1.count }
    var free: [String] = []
    var said: [String] = []
    for option in sorted {
      let quoted =
        "\\Q"
        + option.split(separator: "\\E", omittingEmptySubsequences: false).joined(separator: "\\E\\\\E\\Q")
        + "\\E"
      guard option.count == 1, let letter = option.first, letter.isLetter else {
        free.append("(?i:\(quoted))")
        said.append("(?i:\(quoted))")
        continue
      }
      let capital = letter.uppercased() + ChoiceSyntax.guardAgainstWords(letter)
      free.append(capital)
      // A small letter in a sentence is rarely a choice, at its end it is.
      said.append(capital)
      said.append(letter.lowercased() + "(?=\\s*(?:[).\\]}*_\"'`]|$))")
    }
    alternatives = free.joined(separator: "|")
    stated = said.joined(separator: "|")
  }

  /// "A good idea" and "I think" name no choice, "A is right" does.
  private static func guardAgainstWords(_ letter: Character) -> String {
    switch letter.uppercased() {
    case "A": "(?!\\s+(?!(?:is|was|because|since|seems|as|and|or|but|for)\\b)\\p{Ll})"
    case "I": "(?!\\s+\\p{Ll}|['’])"
    default: ""
    }
  }

  /// Nothing before it that would make the option part of a word, and no negation.
  private static let before =
    "(?<![\\p{L}\\p{N}_])(?<![\\p{L}\\p{N}]['’.-])(?<!\\d,)(?<!\\b[Nn]ot )(?<!\\bNOT )"
  /// Nothing after it: so `C` is not in `CI`, `C++`, `C-3` or `C's`, and `3` not in `3.5`.
  private static let after = "(?![\\p{L}\\p{N}_+#]|['’-][\\p{L}\\p{N}]|[.,]\\d)"
  private static let opening = "[\\s*_\"'“‘(\\[`$]*"

  var token: String { "\(ChoiceSyntax.before)(\(alternatives))\(ChoiceSyntax.after)" }

  var statement: String {
    let label =
      "(?i:\\b(?:answer|choice|option|grade|verdict|label|category|class|classification|result|rating|selection|sentiment))"
    let link = "(?i:[*_]*\\s*[:=][*_]*|\\s+(?:is|was|would\\s+be|should\\s+be|must\\s+be)\\b\\s*:?)"
    let noun = "(?i:(?:the\\s+)?(?:option|choice|letter|answer)\\s+)?"
    let boxed = "\\\\boxed\\s*\\{\\s*(?:\\\\(?:text|mathrm|mathbf)\\s*\\{\\s*)?"
    return
      "(?:\(label)\(link)\(ChoiceSyntax.opening)\(noun)|\(boxed))\(ChoiceSyntax.opening)\(ChoiceSyntax.before)(\(stated))\(ChoiceSyntax.after)"
  }

  /// An option at the answer's start, with what shows that it is not the first word of a sentence.
  var leading: String { "\\A" + beginning }

  var lineStart: String { "^" + beginning }

  private var beginning: String {
    let decoration = "[\\s*_\"'“‘(\\[`#>-]*"
    let end = "(?=[)\\].:,;*_\"'’”`]|\\s*[-–—:]\\s|\\s*$)"
    let sentence = "(?![)\\].*_\"'’”`]*\\s+(?:is|was|are)\\b)"
    return "\(decoration)\(ChoiceSyntax.before)(\(alternatives))\(ChoiceSyntax.after)\(end)\(sentence)"
  }
}
