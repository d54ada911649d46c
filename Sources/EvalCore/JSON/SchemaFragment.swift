/// Holds a value against the small part of JSON Schema that a descriptor uses to describe an option.
package struct SchemaFragment: Sendable {
  private let schema: JSONValue

  package init(_ schema: JSONValue) { self.schema = schema }

  /// What should stand where, relative to the value.
  package struct Fault: Equatable, Sendable {
    package var path: String
    package var expected: String
  }

  /// The first thing that is not as described; `nil` when all is.
  package func fault(of value: JSONValue, at path: String = "") -> Fault? {
    if let choices = (schema["anyOf"] ?? schema["oneOf"])?.arrayValue {
      let faults = choices.map { SchemaFragment($0).fault(of: value, at: path) }
      if faults.contains(where: { $0 == nil }) { return nil }
      let words = faults.compactMap { $0?.expected }
      return Fault(path: path, expected: words.joined(separator: " or "))
    }
    if let constant = schema["const"], !constant.jsonEquals(value) {
      return Fault(path: path, expected: constant.serialized(.compact))
    }
    if let words = schema["enum"]?.arrayValue, !words.contains(where: { $0.jsonEquals(value) }) {
      return Fault(
        path: path, expected: "one of \(words.map { $0.serialized(.compact) }.joined(separator: ", "))")
    }
    if !isOfType(value) { return Fault(path: path, expected: typeWords) }
    switch value {
    case .integer, .number: return faultOfNumber(value, at: path)
    case .string(let text):
      let least = schema["minLength"]?.intValue ?? 0
      return text.unicodeScalars.count < least
        ? Fault(path: path, expected: "a string of at least \(least) characters") : nil
    case .array(let items): return faultOfItems(items, at: path)
    case .object(let object): return faultOfMembers(object, at: path)
    default: return nil
    }
  }

  private func isOfType(_ value: JSONValue) -> Bool {
    let names = typeNames
    return names.isEmpty || names.contains { Self.isOf($0, value) }
  }

  private var typeNames: [String] {
    schema["type"]?.stringValue.map { [$0] } ?? schema["type"]?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  private var typeWords: String {
    let words = [
      "string": "a string", "number": "a number", "integer": "a whole number", "boolean": "true or false",
      "array": "an array", "object": "an object", "null": "null",
    ]
    return typeNames.map { words[$0] ?? $0 }.joined(separator: " or ")
  }

  private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
    switch type {
    case "integer": value.intValue != nil
    case "number": value.doubleValue != nil
    case "string": value.stringValue != nil
    case "boolean": value.boolValue != nil
    case "array": value.arrayValue != nil
    case "object": value.objectValue != nil
    case "null": value.isNull
    default: true
    }
  }

  private func faultOfNumber(_ value: JSONValue, at path: String) -> Fault? {
    guard let number = value.doubleValue else { return nil }
    if let least = schema["minimum"]?.doubleValue, number < least {
      return Fault(path: path, expected: "at least \(text(least))")
    }
    if let least = schema["exclusiveMinimum"]?.doubleValue, number <= least {
      return Fault(path: path, expected: "more than \(text(least))")
    }
    if let most = schema["maximum"]?.doubleValue, number > most {
      return Fault(path: path, expected: "at most \(text(most))")
    }
    return nil
  }

  private func text(_ number: Double) -> String {
    (JSONValue.number(number).intValue.map { .integer($0) } ?? JSONValue.number(number)).serialized(.compact)
  }

  private func faultOfItems(_ items: [JSONValue], at path: String) -> Fault? {
    let least = schema["minItems"]?.intValue ?? 0
    if items.count < least { return Fault(path: path, expected: "an array of at least \(least)") }
    guard let schema = schema["items"] else { return nil }
    for (index, item) in items.enumerated() {
      if let fault = SchemaFragment(schema).fault(of: item, at: "\(path)[\(index)]") { return fault }
    }
    return nil
  }

  private func faultOfMembers(_ object: JSONObject, at path: String) -> Fault? {
    for name in schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? [] where object[name] == nil {
      return Fault(path: path, expected: "an object with '\(name)'")
    }
    for (key, value) in object.members {
      let below = path.isEmpty ? key : "\(path).\(key)"
      if let schema = schema["properties"]?[key] ?? schema["additionalProperties"] {
        if schema.boolValue == false {
          return Fault(path: below, expected: "nothing: there is no such member")
        }
        if let fault = SchemaFragment(schema).fault(of: value, at: below) { return fault }
      }
    }
    return nil
  }
}
