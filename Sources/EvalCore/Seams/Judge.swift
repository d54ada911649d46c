/// A question to a judge, with the way to read what it answers.
package struct JudgeQuestion: Sendable {
  /// The judge's profile.
  package var judge: String
  package var place: JudgePlace
  /// The system text; the profile's own instructions are not used.
  package var instructions: String
  package var messages: [Message]
  /// The signals of the case whose content is shown: they say how far it may travel.
  package var signals: JSONObject = [:]
  /// A JSON Schema for the verdict.
  package var schema: JSONValue
  /// What the check asks as a whole, of which this may be a part; `nil` for comparisons.
  package var form: JudgedForm?
  /// Reads a whole answer. A verdict forced by a tool call stands in the reply's `toolCalls`.
  package var read: @Sendable (ProviderReply) -> JudgeReading

  package init(
    judge: String, place: JudgePlace, instructions: String, messages: [Message], schema: JSONValue,
    read: @escaping @Sendable (ProviderReply) -> JudgeReading
  ) {
    self.judge = judge
    self.place = place
    self.instructions = instructions
    self.messages = messages
    self.schema = schema
    self.read = read
  }
}

/// Asks judges. The roof gives graders one that goes to the judge's endpoint with its widths, limits and retries, and
/// books every call; it does not throw.
package protocol JudgeCalling: Sendable {
  /// Asks one question and waits for its answer; retries of failed calls are inside.
  /// - Returns: the last call, whose `cost` is that of all of them.
  func ask(_ question: JudgeQuestion) async -> JudgeCall
  /// Finds the vectors of some texts, by a call for those that are not known yet.
  func embed(_ question: EmbeddingQuestion) async -> EmbeddingAnswer
}

/// What graders may know of a suite's judges.
package struct JudgingContext: Sendable {
  package var rubrics: [String: Rubric]
  /// The profiles that may judge.
  package var profiles: [String]
  /// Who judges where a check names nobody; `nil` when the suite does not say.
  package var standing: String?
  /// The profiles that embed.
  package var embedders: [String]
  /// `nil` where checks are only read, never put to an answer.
  package var caller: (any JudgeCalling)?

  package init(
    rubrics: [String: Rubric] = [:], profiles: [String] = [], standing: String? = nil,
    embedders: [String] = [], caller: (any JudgeCalling)? = nil
  ) {
    self.rubrics = rubrics
    self.profiles = profiles
    self.standing = standing
    self.embedders = embedders
    self.caller = caller
  }
}

/// The name of the tool that a judge must call where no schema can hold it.
package let verdictTool = "verdict"
