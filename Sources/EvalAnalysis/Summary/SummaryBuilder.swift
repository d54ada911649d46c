package import EvalCore

extension RunSummary {
  /// Summarises a run in one pass over its trials, keeping a few numbers for each.
  ///
  /// - Parameters:
  ///   - warmUps: the run's calls before the measurement, when the source keeps them apart from its trials.
  ///   - gates: judged on the run; `nil` takes those that were stored with it.
  ///   - baseline: what gates against the baseline hold the run against, a side for each target; empty without one.
  ///   - labels: people's verdicts on answers that the run's judges judged, in whatever run.
  ///   - repeatedAnswers: from the store, for runs with repeats; empty says nothing of them.
  /// - Throws: what the source throws.
  package static func make(
    from source: some TrialSource, warmUps: [AttemptRecord] = [], gates: GateSettings? = nil,
    baseline: [ComparisonInput] = [], repeatedAnswers: [RepeatedAnswers] = [], labels: [VerdictLabel] = []
  ) throws -> RunSummary {
    let settings = gates ?? source.storedGates
    var builder = SummaryBuilder(run: source.run)
    builder.repeatedAnswers = repeatedAnswers
    builder.labels = LabelTally(labels)
    var tally = GateTally(settings.gates, run: source.run)
    for attempt in warmUps { builder.addWarmUp(attempt) }
    let isCompared =
      source.run.targets.count > 1
      || settings.gates.contains { if case .notWorse = $0.demand { true } else { false } }
    var reader = SidesReader(source.run, label: source.run.id)
    try source.forEachTrial { trial in
      builder.add(trial)
      tally.add(trial)
      if isCompared { reader.add(trial) }
    }
    var summary = builder.summary()
    let sides = isCompared ? reader.sides : []
    let duels = Duels.all(sides)
    summary.standings = duels.standings
    summary.qualityCost?.addGains(duels)
    let verdict = GateJudge(
      summary: summary, settings: settings, tally: tally, sides: sides, baseline: baseline
    ).verdict()
    if !verdict.results.isEmpty { summary.verdict = verdict }
    return summary
  }
}

/// What is gathered for one target.
struct TargetTally {
  var info: RunInfo.TargetInfo
  var scores = ScoreTally()
  var checks = CheckTallies()
  var calls = CallTally()
  var usage = UsageTally()
  var acceptance = AcceptanceTally()
  var drift = DriftTally()
  var route = RouteTally()
}

/// Gathers a run trial by trial.
struct SummaryBuilder {
  private let run: RunInfo
  private var table = CaseTable()
  private var tallies: [TargetTally]
  /// Names are unique in a run; the content need not be, as when a profile runs against itself.
  private var places: [String: Int] = [:]
  private var judging = JudgeTally()
  private var pairs = PairTally()
  private var warmUps: [String: (calls: Int, failures: Int, totals: [Double])] = [:]
  var labels = LabelTally([])
  /// Known from the answers, which trials do not hold.
  var repeatedAnswers: [RepeatedAnswers] = []
  /// How many calls started with so many in flight.
  private var inFlight: [Int] = []
  private let leaks: RunLeaks
  private var oracle: OracleTally?

  init(run: RunInfo) {
    self.run = run
    leaks = RunLeaks(run)
    oracle = OracleTally(run)
    tallies = run.targets.map { TargetTally(info: $0) }
    for (place, target) in run.targets.enumerated() { places[target.name] = place }
  }

  mutating func add(_ trial: TrialRecord) {
    let place = place(of: trial)
    let number = table.note(trial)
    tallies[place].scores.add(trial, at: number)
    tallies[place].checks.add(trial.scores, at: number)
    judging.add(trial, at: number)
    pairs.add(trial, at: number)
    labels.add(trial)
    oracle?.add(trial, at: number)
    guard trial.status != .cancelled else { return }
    tallies[place].calls.add(trial)
    tallies[place].usage.add(trial)
    tallies[place].acceptance.add(trial, at: number)
    tallies[place].drift.add(trial)
    if hasRoute { tallies[place].route.add(trial, at: number, leaks: leaks.leaks(of: trial)) }
    for attempt in trial.attempts {
      if attempt.phase == .warmup { addWarmUp(attempt) } else { noteInFlight(attempt.inFlight) }
    }
  }

  private var hasRoute: Bool { run.targets.contains { $0.kind == "route" } }

  private mutating func place(of trial: TrialRecord) -> Int {
    if let known = places[trial.target] { return known }
    places[trial.target] = tallies.count
    tallies.append(
      TargetTally(
        info: RunInfo.TargetInfo(
          name: trial.target, kind: "profile", hash: trial.key.targetHash, content: .null)))
    return tallies.count - 1
  }

  mutating func addWarmUp(_ attempt: AttemptRecord) {
    var entry = warmUps[attempt.profile] ?? (0, 0, [])
    entry.calls += 1
    if attempt.isOK {
      if let total = attempt.timeline.total { entry.totals.append(milliseconds(total)) }
    } else {
      entry.failures += 1
    }
    warmUps[attempt.profile] = entry
  }

  private mutating func noteInFlight(_ count: Int) {
    let count = max(0, count)
    while inFlight.count <= count { inFlight.append(0) }
    inFlight[count] += 1
  }

  /// - Parameter confidence: of the intervals of scores and checks.
  func summary(confidence: Double = 0.95) -> RunSummary {
    let planned = plannedPerTarget
    let requested = requestedModels
    var summary = RunSummary(
      run: run,
      targets: tallies.map {
        self.summary(of: $0, planned: planned, requested: requested, confidence: confidence)
      },
      concurrency: concurrency(), warmUps: warmUpSummaries(), judging: judgingSummary(),
      findings: [])
    summary.judging?.measured = labels.measured(summary.targets, seed: run.seed)
    addSeries(to: &summary)
    summary.findings = FindingRules(
      summary: summary, tallies: tallies, table: table, repeatedAnswers: repeatedAnswers
    ).all()
    return summary
  }

  private func addSeries(to summary: inout RunSummary) {
    let scores = tallies.map(\.scores)
    summary.caseMap = CaseMap(scores, table)
    summary.qualityCost = QualityCost(
      summary.targets, arms: run.routeArms, oracle: oracle?.point())
    for (place, tally) in tallies.enumerated() { summary.targets[place].drift = tally.drift.series() }
  }

  private func judgingSummary() -> JudgingSummary? {
    var summary = judging.summary(run)
    summary?.pairs = pairs.pairs(table)
    summary?.rankings = pairs.rankings(seed: run.seed)
    return summary
  }

  /// Every target runs every case; the plan's own count stands when it does not divide.
  private var plannedPerTarget: Int {
    let targets = max(1, tallies.count)
    return run.plannedTrials % targets == 0 ? run.plannedTrials / targets : run.caseCount * run.repeats
  }

  private func summary(
    of tally: TargetTally, planned: Int, requested: [String: String], confidence: Double
  ) -> TargetSummary {
    let counts = tally.scores.counts(planned: planned)
    var summary = TargetSummary(
      name: tally.info.name, kind: tally.info.kind, hash: tally.info.hash, counts: counts,
      score: tally.scores.summary(table, planned: counts.planned, confidence: confidence),
      checks: tally.checks.summaries(table, confidence: confidence),
      latency: tally.calls.groups(), decoding: tally.calls.decodingSummaries(), tokens: tally.usage.tokens,
      cost: tally.usage.cost(cells: tally.scores.cells, table: table, seed: run.seed),
      retries: tally.usage.retries(), repeats: tally.scores.repeats(table, repeats: run.repeats),
      servedModels: tally.usage.servedModels(requested: requested))
    summary.acceptance = tally.acceptance.summary(table, seed: run.seed)
    if hasRoute {
      summary.route = tally.route.summary(table, isRoute: tally.info.kind == "route", seed: run.seed)
    }
    return summary
  }

  private var requestedModels: [String: String] {
    var models: [String: String] = [:]
    for target in run.targets where target.kind == "profile" {
      // A program may have no model to ask for.
      let model = target.content["model"]?.stringValue ?? ""
      if !model.isEmpty { models[target.name] = model }
    }
    return models
  }

  private func warmUpSummaries() -> [WarmUpSummary] {
    warmUps.sorted { $0.key < $1.key }.map { profile, entry in
      WarmUpSummary(
        profile: profile, calls: entry.calls, failures: entry.failures, total: Distribution(entry.totals))
    }
  }

  private func concurrency() -> ConcurrencySummary {
    let n = inFlight.reduce(0, +)
    var summary = ConcurrencySummary(asked: askedConcurrency, heldMedian: nil, heldMaximum: nil, n: n)
    guard n > 0 else { return summary }
    var seen = 0
    for (count, calls) in inFlight.enumerated() {
      seen += calls
      if 2 * seen >= n {
        summary.heldMedian = count
        break
      }
    }
    summary.heldMaximum = inFlight.lastIndex { $0 > 0 }
    return summary
  }

  /// `askedConcurrency` of the settings where the run says it; else each profile's `concurrency` together, within
  /// `endpointConcurrency` and `maxConcurrency`, and never more than there are trials.
  private var askedConcurrency: Int? {
    func setting(_ key: String) -> Int? { run.settings[key]?.intValue.map { Int($0) } }
    if let asked = setting("askedConcurrency") { return asked }
    guard let each = setting("concurrency") else { return nil }
    var profiles: [String: Int] = [:]
    for target in run.targets where target.kind == "profile" {
      profiles[target.content["endpoint"]?.stringValue ?? "", default: 0] += 1
    }
    let limit = setting("endpointConcurrency") ?? .max
    let together = profiles.isEmpty ? each : profiles.values.reduce(0) { $0 + min(limit, each * $1) }
    return min(together, setting("maxConcurrency") ?? .max, max(1, run.plannedTrials))
  }
}
