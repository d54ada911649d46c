/// How an answer ended, in one vocabulary; the wire's own word is kept beside it.
package enum Finish: String, Sendable, Hashable, CaseIterable {
  case stop, length
  case toolCalls = "tool_calls"
  case contentFilter = "content_filter"
  case refusal, error
  /// Ended properly, no reason given.
  case unknown
}

/// What became of one call.
package enum Outcome: Sendable, Hashable {
  case ok
  /// The model declined; the answer is its refusal.
  case refused
  /// A proper end with nothing generated.
  case empty
  case failed(ProviderError)

  /// `ok`, `refused`, `empty`, or the class of the error.
  package var label: String {
    switch self {
    case .ok: "ok"
    case .refused: "refused"
    case .empty: "empty"
    case .failed(let error): error.kind.rawValue
    }
  }

  package var error: ProviderError? {
    if case .failed(let error) = self { return error }
    return nil
  }

  /// True for an answer that may be graded and whose latency counts.
  package var isOK: Bool { self == .ok }
}

/// Where an answer came from.
package enum Provenance: String, Sendable, Hashable {
  case live
  /// Served from a recording: its latency is the recording's and never pooled with live.
  case recorded
}

/// What a call cost.
package struct Cost: Sendable, Hashable {
  /// US dollars; `nil` is unknown.
  package var dollars: Double?
  /// True when the provider may charge more than is known, as for a call that was cut.
  package var isLowerBound: Bool

  package init(dollars: Double?, isLowerBound: Bool = false) {
    self.dollars = dollars
    self.isLowerBound = isLowerBound
  }
}

/// What the connection did, for telling cold from warm.
package struct ConnectionInfo: Sendable, Hashable {
  /// True when a connection had to be made; `nil` where there is none.
  package var isCold: Bool?
  /// `1.1`, `2`, …
  package var httpVersion: String?
  package var bytesSent: Int?
  package var bytesReceived: Int?

  package init(
    isCold: Bool? = nil, httpVersion: String? = nil, bytesSent: Int? = nil, bytesReceived: Int? = nil
  ) {
    self.isCold = isCold
    self.httpVersion = httpVersion
    self.bytesSent = bytesSent
    self.bytesReceived = bytesReceived
  }
}

/// What a server says of its own limits in the head of an answer (`x-ratelimit-*`).
package struct RateAllowance: Sendable, Hashable {
  package struct Window: Sendable, Hashable {
    /// The window's size; `nil` when the server does not say.
    package var limit: Int?
    package var remaining: Int
    /// Nanoseconds until the window turns; `nil` when the server does not say.
    package var resetNanoseconds: Int64?

    package init(limit: Int?, remaining: Int, resetNanoseconds: Int64?) {
      self.limit = limit
      self.remaining = remaining
      self.resetNanoseconds = resetNanoseconds
    }
  }

  package var requests: Window?
  package var tokens: Window?

  package init(requests: Window?, tokens: Window?) {
    self.requests = requests
    self.tokens = tokens
  }
}

/// What a provider says of one call. It never throws: what fails under test is data.
package struct ProviderReply: Sendable {
  package var outcome: Outcome
  package var timeline: Timeline
  /// `nil` when the provider reported none.
  package var usage: Usage?
  /// The visible answer; also what came before a failure.
  package var text: String
  package var reasoning: String
  package var toolCalls: [ToolCall]
  /// An embedder's vectors, in the order of the messages; empty from every other provider.
  package var embeddings: [[Float]] = []
  /// `nil` when the answer did not end.
  package var finish: Finish?
  /// The wire's word for the end.
  package var rawFinish: String?
  package var refusal: String?
  /// The model that answered, as the server names it.
  package var servedModel: String?
  package var responseID: String?
  package var connection: ConnectionInfo
  package var provenance: Provenance
  /// The identity of the request: endpoint and canonical body, without secrets.
  package var requestHash: String?
  /// What must be sent back on the next turn, in the provider's wire form.
  package var providerState: [JSONValue]
  /// What the server says it will still take; `nil` when it says nothing.
  package var allowance: RateAllowance?
  /// Things worth a finding: a parameter the provider does not know, usage that does not add up.
  package var notes: [String]

  package init(outcome: Outcome, timeline: Timeline = Timeline()) {
    self.outcome = outcome
    self.timeline = timeline
    text = ""
    reasoning = ""
    toolCalls = []
    connection = ConnectionInfo()
    provenance = .live
    providerState = []
    notes = []
  }
}

/// Whether a call belongs to the measurement.
package enum Phase: String, Sendable, Hashable { case warmup, measured }

/// Why an attempt was made.
package enum AttemptCause: Sendable, Hashable {
  case first
  /// The same arm again after this class of error.
  case retry(ErrorClass)
  /// Another arm after this class of error.
  case fallback(ErrorClass)
  /// Another arm because the answer was not good enough.
  case escalation

  package var label: String {
    switch self {
    case .first: "first"
    case .retry(let kind): "retry:\(kind.rawValue)"
    case .fallback(let kind): "fallback:\(kind.rawValue)"
    case .escalation: "escalation"
    }
  }

  package init?(label: String) {
    let parts = label.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count > 1 ? ErrorClass(rawValue: parts[1]) : nil) {
    case ("first", _): self = .first
    case ("retry", let kind?): self = .retry(kind)
    case ("fallback", let kind?): self = .fallback(kind)
    case ("escalation", _): self = .escalation
    default: return nil
    }
  }
}

/// One call to a provider, with what led to it.
package struct Attempt: Sendable {
  /// 0-based turn of the case.
  package var turn: Int
  /// 0-based step within the turn; above 0 after the model called tools.
  package var step: Int
  /// 1-based over the whole trial.
  package var number: Int
  package var phase: Phase
  package var profile: String
  package var profileHash: ContentHash
  package var boundary: Boundary?
  package var cause: AttemptCause
  /// Nanoseconds waited before this attempt because of the one before: back-off or `Retry-After`.
  package var wait: Int64
  /// Calls in flight over the whole run when this one started, itself included.
  package var inFlight: Int
  package var reply: ProviderReply
  package var cost: Cost
  /// What the policy decided, for routes; `nil` for a profile alone.
  package var decision: JSONValue?

  package init(
    turn: Int, step: Int = 0, number: Int, phase: Phase = .measured, profile: Profile,
    profileHash: ContentHash, cause: AttemptCause, wait: Int64, inFlight: Int = 1, reply: ProviderReply,
    cost: Cost, decision: JSONValue? = nil
  ) {
    self.turn = turn
    self.step = step
    self.number = number
    self.phase = phase
    self.profile = profile.name
    self.profileHash = profileHash
    boundary = profile.boundary
    self.cause = cause
    self.wait = wait
    self.inFlight = inFlight
    self.reply = reply
    self.cost = cost
    self.decision = decision
  }
}
