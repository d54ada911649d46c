import EvalCore

/// What a value is held against.
enum ValueTest: Sendable, Hashable {
  case isIn([SignalValue])
  case isNot([SignalValue])
  case atMost(Double, SignalValue)
  case atLeast(Double, SignalValue)
  case lessThan(Double, SignalValue)
  case moreThan(Double, SignalValue)
  /// Every one of these words.
  case contains([String])
  /// Any value will do.
  case exists

  /// `nil` where the value is of another kind than the test's, which is as if it were unknown.
  func holds(_ value: SignalValue, in domain: SignalDomain) -> Bool? {
    switch self {
    case .exists: true
    case .isIn(let values): values.contains(value)
    case .isNot(let values): !values.contains(value)
    case .contains(let words):
      if case .words(let found) = value { words.allSatisfy(found.contains) } else { nil }
    case .atMost(let bound, _): domain.rank(of: value).map { $0 <= bound }
    case .atLeast(let bound, _): domain.rank(of: value).map { $0 >= bound }
    case .lessThan(let bound, _): domain.rank(of: value).map { $0 < bound }
    case .moreThan(let bound, _): domain.rank(of: value).map { $0 > bound }
    }
  }

  /// The values that it names.
  var values: [SignalValue] {
    switch self {
    case .isIn(let values), .isNot(let values): values
    case .atMost(_, let value), .atLeast(_, let value), .lessThan(_, let value), .moreThan(_, let value):
      [value]
    case .contains(let words): words.map { .word($0) }
    case .exists: []
    }
  }

  var text: String {
    switch self {
    case .isIn(let values) where values.count == 1: "= \(values[0].json.serialized())"
    case .isIn(let values): "in \(SignalValue.list(values))"
    case .isNot(let values) where values.count == 1: "≠ \(values[0].json.serialized())"
    case .isNot(let values): "not in \(SignalValue.list(values))"
    case .atMost(_, let value): "≤ \(value.json.serialized())"
    case .atLeast(_, let value): "≥ \(value.json.serialized())"
    case .lessThan(_, let value): "< \(value.json.serialized())"
    case .moreThan(_, let value): "> \(value.json.serialized())"
    case .contains(let words): "contains \(SignalValue.list(words.map { .word($0) }))"
    case .exists: "is there"
    }
  }
}

extension SignalValue {
  fileprivate static func list(_ values: [SignalValue]) -> String {
    JSONValue.array(values.map(\.json)).serialized()
  }
}

/// One test of one signal, or its opposite.
struct Atom: Sendable {
  var use: SignalUse
  var test: ValueTest
  var isNegated = false

  var negated: Atom {
    var other = self
    other.isNegated.toggle()
    return other
  }

  func holds(_ facts: RoutingFacts, _ terms: Terms) -> Bool {
    guard let reading = use.reading(facts, terms) else { return false }
    return holds(reading.value) ?? false
  }

  /// `nil` where the value is of another kind.
  func holds(_ value: SignalValue) -> Bool? {
    test.holds(value, in: use.signal.domain).map { $0 != isNegated }
  }

  /// The same for the same test of the same values only.
  func identity(_ terms: Terms) -> String { "\(isNegated ? "!" : "")\(use.identity(terms)) \(test.text)" }

  /// As people read it.
  var text: String {
    let text = "\(use.name(arm: use.arm?.text)) \(test.text)"
    return isNegated ? "not (\(text))" : text
  }

  func bits(_ table: FactTable, _ terms: Terms) -> [UInt64] {
    let name = identity(terms)
    guard use.signal.domain.isNumeric else { return table.bits(of: name) { holds($0, terms) } }
    return table.bits(
      of: name,
      over: { table.numbers(of: use.identity(terms)) { use.reading($0, terms)?.value.number } },
      where: { number in !number.isNaN && holds(.number(number)) == true })
  }
}
