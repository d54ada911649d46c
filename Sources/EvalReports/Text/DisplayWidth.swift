/// How many columns a text takes on a terminal.
enum DisplayWidth {
  static func of(_ text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// 2 for wide East Asian characters and emoji, 0 for marks alone, else 1.
  static func of(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      // An emoji-style selector makes a wide picture of a narrow sign.
      if scalar.value == 0xFE0F { return 2 }
      width = max(width, of(scalar))
    }
    return width
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    if scalar.value < 0x1100 { return 1 }
    if scalar.properties.isEmojiPresentation { return 2 }
    return wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// The blocks of Unicode's `EastAsianWidth.txt` (version 16) that are W or F, without the emoji.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}

/// Texts cut, wrapped and filled to columns.
enum TextLayout {
  /// Filled with blanks to a width, on the left for `.right`.
  static func pad(_ text: String, to width: Int, _ alignment: ReportTable.Alignment) -> String {
    let blanks = String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    return alignment == .left ? text + blanks : blanks + text
  }

  /// Cut to a width with `mark` at its end.
  static func cut(_ text: String, to width: Int, mark: String) -> String {
    guard DisplayWidth.of(text) > width else { return text }
    let room = max(0, width - DisplayWidth.of(mark))
    return String(head(of: text[...], width: room)) + mark
  }

  /// Broken at blanks into lines of at most `width` columns; a longer word is broken inside. Line breaks stay.
  static func wrap(_ text: String, to width: Int) -> [String] {
    let width = max(width, 1)
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if DisplayWidth.of(line) <= width {
        lines.append(String(line))
      } else {
        lines += wrap(line: line, to: width)
      }
    }
    return lines
  }

  private static func wrap(line: Substring, to width: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    var used = 0
    for word in line.split(separator: " ", omittingEmptySubsequences: false) {
      var word = word
      var size = DisplayWidth.of(word)
      if !current.isEmpty, used + 1 + size > width {
        lines.append(current)
        (current, used) = ("", 0)
      }
      if size > width {
        word = cut(word, to: width, into: &lines)
        size = DisplayWidth.of(word)
      }
      if current.isEmpty {
        (current, used) = (String(word), size)
      } else {
        current += " " + word
        used += 1 + size
      }
    }
    if !current.isEmpty || lines.isEmpty { lines.append(current) }
    return lines
  }

  /// Cuts a long word into whole lines, in one pass: an answer may be a single word of millions of characters.
  /// - Returns: what is left for the next line.
  private static func cut(_ word: Substring, to width: Int, into lines: inout [String]) -> Substring {
    var rest = word
    while true {
      var part = head(of: rest, width: width)
      if part.endIndex == rest.endIndex { return rest }
      // A single character may be wider than the line.
      if part.isEmpty { part = rest.prefix(1) }
      lines.append(String(part))
      rest = rest[part.endIndex...]
    }
  }

  private static func head(of text: Substring, width: Int) -> Substring {
    var used = 0
    var end = text.startIndex
    while end < text.endIndex {
      used += DisplayWidth.of(text[end])
      if used > width { break }
      end = text.index(after: end)
    }
    return text[..<end]
  }
}
