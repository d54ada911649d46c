/// A check as the suite writes it: a grader's name with its settings, before templates are filled in.
package struct CheckSpec: Sendable, Hashable {
  /// The grader's name in the registry, for instance `contains`.
  package var kind: String
  /// What stands under the kind's key.
  package var argument: JSONValue
  /// The other members of the check, without the common ones below.
  package var options: JSONObject
  /// How reports call it; unique within a case.
  package var name: String
  /// Its share in the trial's score; above 0, 1 unless stated.
  package var weight: Double
  /// The least value that passes, in 0…1; `nil` takes the grader's own rule.
  package var threshold: Double?
  package var location: SourceLocation?

  package init(
    kind: String, argument: JSONValue, options: JSONObject = [:], name: String? = nil, weight: Double = 1,
    threshold: Double? = nil, location: SourceLocation? = nil
  ) {
    self.kind = kind
    self.argument = argument
    self.options = options
    self.name = name ?? kind
    self.weight = weight
    self.threshold = threshold
    self.location = location
  }

  /// The content that identifies the check, whatever its place in a file.
  package var json: JSONValue {
    var object = options
    object[kind] = argument
    object["name"] = .string(name)
    object["weight"] = weight == 1 ? nil : .number(weight)
    object["threshold"] = threshold.map { .number($0) }
    return .object(object)
  }
}

/// What the case's script answers when the model calls a tool.
package struct ScriptedToolResult: Sendable, Hashable {
  package var tool: String
  /// Arguments that must be there for this result to apply; `nil` answers any call of the tool.
  package var arguments: JSONValue?
  package var result: String

  package init(tool: String, arguments: JSONValue? = nil, result: String) {
    self.tool = tool
    self.arguments = arguments
    self.result = result
  }
}

/// One thing that the user says, and what is checked about the answer to it.
package struct Turn: Sendable, Hashable {
  package var content: [ContentPart]
  /// Checks of this turn's answer alone.
  package var checks: [CheckSpec]
  package var toolResults: [ScriptedToolResult]

  package init(content: [ContentPart], checks: [CheckSpec] = [], toolResults: [ScriptedToolResult] = []) {
    self.content = content
    self.checks = checks
    self.toolResults = toolResults
  }
}

/// One representative input with its signals and its checks, templates filled in.
package struct Case: Sendable {
  package var id: String
  package var tags: [String]
  /// Cases of one cluster share a source and are not independent; `nil` stands alone.
  package var cluster: String?
  package var variables: JSONObject
  /// Messages that stand before the first turn, for instance an earlier conversation.
  package var history: [Message]
  /// At least one.
  package var turns: [Turn]
  /// What a right answer is compared with; `nil` when the checks need none.
  package var reference: JSONValue?
  /// Facts that a policy may read.
  package var signals: JSONObject
  /// Checks of the last answer, the case's own and those for all.
  package var checks: [CheckSpec]
  /// How it wants to end; what is not `answer` takes the place of every check.
  package var expects = Expectation.answer
  /// A case that must pass for the run to pass.
  package var mustPass: Bool
  package var location: SourceLocation?
  /// The case's identity: its input, reference, signals and variables. Neither its id, tags and place, nor its
  /// checks, so that a new check does not make old answers another case's.
  package var hash: ContentHash

  /// - Parameter hash: the case's identity where it is known already; `nil` takes it from the content.
  package init(
    id: String, tags: [String] = [], cluster: String? = nil, variables: JSONObject = [:],
    history: [Message] = [], turns: [Turn], reference: JSONValue? = nil, signals: JSONObject = [:],
    checks: [CheckSpec] = [], mustPass: Bool = false, location: SourceLocation? = nil,
    hash: ContentHash? = nil
  ) {
    self.id = id
    self.tags = tags
    self.cluster = cluster
    self.variables = variables
    self.history = history
    self.turns = turns
    self.reference = reference
    self.signals = signals
    self.checks = checks
    self.mustPass = mustPass
    self.location = location
    self.hash =
      hash
      ?? Case.identity(
        variables: variables, history: history, turns: turns, reference: reference, signals: signals)
  }
}
