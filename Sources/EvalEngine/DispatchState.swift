import EvalCore

/// How many calls may be in flight, by profile, by endpoint and over everything.
struct Widths: Sendable {
  /// Indexed by profile.
  var profile: [Int]
  /// The endpoint of each profile, as an index into `endpoint`.
  var endpointOfProfile: [Int]
  /// Indexed by endpoint.
  var endpoint: [EndpointPace]
  var total: Int
}

/// Which planned trial starts next, and which call may go: the scheduler's decisions without its waiting.
struct DispatchState: Sendable {
  private let trials: [PlannedTrial]
  /// The profile of each target; `nil` for a route, whose calls ask for their slots one by one.
  private let profileOfTarget: [Int?]
  /// The most trials of a route in flight, indexed by target.
  private let routeWidth: [Int]
  private var widths: Widths

  private var head = 0
  private var started: [Bool]
  private var callsOfProfile: [Int]
  private var callsOfEndpoint: [Int]
  private var trialsOfTarget: [Int]
  private(set) var calls = 0
  /// The most calls in flight whatever the widths, at least 1: what a limit on the cost still allows.
  var ceiling = Int.max
  /// Trials that have no call in flight and wait for their judges: a limit on the cost must not forget them.
  var judging = 0

  init(trials: [PlannedTrial], profileOfTarget: [Int?], routeWidth: [Int], widths: Widths) {
    self.trials = trials
    self.profileOfTarget = profileOfTarget
    self.routeWidth = routeWidth
    self.widths = widths
    started = Array(repeating: false, count: trials.count)
    callsOfProfile = Array(repeating: 0, count: widths.profile.count)
    callsOfEndpoint = Array(repeating: 0, count: widths.endpoint.count)
    trialsOfTarget = Array(repeating: 0, count: profileOfTarget.count)
  }

  /// True when every trial was started.
  var isExhausted: Bool { head >= trials.count }

  /// The next trial in plan order that may start now, with a call slot taken for a profile's first call.
  ///
  /// A slow target holds the others back by one block at most: else a fast one would run ahead and meet another state
  /// of the machine, and drift would look like a difference.
  mutating func startNext(at now: Int64) -> PlannedTrial? {
    guard head < trials.count, calls < min(widths.total, ceiling), calls + judging < ceiling else {
      return nil
    }
    let lastBlock = trials[head].block + 1
    var index = head
    while index < trials.count, trials[index].block <= lastBlock {
      if !started[index], canStart(trials[index], at: now) {
        take(index, at: now)
        return trials[index]
      }
      index += 1
    }
    return nil
  }

  mutating func endTrial(_ trial: PlannedTrial) { trialsOfTarget[Int(trial.targetIndex)] -= 1 }

  /// Takes a slot for a call of this profile, when there is one.
  mutating func startCall(of profile: Int, at now: Int64) -> Bool {
    guard canCall(profile, at: now) else { return false }
    addCall(profile, at: now)
    return true
  }

  /// Gives a call's slot back.
  mutating func endCall(of profile: Int) {
    callsOfProfile[profile] -= 1
    callsOfEndpoint[widths.endpointOfProfile[profile]] -= 1
    calls -= 1
  }

  /// Takes in what a call says about its endpoint.
  /// - Returns: a step in the endpoint's history.
  mutating func learn(_ report: EndpointPace.Report, from profile: Int) -> PaceChange? {
    widths.endpoint[widths.endpointOfProfile[profile]].end(report)
  }

  /// The soonest moment after `now` at which an endpoint that is held back by time takes calls again.
  mutating func nextReady(after now: Int64) -> Int64? {
    var soonest: Int64?
    for endpoint in widths.endpoint.indices {
      let ready = widths.endpoint[endpoint].ready(at: now)
      if ready > now { soonest = min(soonest ?? .max, ready) }
    }
    return soonest
  }

  private mutating func canStart(_ trial: PlannedTrial, at now: Int64) -> Bool {
    let target = Int(trial.targetIndex)
    if let profile = profileOfTarget[target] { return canCall(profile, at: now) }
    return trialsOfTarget[target] < routeWidth[target]
  }

  private mutating func canCall(_ profile: Int, at now: Int64) -> Bool {
    let endpoint = widths.endpointOfProfile[profile]
    return calls < min(widths.total, ceiling) && callsOfProfile[profile] < widths.profile[profile]
      && callsOfEndpoint[endpoint] < widths.endpoint[endpoint].width
      && widths.endpoint[endpoint].ready(at: now) <= now
  }

  private mutating func take(_ index: Int, at now: Int64) {
    started[index] = true
    let target = Int(trials[index].targetIndex)
    trialsOfTarget[target] += 1
    if let profile = profileOfTarget[target] { addCall(profile, at: now) }
    while head < trials.count, started[head] { head += 1 }
  }

  private mutating func addCall(_ profile: Int, at now: Int64) {
    let endpoint = widths.endpointOfProfile[profile]
    callsOfProfile[profile] += 1
    callsOfEndpoint[endpoint] += 1
    widths.endpoint[endpoint].start(at: now)
    calls += 1
  }
}
