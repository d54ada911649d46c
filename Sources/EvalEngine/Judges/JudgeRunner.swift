import EvalCore

/// Asks one judge one question: the first call and its retries.
struct JudgeRunner: Sendable {
  let desk: JudgeDesk
  let floor: Floor
  let dispatcher: Dispatcher
  let profile: Int

  /// - Returns: the last call, with the cost of all.
  func run(_ question: JudgeQuestion) async -> JudgeCall {
    let judge = floor.profiles[profile]
    var costs: [Cost] = []
    var retries = 0
    var wait: Int64 = 0
    let rule = RetryRule(settings: floor.settings.retries)
    var random = SeededRandom(seed: floor.parts.plan.seed ^ UInt64(question.place.draw))
    while true {
      let due = Monotonic.now()
      guard await dispatcher.startCall(of: profile) else { return stopped(question, number: costs.count + 1) }
      let manner = desk.manner(for: judge, draw: question.place.draw, seed: floor.parts.plan.seed)
      var call = await call(question, manner, number: costs.count + 1, wait: wait, due: due)
      costs.append(call.cost)
      end(call)
      guard let error = call.reply.outcome.error else { return call.costing(costs) }
      if let wish = manner.concession(after: error, profile: judge) {
        desk.leaveOut(wish, for: judge.name)
        wait = 0
        continue
      }
      guard case .retry(let nanoseconds) = rule.decide(error, retries: retries, random: &random) else {
        return call.costing(costs)
      }
      retries += 1
      let began = Monotonic.now()
      guard await CallRunner.pause(nanoseconds, control: floor.parts.control) else {
        call.reading = .unread(.cancelled, "the run was stopped")
        return call.costing(costs)
      }
      wait = Monotonic.now() - began
    }
  }

  private func call(
    _ question: JudgeQuestion, _ manner: JudgeManner, number: Int, wait: Int64, due: Int64
  ) async -> JudgeCall {
    let judge = floor.profiles[profile]
    let call = ProviderCall(
      profile: manner.applied(to: judge, schema: question.schema), instructions: question.instructions,
      messages: question.messages, timeouts: floor.settings.timeouts,
      repeatIndex: question.repeatIndex, attemptIndex: number - 1, scheduled: due)
    var reply = await floor.providers[profile].send(call)
    reply.timeline.scheduled = reply.timeline.scheduled ?? due
    var judged = JudgeCall(
      place: question.place, judge: judge.name, judgeHash: floor.profileHashes[profile], force: manner.force,
      temperature: manner.temperature, seed: manner.seed, number: number, wait: wait, reply: reply,
      cost: CallRunner.cost(of: reply, price: judge.price), reading: question.read(reply))
    judged.form = question.form
    return judged
  }

  private func end(_ call: JudgeCall) {
    floor.parts.progress.end(call)
    floor.stopAtLimits(dispatcher)
    if let report = CallRunner.report(of: call.reply), let step = dispatcher.learn(report, from: profile) {
      for observer in floor.parts.observers { observer.receive(.pace(step)) }
    }
    dispatcher.endCall(of: profile)
    for observer in floor.parts.observers { observer.receive(.judgeCall(call)) }
  }

  private func stopped(_ question: JudgeQuestion, number: Int) -> JudgeCall {
    let error = ProviderError(.cancelled, "the run was stopped")
    var judged = JudgeCall(
      place: question.place, judge: question.judge, judgeHash: floor.profileHashes[profile], force: .none,
      temperature: nil, seed: nil, number: number, wait: 0, reply: ProviderReply(outcome: .failed(error)),
      cost: Cost(dollars: 0), reading: .unread(.cancelled, error.message))
    judged.form = question.form
    return judged
  }
}

extension JudgeQuestion {
  /// A text has one vector, whichever repeat needs it.
  fileprivate var repeatIndex: Int { place.purpose == .embed ? 0 : place.trial?.repeatIndex ?? 0 }
}

extension JudgeCall {
  /// The call with the cost of every call that its question took.
  fileprivate func costing(_ costs: [Cost]) -> JudgeCall {
    var call = self
    call.cost = .sum(of: costs)
    return call
  }
}
