/// One policy's outcomes, by where they stand.
struct OutcomeView: Sendable {
  /// Of one policy, or of many rules one after another, each by repeat × case.
  let outcomes: [TraceOutcome]
  /// By case, the place of its first repeat; the others follow in steps of the number of cases.
  let starts: [Int]

  init(outcomes: [TraceOutcome], starts: [Int]) {
    self.outcomes = outcomes
    self.starts = starts
  }

  /// - Parameter outcomes: by repeat × case.
  init(_ outcomes: [TraceOutcome], cases: Int) {
    self.init(outcomes: outcomes, starts: Array(0..<cases))
  }

  subscript(trial: Int) -> TraceOutcome {
    outcomes[starts[trial % starts.count] + trial / starts.count * starts.count]
  }
}

/// Adds up outcomes, always in the same order, so that the same outcomes give the same bits.
struct SweepSums: Sendable {
  let caseCount: Int
  let repeats: Int
  /// By case.
  let weights: [Double]

  init(_ table: ReplayTable) {
    caseCount = table.cases.count
    repeats = table.repeats
    weights = table.cases.map(\.weight)
  }

  /// - Parameter mask: by repeat × case, the trials that count; `nil` counts every one that has a quality.
  func score(_ view: OutcomeView, mask: [Bool]? = nil) -> SweepScore {
    var sums = gather(view, mask: mask)
    var score = SweepScore()
    score.leaks = sums.leaks
    setCounts(sums.histogram, &score)
    guard score.cases > 0 else { return score }
    let cases = Double(score.cases)
    score.quality = sums.quality / sums.weight
    score.costPerCase = sums.dollars.isNaN ? nil : sums.dollars / cases
    score.latencyMean = sums.seconds.isNaN ? nil : sums.seconds / cases * 1000
    setPercentiles(&sums.times, &score)
    return score
  }

  private func gather(_ view: OutcomeView, mask: [Bool]?) -> TrialSums {
    precondition(
      view.starts.count == caseCount && (mask?.count ?? caseCount * repeats) == caseCount * repeats)
    precondition(view.starts.allSatisfy { $0 >= 0 && $0 + (repeats - 1) * caseCount < view.outcomes.count })
    var sums = TrialSums(caseCount: caseCount, repeats: repeats)
    // Within bounds by the two lines above; this loop runs once for every policy and trial of a sweep.
    view.outcomes.withUnsafeBufferPointer { outcomes in
      view.starts.withUnsafeBufferPointer { starts in
        for index in 0..<caseCount {
          sums.add(index, from: starts[index], of: outcomes, weight: weights[index], mask: mask)
        }
      }
    }
    return sums
  }

  private func setCounts(_ histogram: [UInt32], _ score: inout SweepScore) {
    var shares = Shares()
    var (fallen, recovered) = (0, 0)
    for n in 0...repeats {
      for bits in 0..<(1 << TraceOutcome.Flags.bits) {
        let count = Int(histogram[n << TraceOutcome.Flags.bits | bits])
        guard count > 0 else { continue }
        let flags = TraceOutcome.Flags(rawValue: UInt16(bits))
        score.coverage.add(flags, count: count)
        guard n > 0 else { continue }
        score.trials += count
        shares.add(flags, count: count, of: n)
        guard flags.contains(.fellBack) else { continue }
        fallen += count
        if flags.contains(.ok) { recovered += count }
      }
    }
    shares.set(&score)
    if fallen > 0 { score.recoveryRate = Double(recovered) / Double(fallen) }
  }

  private func setPercentiles(_ times: inout [Double], _ score: inout SweepScore) {
    guard !times.isEmpty else { return }
    let high = Percentile.rank(0.95, of: times.count) - 1
    score.latencyP95 = Selection.value(at: high, of: &times, in: 0..<times.count) * 1000
    // What is lower stands before it now.
    let middle = Percentile.rank(0.5, of: times.count) - 1
    score.latencyP50 = Selection.value(at: middle, of: &times, in: 0..<high + 1) * 1000
  }
}

/// What one pass over the trials gathers.
private struct TrialSums {
  var quality = 0.0
  var weight = 0.0
  var dollars = 0.0
  var seconds = 0.0
  var leaks = 0
  /// How often each set of flags came, by the number of the case's trials that count; 0 for those that do not.
  var histogram: [UInt32]
  var times: [Double] = []
  private let caseCount: Int
  private let repeats: Int

  init(caseCount: Int, repeats: Int) {
    self.caseCount = caseCount
    self.repeats = repeats
    histogram = [UInt32](repeating: 0, count: (repeats + 1) << TraceOutcome.Flags.bits)
    times.reserveCapacity(caseCount * repeats)
  }

  /// Adds a case whose outcomes begin at a place and follow in steps of the number of cases.
  @inline(__always)
  mutating func add(
    _ index: Int, from start: Int, of outcomes: UnsafeBufferPointer<TraceOutcome>, weight: Double,
    mask: [Bool]?
  ) {
    var one = (quality: 0.0, dollars: 0.0, seconds: 0.0)
    var n = 0
    for step in 0..<repeats {
      let outcome = outcomes[start + step * caseCount]
      leaks += Int(outcome.leaks)
      guard mask?[index + step * caseCount] ?? outcome.isScored else {
        histogram[Int(outcome.flags.rawValue)] += 1
        continue
      }
      n += 1
      one.quality += outcome.quality
      one.dollars += outcome.dollars
      one.seconds += outcome.seconds
      if !outcome.seconds.isNaN { times.append(outcome.seconds) }
    }
    guard n > 0 else { return }
    let part = Double(n)
    quality += weight * (one.quality / part)
    self.weight += weight
    dollars += one.dollars / part
    seconds += one.seconds / part
    for step in 0..<repeats {
      let flags = outcomes[start + step * caseCount].flags
      guard mask?[index + step * caseCount] ?? flags.isScored else { continue }
      histogram[n << TraceOutcome.Flags.bits | Int(flags.rawValue)] += 1
    }
  }
}

/// Shares of cases in which something happened, each trial's part being one in as many as the case has.
private struct Shares {
  private static let flags: [TraceOutcome.Flags] = [
    .left, .leftToPrivateCloud, .leftToThirdParty, [.servedFromPrivateCloud, .servedFromThirdParty],
    .calledStrong, .fellBack, .escalated, .blocked,
  ]
  private var sums = [Double](repeating: 0, count: flags.count)
  private var cases = 0.0

  mutating func add(_ flags: TraceOutcome.Flags, count: Int, of trials: Int) {
    let part = Double(count) / Double(trials)
    cases += part
    for (place, wanted) in Shares.flags.enumerated() where !flags.isDisjoint(with: wanted) {
      sums[place] += part
    }
  }

  func set(_ score: inout SweepScore) {
    // The parts of a case add up to one but for rounding.
    score.cases = Int(cases.rounded())
    guard score.cases > 0 else { return }
    let shares = sums.map { $0 / Double(score.cases) }
    (score.cloudShare, score.privateCloudShare, score.thirdPartyShare) = (shares[0], shares[1], shares[2])
    (score.servedCloudShare, score.strongShare) = (shares[3], shares[4])
    (score.fallbackRate, score.escalationRate, score.blockedRate) = (shares[5], shares[6], shares[7])
  }
}
