import EvalCore

/// Scores one side from its traces, over the trials that count.
struct TraceTally {
  let traces: [PolicyTrace]
  let outcomes: [TraceOutcome]
  let trials: PairedTrials
  let cases: [ReplayCase]
  /// By case of the table.
  let clusters: [Int?]
  let seed: UInt64

  func score(name: String, isArm: Bool, isCompared: Bool, quality: Estimate, cost: Estimate) -> PolicyScore {
    let counted = counted
    let seconds = counted.map { outcomes[$0].seconds }
    return PolicyScore(
      name: name, isArm: isArm, coverage: ReplayCoverage(outcomes), isCompared: isCompared,
      trials: counted.count, quality: quality, cost: cost,
      costIsLowerBound: counted.contains { traces[$0].attempts.contains { $0.cost.isLowerBound } },
      latency: Distribution(
        seconds.filter { !$0.isNaN }.map { $0 * 1000 }, missing: seconds.count(where: \.isNaN)),
      meanSeconds: mean { outcomes[$0].seconds }, cloud: cloud(), fallbacks: fallbacks(), waste: waste(),
      leaks: leaks(), relative: nil)
  }

  /// The places of the trials that count.
  private var counted: [Int] { trials.isPaired.indices.filter { trials.isPaired[$0] } }

  /// The mean over cases of a value of each trial; `nil` without cases or when one is NaN.
  private func mean(_ value: (Int) -> Double) -> Double? {
    var sum = 0.0
    for (place, index) in trials.cases.enumerated() {
      let repeats = trials.repeatsOf[place]
      sum += repeats.reduce(0) { $0 + value($1 * cases.count + index) } / Double(repeats.count)
    }
    return sum.isNaN || trials.cases.isEmpty ? nil : sum / Double(trials.cases.count)
  }

  private func share(_ flags: TraceOutcome.Flags) -> Estimate {
    Mean.ofScores(trials.shares(of: flags, in: outcomes, clusters: clusters))
  }

  private func cloud() -> CloudUse {
    CloudUse(
      any: share(.left), privateCloud: share(.leftToPrivateCloud), thirdParty: share(.leftToThirdParty),
      served: share([.servedFromPrivateCloud, .servedFromThirdParty]), tokens: tokens())
  }

  private func tokens() -> Estimate {
    var sample = RatioSample()
    var (reported, missing) = (0, 0)
    for (place, index) in trials.cases.enumerated() {
      var (beyond, all) = (0, 0)
      for repeatIndex in trials.repeatsOf[place] {
        for attempt in traces[repeatIndex * cases.count + index].attempts where attempt.bytesSent != 0 {
          guard let usage = attempt.usage, let input = usage.input, let output = usage.output else {
            missing += 1
            continue
          }
          reported += 1
          all += input + output
          if attempt.leftDevice { beyond += input + output }
        }
      }
      sample.append(top: Double(beyond), bottom: Double(all), cluster: clusters[index])
    }
    return Ratio.estimate(sample, n: reported, missing: missing, seed: seed)
  }

  private func fallbacks() -> FallbackUse {
    var classes: [ErrorClass: Int] = [:]
    for place in counted {
      for kind in Set(traces[place].fallbacks) { classes[kind, default: 0] += 1 }
    }
    var recovered = CaseValues()
    for (place, index) in trials.cases.enumerated() {
      let fallen = trials.outcomes(outcomes, at: place).filter { $0.flags.contains(.fellBack) }
      guard !fallen.isEmpty else { continue }
      let ok = fallen.count { $0.flags.contains(.ok) }
      recovered.append(
        Double(ok) / Double(fallen.count), trials: fallen.count, cluster: clusters[index])
    }
    return FallbackUse(
      rate: share(.fellBack),
      classes: classes.map { .init(kind: $0.key, trials: $0.value) }
        .sorted { ($1.trials, $0.kind.rawValue) < ($0.trials, $1.kind.rawValue) },
      recovery: Mean.ofScores(recovered), escalation: share(.escalated), blocked: share(.blocked))
  }

  private func waste() -> RouteWaste {
    func mean(_ isCounted: (TraceAttempt) -> Bool, _ value: (TraceAttempt) -> Double?) -> Double? {
      self.mean { place in
        traces[place].unserved.filter(isCounted).reduce(0) { $0 + (value($1) ?? .nan) }
      }
    }
    func seconds(_ attempt: TraceAttempt) -> Double? {
      attempt.latency.map { Double($0 + attempt.wait) / 1e9 }
    }
    func dollars(_ attempt: TraceAttempt) -> Double? { attempt.cost.dollars }
    func isLocal(_ attempt: TraceAttempt) -> Bool { attempt.boundary == .device }
    return RouteWaste(
      seconds: mean({ _ in true }, seconds), dollars: mean({ _ in true }, dollars),
      deviceSeconds: mean(isLocal, seconds), deviceDollars: mean(isLocal, dollars))
  }

  private func leaks() -> LeakCount {
    var count = LeakCount()
    var leaky: Set<Int> = []
    for trace in traces where !trace.leaks.isEmpty {
      count.trials += 1
      count.attempts += trace.leaks.count
      for rule in trace.leaks.flatMap(\.rules) { count.rules[rule, default: 0] += 1 }
      leaky.insert(trace.caseIndex)
    }
    count.caseIDs = leaky.sorted().prefix(20).map { cases[$0].id }
    return count
  }
}

extension PolicyTrace {
  /// The attempts whose answer nobody got: failures, answers that were not accepted, and everything of a turn that was
  /// not served.
  var unserved: [TraceAttempt] {
    attempts.filter { attempt in
      if case .failed = attempt.end { return true }
      return !served.contains { attempts[$0].turn == attempt.turn && attempts[$0].arm == attempt.arm }
    }
  }
}
