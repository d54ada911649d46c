import EvalCore

/// One policy on its way through one recorded trial.
struct ReplayWalk {
  let replayer: Replayer
  let policy: any Policy
  let subject: ReplayCase
  let spentBefore: Double?
  var trace: PolicyTrace
  /// The served arm of each turn, whose answers are the conversation.
  private var history: [Int] = []
  private var turn = 0
  /// Where this turn's attempts begin in the trace.
  private var turnStart = 0
  private var calls: [RoutedAttempt] = []
  /// By arm: recorded attempts of this turn already used, and calls made.
  private var used: [Int]
  private var made: [Int]
  /// Why the trial is modeled, the first reason found.
  private var modeled: String?

  init(
    _ replayer: Replayer, policy: any Policy, case index: Int, repeat repeatIndex: Int, spentBefore: Double?
  ) {
    self.replayer = replayer
    self.policy = policy
    self.spentBefore = spentBefore
    subject = replayer.table.cases[index]
    trace = PolicyTrace(caseIndex: index, repeatIndex: repeatIndex)
    used = Array(repeating: 0, count: replayer.table.arms.count)
    made = used
    if !replayer.scenario.isNone { modeled = "a stated what-if" }
    if policy.readsRunSpending { modeled = modeled ?? "depends on what the run has spent" }
  }

  private var table: ReplayTable { replayer.table }

  mutating func run() {
    for turn in 0..<subject.turnCount {
      self.turn = turn
      guard takeTurn() else { break }
    }
    close()
  }

  /// - Returns: whether the conversation goes on.
  private mutating func takeTurn() -> Bool {
    turnStart = trace.attempts.count
    calls = []
    for arm in used.indices { (used[arm], made[arm]) = (0, 0) }
    let arms = replayer.facts(of: subject, turn: turn)
    noteForeignConversation()
    while true {
      trace.routing += replayer.settings.routingNanoseconds
      let dollars = trace.dollars
      let spent = Spending(
        trial: dollars, run: spentBefore.flatMap { before in dollars.map { before + $0 } })
      let facts = RoutingFacts(
        caseID: subject.id, signals: subject.signals, turn: turn, arms: arms, spent: spent, attempts: calls)
      switch policy.next(facts) {
      case .call(let name, let cause, let decision):
        guard calls.count < replayer.settings.callLimit else {
          return block("the policy made \(calls.count) calls in one turn")
        }
        guard call(name, cause: cause, decision: decision) else { return false }
      case .serve(let index, let decision):
        if let decision { trace.closing.append(decision) }
        return serve(index)
      case .block(let reason, let decision):
        if let decision { trace.closing.append(decision) }
        return block(reason)
      }
    }
  }

  private mutating func block(_ reason: String) -> Bool {
    trace.status = .blocked
    trace.blockReason = reason
    return false
  }

  private mutating func serve(_ index: Int) -> Bool {
    guard calls.indices.contains(index), let arm = table.place(ofArm: calls[index].profile) else {
      return block("the policy served an attempt that there is not")
    }
    trace.served.append(turnStart + index)
    history.append(arm)
    switch calls[index].end {
    case .ok: return true
    case .refused: trace.status = .refused
    case .empty: trace.status = .empty
    case .failed(let kind):
      trace.status = .failed
      trace.errorClass = kind
      return false
    }
    return true
  }

  /// - Returns: false when the recording cannot say what happens.
  private mutating func call(_ name: String, cause: AttemptCause, decision: JSONValue?) -> Bool {
    guard let arm = table.place(ofArm: name) else {
      trace.label = .missing(reason: "\(name) was not recorded")
      return false
    }
    let number = made[arm]
    made[arm] += 1
    if OfflineWorld.stops(table.arms[arm].boundary, signals: subject.signals) {
      append(.offline, arm, cause, .offline, decision)
      return true
    }
    if let kind = strike(arm, call: number) {
      append(.struck(by: kind), arm, cause, .scenario, decision)
      // Where the policy leaves retries to the run, the run makes them.
      let isRetried = !policy.decidesRetries && kind.isRetryable && number < replayer.settings.retryLimit
      return isRetried ? call(name, cause: .retry(kind), decision: decision) : true
    }
    return callRecorded(arm, cause: cause, decision: decision)
  }

  private func strike(_ arm: Int, call: Int) -> ErrorClass? {
    replayer.scenario.strike(
      table.arms[arm], of: subject, repeatIndex: trace.repeatIndex, turn: turn, call: call)
  }

  private mutating func callRecorded(_ arm: Int, cause: AttemptCause, decision: JSONValue?) -> Bool {
    let name = table.arms[arm].name
    guard let cell = table[case: trace.caseIndex, arm: arm, repeat: trace.repeatIndex],
      cell.status != .cancelled
    else {
      trace.label = .missing(reason: "no recorded trial of \(name)")
      return false
    }
    if let other = history.indices.first(where: { !sameAnswer(at: $0, in: cell, of: arm) }) {
      trace.label = .bounded(
        turn: turn, reason: "\(name) was recorded after another answer to turn \(other + 1)")
      return false
    }
    guard cell.turns.indices.contains(turn) else {
      trace.label = .missing(reason: "the recorded trial of \(name) ended before turn \(turn + 1)")
      return false
    }
    return consume(cell.turns[turn].attempts, arm, cause, decision)
  }

  /// Takes the recording's next attempts: one, the steps after its tool calls, and its retries where the policy leaves
  /// those to the run.
  private mutating func consume(
    _ recorded: [ReplayAttempt], _ arm: Int, _ cause: AttemptCause, _ decision: JSONValue?
  ) -> Bool {
    guard used[arm] < recorded.count else { return callAgain(recorded.last, arm, cause, decision) }
    guard recorded[used[arm]].step == 0 else {
      // A call begins with its first step; the recording went on in the middle of tool calls.
      trace.label = .missing(
        reason: "the recording of \(table.arms[arm].name) does not say how the turn would begin again")
      return false
    }
    var cause = cause
    while true {
      let attempt = recorded[used[arm]]
      used[arm] += 1
      if case .failed(.notRecorded) = attempt.end {
        trace.label = .missing(reason: "\(table.arms[arm].name): its own recording had no answer")
        return false
      }
      append(attempt, arm, cause, .recorded, decision)
      guard used[arm] < recorded.count else { return true }
      let next = recorded[used[arm]]
      switch attempt.end {
      case .ok where next.step > attempt.step: cause = .first
      case .failed(let kind) where !policy.decidesRetries && next.step == attempt.step: cause = .retry(kind)
      default: return true
      }
    }
  }

  /// The recording is used up: only an end that the same call would meet again stands for a further call.
  private mutating func callAgain(
    _ last: ReplayAttempt?, _ arm: Int, _ cause: AttemptCause, _ decision: JSONValue?
  ) -> Bool {
    guard let last else {
      trace.label = .missing(reason: "no recorded call of \(table.arms[arm].name)")
      return false
    }
    switch last.end {
    case .refused: break
    case .failed(let kind) where kind.repeatsItself: break
    case .ok, .empty, .failed:
      trace.label = .missing(
        reason: "the recording of \(table.arms[arm].name) does not say how one more call ends")
      return false
    }
    append(last, arm, cause, .repeated, decision)
    return true
  }

  private mutating func append(
    _ attempt: ReplayAttempt, _ arm: Int, _ cause: AttemptCause, _ source: TraceAttempt.Source,
    _ decision: JSONValue?
  ) {
    let arm = table.arms[arm]
    if source == .recorded || source == .repeated, case .failed(let kind) = attempt.end,
      !kind.isDeterministic
    {
      modeled = modeled ?? "\(kind.rawValue) as it was recorded, which another day would not repeat"
    }
    trace.attempts.append(
      TraceAttempt(
        arm: arm.name, boundary: arm.reach, turn: turn, cause: cause, source: source, call: attempt,
        decision: decision))
    if !policy.acceptChecks.isEmpty {
      trace.verifierDollars = trace.verifierDollars.flatMap { sum in attempt.verifierDollars.map { sum + $0 }
      }
    }
    calls.append(
      RoutedAttempt(
        profile: arm.name, cause: cause, end: attempt.end, isRetryable: attempt.isRetryable,
        hasVisibleOutput: attempt.hasVisibleOutput, dollars: attempt.cost.dollars, answer: attempt.answer))
  }

  /// Whether an arm was recorded with the answer that was served in an earlier turn.
  private func sameAnswer(at turn: Int, in cell: ReplayCell, of arm: Int) -> Bool {
    if history[turn] == arm { return true }
    let served = table[case: trace.caseIndex, arm: history[turn], repeat: trace.repeatIndex]
    guard let served, served.turns.indices.contains(turn), cell.turns.indices.contains(turn),
      let hash = served.turns[turn].answerHash
    else { return false }
    return cell.turns[turn].answerHash == hash
  }

  /// What an arm would count of a conversation it was not recorded with is not known for sure.
  private mutating func noteForeignConversation() {
    guard turn > 0, modeled == nil else { return }
    for name in policy.arms {
      guard let arm = table.place(ofArm: name), subject.facts[turn][arm].tokensIn != nil,
        let cell = table[case: trace.caseIndex, arm: arm, repeat: trace.repeatIndex],
        history.indices.contains(where: { !sameAnswer(at: $0, in: cell, of: arm) })
      else { continue }
      modeled = "what \(name) would count was recorded in another conversation"
      return
    }
  }

  // MARK: Quality

  private mutating func close() {
    if trace.label == .exact, let modeled { trace.label = .modeled(reason: modeled) }
    switch trace.label {
    case .missing: return
    case .bounded: trace.qualityBefore = qualityBefore()
    case .exact, .modeled: judge()
    }
  }

  private mutating func judge() {
    guard subject.expects == .answer else {
      trace.quality = subject.expects.isMet(by: trace.status) ? 1 : 0
      return
    }
    switch trace.status {
    case .blocked, .failed, .cancelled: trace.quality = 0
    case .refused, .empty:
      let cell = servedCell
      trace.isUnjudged = cell?.isUnjudged ?? false
      trace.quality = trace.isUnjudged ? nil : cell?.quality ?? 0
    case .ok:
      trace.quality = servedCell?.quality
      trace.isUnjudged = trace.quality == nil
    }
  }

  private var servedCell: ReplayCell? {
    history.last.flatMap { table[case: trace.caseIndex, arm: $0, repeat: trace.repeatIndex] }
  }

  private func qualityBefore() -> Double? {
    let values = history.enumerated().compactMap { turn, arm -> Double? in
      let cell = table[case: trace.caseIndex, arm: arm, repeat: trace.repeatIndex]
      guard let cell, cell.turns.indices.contains(turn) else { return nil }
      return cell.turns[turn].quality
    }
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }
}
