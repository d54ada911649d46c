package import EvalCore

/// Two answers to the same case, as judges get them.
package struct ComparedPair: Sendable {
  package var comparison: PairComparison
  /// The trial of the first target; the calls are booked with it.
  package var trial: TrialKey
  package var first: (target: String, answer: String)
  package var second: (target: String, answer: String)
  /// What both were asked.
  package var messages: [Message]
  package var reference: JSONValue?
  /// The case's signals.
  package var signals: JSONObject = [:]

  package init(
    comparison: PairComparison, trial: TrialKey, first: (target: String, answer: String),
    second: (target: String, answer: String), messages: [Message], reference: JSONValue?
  ) {
    self.comparison = comparison
    self.trial = trial
    self.first = first
    self.second = second
    self.messages = messages
    self.reference = reference
  }
}

/// Asks which of two answers is better, blind and in a given order.
package struct Comparing: Sendable {
  let caller: any JudgeCalling

  package init(caller: any JudgeCalling) { self.caller = caller }

  /// What the judge may say, as the schema and the form have it.
  private static let words = ["1", "2", "tie", Rubric.abstention]

  /// Asks one judge in one order, and once more when the answer holds no verdict.
  ///
  /// - Parameter isSwapped: shows the second target's answer first. The preference that is read names places, not targets.
  @discardableResult
  package func ask(_ pair: ComparedPair, judge: String, isSwapped: Bool) async -> JudgeReading {
    let place = JudgePlace(
      trial: pair.trial, target: pair.first.target, check: pair.comparison.name, draw: isSwapped ? 1 : 0,
      purpose: .compare, opponent: pair.second.target)
    let code = code(pair, judge: judge, isSwapped: isSwapped)
    let message = message(pair, isSwapped: isSwapped, code: code)
    var question = JudgeQuestion(
      judge: judge, place: place,
      instructions: JudgePrompt.comparing.replacing(
        "{form}",
        with: "{\"verdict\": \"\(code)\", \"reason\": \"…\", \"better\": "
          + Self.words.map { "\"\($0)\"" }.joined(separator: " or ") + "}"),
      messages: [Message(.user, message)], schema: VerdictForm.schema(choices: Self.words, code: code)
    ) { reply in
      VerdictReader.read(reply, code: code, Self.preference)
    }
    question.signals = pair.signals
    let first = await caller.ask(question).reading
    guard case .unread(let fault, let why) = first, fault.isWorthRepair else { return first }
    question.place.isRepair = true
    question.messages = [Message(.user, message + "\n\n" + JudgePrompt.repair.replacing("{why}", with: why))]
    return await caller.ask(question).reading
  }

  private static func preference(_ verdict: JSONObject) -> Either<JudgeReading, String> {
    let word = verdict["better"].flatMap { value -> String? in
      switch value {
      case .string(let text): text.trimmed.lowercased()
      case .integer(let number): String(number)
      default: nil
      }
    }
    let reason = verdict["reason"]?.stringValue
    switch word {
    case "1": return .first(.preference(.first, reason: reason))
    case "2": return .first(.preference(.second, reason: reason))
    case "tie": return .first(.preference(.tie, reason: reason))
    case Rubric.abstention:
      return .first(.unread(.abstained, "it cannot judge: \(Quote.text(reason ?? ""))"))
    default: return .second("\"better\" is none of \(words.joined(separator: ", "))")
    }
  }

  private func texts(_ pair: ComparedPair) -> [String] {
    [
      pair.first.answer, pair.second.answer, reference(pair) ?? "",
      JudgedMaterial.text(of: pair.messages) ?? "",
    ]
      + pair.comparison.facts
  }

  private func reference(_ pair: ComparedPair) -> String? {
    pair.reference.flatMap { $0.isNull ? nil : $0.stringValue ?? $0.serialized() }
  }

  private func code(_ pair: ComparedPair, judge: String, isSwapped: Bool) -> String {
    Material.code(
      for: [
        "prompt": .string(JudgePrompt.hash.hex), "comparison": pair.comparison.json, "judge": .string(judge),
        "material": .array(texts(pair).map { .string($0) }), "swapped": .bool(isSwapped),
        "case": .string(pair.trial.caseHash.hex), "repeat": .integer(Int64(pair.trial.repeatIndex)),
      ], avoiding: texts(pair) + [pair.comparison.question])
  }

  private func message(_ pair: ComparedPair, isSwapped: Bool, code: String) -> String {
    let shown =
      isSwapped ? [pair.second.answer, pair.first.answer] : [pair.first.answer, pair.second.answer]
    var parts = ["Which answer is better? \(pair.comparison.question)"]
    if let conversation = JudgedMaterial.text(of: pair.messages) {
      parts.append("What was asked:\n" + Material.section(.conversation, conversation, code: code))
    }
    if !pair.comparison.facts.isEmpty {
      let facts = pair.comparison.facts.map { "- \($0)" }.joined(separator: "\n")
      parts.append("What is known to be true:\n" + Material.section(.facts, facts, code: code))
    }
    if let reference = reference(pair) {
      parts.append("A right answer to compare with:\n" + Material.section(.reference, reference, code: code))
    }
    parts.append("Answer 1:\n" + Material.section(.firstAnswer, shown[0], code: code))
    parts.append("Answer 2:\n" + Material.section(.secondAnswer, shown[1], code: code))
    return parts.joined(separator: "\n\n")
  }
}
