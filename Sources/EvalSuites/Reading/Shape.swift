import EvalCore

/// What a value of the suite may look like: the JSON Schema that says so to an editor, and the reading that says so
/// to a person. Both come from one description, so they cannot differ.
struct Shape<Value>: Sendable {
  let schema: JSONValue
  /// `nil` after noting what is wrong.
  let read: @Sendable (JSONView, Reader) -> Value?

  init(_ schema: JSONValue, read: @escaping @Sendable (JSONView, Reader) -> Value?) {
    self.schema = schema
    self.read = read
  }

  /// The same values, converted.
  func map<Other>(_ convert: @escaping @Sendable (Value) -> Other) -> Shape<Other> {
    Shape<Other>(schema) { view, reader in read(view, reader).map(convert) }
  }

  /// The same values, with a further test that may refuse or convert them.
  func checked<Other>(_ check: @escaping @Sendable (Value, JSONView, Reader) -> Other?) -> Shape<Other> {
    Shape<Other>(schema) { view, reader in
      guard let value = read(view, reader) else { return nil }
      return check(value, view, reader)
    }
  }
}

extension Shape where Value == Double {
  /// A number in a closed range; `above` excludes its lower end.
  static func number(_ range: ClosedRange<Double>, above: Bool = false) -> Shape {
    var schema: JSONObject = ["type": "number"]
    schema[above ? "exclusiveMinimum" : "minimum"] = plain(range.lowerBound)
    if range.upperBound < .greatestFiniteMagnitude { schema["maximum"] = plain(range.upperBound) }
    let words = describe(range, above: above)
    return Shape(.object(schema)) { view, reader in
      guard let value = view.double, value.isFinite, range.contains(value),
        !above || value > range.lowerBound
      else {
        reader.wrong(view, expected: words)
        return nil
      }
      return value
    }
  }

  static func atLeast(_ least: Double) -> Shape { number(least...Double.greatestFiniteMagnitude) }
  static func above(_ least: Double) -> Shape { number(least...Double.greatestFiniteMagnitude, above: true) }

  private static func describe(_ range: ClosedRange<Double>, above: Bool) -> String {
    let low = plain(range.lowerBound).serialized()
    if range.upperBound < .greatestFiniteMagnitude {
      return "a number from \(low) to \(plain(range.upperBound).serialized())"
    }
    return above ? "a number above \(low)" : "a number of at least \(low)"
  }

  private static func plain(_ value: Double) -> JSONValue {
    value.rounded() == value ? .integer(Int64(value)) : .number(value)
  }
}

extension Shape where Value == Int {
  static func integer(_ range: ClosedRange<Int>) -> Shape {
    var schema: JSONObject = ["type": "integer", "minimum": .integer(Int64(range.lowerBound))]
    if range.upperBound < .max { schema["maximum"] = .integer(Int64(range.upperBound)) }
    let words =
      range.upperBound < .max
      ? "a whole number from \(range.lowerBound) to \(range.upperBound)"
      : "a whole number of at least \(range.lowerBound)"
    return Shape(.object(schema)) { view, reader in
      guard let value = view.int, range.contains(Int(value)) else {
        reader.wrong(view, expected: words)
        return nil
      }
      return Int(value)
    }
  }
}

extension Shape where Value == Int64 {
  static var anyInteger: Shape {
    Shape(["type": "integer"]) { view, reader in
      if let value = view.int { return value }
      reader.wrong(view, expected: "a whole number")
      return nil
    }
  }
}

extension Shape where Value == UInt64 {
  static var seed: Shape {
    Shape(["type": "integer", "minimum": 0]) { view, reader in
      if let value = view.int, value >= 0 { return UInt64(value) }
      reader.wrong(view, expected: "a whole number of at least 0")
      return nil
    }
  }
}

extension Shape where Value == Bool {
  static var bool: Shape {
    Shape(["type": "boolean"]) { view, reader in
      if let value = view.bool { return value }
      reader.wrong(view, expected: "true or false")
      return nil
    }
  }
}

extension Shape where Value == String {
  /// Any string.
  static var text: Shape {
    Shape(["type": "string"]) { view, reader in
      if let value = view.string { return value }
      reader.wrong(view, expected: "a string")
      return nil
    }
  }

  /// A string of at least one character.
  static var name: Shape {
    Shape(["type": "string", "minLength": 1]) { view, reader in
      if let value = view.string, !value.isEmpty { return value }
      reader.wrong(view, expected: "a string that is not empty")
      return nil
    }
  }

  /// A string whose `{{names}}` are filled in from the case in hand.
  static var template: Shape {
    text.checked { text, view, reader in reader.render(text, at: view) }
  }
}

extension Shape where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  /// One of the words of an enumeration.
  static var word: Shape {
    let names = Value.allCases.map(\.rawValue)
    let schema: JSONValue = ["type": "string", "enum": .array(names.map { .string($0) })]
    return Shape(schema) { view, reader in
      if let text = view.string, let value = Value(rawValue: text) { return value }
      let advice = view.string.flatMap { suggestion(for: $0, among: names) }
      reader.wrong(view, expected: Shape<String>.list(names), advice: advice)
      return nil
    }
  }
}

extension Shape where Value == String {
  /// `'a', 'b' or 'c'`.
  static func list(_ names: [String]) -> String {
    let quoted = names.map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "nothing" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension Shape {
  /// An array whose elements have one shape; those that are wrong are left out.
  static func array<Element>(of element: Shape<Element>, least: Int = 0) -> Shape where Value == [Element] {
    var schema: JSONObject = ["type": "array", "items": element.schema]
    if least > 0 { schema["minItems"] = .integer(Int64(least)) }
    return Shape(.object(schema)) { view, reader in
      guard view.kind == .array, view.count >= least else {
        reader.wrong(view, expected: least > 0 ? "an array with at least one element" : "an array")
        return nil
      }
      var values: [Element] = []
      values.reserveCapacity(view.count)
      for item in view.elements {
        if let value = element.read(item, reader) { values.append(value) }
      }
      return values
    }
  }

  /// The place of a definition in the schema.
  static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/$defs/\(name)")] }
}

extension Shape where Value == JSONView {
  /// A value that is read later, when what it names is known.
  static func later(_ schema: JSONValue) -> Shape {
    Shape(schema) { view, _ in view }
  }
}

extension Shape where Value == JSONValue {
  /// Any JSON.
  static var json: Shape {
    Shape([:]) { view, _ in view.value }
  }
}

extension Shape where Value == JSONObject {
  /// Any JSON object.
  static var jsonObject: Shape {
    Shape(["type": "object"]) { view, reader in
      if case .object(let object) = view.value { return object }
      reader.wrong(view, expected: "an object")
      return nil
    }
  }
}

extension Shape where Value == [String] {
  /// One string or several.
  static var strings: Shape {
    let (one, many) = (Shape<String>.name, Shape.array(of: .name))
    return Shape(["anyOf": [one.schema, many.schema]]) { view, reader in
      switch view.kind {
      case .string: return one.read(view, reader).map { [$0] }
      case .array: return many.read(view, reader)
      default:
        reader.wrong(view, expected: "a string or an array of strings")
        return nil
      }
    }
  }
}
