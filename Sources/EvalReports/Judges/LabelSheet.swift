package import EvalAnalysis
package import EvalCore

/// What a person is shown and asked of one answer: nothing of who gave it and what the judge said.
package struct LabelSheet: Sendable {
  package var answer: JudgedAnswer
  /// The place of the group that it was drawn from.
  package var stratum: Int
  /// What judges were asked; `nil` when it is not stored.
  package var form: JudgedForm?
  /// The texts of the trial's attempts, by attempt number.
  package var texts: [Int: AttemptTexts]
  /// The case's; `nil` when it is not stored.
  package var content: JSONValue?

  package init(
    answer: JudgedAnswer, stratum: Int, form: JudgedForm?, texts: [Int: AttemptTexts], content: JSONValue?
  ) {
    self.answer = answer
    self.stratum = stratum
    self.form = form
    self.texts = texts
    self.content = content
  }

  /// A question for each criterion, or one for pass or fail.
  package var labels: [AnswerLabel] {
    guard let form, !answer.isVerdictAlone else { return [verdict] }
    return form.criteria.map { criterion in
      label(criterion.name, criterion.question, criterion.levels)
    }
  }

  private var verdict: AnswerLabel {
    let criterion = form?.criteria.first
    return label(
      nil, criterion?.question ?? "Is the answer good enough for the check '\(answer.check)'?",
      [
        RubricLevel(label: "fail", summary: criterion?.levels.first?.summary ?? ""),
        RubricLevel(label: "pass", summary: criterion?.levels.last?.summary ?? ""),
      ])
  }

  private func label(_ criterion: String?, _ question: String, _ levels: [RubricLevel]) -> AnswerLabel {
    var label = AnswerLabel(caseID: answer.caseID, check: answer.check, criterion: criterion)
    label.caseHash = answer.key.caseHash
    label.targetHash = answer.key.targetHash
    label.repeatIndex = answer.key.repeatIndex
    label.turn = answer.turn
    label.answerHash = texts[answer.attempt]?.judgedDigest
    label.stratum = stratum
    label.shown.question = question
    label.shown.levels = levels
    label.shown.input = content.map { CaseStory.conversation($0, upTo: answer.turn) }
    label.shown.reference = reference
    label.shown.answer = texts[answer.attempt]?.judgedText
    return label
  }

  /// What a judge is shown beside the answer: the case's reference and the rubric's facts.
  private var reference: String? {
    var lines: [String] = []
    if let value = content?["reference"], !value.isNull {
      lines.append(value.stringValue ?? value.serialized())
    }
    lines += (form?.content["facts"]?.arrayValue ?? []).compactMap(\.stringValue)
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
