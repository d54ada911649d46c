/// The answer to one turn, for checks that look at a conversation.
package struct TurnAnswer: Sendable {
  package var text: String
  package var reasoning: String
  /// Every call of the turn in its order, those that the case's script answered before the last step included.
  package var toolCalls: [ToolCall]
  package var finish: Finish?
  package var refusal: String?

  package init(text: String, reasoning: String, toolCalls: [ToolCall], finish: Finish?, refusal: String?) {
    self.text = text
    self.reasoning = reasoning
    self.toolCalls = toolCalls
    self.finish = finish
    self.refusal = refusal
  }
}

/// What a grader looks at: one answer with the facts around it.
package struct Subject: Sendable {
  /// `nil` outside a run.
  package var trial: TrialKey?
  package var caseID: String
  package var target: String
  /// 0-based turn of the answer under judgement.
  package var turn = 0
  /// What was said before the answer, the turn's own message last; without instructions.
  package var messages: [Message] = []
  /// The text of the turn that was asked.
  package var input: String
  package var variables: JSONObject
  package var reference: JSONValue?
  /// What policies may read of the case.
  package var signals: JSONObject = [:]
  /// The answer under judgement.
  package var answer: TurnAnswer
  /// Every turn's answer so far, the one under judgement last.
  package var turns: [TurnAnswer]
  /// The turns before this one, each with its own answer and none before it.
  package var earlier: [Subject] = []
  /// What the profile that answered lets the model call.
  package var tools: [ToolDefinition] = []
  package var outcome: Outcome
  package var provenance: Provenance
  /// Nanoseconds of the served attempt; `nil` when it did not end well or did not stream.
  package var totalLatency: Int64?
  package var firstTokenLatency: Int64?
  /// Over all attempts of the trial.
  package var cost: Cost
  package var usage: Usage?

  package init(
    caseID: String, target: String, input: String, variables: JSONObject, reference: JSONValue?,
    answer: TurnAnswer, turns: [TurnAnswer], outcome: Outcome, provenance: Provenance, totalLatency: Int64?,
    firstTokenLatency: Int64?, cost: Cost, usage: Usage?
  ) {
    self.caseID = caseID
    self.target = target
    self.input = input
    self.variables = variables
    self.reference = reference
    self.answer = answer
    self.turns = turns
    self.outcome = outcome
    self.provenance = provenance
    self.totalLatency = totalLatency
    self.firstTokenLatency = firstTokenLatency
    self.cost = cost
    self.usage = usage
  }
}

/// A judgement with its explanation.
package struct Verdict: Sendable {
  package var judgement: Judgement
  /// One sentence: what was looked for and what was found.
  package var explanation: String?
  /// What the grader's own calls cost; `nil` when it makes none.
  package var cost: Cost?
  /// The criteria of a rubric; empty for other graders.
  package var criteria: [CriterionScore]

  package init(
    _ judgement: Judgement, _ explanation: String? = nil, cost: Cost? = nil, criteria: [CriterionScore] = []
  ) {
    self.judgement = judgement
    self.explanation = explanation
    self.cost = cost
    self.criteria = criteria
  }
}

/// Judges answers. It holds no state between them and does not throw: a broken grader is an unscored verdict.
package protocol Grader: Sendable {
  /// - Parameter subject: an answer that exists; the engine scores failed calls as `noAnswer` itself.
  func grade(_ subject: Subject) async -> Verdict
}

/// A wrong setting of a check, with its place relative to the check.
package struct GraderProblem: Error, Sendable, Hashable {
  /// A JSON path relative to the check object, such as `regex` or `all[1].contains`.
  package var path: String
  package var message: String
  package var advice: String?

  package init(_ message: String, path: String, advice: String? = nil) {
    self.message = message
    self.path = path
    self.advice = advice
  }
}

/// What a grader may use when it is made.
package struct GraderContext: Sendable {
  /// Commands of the user's own may run.
  package var allowsCommands: Bool
  /// Relative paths in a check start here: the suite's folder.
  package var directory: String
  package var judging: JudgingContext
  /// Makes a nested check's grader, for combinators. The problem's path is relative to the nested check.
  package var makeNested: @Sendable (CheckSpec) throws(GraderProblem) -> any Grader

  package init(
    allowsCommands: Bool, directory: String, judging: JudgingContext = JudgingContext(),
    makeNested: @escaping @Sendable (CheckSpec) throws(GraderProblem) -> any Grader
  ) {
    self.allowsCommands = allowsCommands
    self.directory = directory
    self.judging = judging
    self.makeNested = makeNested
  }
}

/// A line in the registry of graders: name, shape and maker of a check.
package struct GraderDescriptor: Sendable {
  /// The key that makes an object this check.
  package var name: String
  package var summary: String
  /// A JSON Schema fragment for what stands under `name`. Where a string is allowed, a template is too.
  package var argument: JSONValue
  package var options: [OptionSpec]
  /// A check that validates, for the docs and the tests.
  package var example: JSONValue
  package var make: @Sendable (CheckSpec, GraderContext) throws(GraderProblem) -> any Grader

  package init(
    name: String, summary: String, argument: JSONValue, options: [OptionSpec] = [], example: JSONValue,
    make: @escaping @Sendable (CheckSpec, GraderContext) throws(GraderProblem) -> any Grader
  ) {
    self.name = name
    self.summary = summary
    self.argument = argument
    self.options = options
    self.example = example
    self.make = make
  }
}

/// The members every check may have besides its kind and that kind's options.
package let commonCheckOptions: [OptionSpec] = [
  OptionSpec(
    "name", ["type": "string", "minLength": 1], "How reports call the check; the kind's name unless given."),
  OptionSpec(
    "weight", ["type": "number", "exclusiveMinimum": 0], "Its share in the trial's score; 1 unless given."),
  OptionSpec(
    "threshold", ["type": "number", "minimum": 0, "maximum": 1], "The least value that passes, in 0…1."),
]
