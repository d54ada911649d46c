/// A line in the registry of signals: a fact of a case that policies may read, for the suite reader, the schema and the
/// docs.
package struct SignalDescriptor: Sendable {
  /// The key under `signals`.
  package var name: String
  /// One sentence.
  package var summary: String
  /// A JSON Schema fragment of its values.
  package var schema: JSONValue
  /// What a right value is, in words that follow "expected", for a value that is none; `nil` for a right one.
  package var fault: @Sendable (JSONValue) -> String?

  package init(
    name: String, summary: String, schema: JSONValue, fault: @escaping @Sendable (JSONValue) -> String?
  ) {
    self.name = name
    self.summary = summary
    self.schema = schema
    self.fault = fault
  }
}
