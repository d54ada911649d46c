/// A text of the command line that has a grammar of its own, or a part of it that still knows where it stands.
package struct OptionText: Sendable, Hashable {
  /// What messages call it, for instance `--vary`.
  package let option: String
  package let text: String
  /// Where the part begins in the whole value, in characters from 1.
  package let column: Int

  package init(_ text: String, option: String, column: Int = 1) {
    self.option = option
    self.text = text
    self.column = column
  }

  package var isEmpty: Bool { text.isEmpty }

  /// Without white space at both ends.
  package var trimmed: OptionText {
    let lead = text.prefix(while: \.isWhitespace).count
    return OptionText(text.trimmed, option: option, column: column + lead)
  }

  /// The parts between separators, trimmed; a separator within quotes or brackets is text.
  package func split(_ separator: Character) -> [OptionText] {
    var parts: [OptionText] = []
    var start = 0
    let characters = Array(text)
    for place in OptionText.places(of: [separator], in: characters) {
      parts.append(part(characters, start..<place))
      start = place + 1
    }
    parts.append(part(characters, start..<characters.count))
    return parts
  }

  /// What stands before and behind the first separator outside of quotes and brackets, trimmed; `nil` without one.
  package func cut(at separator: Character) -> (before: OptionText, behind: OptionText)? {
    let characters = Array(text)
    guard let place = OptionText.places(of: [separator], in: characters).first else { return nil }
    return (part(characters, 0..<place), part(characters, place + 1..<characters.count))
  }

  /// What stands before, at and behind the first run of these characters, trimmed; `nil` without one.
  package func cut(
    atRunOf separators: Set<Character>
  ) -> (before: OptionText, run: OptionText, behind: OptionText)? {
    let characters = Array(text)
    guard let place = OptionText.places(of: separators, in: characters).first else { return nil }
    let end = characters[place...].firstIndex { !separators.contains($0) } ?? characters.count
    return (
      part(characters, 0..<place), part(characters, place..<end), part(characters, end..<characters.count)
    )
  }

  /// An error that points at the first character of this part.
  package func problem(_ message: String, advice: String? = nil) -> Problem {
    Problem(.error, message, at: SourceLocation(file: option, line: 1, column: column), advice: advice)
  }

  private func part(_ characters: [Character], _ range: Range<Int>) -> OptionText {
    OptionText(String(characters[range]), option: option, column: column + range.lowerBound).trimmed
  }

  private static func places(of separators: Set<Character>, in characters: [Character]) -> [Int] {
    var places: [Int] = []
    var depth = 0
    var isQuoted = false
    for (place, character) in characters.enumerated() {
      if isQuoted {
        if character == "\"", characters[place - 1] != "\\" { isQuoted = false }
        continue
      }
      switch character {
      case "\"": isQuoted = true
      case "[", "{": depth += 1
      case "]", "}": depth -= 1
      default: if depth <= 0, separators.contains(character) { places.append(place) }
      }
    }
    return places
  }
}
