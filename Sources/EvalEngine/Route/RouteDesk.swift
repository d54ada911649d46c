import EvalCore

/// Gathers what a route's policy may look at.
struct RouteDesk: Sendable {
  let floor: Floor
  let route: String
  let policy: any Policy

  /// What is known of each arm before a turn's first call: the same for every decision of the turn.
  func arms(_ course: TrialCourse) async -> [String: ArmFacts] {
    var facts: [String: ArmFacts] = [:]
    for name in policy.arms {
      guard let arm = floor.indexOfProfile[name] else { continue }
      facts[name] = ArmFacts(tokensIn: await tokens(arm, course), window: floor.windows[arm])
    }
    return facts
  }

  func spent(_ course: TrialCourse) -> Spending {
    Spending(
      trial: Cost.sum(of: course.attempts.map(\.cost)).dollars, run: floor.spending.spent(by: route))
  }

  /// The arm's own count where its server may see the content, else the estimate.
  private func tokens(_ arm: Int, _ course: TrialCourse) async -> InputCount {
    let profile = floor.profiles[arm]
    let request = RequestSnapshot(
      instructions: course.instructions(of: profile), messages: course.conversation.messages)
    if mayAsk(profile, course.subject.signals),
      let count = await floor.counts.count(
        request, of: profile, profileHash: floor.profileHashes[arm], by: floor.providers[arm],
        timeouts: floor.settings.timeouts)
    {
      return count
    }
    return TokenEstimate.Input(
      profile: profile, instructions: request.instructions, messages: request.messages
    ).total
  }

  /// To have content counted is to send it.
  private func mayAsk(_ profile: Profile, _ signals: JSONObject) -> Bool {
    !OfflineWorld.stops(profile.boundary, signals: signals)
      && floor.parts.suite.privacy.allows(profile.boundary, signals: signals)
      && policy.mayShow(profile.name, signals: signals)
  }
}

extension RouteDesk {
  /// What the policy may look at of an attempt.
  ///
  /// - Parameter scores: of the checks that it accepts answers by, by name, in 0…1.
  static func routed(
    _ attempt: Attempt, retries: RetrySettings, scores: [String: Double] = [:]
  ) -> RoutedAttempt {
    let reply = attempt.reply
    var answer: JSONObject = [:]
    if reply.outcome.error == nil {
      answer["characters"] = .integer(Int64(reply.text.count))
      answer["outputTokens"] = reply.usage?.output.map { .integer(Int64($0)) }
      answer["finish"] = reply.finish.map { .string($0.rawValue) }
      for (name, value) in scores.sorted(by: { $0.key < $1.key }) { answer["check.\(name)"] = .number(value) }
    }
    return RoutedAttempt(
      profile: attempt.profile, cause: attempt.cause, end: RoutedAttempt.End(reply.outcome),
      isRetryable: reply.outcome.error.map { RetryRule(settings: retries).canWait(for: $0) } ?? false,
      // After a tool was called, what it did is there to be seen.
      hasVisibleOutput: attempt.step > 0 || !reply.text.isEmpty || !reply.toolCalls.isEmpty,
      dollars: attempt.cost.dollars, answer: answer)
  }
}
