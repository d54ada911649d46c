import EvalCore

/// The members and elements of one value that keywords have looked at, for `unevaluatedProperties` and
/// `unevaluatedItems` (JSON Schema core §11).
struct Evaluated {
  var names: Set<ExactName> = []
  /// All elements before this index.
  var items = 0
  /// Single elements, which `contains` matched.
  var indices: Set<Int> = []

  mutating func merge(_ other: Evaluated) {
    names.formUnion(other.names)
    items = max(items, other.items)
    indices.formUnion(other.indices)
  }
}

/// One value being held against a schema.
struct SchemaValidation {
  let schema: JSONSchema
  let limit: Int
  var failures: [JSONSchema.Failure] = []
  /// Why no answer can be given; `nil` while one can.
  var gaveUp: String?
  var path: [JSONPathStep] = []
  /// Above 0 while only the answer counts, not the reasons.
  var quiet = 0
  /// While the closest of several alternatives is looked for.
  var isExplaining = false
  private var depth = 0

  /// Levels of schemas within schemas; more could run out of stack.
  private static let depthLimit = 400

  init(_ schema: JSONSchema, limit: Int) {
    self.schema = schema
    self.limit = limit
  }

  /// Whether it is of use to go on after a failure: only to collect more of them.
  private var isCollecting: Bool { quiet == 0 && failures.count < limit && gaveUp == nil }

  mutating func validate(_ node: Int, _ value: JSONValue, _ evaluated: inout Evaluated) -> Bool {
    guard depth < SchemaValidation.depthLimit else {
      gaveUp = "the value is nested too deep for the schema"
      return false
    }
    depth += 1
    defer { depth -= 1 }
    var isValid = true
    for keyword in schema.nodes[node].keywords where !apply(keyword, value, &evaluated) {
      isValid = false
      if !isCollecting { return false }
    }
    return isValid
  }

  /// Whether a subschema accepts the same value, without a word about why not.
  mutating func accepts(_ node: Int, _ value: JSONValue, _ evaluated: inout Evaluated) -> Bool {
    quiet += 1
    defer { quiet -= 1 }
    return validate(node, value, &evaluated)
  }

  mutating func validate(_ node: Int, _ value: JSONValue, at step: JSONPathStep) -> Bool {
    path.append(step)
    defer { path.removeLast() }
    var inner = Evaluated()
    return validate(node, value, &inner)
  }

  /// Records a failure and is false.
  mutating func fail(_ keyword: String, _ message: @autoclosure () -> String) -> Bool {
    if quiet == 0, failures.count < limit {
      failures.append(
        JSONSchema.Failure(
          path: JSONPathStep.normalized(path), keyword: keyword, message: message(), depth: path.count))
    }
    return false
  }

  /// Whether a pattern matches somewhere in a text.
  mutating func matches(_ pattern: Pattern, _ text: String) -> Bool {
    switch pattern.firstMatch(in: text) {
    case .match: return true
    case .noMatch: return false
    case .tooExpensive:
      gaveUp = "a pattern of the schema is too expensive on \(Quote.text(text))"
      return false
    }
  }

  private mutating func apply(
    _ keyword: SchemaKeyword, _ value: JSONValue, _ evaluated: inout Evaluated
  ) -> Bool {
    switch keyword {
    case .never: return fail("false", "nothing is allowed here, found \(Quote.json(value))")
    case .type(let types):
      if types.contains(where: { $0.accepts(value) }) { return true }
      let names = types.map(\.rawValue).joined(separator: " or ")
      return fail("type", "expected \(names), found \(SchemaType.name(of: value)) \(Quote.json(value))")
    case .enumeration(let values):
      if values.contains(where: value.jsonEquals) { return true }
      return fail("enum", "expected one of \(Quote.json(.array(values))), found \(Quote.json(value))")
    case .const(let expected):
      return value.jsonEquals(expected)
        || fail("const", "expected \(Quote.json(expected)), found \(Quote.json(value))")
    case .bound, .multipleOf: return applyNumber(keyword, value)
    case .pattern, .format: return applyText(keyword, value)
    case .count(let count, let limit): return applyCount(count, limit, value)
    case .prefixItems, .items, .contains, .uniqueItems, .unevaluatedItems:
      guard case .array(let elements) = value else { return true }
      return applyArray(keyword, elements, &evaluated)
    case .properties, .patternProperties, .additionalProperties, .required, .propertyNames,
      .dependentRequired,
      .unevaluatedProperties:
      guard case .object(let object) = value else { return true }
      return applyObject(keyword, object, &evaluated)
    case .dependentSchemas, .allOf, .anyOf, .oneOf, .not, .conditional, .reference:
      return applyInPlace(keyword, value, &evaluated)
    }
  }
}
