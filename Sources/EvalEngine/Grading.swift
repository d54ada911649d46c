import EvalCore

/// Puts a trial's checks to its answers.
struct Grading: Sendable {
  let floor: Floor
  let target: String

  func scores(of course: TrialCourse) async -> [Score] {
    var scores: [Score] = []
    for (turn, script) in course.subject.turns.enumerated() {
      for spec in script.checks { scores.append(await score(spec, of: course, turn: turn)) }
    }
    for spec in course.subject.checks { scores.append(await score(spec, of: course, turn: nil)) }
    return scores
  }

  /// - Parameter turn: the turn that the check belongs to; `nil` looks at the last answer.
  private func score(_ spec: CheckSpec, of course: TrialCourse, turn: Int?) async -> Score {
    let began = Monotonic.now()
    let verdict = await verdict(spec, of: course, turn: turn)
    var score = Score(
      check: spec.name, kind: spec.kind, weight: spec.weight, judgement: verdict.judgement,
      explanation: verdict.explanation, turn: turn)
    score.duration = Monotonic.now() - began
    score.cost = verdict.cost
    score.criteria = verdict.criteria
    return score
  }

  private func verdict(_ spec: CheckSpec, of course: TrialCourse, turn: Int?) async -> Verdict {
    let turn = turn ?? course.subject.turns.count - 1
    guard course.served.indices.contains(turn), course.served[turn].reply.outcome.error == nil else {
      return Verdict(.unscored(.noAnswer, noAnswer(course)))
    }
    do {
      let grader = try floor.graders.grader(for: spec)
      return await grader.grade(subject(of: course, turn: turn))
    } catch {
      return Verdict(.unscored(.graderFailed, error.message))
    }
  }

  private func noAnswer(_ course: TrialCourse) -> String {
    if course.status == .blocked { return "the policy allowed no call" }
    return "the call failed: \(course.errorClass?.rawValue ?? "no answer")"
  }

  private func subject(of course: TrialCourse, turn: Int) -> Subject {
    let attempt = course.served[turn]
    let reply = attempt.reply
    let turns = course.served[...turn].map { TurnAnswer($0.reply) }
    let texts = course.subject.turns[turn].content.compactMap { part in
      if case .text(let text) = part { text } else { nil }
    }
    var judged = Subject(
      caseID: course.subject.id, target: target, input: texts.joined(separator: "\n"),
      variables: course.subject.variables, reference: course.subject.reference, answer: TurnAnswer(reply),
      turns: turns, outcome: reply.outcome, provenance: reply.provenance, totalLatency: reply.timeline.total,
      firstTokenLatency: reply.timeline.timeToFirstToken, cost: .sum(of: course.attempts.map(\.cost)),
      usage: reply.usage)
    judged.trial = course.key
    judged.turn = turn
    judged.messages = Grading.messages(before: turn, of: course)
    return judged
  }

  /// The conversation up to a turn's own message, with the answers that were served.
  private static func messages(before turn: Int, of course: TrialCourse) -> [Message] {
    var messages = course.subject.history
    for index in 0...turn {
      messages.append(Message(role: .user, parts: course.subject.turns[index].content))
      if index < turn { messages.append(Message(.assistant, course.served[index].reply.text)) }
    }
    return messages
  }
}

extension TurnAnswer {
  init(_ reply: ProviderReply) {
    self.init(
      text: reply.text, reasoning: reply.reasoning, toolCalls: reply.toolCalls, finish: reply.finish,
      refusal: reply.refusal)
  }
}
