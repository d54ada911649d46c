import EvalCore

/// One arm's answer to a turn: its call, the retries that the run makes, and the steps after its tool calls.
struct ArmCall: Sendable {
  let floor: Floor
  let dispatcher: Dispatcher
  let profile: Int
  let turn: Int
  let cause: AttemptCause
  let decision: JSONValue?
  /// True for an arm of a route, whose policy decides retries and whose case may be offline.
  let route: (any Policy)?
  /// Attempts of this turn before this call, which say how long a retry waits.
  let before: ArraySlice<Attempt>

  /// The most rounds of tool calls in one turn.
  static let maxSteps = 8

  /// Calls until there is an answer without tool calls that the script can serve.
  /// - Returns: the new attempts, in the course already.
  func answer(_ course: inout TrialCourse) async -> [Attempt] {
    if course.slot != profile {
      if let slot = course.slot { dispatcher.endCall(of: slot) }
      course.slot = nil
    }
    guard let waited = await waitToRetry(course) else {
      course.ended = false
      return []
    }
    var attempts: [Attempt] = []
    var conversation = course.conversation
    for step in 0..<ArmCall.maxSteps {
      let made = await call(conversation, step: step, wait: step == 0 ? waited : 0, &course)
      attempts += made
      guard course.ended, let last = made.last else { return attempts }
      course.conversations[last.number] = conversation
      let reply = last.reply
      guard reply.outcome.isOK, !reply.toolCalls.isEmpty else { return attempts }
      let script = course.subject.turns[turn].toolResults
      guard !script.isEmpty else { return attempts }
      conversation.answered(reply)
      guard conversation.answerTools(reply.toolCalls, script: script) else { return attempts }
    }
    return attempts
  }

  private var runner: CallRunner { CallRunner(floor: floor, dispatcher: dispatcher, profile: profile) }

  private func call(
    _ conversation: Conversation, step: Int, wait: Int64, _ course: inout TrialCourse
  ) async -> [Attempt] {
    let whole = RequestSnapshot(
      instructions: course.instructions(of: floor.profiles[profile]), messages: conversation.messages)
    let cause = step == 0 ? cause : .first
    var place = CallRunner.Place(
      key: course.key, turn: turn, step: step, phase: .measured, decision: decision)
    if route != nil, OfflineWorld.stops(floor.profiles[profile].boundary, signals: course.subject.signals) {
      let attempt = runner.stay(
        whole, at: place, cause: cause, wait: wait, number: course.attempts.count + 1)
      course.attempts.append(attempt)
      return [attempt]
    }
    let (snapshot, notes) = await WindowDesk(floor: floor, profile: profile).fit(whole)
    place.notes = notes
    let name = floor.profiles[profile].name
    place.asked = course.attempts.count { $0.profile == name }
    var retries = floor.settings.retries
    if route?.decidesRetries == true { retries.limit = 0 }
    let result = await runner.run(
      snapshot, at: place, cause: cause, wait: wait, hasSlot: course.slot != nil,
      numbered: course.attempts.count, retries: retries)
    course.slot = result.holdsSlot ? profile : nil
    course.attempts += result.attempts
    course.ended = result.ended
    return result.attempts
  }

  /// Waits as the run's settings say where the policy wants the same call once more.
  /// - Returns: nanoseconds waited; `nil` when the run stopped meanwhile.
  private func waitToRetry(_ course: TrialCourse) async -> Int64? {
    guard route?.decidesRetries == true, case .retry = cause, let last = before.last,
      let error = last.reply.outcome.error
    else { return 0 }
    let retries = before.reversed().prefix { attempt in
      if case .retry = attempt.cause { attempt.profile == last.profile } else { false }
    }.count
    var random = SeededRandom(
      seed: floor.parts.plan.seed ^ course.key.caseHash.seed &+ UInt64(course.attempts.count))
    let wait = RetryRule(settings: floor.settings.retries).wait(after: error, retries: retries, &random)
    let began = Monotonic.now()
    guard await CallRunner.pause(wait, control: floor.parts.control) else { return nil }
    return Monotonic.now() - began
  }
}
