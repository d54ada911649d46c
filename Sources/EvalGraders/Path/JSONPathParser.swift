import EvalCore

/// Reads a JSONPath query: the grammar of RFC 9535, appendix A.
struct JSONPathParser {
  typealias SyntaxError = JSONPath.SyntaxError

  var scanner: JSONPathScanner

  init(_ text: String) { scanner = JSONPathScanner(text) }

  mutating func parse() throws(SyntaxError) -> JSONPath.Query {
    guard scanner.take("$") else { throw scanner.error("expected '$'") }
    let query = JSONPath.Query(isRelative: false, segments: try segments())
    guard scanner.isAtEnd else { throw scanner.error("unexpected \(scanner.found)") }
    return query
  }

  /// The segments up to something else; blanks are only skipped where a segment follows.
  mutating func segments() throws(SyntaxError) -> [JSONPath.Segment] {
    var segments: [JSONPath.Segment] = []
    while true {
      let start = scanner.position
      scanner.skipBlanks()
      if scanner.take("..") {
        segments.append(JSONPath.Segment(isDescendant: true, selectors: try descendantSelectors()))
      } else if scanner.take(".") {
        segments.append(JSONPath.Segment(isDescendant: false, selectors: [try dotted()]))
      } else if scanner.peek("[") {
        segments.append(JSONPath.Segment(isDescendant: false, selectors: try bracketed()))
      } else {
        scanner.position = start
        return segments
      }
    }
  }

  private mutating func descendantSelectors() throws(SyntaxError) -> [JSONPath.Selector] {
    scanner.peek("[") ? try bracketed() : [try dotted()]
  }

  /// What may follow a dot: `*` or a name without quotes.
  private mutating func dotted() throws(SyntaxError) -> JSONPath.Selector {
    if scanner.take("*") { return .wildcard }
    guard let name = scanner.memberName() else { throw scanner.error("expected a name or '*' after the dot") }
    return .name(name)
  }

  private mutating func bracketed() throws(SyntaxError) -> [JSONPath.Selector] {
    guard scanner.take("[") else { throw scanner.error("expected '['") }
    var selectors: [JSONPath.Selector] = []
    repeat {
      scanner.skipBlanks()
      selectors.append(try selector())
      scanner.skipBlanks()
    } while scanner.take(",")
    guard scanner.take("]") else { throw scanner.error("expected ',' or ']', found \(scanner.found)") }
    return selectors
  }

  private mutating func selector() throws(SyntaxError) -> JSONPath.Selector {
    if scanner.take("*") { return .wildcard }
    if scanner.take("?") {
      scanner.skipBlanks()
      return .filter(try condition())
    }
    if let name = try scanner.string() { return .name(name) }
    return try indexOrSlice()
  }

  private mutating func indexOrSlice() throws(SyntaxError) -> JSONPath.Selector {
    let start = try scanner.integer()
    let place = scanner.position
    scanner.skipBlanks()
    guard scanner.take(":") else {
      scanner.position = place
      guard let start else { throw scanner.error("expected a name in quotes, an index, '*' or '?'") }
      return .index(start)
    }
    scanner.skipBlanks()
    let end = try scanner.integer()
    scanner.skipBlanks()
    var step = 1
    if scanner.take(":") {
      scanner.skipBlanks()
      step = try scanner.integer() ?? 1
    }
    return .slice(start: start, end: end, step: step)
  }
}
