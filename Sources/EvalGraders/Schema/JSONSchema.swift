package import EvalCore

/// A JSON Schema of draft 2020-12, compiled once and used for many values.
///
/// All keywords of the core, applicator, unevaluated, validation vocabularies are followed, except `$dynamicRef` and
/// references to other documents, which are refused when the schema is read. `format` is an annotation unless asked
/// for. Unknown keywords are ignored, as the standard says.
package struct JSONSchema: Sendable {
  /// What is wrong with a value.
  package struct Failure: Sendable, Hashable {
    /// Where in the value, as a normalized JSONPath (RFC 9535 §2.7); `$` is the value itself.
    package var path: String
    /// The keyword that refuses it.
    package var keyword: String
    /// What was expected and what is there.
    package var message: String
    /// Steps from the root, to tell which alternative came closest.
    var depth: Int
  }

  package enum Outcome: Sendable, Hashable {
    case valid
    /// At least one failure; not every one there is.
    case invalid([Failure])
    /// The value is nested too deep, or a pattern is too expensive on it.
    case undecided(String)
  }

  /// What is wrong with a schema.
  package struct Problem: Error, Sendable, Hashable {
    /// Where in the schema: a JSON path such as `properties.age.type`, empty for the schema itself.
    package var path: String
    package var message: String
    package var advice: String?
  }

  let nodes: [SchemaNode]
  let root: Int
  /// Whether a keyword asks which members or elements others have looked at.
  let tracksEvaluation: Bool

  /// - Parameters:
  ///   - schema: the schema: an object or a Boolean.
  ///   - assertsFormats: whether `format` refuses values. Only for the formats of ``SchemaFormat``; another is then a
  ///     problem.
  package init(_ schema: JSONValue, assertsFormats: Bool = false) throws(Problem) {
    var compiler = SchemaCompiler(schema, assertsFormats: assertsFormats)
    root = try compiler.compile()
    nodes = compiler.nodes
    tracksEvaluation = compiler.tracksEvaluation
    try SchemaCycles.refuse(nodes)
  }

  /// Holds a value against the schema.
  /// - Parameter limit: how many failures to look for at most.
  package func validate(_ value: JSONValue, limit: Int = 5) -> Outcome {
    var validation = SchemaValidation(self, limit: max(1, limit))
    var evaluated = Evaluated()
    let isValid = validation.validate(root, value, &evaluated)
    if let reason = validation.gaveUp { return .undecided(reason) }
    return isValid ? .valid : .invalid(validation.failures)
  }
}
