/// An owned JSON value whose objects keep the order of their members.
///
/// `==` compares strings by their scalars and tells `1` from `1.0`, which are equal to ``jsonEquals(_:)``.
package enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// A number written without point and exponent that fits; every other number is a ``number(_:)``.
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue {
  /// The object's member called `key`; nil when there is none or the value is no object.
  package subscript(key: String) -> JSONValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  /// The array's element at `index`, counted from 0; nil when there is none or the value is no array.
  package subscript(index: Int) -> JSONValue? {
    if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
  }

  package var isNull: Bool { if case .null = self { true } else { false } }
  package var stringValue: String? { if case .string(let string) = self { string } else { nil } }
  package var boolValue: Bool? { if case .bool(let bool) = self { bool } else { nil } }
  package var arrayValue: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  package var objectValue: JSONObject? { if case .object(let object) = self { object } else { nil } }

  /// The number when it is integral (`3.0` counts) and within `Int64`; else nil.
  package var intValue: Int64? {
    switch self {
    case .integer(let integer): integer
    case .number(let double): JSONNumber.exactInteger(double)
    default: nil
    }
  }

  /// The number as a double, rounded when it is an integer beyond 2^53; nil when the value is no number.
  package var doubleValue: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let double): double
    default: nil
    }
  }
}

extension JSONValue: Hashable {
  package static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameScalars(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let bool): hasher.combine(bool)
    case .integer(let integer): hasher.combine(integer)
    case .number(let double): hasher.combine(double)
    case .string(let string): hasher.combine(string)
    case .array(let elements): hasher.combine(elements)
    case .object(let object): hasher.combine(object)
    }
  }

  /// Whether both mean the same JSON: `1` equals `1.0`, the order of members is ignored.
  package func jsonEquals(_ other: JSONValue) -> Bool {
    switch (self, other) {
    case (.integer(let integer), .number(let double)), (.number(let double), .integer(let integer)):
      JSONNumber.exactInteger(double) == integer
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.jsonEquals($1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.members.allSatisfy { key, value in right[key].map(value.jsonEquals) ?? false }
    default: self == other
    }
  }
}

extension JSONValue {
  /// Parses a text that holds exactly one value.
  ///
  /// - Throws: the first syntax error, with its byte offset in the UTF-8 of the text.
  package static func parse(
    _ text: String, _ dialect: JSONDialect = .strict
  ) throws(JSONSyntaxError) -> JSONValue {
    try parse([UInt8](text.utf8), dialect)
  }

  /// Parses UTF-8 bytes that hold exactly one value.
  package static func parse(
    _ bytes: [UInt8], _ dialect: JSONDialect = .strict
  ) throws(JSONSyntaxError) -> JSONValue {
    try JSONDocument(parsing: bytes, dialect: dialect).root.value
  }

  /// Parses UTF-8 bytes that hold exactly one value.
  package static func parse(
    _ bytes: some Collection<UInt8>, _ dialect: JSONDialect = .strict
  ) throws(JSONSyntaxError) -> JSONValue {
    try parse([UInt8](bytes), dialect)
  }

  /// The value as JSON text.
  package func serialized(_ style: JSONStyle = .compact) -> String {
    String(decoding: bytes(style), as: UTF8.self)
  }

  /// The value as UTF-8 JSON text.
  package func bytes(_ style: JSONStyle = .compact) -> [UInt8] {
    var writer = JSONWriter(style)
    writer.raw(self)
    return writer.bytes
  }
}

// Not by `nil`: in a ternary with an optional result it would mean null where absence is meant.
extension JSONValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { (key: $0.0, value: $0.1) }))
  }
}

extension String {
  /// Equality scalar by scalar, as JSON means it; Swift's `==` takes `é` composed and decomposed for one.
  func hasSameScalars(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}
