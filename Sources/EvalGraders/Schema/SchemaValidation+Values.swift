import EvalCore

extension SchemaValidation {
  mutating func applyNumber(_ keyword: SchemaKeyword, _ value: JSONValue) -> Bool {
    guard value.doubleValue != nil else { return true }
    switch keyword {
    case .bound(let bound, let limit):
      let order = JSONNumbers.order(value, limit)
      let (holds, words) =
        switch bound {
        case .minimum: (order >= 0, "at least")
        case .maximum: (order <= 0, "at most")
        case .exclusiveMinimum: (order > 0, "more than")
        case .exclusiveMaximum: (order < 0, "less than")
        }
      return holds
        || fail(bound.rawValue, "expected \(words) \(Quote.json(limit)), found \(Quote.json(value))")
    case .multipleOf(let divisor):
      return JSONNumbers.isMultiple(value, of: divisor)
        || fail("multipleOf", "expected a multiple of \(Quote.json(divisor)), found \(Quote.json(value))")
    default: return true
    }
  }

  mutating func applyText(_ keyword: SchemaKeyword, _ value: JSONValue) -> Bool {
    guard case .string(let text) = value else { return true }
    switch keyword {
    case .pattern(let named):
      return matches(named.pattern, text)
        || fail("pattern", "expected a match of '\(named.source)', found \(Quote.text(text))")
    case .format(let format):
      return format.accepts(text)
        || fail("format", "expected the format \(format.rawValue), found \(Quote.text(text))")
    default: return true
    }
  }

  mutating func applyCount(_ count: SchemaCount, _ limit: Int, _ value: JSONValue) -> Bool {
    let found: Int
    let noun: String
    switch (count, value) {
    // Characters are Unicode scalars here (RFC 8259 §1).
    case (.minLength, .string(let text)), (.maxLength, .string(let text)):
      (found, noun) = (text.unicodeScalars.count, "character")
    case (.minItems, .array(let elements)), (.maxItems, .array(let elements)):
      (found, noun) = (elements.count, "element")
    case (.minProperties, .object(let object)), (.maxProperties, .object(let object)):
      (found, noun) = (object.count, "member")
    default: return true
    }
    let isMinimum = [.minLength, .minItems, .minProperties].contains(count)
    if isMinimum ? found >= limit : found <= limit { return true }
    return fail(
      count.rawValue,
      "expected at \(isMinimum ? "least" : "most") \(Quote.count(limit, noun)), found \(found)")
  }

  mutating func applyArray(
    _ keyword: SchemaKeyword, _ elements: [JSONValue], _ evaluated: inout Evaluated
  ) -> Bool {
    switch keyword {
    case .prefixItems(let nodes):
      evaluated.items = max(evaluated.items, min(nodes.count, elements.count))
      return each(zip(nodes, elements).enumerated().map { ($0, $1.0, $1.1) })
    case .items(let node, let start):
      evaluated.items = elements.count
      return each(elements.enumerated().dropFirst(start).map { ($0, node, $1) })
    case .unevaluatedItems(let node):
      let seen = evaluated
      evaluated.items = elements.count
      return each(
        elements.enumerated().dropFirst(seen.items).filter { !seen.indices.contains($0.offset) }
          .map { ($0.offset, node, $0.element) })
    case .contains(let node, let atLeast, let atMost):
      return contains(node, atLeast, atMost, elements, &evaluated)
    case .uniqueItems:
      guard let (first, second) = JSONNumbers.firstDuplicate(elements) else { return true }
      return fail(
        "uniqueItems", "the elements at \(first) and \(second) are the same: \(Quote.json(elements[first]))")
    default: return true
    }
  }

  private mutating func each(_ items: [(index: Int, node: Int, value: JSONValue)]) -> Bool {
    var isValid = true
    for item in items where !validate(item.node, item.value, at: .index(item.index)) {
      isValid = false
      if quiet > 0 || failures.count >= limit { return false }
    }
    return isValid
  }

  private mutating func contains(
    _ node: Int, _ atLeast: Int, _ atMost: Int?, _ elements: [JSONValue], _ evaluated: inout Evaluated
  ) -> Bool {
    var found = 0
    for (index, element) in elements.enumerated() {
      var inner = Evaluated()
      guard accepts(node, element, &inner) else { continue }
      found += 1
      evaluated.indices.insert(index)
    }
    if found < atLeast {
      return fail(
        "contains", "expected at least \(Quote.count(atLeast, "element")) as 'contains' says, found \(found)")
    }
    if let atMost, found > atMost {
      return fail(
        "maxContains", "expected at most \(Quote.count(atMost, "element")) as 'contains' says, found \(found)"
      )
    }
    return true
  }
}
