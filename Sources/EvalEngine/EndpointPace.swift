import EvalCore

/// A bucket that fills evenly: a call may start while it holds anything, and then pays what it really took.
struct RefillingBucket: Sendable {
  private let capacity: Double
  private let perNanosecond: Double
  private var level: Double
  private var updated: Int64?

  /// - Parameter perMinute: units a minute. A second's worth, at least one, may be taken at once.
  init(perMinute: Double) {
    capacity = max(1, perMinute / 60)
    perNanosecond = perMinute / 60_000_000_000
    level = capacity
  }

  /// When the next call may start: `now` or later.
  mutating func ready(at now: Int64) -> Int64 {
    refill(now)
    // A unit is needed whole, so that a minute never holds more than its limit.
    let missing = 1 - level
    return missing <= 0 ? now : now + Int64((missing / perNanosecond).rounded(.up))
  }

  mutating func take(_ units: Double, at now: Int64) {
    refill(now)
    level -= units
  }

  private mutating func refill(_ now: Int64) {
    if let updated, now > updated { level = min(capacity, level + Double(now - updated) * perNanosecond) }
    updated = max(now, updated ?? now)
  }
}

/// How fast one endpoint is called: its stated limits, its remaining allowance, and a width that yields to 429 and comes
/// back slowly. Decisions only: time comes in as an argument.
struct EndpointPace: Sendable {
  /// What a call that ended says about its endpoint.
  struct Report: Sendable {
    var started: Int64
    var ended: Int64
    /// `nil` for an answer.
    var error: ErrorClass?
    /// Input and output together; 0 when unknown.
    var tokens: Int
    var allowance: RateAllowance?
  }

  /// A server in trouble is left alone for this long, doubled while it stays so.
  static let firstPause: Int64 = 250_000_000
  static let longestPause: Int64 = 30_000_000_000
  /// What a 429 leaves of the width.
  static let decrease = 0.7

  let endpoint: String
  let ceiling: Int
  private let isAdaptive: Bool
  private(set) var width: Int
  private var requests: RefillingBucket?
  private var tokens: RefillingBucket?
  private var pausedUntil: Int64 = .min
  private var spacing: Int64 = 0
  private var lastStart: Int64 = .min
  private var lastDecrease: Int64 = .min
  private var successes = 0
  private var troubles = 0

  init(endpoint: String, ceiling: Int, limit: RateLimit? = nil, isAdaptive: Bool = true) {
    self.endpoint = endpoint
    self.ceiling = ceiling
    self.isAdaptive = isAdaptive
    width = ceiling
    requests = (limit?.requestsPerMinute).map { RefillingBucket(perMinute: $0) }
    tokens = (limit?.tokensPerMinute).map { RefillingBucket(perMinute: $0) }
  }

  /// When the next call may start: `now`, or a later moment. The width is looked at apart.
  mutating func ready(at now: Int64) -> Int64 {
    var at = max(now, pausedUntil)
    if spacing > 0, lastStart > .min { at = max(at, lastStart + spacing) }
    at = max(at, requests?.ready(at: now) ?? now)
    return max(at, tokens?.ready(at: now) ?? now)
  }

  mutating func start(at now: Int64) {
    requests?.take(1, at: now)
    lastStart = now
  }

  /// Learns from a call.
  /// - Returns: what to write into the run's history; `nil` when nothing changed.
  mutating func end(_ report: Report) -> PaceChange? {
    if report.tokens > 0 { tokens?.take(Double(report.tokens), at: report.ended) }
    heed(report.allowance, at: report.ended)
    guard isAdaptive else { return nil }
    switch report.error {
    case .rateLimited: return yield(report)
    case .overloaded, .serverError: return pause(report)
    case nil: return recover(report)
    default: return nil
    }
  }

  /// Multiplicative decrease, once for all calls that were under way when it happened: they say one thing.
  private mutating func yield(_ report: Report) -> PaceChange? {
    successes = 0
    guard report.started > lastDecrease, width > 1 else { return nil }
    lastDecrease = report.ended
    width = max(1, Int(Double(min(width, ceiling)) * EndpointPace.decrease))
    return PaceChange(endpoint: endpoint, at: report.ended, width: width, reason: .rateLimited, pause: nil)
  }

  /// A 5xx is no sign of too many calls: the width stays, the endpoint rests.
  private mutating func pause(_ report: Report) -> PaceChange? {
    guard report.started > pausedUntil else { return nil }
    let rest = min(EndpointPace.longestPause, EndpointPace.firstPause << Int64(min(troubles, 20)))
    troubles += 1
    pausedUntil = report.ended + rest
    return PaceChange(endpoint: endpoint, at: report.ended, width: width, reason: .serverTrouble, pause: rest)
  }

  /// Additive increase: one more for each full width of answers.
  private mutating func recover(_ report: Report) -> PaceChange? {
    troubles = 0
    guard width < ceiling else { return nil }
    successes += 1
    guard successes >= width else { return nil }
    successes = 0
    width += 1
    return PaceChange(endpoint: endpoint, at: report.ended, width: width, reason: .recovered, pause: nil)
  }

  /// Spreads the requests that are left over the time until the window turns, before the server has to refuse.
  private mutating func heed(_ allowance: RateAllowance?, at now: Int64) {
    guard let allowance else { return }
    spacing = 0
    for window in [allowance.requests, allowance.tokens].compactMap(\.self) where window.remaining <= 0 {
      pausedUntil = max(pausedUntil, now + (window.resetNanoseconds ?? 0))
    }
    if let window = allowance.requests, let limit = window.limit, let reset = window.resetNanoseconds,
      window.remaining > 0, window.remaining * 10 < limit
    {
      spacing = max(0, reset) / Int64(window.remaining)
    }
  }
}
