import EvalCore

extension SchemaValidation {
  /// Keywords that apply subschemas to the same value. What a subschema has looked at counts only if it accepts.
  mutating func applyInPlace(
    _ keyword: SchemaKeyword, _ value: JSONValue, _ evaluated: inout Evaluated
  ) -> Bool {
    switch keyword {
    case .reference(let node): return applyOne(node, value, &evaluated)
    case .allOf(let nodes):
      var isValid = true
      for node in nodes where !applyOne(node, value, &evaluated) {
        isValid = false
        if quiet > 0 { return false }
      }
      return isValid
    case .anyOf(let nodes): return applyAny(nodes, value, &evaluated)
    case .oneOf(let nodes): return applyExactlyOne(nodes, value, &evaluated)
    case .not(let node):
      var ignored = Evaluated()
      return !accepts(node, value, &ignored)
        || fail("not", "what 'not' describes is there: \(Quote.json(value))")
    case .conditional(let condition, let then, let otherwise):
      var inner = Evaluated()
      let holds = accepts(condition, value, &inner)
      if holds { evaluated.merge(inner) }
      guard let branch = holds ? then : otherwise else { return true }
      return applyOne(branch, value, &evaluated)
    case .dependentSchemas(let entries):
      guard case .object(let object) = value else { return true }
      var isValid = true
      for entry in entries where object[entry.name] != nil && !applyOne(entry.node, value, &evaluated) {
        isValid = false
      }
      return isValid
    default: return true
    }
  }

  private mutating func applyOne(_ node: Int, _ value: JSONValue, _ evaluated: inout Evaluated) -> Bool {
    guard schema.tracksEvaluation else { return validate(node, value, &evaluated) }
    var inner = Evaluated()
    let isValid = validate(node, value, &inner)
    if isValid { evaluated.merge(inner) }
    return isValid
  }

  private mutating func applyAny(_ nodes: [Int], _ value: JSONValue, _ evaluated: inout Evaluated) -> Bool {
    var isValid = false
    for node in nodes {
      var inner = Evaluated()
      guard accepts(node, value, &inner) else { continue }
      isValid = true
      evaluated.merge(inner)
      // Every alternative that accepts has looked at something, so all are tried where that matters.
      if !schema.tracksEvaluation { return true }
    }
    return isValid || failAll("anyOf", nodes, value)
  }

  private mutating func applyExactlyOne(
    _ nodes: [Int], _ value: JSONValue, _ evaluated: inout Evaluated
  ) -> Bool {
    var accepting: [Int] = []
    for (index, node) in nodes.enumerated() {
      var inner = Evaluated()
      guard accepts(node, value, &inner) else { continue }
      accepting.append(index)
      if accepting.count == 1 { evaluated.merge(inner) }
    }
    switch accepting.count {
    case 1: return true
    case 0: return failAll("oneOf", nodes, value)
    default:
      let list = accepting.map(String.init).joined(separator: ", ")
      return fail("oneOf", "exactly one alternative may fit, those at \(list) do")
    }
  }

  private mutating func failAll(_ keyword: String, _ nodes: [Int], _ value: JSONValue) -> Bool {
    let why = quiet == 0 ? closest(nodes, value) : ""
    return fail(keyword, "none of \(nodes.count) alternatives fits\(why)")
  }

  /// Why the alternative that came furthest into the value does not fit.
  private func closest(_ nodes: [Int], _ value: JSONValue) -> String {
    // One level only: at every level of a recursive schema the work would double.
    if isExplaining { return "" }
    var best: JSONSchema.Failure?
    for node in nodes {
      var attempt = self
      attempt.failures = []
      attempt.isExplaining = true
      var ignored = Evaluated()
      _ = attempt.validate(node, value, &ignored)
      guard let failure = attempt.failures.first, failure.depth > best?.depth ?? -1 else { continue }
      best = failure
    }
    guard let best else { return "" }
    return "; the closest fails at \(best.path): \(best.message)"
  }
}
