import EvalCore

/// What a signal says, once it is read.
enum SignalValue: Sendable, Hashable {
  case flag(Bool)
  case number(Double)
  case word(String)
  case words([String])

  /// A value as a case or a condition writes it; `nil` for what no signal can be.
  init?(_ json: JSONValue) {
    switch json {
    case .bool(let flag): self = .flag(flag)
    case .integer, .number:
      guard let number = json.doubleValue else { return nil }
      self = .number(number)
    case .string(let word): self = .word(word)
    case .array(let items):
      let words = items.compactMap(\.stringValue)
      guard words.count == items.count else { return nil }
      self = .words(words)
    case .null, .object: return nil
    }
  }

  var json: JSONValue {
    switch self {
    case .flag(let flag): .bool(flag)
    case .number(let number): SignalValue.json(of: number)
    case .word(let word): .string(word)
    case .words(let words): .array(words.map { .string($0) })
    }
  }

  static func json(of number: Double) -> JSONValue {
    JSONValue.number(number).intValue.map { .integer($0) } ?? .number(number)
  }

  var number: Double? {
    if case .number(let number) = self { return number }
    return nil
  }
}

/// A value with where it came from.
struct Reading: Sendable, Hashable {
  /// Who says a signal.
  enum Source: String, Sendable, Hashable {
    /// The suite's case.
    case `case`
    /// The server that holds the tokenizer.
    case counted
    /// `TokenEstimate`.
    case estimated
    /// The course of the run: turns and spending.
    case run
    /// The policy's own constraints, less what was spent.
    case policy
    /// The answer of an arm.
    case answer
  }

  var value: SignalValue
  var source: Source

  init(_ value: SignalValue, _ source: Source) {
    self.value = value
    self.source = source
  }
}
