import EvalCore

/// A schema document with the names its parts can be referred to by (JSON Schema core §8 and §9).
struct SchemaDocument {
  private let root: JSONValue
  /// Where each `$id` and each `$anchor` stands, by absolute URI.
  private var places: [String: [JSONPathStep]] = [:]
  private var dialects: [(path: [JSONPathStep], name: String)] = []

  /// The base of a document that gives none.
  private static let defaultBase = URIReference("evalrun:/schema")

  init(_ root: JSONValue) {
    self.root = root
    index(root, [], SchemaDocument.defaultBase)
    if root["$id"]?.stringValue.map({ $0.hasPrefix("#") }) ?? true {
      places[SchemaDocument.defaultBase.description] = []
    }
  }

  func value(at path: [JSONPathStep]) -> JSONValue? {
    var value: JSONValue? = root
    for step in path {
      switch step {
      case .name(let name): value = value?[name]
      case .index(let index): value = value?[index]
      }
    }
    return value
  }

  /// The place that a `$ref` at `place` refers to; `nil` when it is not in this document.
  func resolve(_ reference: String, from place: SchemaPlace) -> SchemaPlace? {
    let target = URIReference(reference).resolved(against: base(of: place.path))
    let fragment = target.fragment ?? ""
    guard let resource = places[target.withoutFragment.description] else { return nil }
    if fragment.isEmpty { return SchemaPlace(path: resource) }
    guard fragment.hasPrefix("/") else { return places[target.description].map { SchemaPlace(path: $0) } }
    return pointer(fragment, from: resource)
  }

  /// Drafts whose keywords mean the same here, except those that the compiler refuses.
  func checkDialects() throws(JSONSchema.Problem) {
    let known = ["2020-12", "2019-09", "draft-07", "draft-06"]
    for dialect in dialects where !known.contains(where: dialect.name.contains) {
      throw SchemaPlace(path: dialect.path).problem(
        "'\(dialect.name)' is not a dialect that is known here", "$schema",
        advice: "use https://json-schema.org/draft/2020-12/schema")
    }
  }

  /// Follows a JSON pointer (RFC 6901).
  private func pointer(_ fragment: String, from resource: [JSONPathStep]) -> SchemaPlace? {
    var path = resource
    var value = self.value(at: resource)
    for token in fragment.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let name = String(token.replacing("~1", with: "/").replacing("~0", with: "~"))
      if let elements = value?.arrayValue {
        guard let index = Int(name), elements.indices.contains(index) else { return nil }
        path.append(.index(index))
        value = elements[index]
      } else {
        guard let member = value?[name] else { return nil }
        path.append(.name(name))
        value = member
      }
    }
    return SchemaPlace(path: path)
  }

  /// The base URI at a place: that of the innermost `$id` above it.
  private func base(of path: [JSONPathStep]) -> URIReference {
    var base = SchemaDocument.defaultBase
    var value: JSONValue? = root
    for step in [nil] + path.map(Optional.init) {
      switch step {
      case nil: break
      case .name(let name)?: value = value?[name]
      case .index(let index)?: value = value?[index]
      }
      if let id = value?["$id"]?.stringValue, !id.hasPrefix("#") {
        base = URIReference(id).resolved(against: base).withoutFragment
      }
    }
    return base
  }

  private mutating func index(_ schema: JSONValue, _ path: [JSONPathStep], _ outer: URIReference) {
    guard let object = schema.objectValue, path.count < 512 else { return }
    var base = outer
    if let id = object["$id"]?.stringValue, id.hasPrefix("#") {
      // Draft 7 wrote anchors so.
      places[outer.description + id] = path
    } else if let id = object["$id"]?.stringValue {
      base = URIReference(id).resolved(against: outer).withoutFragment
      places[base.description] = path
    }
    for key in ["$anchor", "$dynamicAnchor"] {
      if let anchor = object[key]?.stringValue { places["\(base.description)#\(anchor)"] = path }
    }
    if let dialect = object["$schema"]?.stringValue { dialects.append((path, dialect)) }
    for member in object.members {
      indexSubschemas(member.key, member.value, path + [.name(member.key)], base)
    }
  }

  private mutating func indexSubschemas(
    _ key: String, _ value: JSONValue, _ path: [JSONPathStep], _ base: URIReference
  ) {
    if SchemaDocument.single.contains(key) { index(value, path, base) }
    if SchemaDocument.lists.contains(key) {
      for (place, item) in (value.arrayValue ?? []).enumerated() { index(item, path + [.index(place)], base) }
    }
    if SchemaDocument.named.contains(key) {
      for member in value.objectValue?.members ?? [] { index(member.value, path + [.name(member.key)], base) }
    }
  }

  private static let single: Set<String> = [
    "items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else",
    "unevaluatedItems",
    "unevaluatedProperties", "contentSchema",
  ]
  private static let lists: Set<String> = ["allOf", "anyOf", "oneOf", "prefixItems"]
  private static let named: Set<String> = [
    "$defs", "definitions", "properties", "patternProperties", "dependentSchemas",
  ]
}
