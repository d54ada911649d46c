import EvalCore

extension SchemaValidation {
  mutating func applyObject(
    _ keyword: SchemaKeyword, _ object: JSONObject, _ evaluated: inout Evaluated
  ) -> Bool {
    switch keyword {
    case .properties(let entries):
      return members(
        entries.compactMap { entry in object[entry.name].map { (entry.name, entry.node, $0) } }, &evaluated)
    case .patternProperties(let entries): return patternProperties(entries, object, &evaluated)
    case .additionalProperties(let node, let known, let patterns):
      var others: [(name: String, node: Int, value: JSONValue)] = []
      for member in object.members where !known.contains(ExactName(member.key)) {
        if patterns.contains(where: { matches($0, member.key) }) { continue }
        others.append((member.key, node, member.value))
      }
      return members(others, &evaluated)
    case .unevaluatedProperties(let node):
      let seen = evaluated.names
      return members(
        object.members.filter { !seen.contains(ExactName($0.key)) }.map { ($0.key, node, $0.value) },
        &evaluated)
    case .propertyNames(let node): return propertyNames(node, object)
    case .required(let names):
      let missing = names.filter { object[$0] == nil }
      return missing.isEmpty || fail("required", "missing \(Quote.list(missing))")
    case .dependentRequired(let entries):
      for entry in entries where object[entry.name] != nil {
        let missing = entry.needs.filter { object[$0] == nil }
        if !missing.isEmpty {
          return fail("dependentRequired", "'\(entry.name)' needs \(Quote.list(missing)) beside it")
        }
      }
      return true
    default: return true
    }
  }

  private mutating func members(
    _ entries: [(name: String, node: Int, value: JSONValue)], _ evaluated: inout Evaluated
  ) -> Bool {
    var isValid = true
    for entry in entries {
      if schema.tracksEvaluation { evaluated.names.insert(ExactName(entry.name)) }
      if validate(entry.node, entry.value, at: .name(entry.name)) { continue }
      isValid = false
      if quiet > 0 || failures.count >= limit { return false }
    }
    return isValid
  }

  private mutating func patternProperties(
    _ entries: [(pattern: NamedPattern, node: Int)], _ object: JSONObject, _ evaluated: inout Evaluated
  ) -> Bool {
    var matching: [(name: String, node: Int, value: JSONValue)] = []
    for entry in entries {
      for member in object.members where matches(entry.pattern.pattern, member.key) {
        matching.append((member.key, entry.node, member.value))
      }
    }
    return members(matching, &evaluated)
  }

  private mutating func propertyNames(_ node: Int, _ object: JSONObject) -> Bool {
    for name in object.keys {
      var inner = Evaluated()
      if !accepts(node, .string(name), &inner) {
        return fail("propertyNames", "the name '\(Quote.shortened(name))' is not allowed")
      }
    }
    return true
  }
}
