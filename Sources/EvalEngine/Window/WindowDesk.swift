import EvalCore

/// Holds the requests of one profile against its window before they are sent.
struct WindowDesk: Sendable {
  let floor: Floor
  let profile: Int

  /// What of a request is sent, with notes for its attempts. A profile without a known window sends everything.
  func fit(_ request: RequestSnapshot) async -> (RequestSnapshot, notes: [String]) {
    let profile = floor.profiles[profile]
    guard let window = floor.windows[self.profile] else { return (request, []) }
    let estimate = TokenEstimate.Input(
      profile: profile, instructions: request.instructions, messages: request.messages)
    var fit = HistoryFit(
      messages: request.messages, estimate: estimate, window: window,
      outputLimit: profile.parameters.maxOutputTokens, trims: profile.trimHistory == .oldestTurns)
    var step = fit.begin()
    while true {
      switch step {
      case .count(let messages):
        let count = await floor.counts.count(
          RequestSnapshot(instructions: request.instructions, messages: messages), of: profile,
          profileHash: floor.profileHashes[self.profile], by: floor.providers[self.profile],
          timeouts: floor.settings.timeouts)
        step = fit.counted(count)
      case .send(let fitted):
        floor.windowLog.add(fitted, profile: self.profile)
        return (
          RequestSnapshot(instructions: request.instructions, messages: fitted.messages), fitted.notes
        )
      }
    }
  }
}

/// Learns the windows of a run's profiles when it starts.
struct WindowSurvey: Sendable {
  let floor: Floor

  /// The window of each profile of the floor; `nil` where the suite states none and where it is not to be had, which is a
  /// finding.
  func windows() async -> [ContextWindow?] {
    var windows: [ContextWindow?] = floor.profiles.map { profile in
      if case .tokens(let count)? = profile.contextSize { ContextWindow(tokens: count) } else { nil }
    }
    let asked = floor.profiles.indices.filter {
      floor.profiles[$0].contextSize == .auto && floor.isPlanned($0)
    }
    let answers = await withTaskGroup(of: (Int, ContextWindowAnswer).self) { group in
      for profile in asked { group.addTask { (profile, await ask(profile)) } }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for profile in asked {
      switch answers[profile] {
      case .window(let window)?: windows[profile] = window
      case .unknown(let reason)?: note(reason, profile)
      case nil: break
      }
    }
    return windows
  }

  private func ask(_ profile: Int) async -> ContextWindowAnswer {
    guard let provider = floor.providers[profile] as? any TokenCounting else {
      return .unknown("the provider '\(floor.profiles[profile].provider)' cannot be asked")
    }
    return await provider.contextWindow(of: floor.profiles[profile], timeouts: floor.settings.timeouts)
  }

  private func note(_ reason: String, _ profile: Int) {
    let name = floor.profiles[profile].name
    let finding = Finding(
      code: "context-size-unknown",
      message: "the window of '\(name)' is not known, so its requests were not held against it: \(reason)",
      advice: "state its \"contextSize\" in tokens", target: name)
    for observer in floor.parts.observers { observer.receive(.finding(finding)) }
  }
}
