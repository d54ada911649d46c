import EvalCore

/// What a judge gets to see of one answer.
struct JudgedMaterial: Sendable {
  /// `nil` when no more than the answer is known.
  var conversation: String?
  var facts: [String]
  var reference: String?
  var answer: String
  /// The case's signals.
  var signals: JSONObject

  /// - Parameter showsReference: false hides the case's reference.
  init(_ subject: Subject, facts: [String], reference: JSONValue?) {
    conversation = JudgedMaterial.conversation(subject)
    self.facts = facts
    self.reference = reference.map { $0.stringValue ?? $0.serialized() }
    answer = JudgedMaterial.text(of: subject.answer)
    signals = subject.signals
  }

  private static func conversation(_ subject: Subject) -> String? {
    text(of: subject.messages) ?? (subject.input.isEmpty ? nil : subject.input)
  }

  /// A conversation with who said what; one message alone as it is, and `nil` without any.
  static func text(of messages: [Message]) -> String? {
    if messages.count > 1 {
      return messages.map { "\($0.role.rawValue): \(text(of: $0))" }.joined(separator: "\n\n")
    }
    return messages.first.map(text)
  }

  private static func text(of message: Message) -> String {
    let parts = message.parts.map { part in
      switch part {
      case .text(let text): text
      case .image: "(an image)"
      }
    }
    return (parts + message.toolCalls.map(words)).joined(separator: "\n")
  }

  private static func text(of answer: TurnAnswer) -> String {
    ([answer.text] + answer.toolCalls.map(words)).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func words(_ call: ToolCall) -> String {
    "(calls the tool \(call.name) with \(call.arguments.serialized()))"
  }

  var texts: [String] { [conversation, reference].compactMap(\.self) + facts + [answer] }
}

/// One call's prompt for some criteria of a rubric.
struct RubricPrompt: Sendable {
  let code: String
  let criteria: [Criterion]
  let instructions: String
  let message: String
  let schema: JSONValue

  /// - Parameters:
  ///   - criteria: the part of the rubric that this call asks for.
  ///   - place: makes the code of two calls about the same answer differ.
  init(_ rubric: Rubric, _ criteria: [Criterion], _ material: JudgedMaterial, at place: JudgePlace) {
    self.criteria = criteria
    let examples = rubric.examples.filter { example in criteria.contains { example.levels[$0.name] != nil } }
    let texts = material.texts + examples.flatMap { [$0.answer, $0.input, $0.reason].compactMap(\.self) }
    let code = Material.code(
      for: RubricPrompt.identity(rubric, criteria, material, place),
      avoiding: texts + criteria.flatMap { [$0.question] + $0.levels.map(\.summary) })
    self.code = code
    schema = VerdictForm.schema(of: criteria, code: code)
    instructions = JudgePrompt.instructions.replacing(
      "{form}", with: VerdictForm.example(of: criteria, code: code))
    message =
      ([
        rubric.summary.map { "What is judged: \($0)" }, RubricPrompt.words(criteria),
      ] + RubricPrompt.examples(examples, criteria, code) + RubricPrompt.material(material, code))
      .compactMap(\.self).joined(separator: "\n\n")
  }

  private static func identity(
    _ rubric: Rubric, _ criteria: [Criterion], _ material: JudgedMaterial, _ place: JudgePlace
  ) -> JSONValue {
    [
      "prompt": .string(JudgePrompt.hash.hex), "rubric": rubric.json,
      "criteria": .array(criteria.map { .string($0.name) }),
      "material": .array(material.texts.map { .string($0) }),
      "case": .string(place.trial?.caseHash.hex ?? ""), "target": .string(place.trial?.targetHash.hex ?? ""),
      "repeat": .integer(Int64(place.trial?.repeatIndex ?? 0)), "turn": .integer(Int64(place.turn ?? -1)),
      "draw": .integer(Int64(place.draw)),
    ]
  }

  private static func words(_ criteria: [Criterion]) -> String {
    var lines = ["Criteria:"]
    for criterion in criteria {
      lines.append("- \(criterion.name): \(criterion.question)")
      for level in criterion.levels {
        lines.append("  level \"\(level.label)\"\(level.summary.isEmpty ? "" : ": \(level.summary)")")
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func examples(_ examples: [ScoredExample], _ criteria: [Criterion], _ code: String)
    -> [String]
  {
    examples.map { example in
      let text = [example.input.map { "Asked: \($0)" }, "Answer: \(example.answer)"].compactMap(\.self)
      let levels = criteria.compactMap { criterion in
        example.levels[criterion.name].map { "\(criterion.name) \"\(criterion.levels[$0].label)\"" }
      }
      let why = example.reason.map { " Because: \($0)" } ?? ""
      return Material.section(.example, text.joined(separator: "\n"), code: code)
        + "\nA person gave this example: \(levels.joined(separator: ", ")).\(why)"
    }
  }

  private static func material(_ material: JudgedMaterial, _ code: String) -> [String] {
    var sections: [String] = []
    if let conversation = material.conversation {
      sections.append("What was asked:\n" + Material.section(.conversation, conversation, code: code))
    }
    if !material.facts.isEmpty {
      let facts = material.facts.map { "- \($0)" }.joined(separator: "\n")
      sections.append("What is known to be true:\n" + Material.section(.facts, facts, code: code))
    }
    if let reference = material.reference {
      sections.append(
        "A right answer to compare with:\n" + Material.section(.reference, reference, code: code))
    }
    sections.append("The answer to judge:\n" + Material.section(.answer, material.answer, code: code))
    return sections
  }

  /// The message, and after an answer without a verdict what was wrong with that.
  func messages(afterFault why: String? = nil) -> [Message] {
    guard let why else { return [Message(.user, message)] }
    return [Message(.user, message + "\n\n" + JudgePrompt.repair.replacing("{why}", with: why))]
  }
}
