import EvalCore
import Synchronization

/// Hands trials and call slots to workers that wait for them. All decisions are `DispatchState`'s.
final class Dispatcher: Sendable {
  private struct Waiting {
    var state: DispatchState
    /// Workers that want a trial.
    var forTrial: [CheckedContinuation<PlannedTrial?, Never>] = []
    /// Calls of running trials: they go before new trials, so that what was begun ends.
    var forCall: [(profile: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var takesTrials = true
    var isClosed = false
    /// When a sleeping task will look again, because an endpoint is held back by time.
    var wakesAt: Int64?
  }

  private enum Wake {
    case trial(CheckedContinuation<PlannedTrial?, Never>, PlannedTrial?)
    case call(CheckedContinuation<Bool, Never>, Bool)

    func resume() {
      switch self {
      case .trial(let continuation, let trial): continuation.resume(returning: trial)
      case .call(let continuation, let granted): continuation.resume(returning: granted)
      }
    }
  }

  private let waiting: Mutex<Waiting>

  init(_ state: DispatchState) { waiting = Mutex(Waiting(state: state)) }

  /// The next trial, once it may start; `nil` when there is none left or the run stops.
  func nextTrial() async -> PlannedTrial? {
    await withCheckedContinuation { continuation in
      change { waiting in waiting.forTrial.append(continuation) }
    }
  }

  /// Waits for a call slot of this profile.
  /// - Returns: false when the run is aborted; no slot is taken then.
  func startCall(of profile: Int) async -> Bool {
    await withCheckedContinuation { continuation in
      change { waiting in waiting.forCall.append((profile, continuation)) }
    }
  }

  /// Gives a slot back; returns at once.
  func endCall(of profile: Int) { change { $0.state.endCall(of: profile) } }

  /// Gives a trial's slot back while its answers are judged.
  func startJudging(releasing slot: Int?) {
    change {
      $0.state.judging += 1
      if let slot { $0.state.endCall(of: slot) }
    }
  }

  func endJudging() { change { $0.state.judging -= 1 } }

  /// Takes in what a call says about its endpoint.
  /// - Returns: a step in the endpoint's history.
  func learn(_ report: EndpointPace.Report, from profile: Int) -> PaceChange? {
    var step: PaceChange?
    change { step = $0.state.learn(report, from: profile) }
    return step
  }

  /// Bounds the calls in flight from now on.
  func hold(to ceiling: Int) { change { $0.state.ceiling = ceiling } }

  func endTrial(_ trial: PlannedTrial) { change { $0.state.endTrial(trial) } }

  /// Starts no further trial.
  func drain() { change { $0.takesTrials = false } }

  /// Starts nothing at all.
  func close() {
    change {
      $0.takesTrials = false
      $0.isClosed = true
    }
  }

  private func change(_ body: (inout Waiting) -> Void) {
    let now = Monotonic.now()
    let (wakes, alarm) = waiting.withLock { waiting in
      body(&waiting)
      let wakes = Dispatcher.grant(&waiting, at: now)
      return (wakes, Dispatcher.alarm(&waiting, at: now))
    }
    for wake in wakes { wake.resume() }
    if let alarm { lookAgain(at: alarm, from: now) }
  }

  /// When to look again for those who wait for time rather than for a slot; `nil` when somebody does already.
  private static func alarm(_ waiting: inout Waiting, at now: Int64) -> Int64? {
    guard !(waiting.forCall.isEmpty && waiting.forTrial.isEmpty),
      let ready = waiting.state.nextReady(after: now), ready < waiting.wakesAt ?? .max
    else { return nil }
    waiting.wakesAt = ready
    return ready
  }

  private func lookAgain(at alarm: Int64, from now: Int64) {
    Task {
      try? await Task.sleep(for: .nanoseconds(alarm - now), tolerance: .milliseconds(1))
      change { waiting in if waiting.wakesAt == alarm { waiting.wakesAt = nil } }
    }
  }

  private static func grant(_ waiting: inout Waiting, at now: Int64) -> [Wake] {
    var wakes: [Wake] = []
    if !waiting.forCall.isEmpty {
      var left: [(profile: Int, continuation: CheckedContinuation<Bool, Never>)] = []
      for call in waiting.forCall {
        if waiting.isClosed {
          wakes.append(.call(call.continuation, false))
        } else if waiting.state.startCall(of: call.profile, at: now) {
          wakes.append(.call(call.continuation, true))
        } else {
          left.append(call)
        }
      }
      waiting.forCall = left
    }
    while let continuation = waiting.forTrial.first {
      if !waiting.takesTrials || waiting.state.isExhausted {
        wakes += waiting.forTrial.map { .trial($0, nil) }
        waiting.forTrial = []
      } else if let trial = waiting.state.startNext(at: now) {
        waiting.forTrial.removeFirst()
        wakes.append(.trial(continuation, trial))
      } else {
        break
      }
    }
    return wakes
  }
}
