import EvalCore

/// Turns a schema document into nodes. Every mistake in the document is a problem with its place.
struct SchemaCompiler {
  typealias Problem = JSONSchema.Problem

  private(set) var nodes: [SchemaNode] = []
  var tracksEvaluation = false
  let assertsFormats: Bool
  private let document: SchemaDocument
  private var compiled: [[JSONPathStep]: Int] = [:]

  init(_ schema: JSONValue, assertsFormats: Bool) {
    document = SchemaDocument(schema)
    self.assertsFormats = assertsFormats
  }

  mutating func compile() throws(Problem) -> Int {
    try document.checkDialects()
    return try node(at: SchemaPlace())
  }

  /// The node of the schema at a place, compiled when first asked for.
  mutating func node(at place: SchemaPlace) throws(Problem) -> Int {
    if let known = compiled[place.path] { return known }
    let index = nodes.count
    nodes.append(SchemaNode(path: place.description))
    compiled[place.path] = index
    guard place.path.count < 512 else { throw place.problem("the schema is nested deeper than 512 levels") }
    switch document.value(at: place.path) {
    case .bool(true)?: break
    case .bool(false)?: nodes[index].keywords = [.never]
    case .object(let object)?: nodes[index].keywords = try keywords(object, place)
    default: throw place.problem("a schema is an object, true or false")
    }
    return index
  }

  private mutating func keywords(_ object: JSONObject, _ place: SchemaPlace) throws(Problem)
    -> [SchemaKeyword]
  {
    try refuse(object, place)
    var reader = SchemaReader(object: object, place: place)
    var keywords: [SchemaKeyword] = []
    try references(&reader, &keywords)
    try assertions(&reader, &keywords)
    try applicators(&reader, &keywords)
    try arrays(&reader, &keywords)
    try objects(&reader, &keywords)
    // Last, since they look at what the others have looked at.
    if let node = try subschema("unevaluatedItems", reader) {
      tracksEvaluation = true
      keywords.append(.unevaluatedItems(node))
    }
    if let node = try subschema("unevaluatedProperties", reader) {
      tracksEvaluation = true
      keywords.append(.unevaluatedProperties(node))
    }
    return keywords
  }

  /// Keywords that are not followed, or mean another thing in older drafts.
  private func refuse(_ object: JSONObject, _ place: SchemaPlace) throws(Problem) {
    for key in ["$dynamicRef", "$recursiveRef"] where object[key] != nil {
      throw place.problem("'\(key)' is not supported", key, advice: "write the recursion with $ref")
    }
    if object["items"]?.arrayValue != nil {
      throw place.problem(
        "an array under 'items' belongs to older drafts", "items", advice: "since 2020-12 it is 'prefixItems'"
      )
    }
    let renamed = [
      "additionalItems": "since 2020-12 it is 'items' beside 'prefixItems'",
      "dependencies": "since 2019-09 it is 'dependentRequired' or 'dependentSchemas'",
    ]
    for (key, advice) in renamed.sorted(by: { $0.key < $1.key }) where object[key] != nil {
      throw place.problem("'\(key)' belongs to older drafts", key, advice: advice)
    }
  }

  private mutating func references(
    _ reader: inout SchemaReader, _ keywords: inout [SchemaKeyword]
  ) throws(Problem) {
    guard let value = reader.object["$ref"] else { return }
    guard let reference = value.stringValue else { throw reader.place.problem("'$ref' is a text", "$ref") }
    guard let target = document.resolve(reference, from: reader.place) else {
      throw reader.place.problem(
        "'\(reference)' is not in this schema", "$ref",
        advice: "put it under $defs: references to other documents are not followed")
    }
    keywords.append(.reference(try node(at: target)))
  }

  // MARK: Subschemas

  mutating func subschema(_ key: String, _ reader: SchemaReader) throws(Problem) -> Int? {
    reader.object[key] == nil ? nil : try node(at: reader.place.appending(.name(key)))
  }

  mutating func subschemas(_ key: String, _ reader: SchemaReader) throws(Problem) -> [Int]? {
    guard let value = reader.object[key] else { return nil }
    guard let items = value.arrayValue, !items.isEmpty else {
      throw reader.place.problem("'\(key)' is an array of schemas that is not empty", key)
    }
    var nodes: [Int] = []
    for index in items.indices {
      nodes.append(try node(at: reader.place.appending(.name(key)).appending(.index(index))))
    }
    return nodes
  }

  mutating func namedSubschemas(
    _ key: String, _ reader: SchemaReader
  ) throws(Problem) -> [(name: String, node: Int)]? {
    guard let value = reader.object[key] else { return nil }
    guard let object = value.objectValue else {
      throw reader.place.problem("'\(key)' is an object whose values are schemas", key)
    }
    var named: [(name: String, node: Int)] = []
    for name in object.keys {
      named.append((name, try node(at: reader.place.appending(.name(key)).appending(.name(name)))))
    }
    return named
  }
}

/// Where a schema stands in its document.
struct SchemaPlace {
  var path: [JSONPathStep] = []

  func appending(_ step: JSONPathStep) -> SchemaPlace { SchemaPlace(path: path + [step]) }

  /// `properties.age.allOf[0]`; empty for the root.
  var description: String {
    var text = ""
    for step in path {
      switch step {
      case .name(let name): text += text.isEmpty ? name : ".\(name)"
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }

  func problem(_ message: String, _ key: String? = nil, advice: String? = nil) -> JSONSchema.Problem {
    let place = key.map { appending(.name($0)) } ?? self
    return JSONSchema.Problem(path: place.description, message: message, advice: advice)
  }
}
