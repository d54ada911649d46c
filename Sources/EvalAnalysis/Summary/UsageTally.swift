import EvalCore

/// Gathers tokens, cost, retries and served models over all attempts of one target.
struct UsageTally {
  private struct ServedKey: Hashable {
    var profile: String
    var served: String
  }

  private(set) var tokens = TokenSummary()
  private(set) var attempts = 0
  /// First calls of a trial whose prompt came from the provider's cache, at least in part.
  private(set) var cachedPrompts = 0
  private(set) var unpricedProfiles: Set<String> = []
  private var known = 0.0
  private var paid = 0.0
  private var unknown = 0
  private var cut = 0
  private var retriedTrials = 0
  private var fallbacks = 0
  private var escalations = 0
  private var causes: [ErrorClass: Int] = [:]
  private var waits: [Double] = []
  private var served: [ServedKey: Int] = [:]

  mutating func add(_ trial: TrialRecord) {
    var wasRetried = false
    for attempt in trial.attempts where attempt.phase == .measured {
      attempts += 1
      addTokens(attempt)
      addCost(attempt)
      if attempt.provenance == .live, let model = attempt.servedModel {
        served[ServedKey(profile: attempt.profile, served: model), default: 0] += 1
      }
      switch attempt.cause == "first" ? .first : AttemptCause(label: attempt.cause) {
      case .retry(let kind):
        wasRetried = true
        causes[kind, default: 0] += 1
        waits.append(milliseconds(attempt.wait))
      case .fallback: fallbacks += 1
      case .escalation: escalations += 1
      case .first, nil: break
      }
    }
    if wasRetried { retriedTrials += 1 }
  }

  private mutating func addTokens(_ attempt: AttemptRecord) {
    let answered = attempt.errorClass == nil
    let usage = attempt.usage
    tokens.input.add(usage?.input, answered: answered)
    tokens.cachedInput.add(usage?.cachedInput, answered: answered)
    tokens.cacheWrite.add(usage?.cacheWrite, answered: answered)
    tokens.output.add(usage?.output, answered: answered)
    tokens.reasoning.add(usage?.reasoning, answered: answered)
    if usage?.isInconsistent == true { tokens.inconsistent += 1 }
    if attempt.turn == 0, attempt.step == 0, (usage?.cachedInput ?? 0) > 0 { cachedPrompts += 1 }
  }

  private mutating func addCost(_ attempt: AttemptRecord) {
    if let dollars = attempt.cost.dollars {
      known += dollars
      if attempt.provenance == .live { paid += dollars }
      if attempt.cost.isLowerBound { cut += 1 }
    } else if attempt.cost.isLowerBound {
      cut += 1
    } else {
      unknown += 1
      unpricedProfiles.insert(attempt.profile)
    }
  }

  func cost(cells: [CaseCell], table: CaseTable, seed: UInt64) -> CostSummary {
    var means = CaseValues()
    var ratio = RatioSample()
    var finished = 0
    for (number, cell) in cells.enumerated() where cell.finished > 0 {
      finished += Int(cell.finished)
      guard cell.priced > 0 else { continue }
      let cluster = table.clusters[number]
      means.append(cell.cost / Double(cell.priced), trials: Int(cell.priced), cluster: cluster)
      ratio.append(top: cell.cost, bottom: Double(cell.pricedPasses), cluster: cluster)
    }
    let missing = finished - means.trials
    var perTrial = Mean.estimate(means, missing: missing, bounds: 0...Double.greatestFiniteMagnitude)
    var perSuccess = Ratio.estimate(ratio, n: means.trials, missing: missing, seed: seed)
    if means.trials > 0, ratio.tops.allSatisfy({ $0 == 0 }) {
      // Declared free: nothing to be unsure of.
      perTrial = Estimate(value: 0, n: means.trials, missing: missing, method: .exact)
      if perSuccess.value != nil { perSuccess = perTrial }
    }
    return CostSummary(
      known: known, paid: paid, attempts: attempts, unknown: unknown, cut: cut, perTrial: perTrial,
      perSuccess: perSuccess)
  }

  func retries() -> RetrySummary {
    RetrySummary(
      attempts: attempts, retriedTrials: retriedTrials, retries: waits.count, fallbacks: fallbacks,
      escalations: escalations,
      causes: causes.map { .init(kind: $0.key, count: $0.value) }
        .sorted { ($1.count, $0.kind.rawValue) < ($0.count, $1.kind.rawValue) },
      waits: Distribution(waits), totalWait: waits.reduce(0, +))
  }

  func servedModels(requested: [String: String]) -> [ServedModel] {
    served.map {
      ServedModel(
        profile: $0.key.profile, requested: requested[$0.key.profile], served: $0.key.served, calls: $0.value)
    }.sorted { ($0.profile, $1.calls, $0.served) < ($1.profile, $0.calls, $1.served) }
  }
}
