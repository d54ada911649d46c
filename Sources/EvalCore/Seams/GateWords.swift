/// A piece of a gate's text.
enum GateToken: Hashable {
  case word(String)
  case comparison(GateSpec.Comparison)
  case comma

  var text: String {
    switch self {
    case .word(let word): "'\(word)'"
    case .comparison(let comparison): "'\(comparison.rawValue)'"
    case .comma: "a comma"
    }
  }
}

/// Splits a gate's text into words; a name with blanks, commas or signs stands in quotes.
struct GateScanner {
  private var rest: Substring

  init(_ text: String) { rest = text[...] }

  static func tokens(_ text: String) throws(GateProblem) -> [GateToken] {
    var scanner = GateScanner(text)
    var tokens: [GateToken] = []
    while let token = try scanner.next() { tokens.append(token) }
    return tokens
  }

  private mutating func next() throws(GateProblem) -> GateToken? {
    rest = rest.drop { $0.isWhitespace }
    guard let first = rest.first else { return nil }
    if first == "," {
      rest.removeFirst()
      return .comma
    }
    if let comparison = comparison() { return .comparison(comparison) }
    var word = ""
    while let character = rest.first, !character.isWhitespace, character != ",", !"<>=≤≥".contains(character)
    {
      if character == "\"" || character == "'" {
        word += try quoted(character)
      } else {
        word.append(character)
        rest.removeFirst()
      }
    }
    return .word(word)
  }

  private mutating func comparison() -> GateSpec.Comparison? {
    let signs: [(text: String, comparison: GateSpec.Comparison)] = [
      (">=", .atLeast), ("=>", .atLeast), ("=<", .atMost), ("<=", .atMost), ("==", .equal), ("≥", .atLeast),
      ("≤", .atMost), (">", .above),
      ("<", .below), ("=", .equal),
    ]
    guard let sign = signs.first(where: { rest.hasPrefix($0.text) }) else { return nil }
    rest = rest.dropFirst(sign.text.count)
    return sign.comparison
  }

  private mutating func quoted(_ mark: Character) throws(GateProblem) -> String {
    let inner = rest.dropFirst()
    guard let end = inner.firstIndex(of: mark) else {
      throw GateProblem("the quote \(mark) is never closed")
    }
    let word = String(inner[..<end])
    rest = inner[inner.index(after: end)...]
    if word.isEmpty { throw GateProblem("there is nothing between the quotes") }
    return word
  }
}

/// What is wrong with a gate's text.
package struct GateProblem: Error, Sendable, Hashable {
  package var message: String
  package var advice: String?

  package init(_ message: String, advice: String? = nil) {
    self.message = message
    self.advice = advice
  }
}
