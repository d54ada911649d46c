import EvalCore

/// Finds what cannot be a JSON Schema (2020-12), with its place: a word that is no type, a list where an object must
/// stand. It does not judge what a provider's own subset leaves out.
enum SchemaLint {
  private static let types = ["null", "boolean", "object", "array", "number", "string", "integer"]
  private static let schemas = [
    "additionalProperties", "items", "contains", "not", "if", "then", "else", "propertyNames",
    "unevaluatedItems", "unevaluatedProperties",
  ]
  private static let schemaLists = ["allOf", "anyOf", "oneOf", "prefixItems"]
  private static let schemaMaps = [
    "properties", "patternProperties", "$defs", "definitions", "dependentSchemas",
  ]
  private static let counts = [
    "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains",
    "maxContains",
  ]
  private static let numbers = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]
  private static let texts = ["$ref", "$id", "$schema", "title", "description", "format", "pattern"]

  static func check(_ view: JSONView, _ reader: Reader) {
    if view.kind == .bool { return }
    guard view.kind == .object else {
      return reader.wrong(view, expected: "a JSON Schema, which is an object, true or false")
    }
    for member in view.members {
      check(keyword: member.key.string ?? "", member.value, root: view, reader)
    }
    checkRequired(view, reader)
  }

  private static func check(keyword: String, _ value: JSONView, root: JSONView, _ reader: Reader) {
    switch keyword {
    case "type": checkType(value, reader)
    case "enum":
      if value.kind != .array || value.count == 0 {
        reader.wrong(value, expected: "an array of allowed values")
      }
    case "required":
      if value.kind != .array || !value.elements.allSatisfy({ $0.kind == .string }) {
        reader.wrong(value, expected: "an array of property names")
      }
    case "multipleOf":
      if !(value.double.map { $0 > 0 } ?? false) { reader.wrong(value, expected: "a number above 0") }
    case "uniqueItems":
      if value.kind != .bool { reader.wrong(value, expected: "true or false") }
    case _ where schemas.contains(keyword): check(value, reader)
    case _ where schemaLists.contains(keyword): checkList(value, reader)
    case _ where schemaMaps.contains(keyword): checkMap(value, reader)
    case _ where counts.contains(keyword):
      if !(value.int.map { $0 >= 0 } ?? false) {
        reader.wrong(value, expected: "a whole number of at least 0")
      }
    case _ where numbers.contains(keyword):
      if value.kind != .number { reader.wrong(value, expected: "a number") }
    case _ where texts.contains(keyword):
      if value.kind != .string { reader.wrong(value, expected: "a string") }
    default: break
    }
  }

  private static func checkType(_ value: JSONView, _ reader: Reader) {
    let names = value.kind == .array ? Array(value.elements) : [value]
    if names.isEmpty { reader.wrong(value, expected: "a type's name") }
    for name in names where !types.contains(name.string ?? "") {
      reader.wrong(
        name, expected: "a JSON type's name",
        advice: suggestion(for: name.string ?? "", among: types)
          ?? "one of \(types.joined(separator: ", "))")
    }
  }

  private static func checkList(_ value: JSONView, _ reader: Reader) {
    guard value.kind == .array, value.count > 0 else {
      return reader.wrong(value, expected: "an array of JSON Schemas")
    }
    for item in value.elements { check(item, reader) }
  }

  private static func checkMap(_ value: JSONView, _ reader: Reader) {
    guard value.kind == .object else { return reader.wrong(value, expected: "an object of JSON Schemas") }
    for member in value.members { check(member.value, reader) }
  }

  /// A required property that a closed object does not have can never be met.
  private static func checkRequired(_ view: JSONView, _ reader: Reader) {
    guard let required = view["required"], let properties = view["properties"], properties.kind == .object,
      view["additionalProperties"]?.bool == false, view["patternProperties"] == nil
    else { return }
    let names = properties.members.compactMap(\.key.string)
    for item in required.elements {
      guard let name = item.string, !names.contains(name) else { continue }
      reader.error(
        "'\(name)' is required but is no property", at: item, advice: suggestion(for: name, among: names))
    }
  }
}
