import EvalCore

/// A trial under way.
struct TrialCourse: Sendable {
  let subject: Case
  let key: TrialKey
  let begin: Int64
  var conversation: Conversation
  var attempts: [Attempt] = []
  /// The served attempt of each turn.
  var served: [Attempt] = []
  /// The conversation that each answer was given in, by attempt number: arms differ by their tool calls.
  var conversations: [Int: Conversation] = [:]
  /// What checks said of an answer before it was served.
  var grades = SpotGrades()
  var ending = Ending()
  var status = TrialStatus.ok
  var errorClass: ErrorClass?
  /// The profile whose call slot the trial has in hand; `nil` between calls.
  var slot: Int?
  /// True when the store had an answer once and has its words no more.
  var isAnswerLost = false
  /// False when the run stopped in the middle: the trial is left for the next process.
  var ended = true

  init(subject: Case, key: TrialKey, begin: Int64) {
    self.subject = subject
    self.key = key
    self.begin = begin
    conversation = Conversation(history: subject.history)
  }

  /// The profile's instructions for this case. The suite reader has refused templates that cannot be filled.
  func instructions(of profile: Profile) -> String? {
    guard let text = profile.instructions, Template.isTemplate(text) else { return profile.instructions }
    return (try? Template.render(text, subject.templateVariables)) ?? text
  }

  /// Ends a turn with an attempt's answer.
  /// - Returns: whether the conversation goes on.
  mutating func serve(_ attempt: Attempt) -> Bool {
    served.append(attempt)
    conversation = conversations[attempt.number] ?? conversation
    conversation.answered(attempt.reply)
    switch attempt.reply.outcome {
    case .ok: return true
    case .refused: status = .refused
    case .empty: status = .empty
    case .failed(let error):
      status = .failed
      errorClass = error.kind
      return false
    }
    return true
  }
}

extension TrialCourse {
  /// What a turn came to: the words that were served, and every tool call on the way to them.
  func answer(to turn: Int) -> TurnAnswer {
    let last = served[turn]
    var answer = TurnAnswer(last.reply)
    var step = last.step
    // An arm's steps follow each other; failed calls between them have no calls of tools.
    for attempt in attempts.reversed() where attempt.number < last.number && step > 0 {
      guard attempt.turn == last.turn, attempt.step == step - 1, attempt.reply.outcome.error == nil else {
        continue
      }
      answer.toolCalls = attempt.reply.toolCalls + answer.toolCalls
      step -= 1
    }
    return answer
  }
}
