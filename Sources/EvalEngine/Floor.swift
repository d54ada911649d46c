import EvalCore

/// What every worker shares: the parts of the run with names turned into indices and hashes taken once.
struct Floor: Sendable {
  let parts: EngineParts
  let profiles: [Profile]
  let profileHashes: [ContentHash]
  let targetHashes: [ContentHash]
  let providers: [any Provider]
  let indexOfProfile: [String: Int]
  let widths: Widths
  let graders: GraderCache
  /// What each profile of the suite lets its model call, by its name.
  let tools: [String: [ToolDefinition]]
  /// By profile; `nil` where it is not known. Learned when the run starts.
  var windows: [ContextWindow?]
  let windowLog = WindowLog()
  let counts = CountDesk()
  let spending: RouteSpending

  init(_ parts: EngineParts) {
    self.parts = parts
    let judges = parts.judges?.providers ?? [:]
    let known = parts.providers.merging(judges) { subject, _ in subject }
    profiles = parts.suite.profiles.filter { known[$0.name] != nil }
    profileHashes = profiles.map(\.hash)
    targetHashes = parts.plan.targetHashes
    providers = profiles.compactMap { known[$0.name] }
    indexOfProfile = Dictionary(
      profiles.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    windows = profiles.map { _ in nil }
    tools = Dictionary(
      parts.suite.profiles.map { ($0.name, $0.tools) }, uniquingKeysWith: { first, _ in first })
    graders = GraderCache(make: parts.makeGrader)
    spending = RouteSpending(before: parts.spentBefore)
    widths = Floor.widths(profiles: profiles, providers: providers, settings: parts.settings)
  }

  var settings: RunSettings { parts.settings }
  var totalWidth: Int { min(widths.total, widths.profile.reduce(0, +)) }

  /// Whether a trial keeps its slot until it is graded, so that a limit on trials holds before the next one starts.
  var keepsSlots: Bool {
    parts.limits.failFast || parts.limits.maxErrors != nil
      || (parts.limits.maxCost != nil && parts.judges != nil)
  }

  /// Stops the run where a limit is reached, and holds it to what a limit on the cost still allows.
  func stopAtLimits(_ dispatcher: Dispatcher) {
    let progress = parts.progress.snapshot
    if let reason = parts.limits.reason(to: progress) { parts.control.drain(reason) }
    guard parts.limits.maxCost != nil, !isFree else { return }
    if parts.limits.maxCost == 0 { parts.control.drain(.maxCost(0)) }
    if let ceiling = parts.limits.ceiling(progress) { dispatcher.hold(to: ceiling) }
  }

  var isFree: Bool { profiles.allSatisfy { $0.price?.isFree == true } }

  /// Planned trials that no earlier process finished.
  func unfinished() -> [PlannedTrial] {
    guard !parts.finished.isEmpty else { return parts.plan.trials }
    return parts.plan.trials.filter { !parts.finished.contains(key(of: $0)) }
  }

  func key(of trial: PlannedTrial) -> TrialKey {
    TrialKey(
      caseHash: parts.suite.cases.summaries[Int(trial.caseIndex)].hash,
      targetHash: targetHashes[Int(trial.targetIndex)], repeatIndex: Int(trial.repeatIndex))
  }

  func policy(of target: Target) -> any Policy {
    guard let policy = parts.policies[target.name] else {
      preconditionFailure("the target '\(target.name)' was planned without a policy")
    }
    return policy
  }

  /// Whether a target of the plan may call this profile.
  func isPlanned(_ profile: Int) -> Bool {
    parts.plan.targets.contains { policy(of: $0).arms.contains(profiles[profile].name) }
  }

  func dispatchState(_ trials: [PlannedTrial]) -> DispatchState {
    DispatchState(
      trials: trials,
      profileOfTarget: parts.plan.targets.map { target in
        if case .profile(let profile) = target { return indexOfProfile[profile.name] }
        return nil
      },
      routeWidth: parts.plan.targets.map { target in
        let arms = policy(of: target).arms.compactMap { indexOfProfile[$0] }
        return max(1, arms.map { widths.profile[$0] }.reduce(0, +))
      },
      widths: widths)
  }

  /// Calls in flight that a run asks for: what its report compares with the number that was held.
  static func askedWidth(
    profiles: [Profile], providers: [any Provider], settings: RunSettings, trials: Int
  ) -> Int {
    let widths = widths(profiles: profiles, providers: providers, settings: settings)
    let together = widths.endpoint.reduce(0) { $0 + $1.ceiling }
    return min(together, widths.total, max(1, trials))
  }

  private static func widths(
    profiles: [Profile], providers: [any Provider], settings: RunSettings
  ) -> Widths {
    var keys: [String] = []
    let endpointOfProfile = providers.map { provider in
      if let known = keys.firstIndex(of: provider.limitKey) { return known }
      keys.append(provider.limitKey)
      return keys.count - 1
    }
    let widthOfProfile = profiles.map { $0.concurrency ?? settings.concurrency }
    let endpoints = keys.indices.map { endpoint in
      let members = profiles.indices.filter { endpointOfProfile[$0] == endpoint }
      let asked = members.map { widthOfProfile[$0] }.reduce(0, +)
      return EndpointPace(
        endpoint: keys[endpoint], ceiling: min(asked, settings.endpointConcurrency ?? .max),
        limit: sharedLimit(members.compactMap { profiles[$0].rateLimit }), isAdaptive: settings.adaptsWidth)
    }
    return Widths(
      profile: widthOfProfile, endpointOfProfile: endpointOfProfile, endpoint: endpoints,
      total: settings.maxConcurrency ?? .max)
  }

  /// Profiles of one endpoint and key share its limit: the strictest that one of them states.
  private static func sharedLimit(_ limits: [RateLimit]) -> RateLimit? {
    guard !limits.isEmpty else { return nil }
    return RateLimit(
      requestsPerMinute: limits.compactMap(\.requestsPerMinute).min(),
      tokensPerMinute: limits.compactMap(\.tokensPerMinute).min())
  }
}
