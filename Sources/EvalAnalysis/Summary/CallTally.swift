import EvalCore

/// The raw times of one condition, in milliseconds.
private struct CallSamples {
  var calls = 0
  var failures = 0
  /// Not reported as cached, and cached.
  var firstToken: (plain: [Double], cached: [Double]) = ([], [])
  var firstContent: (plain: [Double], cached: [Double]) = ([], [])
  var total: [Double] = []
  var userFirstToken: [Double] = []
  var userTotal: [Double] = []
  var connect: [Double] = []
  var refused: [Double] = []
  var parts: (plain: FirstTokenSample, cached: FirstTokenSample) = (FirstTokenSample(), FirstTokenSample())

  func group(_ condition: CallCondition) -> LatencyGroup {
    func some(_ values: [Double], missing: Int = 0, failures: Int = 0) -> Distribution? {
      values.isEmpty ? nil : Distribution(values, missing: missing, failures: failures)
    }
    let sortedTotal = total.sorted()
    let noToken = calls - firstToken.plain.count - firstToken.cached.count
    var group = LatencyGroup(
      condition: condition, calls: calls, failures: failures,
      firstToken: some(firstToken.plain, missing: noToken), firstTokenCached: some(firstToken.cached),
      firstContent: some(
        firstContent.plain, missing: calls - firstContent.plain.count - firstContent.cached.count),
      firstContentCached: some(firstContent.cached),
      total: Distribution(sorted: sortedTotal, missing: calls - total.count, failures: 0),
      adjustedFirstToken: failures > 0 ? some(firstToken.plain, failures: failures) : nil,
      adjustedTotal: failures > 0
        ? Distribution(sorted: sortedTotal, missing: calls - total.count, failures: failures) : nil,
      userFirstToken: some(userFirstToken, missing: calls - userFirstToken.count),
      userTotal: Distribution(userTotal, missing: calls - userTotal.count),
      connect: some(connect), refusedTotal: some(refused))
    group.curves.firstToken = LatencyCurve(sorted: firstToken.plain.sorted(), failures: failures)
    group.curves.firstTokenCached = LatencyCurve(sorted: firstToken.cached.sorted(), failures: 0)
    group.curves.total = LatencyCurve(sorted: sortedTotal, failures: failures)
    let isCached = parts.cached.n > parts.plain.n
    group.split = (isCached ? parts.cached : parts.plain).split(isCached: isCached)
    return group
  }
}

/// Gathers the times of one target's calls.
struct CallTally {
  private var samples: [CallCondition: CallSamples] = [:]
  /// Failed calls that did not get as far as a connection, by turn.
  private var unplaced: [CallCondition.TurnPosition: Int] = [:]
  private var decoding: [Provenance: (rates: [Double], buffered: Int, missing: Int)] = [:]
  /// Milliseconds that users spent, and the part that was waiting for a retry.
  private(set) var userTime = 0.0

  /// Takes every call of a trial.
  mutating func add(_ trial: TrialRecord) {
    UserTime.forEachCall(trial.attempts) { addCall($0) }
  }

  /// - Parameter attempts: of one turn and step; the last is the served one.
  private mutating func addCall(_ attempts: ArraySlice<AttemptRecord>) {
    guard let served = attempts.last, served.errorClass != .cancelled else { return }
    let turn: CallCondition.TurnPosition = served.turn == 0 && served.step == 0 ? .first : .later
    let connection: CallCondition.Connection =
      switch served.isCold {
      case true?: .cold
      case false?: .warm
      case nil: .unknown
      }
    let condition = CallCondition(source: served.provenance, connection: connection, turn: turn)
    guard served.isOK else {
      if served.outcome == Outcome.refused.label, let total = served.timeline.total {
        samples[condition, default: CallSamples()].refused.append(milliseconds(total))
      }
      if served.isCold == nil, served.provenance == .live {
        unplaced[turn, default: 0] += 1
      } else {
        samples[condition, default: CallSamples()].failures += 1
      }
      return
    }
    samples[condition, default: CallSamples()].add(served)
    addUserTime(of: attempts, to: condition)
    addDecoding(served)
  }

  private mutating func addUserTime(
    of attempts: ArraySlice<AttemptRecord>, to condition: CallCondition
  ) {
    guard let time = UserTime(attempts) else { return }
    if let total = time.total {
      samples[condition]?.userTotal.append(total)
      userTime += total
    }
    if let first = time.firstToken { samples[condition]?.userFirstToken.append(first) }
  }

  private mutating func addDecoding(_ served: AttemptRecord) {
    let output = served.usage?.output
    var part = decoding[served.provenance] ?? ([], 0, 0)
    decoding[served.provenance] = nil
    if let time = served.timeline.timePerOutputToken(outputTokens: output), time > 0 {
      part.rates.append(1e9 / time)
    } else if served.timeline.isBuffered(outputTokens: output) {
      part.buffered += 1
    } else {
      part.missing += 1
    }
    decoding[served.provenance] = part
  }

  func groups() -> [LatencyGroup] {
    var samples = samples
    for (turn, failures) in unplaced {
      // A call that found no connection would have been a cold one, unless this target has no connections at all.
      let unknown = CallCondition(source: .live, connection: .unknown, turn: turn)
      let cold = CallCondition(source: .live, connection: .cold, turn: turn)
      let hasUnknown = samples[unknown].map { $0.calls > 0 } ?? false
      let hasConnections = samples.keys.contains { $0.connection != .unknown }
      samples[hasConnections && !hasUnknown ? cold : unknown, default: CallSamples()].failures += failures
    }
    return CallCondition.order.compactMap { condition in samples[condition]?.group(condition) }
  }

  func decodingSummaries() -> [DecodingSummary] {
    [Provenance.live, .recorded].compactMap { source in
      decoding[source].map { part in
        DecodingSummary(
          source: source, tokensPerSecond: Distribution(part.rates, missing: part.missing + part.buffered),
          buffered: part.buffered)
      }
    }
  }

  /// How many of the slowest twentieth of live first calls were cold, and how many cold ones there are; `nil` with
  /// fewer than 20 calls or only one kind.
  func coldTail() -> (coldInTail: Int, tail: Int, cold: Int, calls: Int)? {
    let cold = totals(.cold)
    let warm = totals(.warm)
    guard !cold.isEmpty, !warm.isEmpty, cold.count + warm.count >= 20 else { return nil }
    let all = (cold + warm).sorted()
    let threshold = all[all.count - all.count / 20]
    let tail = all.filter { $0 >= threshold }.count
    return (cold.filter { $0 >= threshold }.count, tail, cold.count, all.count)
  }

  private func totals(_ connection: CallCondition.Connection) -> [Double] {
    samples[CallCondition(source: .live, connection: connection, turn: .first)]?.total ?? []
  }
}

extension CallSamples {
  fileprivate mutating func add(_ served: AttemptRecord) {
    calls += 1
    let timeline = served.timeline
    let isCached = (served.usage?.cachedInput ?? 0) > 0
    if let time = timeline.timeToFirstToken.map(milliseconds) {
      if isCached { firstToken.cached.append(time) } else { firstToken.plain.append(time) }
    }
    if isCached { parts.cached.add(timeline) } else { parts.plain.add(timeline) }
    if let time = timeline.timeToFirstContent.map(milliseconds) {
      if isCached { firstContent.cached.append(time) } else { firstContent.plain.append(time) }
    }
    if let time = timeline.total { total.append(milliseconds(time)) }
    if served.isCold == true, served.provenance == .live, let time = timeline.connectTime {
      connect.append(milliseconds(time))
    }
  }
}

extension Timeline {
  /// Nanoseconds from the start to the end of a call, however it ended; `nil` when nothing says when.
  var duration: Int64? {
    guard let start, let end = done ?? terminal ?? lastToken else { return nil }
    return end - start
  }
}

func milliseconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1_000_000 }
