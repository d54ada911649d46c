import EvalCore

extension JSONPathParser {
  /// `a || b`, of `a && b`, of single conditions.
  mutating func condition() throws(SyntaxError) -> JSONPath.Condition {
    try scanner.nest()
    defer { scanner.unnest() }
    var alternatives = [try conjunction()]
    while scanner.takeAfterBlanks("||") {
      scanner.skipBlanks()
      alternatives.append(try conjunction())
    }
    return alternatives.count == 1 ? alternatives[0] : .or(alternatives)
  }

  private mutating func conjunction() throws(SyntaxError) -> JSONPath.Condition {
    var parts = [try basic()]
    while scanner.takeAfterBlanks("&&") {
      scanner.skipBlanks()
      parts.append(try basic())
    }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func basic() throws(SyntaxError) -> JSONPath.Condition {
    if scanner.take("!") {
      scanner.skipBlanks()
      if scanner.peek("(") { return .not(try parenthesized()) }
      return .not(try test(try term()))
    }
    if scanner.peek("(") { return try parenthesized() }
    let left = try term()
    let place = scanner.position
    scanner.skipBlanks()
    guard let comparator = JSONPath.Comparator.allCases.first(where: { scanner.take($0.rawValue) }) else {
      scanner.position = place
      return try test(left)
    }
    scanner.skipBlanks()
    return .comparison(try comparable(left), comparator, try comparable(try term()))
  }

  private mutating func parenthesized() throws(SyntaxError) -> JSONPath.Condition {
    guard scanner.take("(") else { throw scanner.error("expected '('") }
    scanner.skipBlanks()
    let inner = try condition()
    scanner.skipBlanks()
    guard scanner.take(")") else { throw scanner.error("expected ')', found \(scanner.found)") }
    return inner
  }

  /// What stands in a condition before its types are checked.
  private enum Term {
    case value(JSONPath.Operand)
    case query(JSONPath.Query)
    case logical(JSONPath.Condition)
  }

  private mutating func term() throws(SyntaxError) -> Term {
    if let literal = try literal() { return .value(.literal(literal)) }
    if scanner.take("@") { return .query(JSONPath.Query(isRelative: true, segments: try segments())) }
    if scanner.take("$") { return .query(JSONPath.Query(isRelative: false, segments: try segments())) }
    guard let name = scanner.functionName() else {
      throw scanner.error("expected @, $, a function or a literal, found \(scanner.found)")
    }
    return try function(name)
  }

  private mutating func literal() throws(SyntaxError) -> JSONValue? {
    if let text = try scanner.string() { return .string(text) }
    if let number = try scanner.number() { return number }
    if scanner.takeWord("true") { return true }
    if scanner.takeWord("false") { return false }
    if scanner.takeWord("null") { return .null }
    return nil
  }

  /// A condition made of a query, true when it selects something, or of a function that is true or false.
  private func test(_ term: Term) throws(SyntaxError) -> JSONPath.Condition {
    switch term {
    case .query(let query): return .exists(query)
    case .logical(let condition): return condition
    case .value(.literal): throw scanner.error("a literal must be compared with something")
    case .value: throw scanner.error("the function's result must be compared with something")
    }
  }

  private func comparable(_ term: Term) throws(SyntaxError) -> JSONPath.Operand {
    switch term {
    case .value(let operand): return operand
    case .query(let query):
      guard query.isSingular else {
        throw scanner.error(
          "only a query for one node can be compared, not one with *, .., a slice or a filter")
      }
      return .singular(query)
    case .logical: throw scanner.error("match() and search() are true or false and cannot be compared")
    }
  }

  private mutating func function(_ name: String) throws(SyntaxError) -> Term {
    guard scanner.take("(") else { throw scanner.error("expected '(' after \(name)") }
    var arguments: [Term] = []
    scanner.skipBlanks()
    if !scanner.peek(")") {
      repeat {
        scanner.skipBlanks()
        arguments.append(try argument())
        scanner.skipBlanks()
      } while scanner.take(",")
    }
    guard scanner.take(")") else { throw scanner.error("expected ')', found \(scanner.found)") }
    return try call(name, arguments)
  }

  private mutating func argument() throws(SyntaxError) -> Term {
    try scanner.nest()
    defer { scanner.unnest() }
    return try term()
  }

  private func call(_ name: String, _ arguments: [Term]) throws(SyntaxError) -> Term {
    let counts = ["length": 1, "count": 1, "value": 1, "match": 2, "search": 2]
    guard let count = counts[name] else {
      throw scanner.error("there is no function '\(name)', only length, count, match, search and value")
    }
    guard arguments.count == count else {
      throw scanner.error("\(name)() takes \(Quote.count(count, "argument")), not \(arguments.count)")
    }
    switch name {
    case "length": return .value(.length(try comparable(arguments[0])))
    case "count": return .value(.count(try nodes(arguments[0], name)))
    case "value": return .value(.value(try nodes(arguments[0], name)))
    default:
      let dialect: Pattern.Dialect = name == "match" ? .iRegexpWhole : .iRegexp
      return .logical(.match(try comparable(arguments[0]), regex(try comparable(arguments[1]), dialect)))
    }
  }

  private func nodes(_ term: Term, _ name: String) throws(SyntaxError) -> JSONPath.Query {
    guard case .query(let query) = term else { throw scanner.error("\(name)() takes a query") }
    return query
  }

  private func regex(_ operand: JSONPath.Operand, _ dialect: Pattern.Dialect) -> JSONPath.Regex {
    guard case .literal(let value) = operand else { return .computed(operand, dialect) }
    return .compiled(value.stringValue.flatMap { try? Pattern($0, dialect: dialect) })
  }
}
