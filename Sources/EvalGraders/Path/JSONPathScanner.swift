import EvalCore

/// The tokens of a JSONPath query.
struct JSONPathScanner {
  typealias SyntaxError = JSONPath.SyntaxError

  private let scalars: [Unicode.Scalar]
  var position = 0
  private var depth = 0

  /// Integers of a query lie within the exact range of doubles (RFC 9535 §2.1).
  private static let largest = (1 << 53) - 1

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  var isAtEnd: Bool { position == scalars.count }

  /// The character at the position, for messages.
  var found: String { isAtEnd ? "the end" : "'\(scalars[position])'" }

  func error(_ message: String) -> SyntaxError { SyntaxError(message: message, offset: position) }

  /// Counts a level of conditions, so that a query cannot run out of stack.
  mutating func nest() throws(SyntaxError) {
    depth += 1
    if depth > 64 { throw error("the query is nested deeper than 64 levels") }
  }

  mutating func unnest() { depth -= 1 }

  func peek(_ text: String) -> Bool { scalars[position...].starts(with: text.unicodeScalars) }

  mutating func take(_ text: String) -> Bool {
    guard peek(text) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  mutating func takeAfterBlanks(_ text: String) -> Bool {
    let start = position
    skipBlanks()
    if take(text) { return true }
    position = start
    return false
  }

  /// A word that no letter, digit or parenthesis continues.
  mutating func takeWord(_ word: String) -> Bool {
    let start = position
    guard take(word) else { return false }
    if !isAtEnd, isNameScalar(scalars[position]) || scalars[position] == "(" {
      position = start
      return false
    }
    return true
  }

  mutating func skipBlanks() {
    while !isAtEnd, [" ", "\t", "\n", "\r"].contains(scalars[position]) { position += 1 }
  }

  mutating func memberName() -> String? {
    guard !isAtEnd, isNameScalar(scalars[position]), !isDigit(position) else { return nil }
    return taken { isNameScalar($0) }
  }

  mutating func functionName() -> String? {
    guard !isAtEnd, ("a"..."z").contains(scalars[position]) else { return nil }
    return taken { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "_" }
  }

  /// An integer without leading zeros and not `-0`; `nil` when none begins here.
  mutating func integer() throws(SyntaxError) -> Int? {
    let start = position
    let isNegative = take("-")
    let digits = taken { ("0"..."9").contains($0) }
    if digits.isEmpty {
      if isNegative { throw error("expected a digit after '-'") }
      return nil
    }
    guard digits == "0" ? !isNegative : !digits.hasPrefix("0"), let value = Int(digits),
      value <= JSONPathScanner.largest
    else {
      position = start
      throw error("an index is an integer without leading zeros, at most 2^53 − 1")
    }
    return isNegative ? -value : value
  }

  /// A JSON number; `nil` when none begins here.
  mutating func number() throws(SyntaxError) -> JSONValue? {
    guard !isAtEnd, isDigit(position) || scalars[position] == "-" else { return nil }
    let start = position
    let text = taken {
      ("0"..."9").contains($0) || $0 == "-" || $0 == "+" || $0 == "." || $0 == "e" || $0 == "E"
    }
    guard let value = try? JSONValue.parse(text), value.doubleValue != nil else {
      position = start
      throw error("'\(text)' is no number")
    }
    return value
  }

  /// A string in single or double quotes; `nil` when none begins here.
  mutating func string() throws(SyntaxError) -> String? {
    guard !isAtEnd, scalars[position] == "'" || scalars[position] == "\"" else { return nil }
    let quote = scalars[position]
    position += 1
    var text = String.UnicodeScalarView()
    while !isAtEnd, scalars[position] != quote {
      let scalar = scalars[position]
      if scalar.value < 0x20 { throw error("a control character must be escaped") }
      position += 1
      text.append(scalar == "\\" ? try escape(quote) : scalar)
    }
    guard !isAtEnd else { throw error("the quote is not closed") }
    position += 1
    return String(text)
  }

  private mutating func escape(_ quote: Unicode.Scalar) throws(SyntaxError) -> Unicode.Scalar {
    guard !isAtEnd else { throw error("the quote is not closed") }
    let scalar = scalars[position]
    position += 1
    switch scalar {
    case quote, "\\", "/": return scalar
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": return try unicodeEscape()
    default:
      position -= 1
      throw error("there is no escape \\\(scalar)")
    }
  }

  private mutating func unicodeEscape() throws(SyntaxError) -> Unicode.Scalar {
    let high = try hexUnit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard high < 0xDC00, take("\\u") else { throw error("half of a surrogate pair is missing") }
    let low = try hexUnit()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else { throw error("half of a surrogate pair is missing") }
    return scalar
  }

  private mutating func hexUnit() throws(SyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard !isAtEnd, let digit = Character(scalars[position]).hexDigitValue, scalars[position].isASCII else {
        throw error("\\u needs four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  private mutating func taken(_ belongs: (Unicode.Scalar) -> Bool) -> String {
    let start = position
    while !isAtEnd, belongs(scalars[position]) { position += 1 }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<position])
    return String(text)
  }

  private func isDigit(_ position: Int) -> Bool { ("0"..."9").contains(scalars[position]) }
}

/// Whether a scalar may stand in a member name without quotes.
private func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value >= 0x80 || scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
}
