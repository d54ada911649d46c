import EvalCore

/// A compiled schema: its keywords in the order they are applied. Subschemas are indices, since schemas may recurse.
struct SchemaNode: Sendable {
  /// Where it stands in the document, for messages about the schema.
  var path: String
  var keywords: [SchemaKeyword] = []
}

/// The types of JSON Schema; `integer` is any number without a fraction.
enum SchemaType: String, Sendable, CaseIterable {
  case null, boolean, object, array, number, string, integer

  func accepts(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.null, .null), (.boolean, .bool), (.object, .object), (.array, .array), (.string, .string),
      (.number, .integer), (.number, .number), (.integer, .integer):
      true
    case (.integer, .number(let number)): number == number.rounded()
    default: false
    }
  }

  static func name(of value: JSONValue) -> String {
    SchemaType.allCases.first { $0 != .number && $0.accepts(value) }?.rawValue ?? "number"
  }
}

/// A member's name compared scalar by scalar, as JSON does.
struct ExactName: Hashable, Sendable {
  let text: String
  init(_ text: String) { self.text = text }
  static func == (left: ExactName, right: ExactName) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }
  func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}

struct NamedPattern: Sendable {
  var source: String
  var pattern: Pattern
}

enum SchemaBound: String, Sendable {
  case minimum, maximum, exclusiveMinimum, exclusiveMaximum
}

enum SchemaCount: String, Sendable {
  case minLength, maxLength, minItems, maxItems, minProperties, maxProperties
}

enum SchemaKeyword: Sendable {
  /// The schema `false`.
  case never
  case type([SchemaType])
  case enumeration([JSONValue])
  case const(JSONValue)
  case bound(SchemaBound, JSONValue)
  case multipleOf(JSONValue)
  case count(SchemaCount, Int)
  case pattern(NamedPattern)
  case format(SchemaFormat)
  case prefixItems([Int])
  /// Applies to elements from an index on.
  case items(Int, from: Int)
  case contains(Int, atLeast: Int, atMost: Int?)
  case uniqueItems
  case properties([(name: String, node: Int)])
  case patternProperties([(pattern: NamedPattern, node: Int)])
  case additionalProperties(Int, known: Set<ExactName>, patterns: [Pattern])
  case required([String])
  case propertyNames(Int)
  case dependentRequired([(name: String, needs: [String])])
  case dependentSchemas([(name: String, node: Int)])
  case allOf([Int])
  case anyOf([Int])
  case oneOf([Int])
  case not(Int)
  case conditional(if: Int, then: Int?, otherwise: Int?)
  case reference(Int)
  case unevaluatedItems(Int)
  case unevaluatedProperties(Int)

  /// Subschemas that apply to the same value.
  var inPlace: [Int] {
    switch self {
    case .allOf(let nodes), .anyOf(let nodes), .oneOf(let nodes): nodes
    case .not(let node), .reference(let node): [node]
    case .conditional(let condition, let then, let otherwise):
      [condition] + [then, otherwise].compactMap(\.self)
    case .dependentSchemas(let entries): entries.map(\.node)
    default: []
    }
  }
}

/// Refuses a schema that applies itself to the same value for ever.
enum SchemaCycles {
  static func refuse(_ nodes: [SchemaNode]) throws(JSONSchema.Problem) {
    var states = [State](repeating: .new, count: nodes.count)
    for start in nodes.indices { try walk(start, nodes, &states) }
  }

  private enum State { case new, open, done }

  private static func walk(
    _ index: Int, _ nodes: [SchemaNode], _ states: inout [State]
  ) throws(JSONSchema.Problem) {
    switch states[index] {
    case .done: return
    case .open:
      throw JSONSchema.Problem(
        path: nodes[index].path, message: "the schema refers to itself without going into the value")
    case .new: break
    }
    states[index] = .open
    for keyword in nodes[index].keywords {
      for next in keyword.inPlace { try walk(next, nodes, &states) }
    }
    states[index] = .done
  }
}
