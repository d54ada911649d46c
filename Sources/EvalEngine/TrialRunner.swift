import EvalCore

/// Carries out one planned trial: its turns, then its checks.
struct TrialRunner: Sendable {
  let floor: Floor
  let dispatcher: Dispatcher
  let planned: PlannedTrial

  /// The most calls in one turn, whatever a policy says.
  static let maxCalls = 100

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
    course.slot = firstProfile
    for turn in subject.turns.indices {
      guard await take(turn, of: &course) else { break }
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
    var trial = Trial(
      key: course.key, caseID: subject.id, target: target.name, status: course.status,
      errorClass: course.errorClass, attempts: course.attempts, scores: scores, duration: duration)
    if route != nil {
      trial.served = course.served.map(\.number)
      trial.ending = course.ending.json
    }
    floor.parts.progress.end(trial)
    floor.stopAtLimits(dispatcher)
    for observer in floor.parts.observers { observer.receive(.trial(trial, CaseFacts(subject))) }
  }

  private var target: Target { floor.parts.plan.targets[Int(planned.targetIndex)] }

  private var policy: any Policy { floor.policy(of: target) }

  /// The policy of a route; `nil` for a profile alone.
  private var route: (any Policy)? {
    if case .route = target { policy } else { nil }
  }

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
  private func take(_ turn: Int, of course: inout TrialCourse) async -> Bool {
    course.conversation.say(course.subject.turns[turn].content)
    let desk = RouteDesk(floor: floor, route: target.name, policy: policy)
    let arms = route == nil ? [:] : await desk.arms(course)
    let start = course.attempts.count
    var routed: [RoutedAttempt] = []
    while true {
      let facts = RoutingFacts(
        caseID: course.subject.id, signals: course.subject.signals, turn: turn, arms: arms,
        spent: route == nil ? Spending() : desk.spent(course), attempts: routed)
      let timed = TimedStep(policy, facts)
      switch timed.step {
      case .call(let name, let cause, let decision):
        guard let profile = floor.indexOfProfile[name] else {
          return block("the policy asked for '\(name)', which is no arm of it", turn, nil, &course)
        }
        guard routed.count < TrialRunner.maxCalls else {
          return block("the policy made \(routed.count) calls in one turn", turn, nil, &course)
        }
        let call = ArmCall(
          floor: floor, dispatcher: dispatcher, profile: profile, turn: turn, cause: cause,
          decision: timed.record(decision), route: route, before: course.attempts[start...])
        let made = await call.answer(&course)
        if route != nil { floor.spending.add(made.map(\.cost), to: target.name) }
        guard course.ended else { return false }
        await look(at: made, turn: turn, into: &routed, &course)
      case .serve(let index, let decision):
        guard routed.indices.contains(index) else {
          return block("the policy served an attempt that there is not", turn, nil, &course)
        }
        let attempt = course.attempts[start + index]
        course.ending.add(
          "serve", turn: turn, attempt: attempt.number, decision: timed.record(decision))
        return course.serve(attempt)
      case .block(let reason, let decision):
        return block(reason, turn, timed.record(decision), &course)
      }
    }
  }

  /// Ends the trial without an answer.
  private func block(
    _ reason: String, _ turn: Int, _ decision: JSONValue?, _ course: inout TrialCourse
  ) -> Bool {
    course.status = .blocked
    course.ending.add("block", turn: turn, reason: reason, decision: decision)
    return false
  }

  /// Adds new attempts to what the policy sees; the last one with the checks that it accepts answers by.
  private func look(
    at made: [Attempt], turn: Int, into routed: inout [RoutedAttempt], _ course: inout TrialCourse
  ) async {
    for attempt in made.dropLast() {
      routed.append(RouteDesk.routed(attempt, retries: floor.settings.retries))
    }
    guard let last = made.last else { return }
    var scores: [String: Double] = [:]
    if let names = route?.acceptChecks, !names.isEmpty {
      scores = await Grading(floor: floor, target: target.name)
        .look(at: last, turn: turn, names: names, &course)
    }
    routed.append(RouteDesk.routed(last, retries: floor.settings.retries, scores: scores))
  }
}
