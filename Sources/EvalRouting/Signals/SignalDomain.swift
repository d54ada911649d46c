import EvalCore

/// The values that a signal can have, which decide how it may be tested.
enum SignalDomain: Sendable, Hashable {
  case flag
  /// One of these words, in no order.
  case words([String])
  /// One of these words, from little to much.
  case scale([String])
  /// Any word.
  case text
  /// A whole number, 0 or more.
  case count
  /// A number, 0 or more.
  case amount
  /// Seconds, written as `500ms`, `10s`, `2m` or a number.
  case seconds
  /// Several of these words.
  case members([String])
  /// Boundaries, the device always among them; `true` is all of them, `false` no other.
  case boundaries
  /// An arm's name; `true` asks whether there is one.
  case arm
  /// Whatever the case says.
  case anything

  var operators: [Operator] {
    switch self {
    case .flag: [.is, .not]
    case .words, .text: [.is, .in, .not]
    case .scale, .count, .amount, .seconds: [.is, .in, .not, .atMost, .atLeast, .lessThan, .moreThan]
    case .members: [.contains]
    case .boundaries: [.is, .contains]
    case .arm: [.is, .in]
    case .anything: Operator.allCases
    }
  }

  /// How messages and the documentation call it.
  var words: String {
    switch self {
    case .flag: "true or false"
    case .words(let words): SignalDomain.list(words)
    case .scale(let words): SignalDomain.list(words)
    case .text: "a word"
    case .count: "a whole number, 0 or more"
    case .amount: "a number, 0 or more"
    case .seconds: "a duration such as \"500ms\" or \"10s\", or seconds as a number"
    case .members(let words): "some of \(SignalDomain.list(words))"
    case .boundaries: "true, false, or some of \(SignalDomain.list(Boundary.allCases.map(\.rawValue)))"
    case .arm: "an arm's name, or true"
    case .anything: "true, false, a number, a word or several words"
    }
  }

  /// A literal of a condition as a value of this domain; `nil` when it is none.
  func literal(_ json: JSONValue) -> SignalValue? {
    switch self {
    case .flag: return json.boolValue.map { .flag($0) }
    case .words(let words), .scale(let words):
      guard let word = json.stringValue, words.contains(word) else { return nil }
      return .word(word)
    case .text, .arm: return json.stringValue.flatMap { $0.isEmpty ? nil : .word($0) }
    case .count: return json.intValue.flatMap { $0 >= 0 ? .number(Double($0)) : nil }
    case .amount: return json.doubleValue.flatMap { $0 >= 0 && $0.isFinite ? .number($0) : nil }
    case .seconds: return SignalDomain.duration(json).map { .number($0) }
    case .members(let words):
      guard let word = json.stringValue, words.contains(word) else { return nil }
      return .word(word)
    case .boundaries:
      if let flag = json.boolValue { return SignalDomain.consent(flag ? Boundary.allCases : []) }
      return json.stringValue.flatMap { Boundary(rawValue: $0) }.map { .word($0.rawValue) }
    case .anything:
      guard let value = SignalValue(json), !json.isArray else { return nil }
      return value
    }
  }

  /// What is compared: a number, or the place of a word on a scale.
  func rank(of value: SignalValue) -> Double? {
    switch (self, value) {
    case (.scale(let words), .word(let word)): words.firstIndex(of: word).map(Double.init)
    case (_, .number(let number)): number
    default: nil
    }
  }

  /// Whether values are compared as numbers that a column can hold.
  var isNumeric: Bool {
    switch self {
    case .count, .amount, .seconds: true
    default: false
    }
  }

  /// Content always stays where it is, so the device needs no consent.
  static func consent(_ boundaries: [Boundary]) -> SignalValue {
    .words(Boundary.allCases.filter { $0 == .device || boundaries.contains($0) }.map(\.rawValue))
  }

  static func duration(_ json: JSONValue) -> Double? {
    if let number = json.doubleValue { return number >= 0 && number.isFinite ? number : nil }
    return json.stringValue.flatMap { parseDuration($0) }.map {
      Double($0.components.seconds) + Double($0.components.attoseconds) * 1e-18
    }
  }

  /// `a, b or c`.
  static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension JSONValue {
  fileprivate var isArray: Bool { arrayValue != nil }
}

/// How a condition compares.
enum Operator: String, Sendable, Hashable, CaseIterable {
  case `is`, `in`, not, atMost, atLeast, lessThan, moreThan, contains
}
