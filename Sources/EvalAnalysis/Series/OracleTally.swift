import EvalCore

/// Works the oracle out case by case while a run is read, so that nothing of a case is kept.
///
/// It is the replay's own oracle (`RouteOracle`) over the run's profiles; it takes a source that gives a case's trials
/// together, as the store does.
struct OracleTally {
  private let arms: [String: Int]
  private let boundaries: [Boundary?]
  private let audit: LeakAudit
  private let repeats: Int
  /// The case that is being read.
  private var number = -1
  private var signals: JSONObject = [:]
  private var expects = Expectation.answer
  private var hasChecks = false
  /// By arm, then by repeat.
  private var outcomes: [[TraceOutcome]]
  /// By arm, then by repeat: no answer was there to judge.
  private var zeros: [[Bool]]
  private var isScattered = false
  private var sum = CostQuality(cost: 0, quality: 0)
  private var cases = 0
  private var checked = 0
  private var isBiased = false

  /// - Returns: `nil` without a route, or when not every arm of it ran alone.
  init?(_ run: RunInfo) {
    let names = run.routeArms
    let profiles = names.compactMap { name in run.targets.first { $0.name == name && $0.kind == "profile" } }
    guard names.count > 1, profiles.count == names.count else { return nil }
    arms = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
    boundaries = profiles.map { $0.content["boundary"]?.stringValue.flatMap(Boundary.init(rawValue:)) }
    audit = LeakAudit(privacy: run.privacy ?? .standard)
    repeats = max(1, run.repeats)
    outcomes = Array(repeating: Array(repeating: .unscored, count: repeats), count: names.count)
    zeros = Array(repeating: Array(repeating: false, count: repeats), count: names.count)
  }

  mutating func add(_ trial: TrialRecord, at number: Int) {
    if number != self.number { begin(number) }
    signals = trial.signals
    expects = trial.expects
    if !trial.scores.isEmpty || trial.score.value != nil { hasChecks = true }
    guard let arm = arms[trial.target], trial.status != .cancelled, trial.key.repeatIndex < repeats else {
      return
    }
    let hasNoAnswer = ScoreTally.hasNoAnswer(trial)
    zeros[arm][trial.key.repeatIndex] = hasNoAnswer
    outcomes[arm][trial.key.repeatIndex] = TraceOutcome(
      quality: hasNoAnswer ? nil : trial.score.value, dollars: trial.knownDollars)
  }

  private mutating func begin(_ next: Int) {
    end()
    // A case that comes again was scored without a part of it.
    if next < number { isScattered = true }
    number = next
    hasChecks = false
    for arm in outcomes.indices {
      for place in 0..<repeats {
        outcomes[arm][place] = .unscored
        zeros[arm][place] = false
      }
    }
  }

  private mutating func end() {
    guard number >= 0, hasChecks else { return }
    checked += 1
    for arm in outcomes.indices {
      for place in 0..<repeats where zeros[arm][place] {
        outcomes[arm][place] = TraceOutcome(quality: 0, dollars: outcomes[arm][place].dollars)
      }
    }
    let permitted = boundaries.map { boundary in
      let call = LeakAudit.Call(turn: 0, boundary: boundary, bytesSent: nil, wasStopped: false)
      return audit.leaks(of: [call], signals: signals).isEmpty
        && !OfflineWorld.stops(boundary, signals: signals)
    }
    let one = ReplayCase(
      id: "", hash: ContentHash(of: .null, kind: "case"), signals: signals, expects: expects, facts: [])
    let oracle = RouteOracle(
      arms: outcomes, permitted: [permitted], trials: PairedTrials(outcomes, cases: 1, repeats: repeats),
      cases: [one])
    guard let value = oracle.values.first, value.dollars.isFinite else { return }
    cases += 1
    sum.quality += value.quality
    sum.cost += value.dollars
    isBiased = isBiased || oracle.isBiased
  }

  /// For a thousand trials; `nil` when fewer cases than replay's floor have what it takes.
  func point() -> QualityCost.OraclePoint? {
    var last = self
    last.end()
    guard !isScattered, last.cases > 0,
      Double(last.cases) >= ReplayCoverage.floor * Double(last.checked)
    else { return nil }
    let n = Double(last.cases)
    return QualityCost.OraclePoint(
      point: CostQuality(cost: last.sum.cost / n * 1000, quality: last.sum.quality / n),
      cases: last.cases, of: last.checked, isBiased: last.isBiased)
  }
}

extension TraceOutcome {
  fileprivate static let unscored = TraceOutcome(quality: nil, dollars: nil)

  /// A trial of a profile alone as the oracle takes it; its time, which only breaks ties, is left out.
  fileprivate init(quality: Double?, dollars: Double?) {
    self.quality = quality ?? .nan
    self.dollars = dollars ?? .nan
    seconds = .nan
    flags = quality == nil ? [.whole, .unjudged] : [.whole]
    leaks = 0
  }
}

extension TrialRecord {
  /// US dollars over all measured attempts; `nil` when one is unknown.
  var knownDollars: Double? {
    var sum = 0.0
    for attempt in attempts where attempt.phase == .measured {
      guard let dollars = attempt.cost.dollars else { return nil }
      sum += dollars
    }
    return sum
  }
}
