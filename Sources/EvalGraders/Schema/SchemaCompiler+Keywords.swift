import EvalCore

/// Reads the plain values of keywords.
struct SchemaReader {
  let object: JSONObject
  let place: SchemaPlace

  func count(_ key: String) throws(JSONSchema.Problem) -> Int? {
    guard let value = object[key] else { return nil }
    guard let number = value.intValue, number >= 0 else {
      throw place.problem("'\(key)' is an integer, 0 or more", key)
    }
    return Int(number)
  }

  func number(_ key: String) throws(JSONSchema.Problem) -> JSONValue? {
    guard let value = object[key] else { return nil }
    guard value.doubleValue != nil else { throw place.problem("'\(key)' is a number", key) }
    return value
  }

  func names(_ value: JSONValue, _ key: String) throws(JSONSchema.Problem) -> [String] {
    let names = value.arrayValue?.compactMap(\.stringValue)
    guard let names, names.count == value.arrayValue?.count else {
      throw place.problem("'\(key)' is an array of names", key)
    }
    return names
  }

  func pattern(_ source: String, _ key: String) throws(JSONSchema.Problem) -> NamedPattern {
    do {
      return NamedPattern(source: source, pattern: try Pattern(source, dialect: .ecmaScript))
    } catch {
      throw place.problem(
        "the pattern '\(source)' does not compile: \(error.message), at character \(error.offset)", key)
    }
  }
}

extension SchemaCompiler {
  mutating func assertions(
    _ reader: inout SchemaReader, _ keywords: inout [SchemaKeyword]
  ) throws(Problem) {
    if let value = reader.object["type"] { keywords.append(.type(try types(value, reader))) }
    if let value = reader.object["enum"] {
      guard let values = value.arrayValue else { throw reader.place.problem("'enum' is an array", "enum") }
      keywords.append(.enumeration(values))
    }
    if let value = reader.object["const"] { keywords.append(.const(value)) }
    for bound: SchemaBound in [.minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum] {
      if let limit = try reader.number(bound.rawValue) { keywords.append(.bound(bound, limit)) }
    }
    if let divisor = try reader.number("multipleOf") {
      guard let double = divisor.doubleValue, double > 0 else {
        throw reader.place.problem("'multipleOf' is a number above 0", "multipleOf")
      }
      keywords.append(.multipleOf(divisor))
    }
    for count: SchemaCount in [.minLength, .maxLength, .minItems, .maxItems, .minProperties, .maxProperties] {
      if let limit = try reader.count(count.rawValue) { keywords.append(.count(count, limit)) }
    }
    try texts(&reader, &keywords)
  }

  private func texts(_ reader: inout SchemaReader, _ keywords: inout [SchemaKeyword]) throws(Problem) {
    if let value = reader.object["pattern"] {
      guard let source = value.stringValue else {
        throw reader.place.problem("'pattern' is a text", "pattern")
      }
      keywords.append(.pattern(try reader.pattern(source, "pattern")))
    }
    guard let value = reader.object["format"] else { return }
    guard let name = value.stringValue else { throw reader.place.problem("'format' is a text", "format") }
    guard assertsFormats else { return }
    guard let format = SchemaFormat(rawValue: name) else {
      let known = SchemaFormat.allCases.map(\.rawValue)
      throw reader.place.problem(
        "the format '\(name)' cannot be checked", "format",
        advice: suggestion(for: name, among: known) ?? "known are \(known.joined(separator: ", "))")
    }
    keywords.append(.format(format))
  }

  private func types(_ value: JSONValue, _ reader: SchemaReader) throws(Problem) -> [SchemaType] {
    let names = value.stringValue.map { [$0] } ?? value.arrayValue?.compactMap(\.stringValue)
    guard let names, !names.isEmpty, value.arrayValue.map({ $0.count == names.count }) ?? true else {
      throw reader.place.problem("'type' is a type's name or an array of them", "type")
    }
    var types: [SchemaType] = []
    for name in names {
      guard let type = SchemaType(rawValue: name) else {
        let known = SchemaType.allCases.map(\.rawValue)
        throw reader.place.problem(
          "'\(name)' is no type", "type",
          advice: suggestion(for: name, among: known) ?? "one of \(known.joined(separator: ", "))")
      }
      types.append(type)
    }
    return types
  }

  mutating func applicators(
    _ reader: inout SchemaReader, _ keywords: inout [SchemaKeyword]
  ) throws(Problem) {
    if let nodes = try subschemas("allOf", reader) { keywords.append(.allOf(nodes)) }
    if let nodes = try subschemas("anyOf", reader) { keywords.append(.anyOf(nodes)) }
    if let nodes = try subschemas("oneOf", reader) { keywords.append(.oneOf(nodes)) }
    if let node = try subschema("not", reader) { keywords.append(.not(node)) }
    let condition = try subschema("if", reader)
    let then = try subschema("then", reader)
    let otherwise = try subschema("else", reader)
    if let condition { keywords.append(.conditional(if: condition, then: then, otherwise: otherwise)) }
  }

  mutating func arrays(_ reader: inout SchemaReader, _ keywords: inout [SchemaKeyword]) throws(Problem) {
    let prefix = try subschemas("prefixItems", reader)
    if let prefix { keywords.append(.prefixItems(prefix)) }
    if let node = try subschema("items", reader) { keywords.append(.items(node, from: prefix?.count ?? 0)) }
    let atLeast = try reader.count("minContains")
    let atMost = try reader.count("maxContains")
    if let node = try subschema("contains", reader) {
      keywords.append(.contains(node, atLeast: atLeast ?? 1, atMost: atMost))
    }
    if let value = reader.object["uniqueItems"] {
      guard let flag = value.boolValue else {
        throw reader.place.problem("'uniqueItems' is true or false", "uniqueItems")
      }
      if flag { keywords.append(.uniqueItems) }
    }
  }

  mutating func objects(_ reader: inout SchemaReader, _ keywords: inout [SchemaKeyword]) throws(Problem) {
    let properties = try namedSubschemas("properties", reader)
    if let properties { keywords.append(.properties(properties)) }
    var patterns: [(pattern: NamedPattern, node: Int)] = []
    for entry in try namedSubschemas("patternProperties", reader) ?? [] {
      patterns.append((try reader.pattern(entry.name, "patternProperties"), entry.node))
    }
    if !patterns.isEmpty { keywords.append(.patternProperties(patterns)) }
    if let node = try subschema("additionalProperties", reader) {
      let known = Set((properties ?? []).map { ExactName($0.name) })
      keywords.append(.additionalProperties(node, known: known, patterns: patterns.map(\.pattern.pattern)))
    }
    if let value = reader.object["required"] {
      keywords.append(.required(try reader.names(value, "required")))
    }
    if let node = try subschema("propertyNames", reader) { keywords.append(.propertyNames(node)) }
    if let value = reader.object["dependentRequired"] {
      guard let object = value.objectValue else {
        throw reader.place.problem("'dependentRequired' is an object of arrays of names", "dependentRequired")
      }
      var entries: [(name: String, needs: [String])] = []
      for member in object.members {
        entries.append((member.key, try reader.names(member.value, "dependentRequired")))
      }
      keywords.append(.dependentRequired(entries))
    }
    if let named = try namedSubschemas("dependentSchemas", reader) {
      keywords.append(.dependentSchemas(named))
    }
  }
}
