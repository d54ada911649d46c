import Synchronization

/// Something that happened in a run, in the order it happened for each trial.
package enum RunEvent: Sendable {
  case attempt(Attempt, TrialKey, request: RequestSnapshot)
  /// A trial's last word, after its attempts.
  case trial(Trial, CaseFacts)
  /// A call to a judge, before the trial that it judges ends.
  case judgeCall(JudgeCall)
  /// A check has the vectors that it needed.
  case embedding(EmbeddingUse)
  case finding(Finding)
  /// An endpoint's width changed or it was left alone for a while.
  case pace(PaceChange)
}

/// A step in the history of an endpoint's width.
package struct PaceChange: Sendable, Hashable {
  package enum Reason: String, Sendable, Hashable { case rateLimited, serverTrouble, recovered }

  /// `Provider.limitKey`.
  package var endpoint: String
  /// Monotonic nanoseconds.
  package var at: Int64
  /// Calls in flight that are allowed from now on.
  package var width: Int
  package var reason: Reason
  /// Nanoseconds without a new call; `nil` when calls go on.
  package var pause: Int64?

  package init(endpoint: String, at: Int64, width: Int, reason: Reason, pause: Int64?) {
    self.endpoint = endpoint
    self.at = at
    self.width = width
    self.reason = reason
    self.pause = pause
  }
}

/// The parts of a case that are stored beside its trials.
package struct CaseFacts: Sendable {
  package var id: String
  package var hash: ContentHash
  package var tags: [String]
  package var cluster: String?
  package var mustPass: Bool
  /// What policies may read; kept apart from the content, which a private run does not store.
  package var signals: JSONObject
  package var expects: Expectation
  /// The input and reference as JSON, for reports.
  package var content: JSONValue

  package init(_ subject: Case) {
    id = subject.id
    hash = subject.hash
    tags = subject.tags
    cluster = subject.cluster
    mustPass = subject.mustPass
    signals = subject.signals
    expects = subject.expects
    var object: JSONObject = ["turns": .array(subject.turns.map { .array($0.content.map(\.json)) })]
    object["history"] = subject.history.isEmpty ? nil : .array(subject.history.map(\.json))
    object["reference"] = subject.reference
    object["variables"] = subject.variables.isEmpty ? nil : .object(subject.variables)
    object["signals"] = subject.signals.isEmpty ? nil : .object(subject.signals)
    content = .object(object)
  }
}

/// What was sent, kept for people; images by hash only where they are large.
package struct RequestSnapshot: Sendable {
  package var instructions: String?
  package var messages: [Message]

  package init(instructions: String?, messages: [Message]) {
    self.instructions = instructions
    self.messages = messages
  }

  package var json: JSONValue {
    var object: JSONObject = ["messages": .array(messages.map(\.json))]
    object["instructions"] = instructions.map { .string($0) }
    return .object(object)
  }
}

/// Hears of everything that happens in a run; called from many tasks, must return quickly.
package protocol RunObserver: Sendable {
  func receive(_ event: RunEvent)
}

/// Why a run stops before its plan is done.
package enum StopReason: Sendable, Hashable {
  case interrupted
  case maxCost(Double)
  /// A limit on the cost was asked for, and the answers do not say what they cost.
  case costUnknown
  case maxErrors(Int)
  case failFast
  /// The tool itself cannot go on: the store is full, a case file changed.
  case broken(String)
}

/// Lets people and limits stop a run: first drain (no new trial), then abort (cancel calls in flight).
package final class RunControl: Sendable {
  package enum State: Sendable, Hashable {
    case running
    case draining(StopReason)
    case aborting(StopReason)
  }

  private let shared = Mutex<(state: State, handlers: [@Sendable (State) -> Void])>((.running, []))

  package init() {}

  package var state: State { shared.withLock { $0.state } }

  package var isRunning: Bool { state == .running }

  /// Why the run stops; `nil` while it does not.
  package var stopReason: StopReason? {
    switch state {
    case .running: nil
    case .draining(let reason), .aborting(let reason): reason
    }
  }

  /// Takes no new trial; calls in flight end.
  package func drain(_ reason: StopReason) {
    change { if case .running = $0 { .draining(reason) } else { nil } }
  }

  /// Cancels calls in flight.
  package func abort(_ reason: StopReason) {
    change { if case .aborting = $0 { nil } else { .aborting(reason) } }
  }

  /// Calls `handler` on each change from now on, and at once when the run is stopping already.
  package func onChange(_ handler: @escaping @Sendable (State) -> Void) {
    let state = shared.withLock { shared in
      shared.handlers.append(handler)
      return shared.state
    }
    if state != .running { handler(state) }
  }

  private func change(_ next: (State) -> State?) {
    let (state, handlers) = shared.withLock { shared -> (State?, [@Sendable (State) -> Void]) in
      guard let state = next(shared.state) else { return (nil, []) }
      shared.state = state
      return (state, shared.handlers)
    }
    guard let state else { return }
    for handler in handlers { handler(state) }
  }
}
