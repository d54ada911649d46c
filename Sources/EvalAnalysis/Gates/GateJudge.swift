import EvalCore

/// Judges gates on what a run's trials came to.
struct GateJudge {
  let run: RunInfo
  let summary: RunSummary
  let settings: GateSettings
  let tally: GateTally
  /// The run's targets case by case, of those that gates hold against another.
  let sides: [ComparisonInput]
  /// The baseline's targets; empty without one.
  let baseline: [ComparisonInput]
  /// The finished part of an unfinished run, in 0…1; `nil` when it is finished.
  let early: Double?
  /// Of every interval that is tested; `nil` when it is too early to test any.
  let confidence: Double?
  private let slices: [GateSlice: RunSummary]

  init(
    summary: RunSummary, settings: GateSettings, tally: GateTally, sides: [ComparisonInput],
    baseline: [ComparisonInput]
  ) {
    self.sides = sides
    self.baseline = baseline
    self.summary = summary
    self.settings = settings
    self.tally = tally
    run = summary.run
    early = GateJudge.earlyFraction(summary)
    confidence = early.map { EarlyLook.confidence(at: $0) } ?? 0.95
    slices = tally.summaries(confidence: confidence ?? 0.95)
  }

  private static func earlyFraction(_ summary: RunSummary) -> Double? {
    guard summary.run.status != .finished else { return nil }
    return summary.planned > 0 ? Double(summary.finished) / Double(summary.planned) : 0
  }

  func verdict() -> GateVerdict {
    var results = settings.gates.flatMap(results)
    if tally.hasMustPass { results += run.targets.map { judgeCases(.mustPass, $0.name) } }
    results += settings.unreadable.map { rule in
      var result = GateResult(
        gate: GateSpec(rule: rule, measure: "", demand: .unreadable), unit: .count, target: nil,
        outcome: .inconclusive)
      result.reason = "this version cannot read the rule"
      return result
    }
    return GateVerdict(results: results, settings: settings, earlyFraction: early)
  }

  private func results(_ gate: GateSpec) -> [GateResult] {
    var reference: String?
    if case .notWorse(.target(let name), _) = gate.demand { reference = name }
    guard gate.targets.isEmpty else { return gate.targets.map { judge(gate, $0) } }
    // Nobody routed a profile alone: there is no leak to count.
    let ofRoutes = Measure.named(gate.measure)?.isOfRoutes == true
    let targets = run.targets.filter { $0.name != reference && (!ofRoutes || $0.kind == "route") }
    if targets.isEmpty, ofRoutes { return run.targets.prefix(1).map { judge(gate, $0.name) } }
    return targets.map { judge(gate, $0.name) }
  }

  private func judge(_ gate: GateSpec, _ target: String) -> GateResult {
    guard run.targets.contains(where: { $0.name == target }) else {
      return undecided(gate, target, "the run leaves this target out", "run it without --target")
    }
    guard
      Measure.named(gate.measure)?.isOfRoutes != true
        || run.targets.contains(where: { $0.name == target && $0.kind == "route" })
    else {
      return undecided(
        gate, target, "a profile alone is not routed: it has no leaks to count", "name a route")
    }
    switch gate.demand {
    case .passes, .mustPass: return judgeCases(gate, target)
    case .unreadable: return undecided(gate, target, "this version cannot read the rule")
    case .bound(let comparison, let limit): return judgeBound(gate, target, comparison, limit)
    case .notWorse(let reference, let margin): return judgePairs(gate, target, reference, margin)
    }
  }

  func undecided(
    _ gate: GateSpec, _ target: String, _ reason: String, _ advice: String? = nil,
    _ outcome: GateOutcome = .inconclusive
  ) -> GateResult {
    let unit = Measure.named(gate.measure)?.info.unit ?? .count
    var result = GateResult(gate: gate, unit: unit, target: target, outcome: outcome)
    result.reason = reason
    result.advice = advice
    return result
  }

  /// What a target came to in the part that a gate is about; `nil` without a trial.
  func part(_ gate: GateSpec, _ target: String) -> TargetSummary? {
    let slice = GateSlice(gate)
    let summary = slice == .all && early == nil ? self.summary : slices[slice]
    return summary?.targets.first { $0.name == target }.flatMap { $0.counts.finished > 0 ? $0 : nil }
  }

  /// Why a target's numbers prove nothing; `nil` when they may be believed.
  func invalidity(_ measure: Measure, _ target: TargetSummary) -> GateProblem? {
    guard !measure.countsErrors else { return nil }
    let counts = target.counts
    let errors = counts.infrastructureFailures
    if Double(errors) > settings.maxErrorRate * Double(counts.finished) {
      return GateProblem(
        "\(errors) of \(counts.finished) trials failed for reasons that are not the model's, more than "
          + "maxErrorRate \(GateJudge.percent(settings.maxErrorRate)) allows",
        advice: "mend the cause and run again")
    }
    guard measure.readsScores else { return nil }
    let unjudged = counts.unscored.filter { $0.reason != nil && $0.reason != .noAnswer }
      .reduce(0) { $0 + $1.count }
    let missing = unjudged + (early == nil ? counts.unfinished : 0)
    let planned = early == nil ? counts.planned : counts.finished
    if Double(planned - missing) < settings.minCoverage * Double(planned) {
      return GateProblem(
        "only \(planned - missing) of \(planned) trials were judged, fewer than minCoverage "
          + "\(GateJudge.percent(settings.minCoverage)) asks for",
        advice: "see why with 'evalrun show \(run.id)'")
    }
    return nil
  }

  static func percent(_ share: Double) -> String {
    let percent = share * 100
    return percent == percent.rounded() ? "\(Int(percent)) %" : "\(percent) %"
  }
}

extension TrialSource {
  /// The gates that were stored with the run.
  var storedGates: GateSettings { GateSettings(stored: run.settings["gates"], file: run.suitePath) }
}
