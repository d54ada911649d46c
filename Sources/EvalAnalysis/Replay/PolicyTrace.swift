package import EvalCore

/// How far a replayed trial stands for a live one (`Docs/RoutingScores.md`, "What a replay is worth").
package enum ReplayLabel: Sendable, Hashable {
  /// The recording answers every call that was made.
  case exact
  /// Up to this 0-based turn, which came after another answer than the recording's: not scored from there on.
  case bounded(turn: Int, reason: String)
  /// Rests on something that the recording cannot say about another day: a rate limit, money left, a stated what-if.
  case modeled(reason: String)
  /// The recording has no answer; nothing is put in its place.
  case missing(reason: String)

  /// `exact`, `bounded`, `modeled` or `missing`.
  package var name: String {
    switch self {
    case .exact: "exact"
    case .bounded: "bounded"
    case .modeled: "modeled"
    case .missing: "missing"
    }
  }

  /// Why it is not exact; `nil` when it is.
  package var reason: String? {
    switch self {
    case .exact: nil
    case .bounded(_, let reason), .modeled(let reason), .missing(let reason): reason
    }
  }

  /// True when the whole trial is there to be scored.
  package var isWhole: Bool {
    switch self {
    case .exact, .modeled: true
    case .bounded, .missing: false
    }
  }
}

/// One call that a policy makes in a replay.
@dynamicMemberLookup package struct TraceAttempt: Sendable, Hashable {
  /// Where its end comes from.
  package enum Source: String, Sendable, Hashable {
    case recorded
    /// The error that ended the recording, which the same call would meet again.
    case repeated
    /// A stated what-if: an injected error or an outage.
    case scenario
    /// The case is offline and the arm is not on the device: nothing left.
    case offline
  }

  package var arm: String
  /// The arm's boundary; an unknown one is the farthest.
  package var boundary: Boundary
  package var turn: Int
  package var cause: AttemptCause
  package var source: Source
  /// How it went: end, cost, times, tokens and bytes, also as members of this.
  package var call: ReplayAttempt
  package var decision: JSONValue?

  package subscript<Value>(dynamicMember member: KeyPath<ReplayAttempt, Value>) -> Value {
    call[keyPath: member]
  }

  /// True when something of the case went to another machine.
  package var leftDevice: Bool { boundary > .device && call.bytesSent != 0 }
}

/// What a policy does with one recorded trial.
package struct PolicyTrace: Sendable {
  package var caseIndex: Int
  package var repeatIndex: Int
  package var attempts: [TraceAttempt] = []
  /// Records of the steps that made no call: served and blocked, in order.
  package var closing: [JSONValue] = []
  /// By turn, the index in `attempts` of what was served.
  package var served: [Int] = []
  package var status = TrialStatus.ok
  /// The class of the last error when `status` is `failed`.
  package var errorClass: ErrorClass?
  /// Why a policy blocked it.
  package var blockReason: String?
  /// In 0…1; `nil` when it cannot be known: missing, bounded, or an answer that no grader judged.
  package var quality: Double?
  /// True when `quality` is `nil` though the trial is whole.
  package var isUnjudged = false
  package var label = ReplayLabel.exact
  /// For a bounded trial, the mean quality of the turns before, where their own checks say it.
  package var qualityBefore: Double?
  /// Nanoseconds for all decisions, as the replay's settings state them.
  package var routing: Int64 = 0
  /// US dollars for checks whose scores a cascade read; `nil` is unknown.
  package var verifierDollars: Double? = 0
  package var leaks: [Leak] = []

  package init(caseIndex: Int, repeatIndex: Int) {
    self.caseIndex = caseIndex
    self.repeatIndex = repeatIndex
  }
}

extension PolicyTrace {
  /// US dollars over all attempts, failed ones and verifiers included; `nil` when one is unknown.
  package var dollars: Double? {
    var sum = verifierDollars
    for attempt in attempts {
      guard let known = sum, let more = attempt.cost.dollars else { return nil }
      sum = known + more
    }
    return sum
  }

  /// Nanoseconds until the last answer: calls one after another, waits and decisions; `nil` when one was not measured.
  package var latency: Int64? {
    var sum = routing
    for attempt in attempts {
      guard let latency = attempt.latency else { return nil }
      sum += latency + attempt.wait
    }
    return sum
  }

  /// True when some attempt left the device; with a boundary, when one reached exactly that.
  package func left(to boundary: Boundary? = nil) -> Bool {
    attempts.contains { $0.leftDevice && (boundary == nil || $0.boundary == boundary) }
  }

  /// The classes of the errors that another arm followed.
  package var fallbacks: [ErrorClass] {
    attempts.compactMap { if case .fallback(let kind) = $0.cause { kind } else { nil } }
  }

  package var hasEscalation: Bool { attempts.contains { $0.cause == .escalation } }
}
