import EvalCore

/// Makes the calls of one arm: the first and its retries, each an attempt of its own.
struct CallRunner: Sendable {
  let floor: Floor
  let dispatcher: Dispatcher
  let profile: Int

  /// The place of a call in its trial.
  struct Place: Sendable {
    var key: TrialKey
    var turn: Int
    var step: Int
    var phase: Phase
    var decision: JSONValue?
    /// Attempts of this profile in the trial before: which of its recorded attempts answers a replay, whoever called it.
    var asked = 0
    /// What there is to say of the request, for each attempt.
    var notes: [String] = []
  }

  /// What one arm did.
  struct Result: Sendable {
    var attempts: [Attempt]
    /// False when the run stopped while this arm waited, so that the trial is not finished.
    var ended: Bool
    /// True when the last call's slot was not given back: whoever asked does that.
    var holdsSlot: Bool
  }

  /// - Parameters:
  ///   - wait: nanoseconds waited already because of the attempt before.
  ///   - hasSlot: the first call's slot was taken with the trial.
  ///   - numbered: attempts of the trial before this arm.
  func run(
    _ snapshot: RequestSnapshot, at place: Place, cause: AttemptCause, wait waited: Int64 = 0, hasSlot: Bool,
    numbered: Int, retries: RetrySettings
  ) async -> Result {
    var result = Result(attempts: [], ended: true, holdsSlot: hasSlot)
    var random = SeededRandom(
      seed: floor.parts.plan.seed ^ place.key.caseHash.seed &+ UInt64(place.key.repeatIndex))
    let rule = RetryRule(settings: retries)
    var cause = cause
    var wait = waited
    while true {
      // A retry is due when its wait is over; what it then waits for a slot is queueing, and part of what a user waits.
      let due = Monotonic.now()
      if !result.holdsSlot, await !dispatcher.startCall(of: profile) {
        result.ended = false
        return result
      }
      var place = place
      place.asked += result.attempts.count
      let attempt = await call(
        snapshot, at: place, cause: cause, wait: wait, number: numbered + result.attempts.count + 1, due: due)
      result.attempts.append(attempt)
      end(attempt)
      result.holdsSlot = floor.keepsSlots
      for observer in floor.parts.observers {
        observer.receive(.attempt(attempt, place.key, request: snapshot))
      }
      guard let error = attempt.reply.outcome.error else { return result }
      if error.kind == .cancelled {
        result.ended = false
        return result
      }
      guard
        case .retry(let nanoseconds) = rule.decide(error, retries: result.attempts.count - 1, random: &random)
      else { return result }
      let began = Monotonic.now()
      guard await CallRunner.pause(nanoseconds, control: floor.parts.control) else {
        result.ended = false
        return result
      }
      wait = Monotonic.now() - began
      cause = .retry(error.kind)
    }
  }

  /// The attempt of a call that does not leave, since the case is offline. It takes no slot and no time.
  func stay(
    _ snapshot: RequestSnapshot, at place: Place, cause: AttemptCause, wait: Int64, number: Int
  ) -> Attempt {
    let now = Monotonic.now()
    let inFlight = floor.parts.progress.startCall()
    var reply = OfflineWorld.reply(at: now, provenance: floor.parts.provenance)
    reply.timeline.scheduled = now
    let attempt = Attempt(
      turn: place.turn, step: place.step, number: number, phase: place.phase,
      profile: floor.profiles[profile], profileHash: floor.profileHashes[profile], cause: cause, wait: wait,
      inFlight: inFlight, reply: reply, cost: Cost(dollars: 0), decision: place.decision)
    floor.parts.progress.end(attempt)
    for observer in floor.parts.observers {
      observer.receive(.attempt(attempt, place.key, request: snapshot))
    }
    return attempt
  }

  private func call(
    _ snapshot: RequestSnapshot, at place: Place, cause: AttemptCause, wait: Int64, number: Int, due: Int64
  ) async -> Attempt {
    let profile = floor.profiles[profile]
    let inFlight = floor.parts.progress.startCall()
    let call = ProviderCall(
      profile: profile, instructions: snapshot.instructions, messages: snapshot.messages,
      timeouts: floor.settings.timeouts, repeatIndex: place.key.repeatIndex, attemptIndex: place.asked,
      scheduled: due, counters: floor.parts.progress.counters)
    var reply = await floor.providers[self.profile].send(call)
    reply.notes = place.notes + reply.notes
    reply.timeline.scheduled = reply.timeline.scheduled ?? call.scheduled
    return Attempt(
      turn: place.turn, step: place.step, number: number, phase: place.phase, profile: profile,
      profileHash: floor.profileHashes[self.profile], cause: cause, wait: wait, inFlight: inFlight,
      reply: reply,
      cost: CallRunner.cost(of: reply, price: profile.price), decision: place.decision)
  }

  /// Counts a call, and only then lets another one start: a limit that this call reached holds for the next.
  private func end(_ attempt: Attempt) {
    floor.parts.progress.end(attempt)
    floor.stopAtLimits(dispatcher)
    if let report = CallRunner.report(of: attempt.reply), let step = dispatcher.learn(report, from: profile) {
      for observer in floor.parts.observers { observer.receive(.pace(step)) }
    }
    if !floor.keepsSlots { dispatcher.endCall(of: profile) }
  }

  /// A replayed answer says nothing about the endpoint today.
  static func report(of reply: ProviderReply) -> EndpointPace.Report? {
    guard reply.provenance == .live, let started = reply.timeline.start ?? reply.timeline.scheduled else {
      return nil
    }
    return EndpointPace.Report(
      started: started, ended: Monotonic.now(), error: reply.outcome.error?.kind,
      tokens: (reply.usage?.input ?? 0) + (reply.usage?.output ?? 0), allowance: reply.allowance)
  }

  /// A call that was cut may have been charged for more than was reported.
  static func cost(of reply: ProviderReply, price: Price?) -> Cost {
    guard let price else { return Cost(dollars: nil) }
    if price.isFree { return Cost(dollars: 0) }
    if let dollars = price.cost(of: reply.usage) {
      return Cost(dollars: dollars, isLowerBound: reply.outcome.error?.mayBeCharged == true)
    }
    // Refused before anything was generated: nobody charges for a 429 or a 401.
    if let error = reply.outcome.error, !error.mayBeCharged, reply.timeline.firstToken == nil {
      return Cost(dollars: 0)
    }
    return Cost(dollars: nil, isLowerBound: reply.outcome.error != nil)
  }

  /// Waits, and gives up early when the run stops.
  /// - Returns: false when it did.
  static func pause(_ nanoseconds: Int64, control: RunControl) async -> Bool {
    let end = Monotonic.now() + nanoseconds
    while true {
      guard control.isRunning, !Task.isCancelled else { return false }
      let left = end - Monotonic.now()
      guard left > 0 else { return true }
      // In slices, so that Ctrl-C does not wait for a minute of `Retry-After`.
      do {
        try await Task.sleep(for: .nanoseconds(min(left, 100_000_000)), tolerance: .milliseconds(1))
      } catch {
        return false
      }
    }
  }
}

extension ProviderError {
  /// Whether the provider may have begun to work, and to charge, before this error.
  var mayBeCharged: Bool {
    switch kind {
    case .firstTokenTimeout, .stallTimeout, .totalTimeout, .truncated, .cancelled, .network,
      .malformedResponse,
      .contentFiltered, .refusal, .unknown, .serverTimeout:
      true
    default: inBand
    }
  }
}

extension ContentHash {
  /// 64 of its bits, to seed draws that belong to one case.
  var seed: UInt64 { digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
