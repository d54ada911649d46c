import EvalCore

/// Puts a trial's checks to its answers.
struct Grading: Sendable {
  let floor: Floor
  let target: String

  func scores(of course: TrialCourse) async -> [Score] {
    if course.subject.expects != .answer { return [expectation(course)] }
    var scores: [Score] = []
    for (turn, script) in course.subject.turns.enumerated() {
      for spec in script.checks { scores.append(await score(spec, of: course, turn: turn)) }
    }
    for spec in course.subject.checks { scores.append(await score(spec, of: course, turn: nil)) }
    return scores
  }

  /// The one score of a case that does not want an answer.
  private func expectation(_ course: TrialCourse) -> Score {
    let isMet = course.subject.expects.isMet(by: course.status)
    return Score(
      check: Expectation.check, kind: Expectation.check, judgement: .verdict(isMet),
      explanation:
        "the case wants a \(course.subject.expects.rawValue), and it ended as \(course.status.rawValue)"
    )
  }

  /// - Parameter turn: the turn that the check belongs to; `nil` looks at the last answer.
  private func score(_ spec: CheckSpec, of course: TrialCourse, turn: Int?) async -> Score {
    let index = turn ?? course.subject.turns.count - 1
    if course.served.indices.contains(index),
      let known = course.grades.score(spec.name, turn: turn, of: course.served[index], in: course)
    {
      return known
    }
    return await newScore(spec, of: course, turn: turn)
  }

  private func newScore(_ spec: CheckSpec, of course: TrialCourse, turn: Int?) async -> Score {
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
    if course.isAnswerLost { return "the answer is not in the database" }
    if course.status == .blocked { return "the policy allowed no call" }
    return "the call failed: \(course.errorClass?.rawValue ?? "no answer")"
  }

  private func subject(of course: TrialCourse, turn: Int) -> Subject {
    var judged = answer(of: course, turn: turn)
    judged.earlier = (0..<turn).map { answer(of: course, turn: $0) }
    return judged
  }

  /// One turn by itself.
  private func answer(of course: TrialCourse, turn: Int) -> Subject {
    let attempt = course.served[turn]
    let reply = attempt.reply
    let turns = course.served[...turn].indices.map(course.answer)
    let texts = course.subject.turns[turn].content.compactMap { part in
      if case .text(let text) = part { text } else { nil }
    }
    var judged = Subject(
      caseID: course.subject.id, target: target, input: texts.joined(separator: "\n"),
      variables: course.subject.variables, reference: course.subject.reference,
      answer: course.answer(to: turn), turns: turns, outcome: reply.outcome, provenance: reply.provenance,
      totalLatency: reply.timeline.total,
      firstTokenLatency: reply.timeline.timeToFirstToken, cost: .sum(of: course.attempts.map(\.cost)),
      usage: reply.usage)
    judged.trial = course.key
    judged.turn = turn
    judged.tools = floor.tools[attempt.profile] ?? []
    judged.signals = course.subject.signals
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

extension Grading {
  /// Puts the checks that a policy accepts answers by to an answer that is not served yet.
  /// - Returns: by name, in 0…1; a check that the case does not have, or that gave no score, is missing.
  func look(
    at attempt: Attempt, turn: Int, names: [String], _ course: inout TrialCourse
  ) async -> [String: Double] {
    guard attempt.reply.outcome.error == nil else { return [:] }
    var served = course
    _ = served.serve(attempt)
    let isLast = turn == course.subject.turns.count - 1
    let ofCase = isLast ? course.subject.checks.map { (spec: $0, turn: Int?.none) } : []
    let ofTurn = course.subject.turns[turn].checks.map { (spec: $0, turn: Int?.some(turn)) }
    var values: [String: Double] = [:]
    for (spec, place) in ofTurn + ofCase where names.contains(spec.name) && values[spec.name] == nil {
      guard floor.parts.isSpotCheck(spec) else { continue }
      let score = await newScore(spec, of: served, turn: place)
      course.grades.add(score, turn: place, of: attempt, in: course)
      if case .scored(let value, _) = score.judgement { values[spec.name] = value }
    }
    return values
  }
}

/// Scores of answers that were looked at before they were served, so that none is graded twice.
struct SpotGrades: Sendable {
  private struct Key: Hashable {
    var attempt: Int
    var turn: Int?
    var check: String
  }

  /// With the attempts that the trial had: a check may look at what all of them cost.
  private var scores: [Key: (score: Score, attempts: Int)] = [:]

  mutating func add(_ score: Score, turn: Int?, of attempt: Attempt, in course: TrialCourse) {
    let key = Key(attempt: attempt.number, turn: turn, check: score.check)
    scores[key] = (score, course.attempts.count)
  }

  /// The score of a served answer; `nil` when it was not looked at, or when calls came after that.
  func score(_ check: String, turn: Int?, of attempt: Attempt, in course: TrialCourse) -> Score? {
    guard let known = scores[Key(attempt: attempt.number, turn: turn, check: check)],
      known.attempts == course.attempts.count
    else { return nil }
    return known.score
  }
}

extension TurnAnswer {
  init(_ reply: ProviderReply) {
    self.init(
      text: reply.text, reasoning: reply.reasoning, toolCalls: reply.toolCalls, finish: reply.finish,
      refusal: reply.refusal)
  }
}
