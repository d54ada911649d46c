import EvalCore

/// Carries out one planned trial: its turns, then its checks.
struct TrialRunner: Sendable {
  let floor: Floor
  let dispatcher: Dispatcher
  let planned: PlannedTrial

  /// The most rounds of tool calls in one turn.
  static let maxSteps = 8

  func run() async {
    let subject: Case
    do {
      subject = try floor.parts.suite.cases.load(Int(planned.caseIndex))
    } catch {
      release(firstProfile)
      floor.parts.control.abort(.broken(brokenCase(error)))
      return
    }
    var course = TrialCourse(subject: subject, key: floor.key(of: planned), begin: Monotonic.now())
    let policy = floor.policy(of: target)
    course.slot = firstProfile
    for turn in subject.turns.indices {
      guard await take(turn, of: &course, policy: policy) else { break }
    }
    if floor.parts.judges == nil {
      await finish(course)
      release(course.slot)
      return
    }
    // A judge may need the very slot that its subject holds.
    floor.parts.progress.startJudging()
    dispatcher.startJudging(releasing: course.slot)
    await finish(course)
    floor.parts.progress.endJudging()
    dispatcher.endJudging()
  }

  private func finish(_ course: TrialCourse) async {
    guard course.ended else { return }
    let subject = course.subject
    let duration = Monotonic.now() - course.begin
    let scores = await Grading(floor: floor, target: target.name).scores(of: course)
    if floor.parts.judges?.wasCut(course.key) == true { return }
    let trial = Trial(
      key: course.key, caseID: subject.id, target: target.name, status: course.status,
      errorClass: course.errorClass, attempts: course.attempts, scores: scores, duration: duration)
    floor.parts.progress.end(trial)
    floor.stopAtLimits(dispatcher)
    for observer in floor.parts.observers { observer.receive(.trial(trial, CaseFacts(subject))) }
  }

  private var target: Target { floor.parts.plan.targets[Int(planned.targetIndex)] }

  /// The profile whose slot the dispatcher took with this trial; `nil` for a route.
  private var firstProfile: Int? {
    guard case .profile(let profile) = target else { return nil }
    return floor.indexOfProfile[profile.name]
  }

  private func release(_ slot: Int?) {
    if let slot { dispatcher.endCall(of: slot) }
  }

  private func brokenCase(_ error: any Error) -> String {
    guard let problems = error as? Problems, let first = problems.all.first else { return "\(error)" }
    return first.location.map { "\($0): \(first.message)" } ?? first.message
  }

  /// Asks for one turn's answer.
  /// - Returns: whether the conversation goes on.
  private func take(
    _ turn: Int, of course: inout TrialCourse, policy: any Policy
  ) async -> Bool {
    course.conversation.say(course.subject.turns[turn].content)
    var attemptsOfTurn: [Attempt] = []
    while true {
      let facts = RoutingFacts(
        caseID: course.subject.id, signals: course.subject.signals, turn: turn,
        attempts: attemptsOfTurn.map(RoutedAttempt.init))
      switch policy.next(facts) {
      case .call(let name, let cause, let decision):
        guard let profile = floor.indexOfProfile[name] else {
          course.status = .blocked
          return false
        }
        let attempts = await answer(
          turn, by: profile, cause: cause, decision: decision, course: &course)
        attemptsOfTurn += attempts
        guard course.ended else { return false }
      case .serve(let index, _):
        return serve(attemptsOfTurn.indices.contains(index) ? attemptsOfTurn[index] : nil, in: &course)
      case .block:
        course.status = .blocked
        return false
      }
    }
  }

  /// Calls one arm until it has an answer without tool calls that the script can serve.
  private func answer(
    _ turn: Int, by profile: Int, cause: AttemptCause, decision: JSONValue?, course: inout TrialCourse
  ) async -> [Attempt] {
    let runner = CallRunner(floor: floor, dispatcher: dispatcher, profile: profile)
    var attempts: [Attempt] = []
    if course.slot != profile {
      release(course.slot)
      course.slot = nil
    }
    for step in 0..<TrialRunner.maxSteps {
      let whole = RequestSnapshot(
        instructions: course.instructions(of: floor.profiles[profile]), messages: course.conversation.messages
      )
      let (snapshot, notes) = await WindowDesk(floor: floor, profile: profile).fit(
        whole, key: course.key, number: course.attempts.count)
      let place = CallRunner.Place(
        key: course.key, turn: turn, step: step, phase: .measured, decision: decision, notes: notes)
      let result = await runner.run(
        snapshot, at: place, cause: step == 0 ? cause : .first, hasSlot: course.slot != nil,
        numbered: course.attempts.count,
        retries: floor.settings.retries)
      course.slot = result.holdsSlot ? profile : nil
      attempts += result.attempts
      course.attempts += result.attempts
      guard result.ended, let reply = result.attempts.last?.reply else {
        course.ended = false
        return attempts
      }
      guard reply.outcome.isOK, !reply.toolCalls.isEmpty else { return attempts }
      let script = course.subject.turns[turn].toolResults
      guard !script.isEmpty else { return attempts }
      var next = course.conversation
      next.answered(reply)
      guard next.answerTools(reply.toolCalls, script: script) else { return attempts }
      course.conversation = next
    }
    return attempts
  }

  private func serve(_ attempt: Attempt?, in course: inout TrialCourse) -> Bool {
    guard let attempt else {
      course.status = .blocked
      return false
    }
    course.served.append(attempt)
    course.conversation.answered(attempt.reply)
    switch attempt.reply.outcome {
    case .ok: return true
    case .refused: course.status = .refused
    case .empty: course.status = .empty
    case .failed(let error):
      course.status = .failed
      course.errorClass = error.kind
      return false
    }
    return true
  }
}

/// A trial under way.
struct TrialCourse: Sendable {
  let subject: Case
  let key: TrialKey
  let begin: Int64
  var conversation: Conversation
  var attempts: [Attempt] = []
  /// The served attempt of each turn.
  var served: [Attempt] = []
  var status = TrialStatus.ok
  var errorClass: ErrorClass?
  /// The profile whose call slot the trial has in hand; `nil` between calls.
  var slot: Int?
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
}

extension RoutedAttempt {
  init(_ attempt: Attempt) {
    let reply = attempt.reply
    self.init(
      profile: attempt.profile, cause: attempt.cause, end: End(reply.outcome),
      isRetryable: reply.outcome.error?.retryable ?? false,
      hasVisibleOutput: !reply.text.isEmpty || !reply.toolCalls.isEmpty, dollars: attempt.cost.dollars)
  }
}
