/// One fact that a case may state for policies: what the suite reader must know of it without importing the room that
/// decides.
package struct SignalDescriptor: Sendable {
  /// The key under a case's `signals`.
  package var key: String
  /// One sentence for the schema and the documentation.
  package var summary: String
  /// A JSON Schema fragment for its value.
  package var schema: JSONValue
  /// What the schema cannot say: why a value of the right shape is wrong, `nil` when it is right. The second argument
  /// holds the profiles' names.
  package var problem: @Sendable (JSONValue, [String]) -> String?

  package init(
    key: String, summary: String, schema: JSONValue,
    problem: @escaping @Sendable (JSONValue, [String]) -> String? = { _, _ in nil }
  ) {
    self.key = key
    self.summary = summary
    self.schema = schema
    self.problem = problem
  }
}

/// Something wrong with the signals of a case.
package struct SignalFault: Sendable, Hashable {
  /// Relative to the object of signals, such as `budget.case`.
  package var path: String
  package var message: String
  package var advice: String?

  package init(path: String, message: String, advice: String? = nil) {
    self.path = path
    self.message = message
    self.advice = advice
  }
}

extension Array where Element == SignalDescriptor {
  /// Everything that is wrong with the signals of a case; empty when all is right.
  /// - Parameter arms: the names of the profiles that a case may be pinned to.
  package func faults(of signals: JSONObject, arms: [String]) -> [SignalFault] {
    signals.members.compactMap { key, value in
      guard let signal = first(where: { $0.key == key }) else {
        return SignalFault(
          path: key, message: "there is no signal '\(key)'",
          advice: suggestion(for: key, among: map(\.key)) ?? "a fact of your own goes into \"custom\"")
      }
      if let fault = SchemaFragment(signal.schema).fault(of: value, at: key) {
        return SignalFault(path: fault.path, message: "expected \(fault.expected)", advice: signal.summary)
      }
      return signal.problem(value, arms).map { SignalFault(path: key, message: $0) }
    }
  }
}
