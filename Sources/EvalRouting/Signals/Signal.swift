import EvalCore

/// A fact that a policy may read: its name, what it can say, and how it is read. A new one is a file and a line in
/// `SignalRegistry`.
struct Signal: Sendable {
  /// The name in a condition; a family's ends with a dot, as `custom.` does.
  let name: String
  let domain: SignalDomain
  /// One sentence for the documentation.
  let summary: String
  /// Whether it speaks of one arm: of the first that the rule would use, or of the one after the dot in `tokensIn.cloud`.
  var isPerArm = false
  /// How a case states it; `nil` for what is found out.
  var descriptor: SignalDescriptor?
  /// Where its value comes from, for the documentation.
  var origin: String
  /// `nil` where it is unknown.
  let read: @Sendable (SignalContext) -> Reading?
  /// Puts a value where `read` finds it, for tables of decisions; `nil` for what is worked out from other facts.
  var place: (@Sendable (inout RoutingFacts, _ member: String, SignalValue) -> Void)?
  /// What its value depends on besides facts, its name and its arm; equal texts make equal values.
  var basis: @Sendable (Terms, _ arm: String?) -> String = { _, _ in "" }

  var isFamily: Bool { name.hasSuffix(".") }
}

extension Signal {
  /// A signal that a case states under a key of its own.
  static func stated(
    _ name: String, _ domain: SignalDomain, schema: JSONValue, _ summary: String,
    value: @escaping @Sendable (JSONValue) -> SignalValue?
  ) -> Signal {
    Signal(
      name: name, domain: domain, summary: summary, descriptor: descriptor(name, summary, schema),
      origin: "case",
      read: { context in
        context.facts.signals[name].flatMap(value).map { Reading($0, .case) }
      },
      place: { facts, _, value in facts.signals[name] = value.json })
  }

  /// - Parameter isRight: what the schema cannot say.
  static func descriptor(
    _ name: String, _ summary: String, _ schema: JSONValue, expected words: String? = nil,
    isRight: @escaping @Sendable (JSONValue) -> Bool = { _ in true }
  ) -> SignalDescriptor {
    SignalDescriptor(name: name, summary: summary, schema: schema) { value in
      if let fault = SchemaFragment(schema).fault(of: value) {
        return fault.path.isEmpty ? words ?? fault.expected : "\(fault.expected) at \(fault.path)"
      }
      return isRight(value) ? nil : words
    }
  }

  /// A signal that a case states in the words of a condition.
  static func stated(_ name: String, _ domain: SignalDomain, schema: JSONValue, _ summary: String) -> Signal {
    stated(name, domain, schema: schema, summary, value: { domain.literal($0) })
  }

  static func words(_ words: [String]) -> JSONValue {
    ["type": "string", "enum": .array(words.map { .string($0) })]
  }
}

/// What a signal is read from.
struct SignalContext: Sendable {
  let facts: RoutingFacts
  let terms: Terms
  /// The arm that a per-arm signal speaks of; `nil` where the case is pinned to none.
  let arm: String?
  /// What follows the dot of a family's name; empty otherwise.
  let member: String
}

/// A signal as a condition names it.
struct SignalUse: Sendable {
  let signal: Signal
  /// What follows the dot of a family's name; empty otherwise.
  var member = ""
  var arm: ArmReference?

  /// How decision records call it.
  func name(arm: String?) -> String {
    if signal.isPerArm { return "\(signal.name).\(arm ?? ArmReference.pinnedWord)" }
    return signal.name + member
  }

  func reading(_ facts: RoutingFacts, _ terms: Terms) -> Reading? {
    signal.read(
      SignalContext(facts: facts, terms: terms, arm: arm.flatMap { $0.resolved(facts) }, member: member))
  }

  /// The same for equal values on equal facts, whatever the policy.
  func identity(_ terms: Terms) -> String {
    let name = name(arm: arm.map(\.text))
    let basis = signal.basis(terms, arm?.fixed)
    return basis.isEmpty ? name : "\(name)[\(basis)]"
  }
}

/// An arm as a rule names it.
enum ArmReference: Sendable, Hashable {
  case named(String)
  /// The one that the case is pinned to.
  case pinned

  static let pinnedWord = "$pinned"

  var text: String {
    switch self {
    case .named(let name): name
    case .pinned: ArmReference.pinnedWord
    }
  }

  /// The arm whatever the case; `nil` for the pinned one.
  var fixed: String? {
    if case .named(let name) = self { return name }
    return nil
  }

  func resolved(_ facts: RoutingFacts) -> String? {
    switch self {
    case .named(let name): name
    case .pinned: facts.pinnedArm
    }
  }
}

extension RoutingFacts {
  /// The arm that the person chose; `nil` when the choice is free.
  var pinnedArm: String? { signals["pinned"]?.stringValue }
}
