import EvalCore

/// The part of a run that a gate is about.
struct GateSlice: Hashable {
  var tag: String?
  var caseID: String?

  init(_ gate: GateSpec) {
    tag = gate.tag
    caseID = gate.caseID
  }

  static let all = GateSlice(.mustPass)

  func holds(_ trial: TrialRecord) -> Bool {
    if let caseID, trial.caseID != caseID { return false }
    if let tag, !trial.tags.contains(tag) { return false }
    return true
  }
}

/// A share of trials over the cases of one target.
struct ShareTally {
  private var ones: [Int32] = []
  private var trials: [Int32] = []

  mutating func add(_ isOne: Bool, at number: Int) {
    while ones.count <= number {
      ones.append(0)
      trials.append(0)
    }
    trials[number] += 1
    if isOne { ones[number] += 1 }
  }

  func estimate(_ table: CaseTable, confidence: Double) -> Estimate {
    var values = CaseValues()
    for (number, count) in trials.enumerated() where count > 0 {
      values.append(
        Double(ones[number]) / Double(count), trials: Int(count), cluster: table.clusters[number])
    }
    return Mean.ofScores(values, confidence: confidence)
  }
}

/// How the repeats of one case under one target went.
struct RepeatMarks {
  /// Passed, did not, and cannot be said, each by repeat index.
  private(set) var passed: [Int32] = []
  private(set) var failed: [Int32] = []

  mutating func add(_ trial: TrialRecord) {
    let index = Int32(trial.key.repeatIndex)
    let isInfrastructure = trial.status == .failed && (trial.errorClass ?? .unknown).blame != .model
    if isInfrastructure { return }
    if ScoreTally.hasNoAnswer(trial) {
      failed.append(index)
    } else if let verdict = trial.score.passed {
      if verdict { passed.append(index) } else { failed.append(index) }
    }
  }

  /// Whether at least `least` of the first `all` repeats pass; `nil` when that is not known.
  func passes(_ least: Int, of all: Int) -> Bool? {
    if passed.count(where: { $0 < all }) >= least { return true }
    return all - failed.count(where: { $0 < all }) < least ? false : nil
  }
}

/// What gates need beyond a run's summary, gathered in one pass.
struct GateTally {
  /// A slice has a summary of its own, except the whole of a finished run.
  private var builders: [GateSlice: SummaryBuilder] = [:]
  private var shares: [GateSlice: [String: [String: ShareTally]]] = [:]
  private var marks: [GateSlice: [String: [Int: RepeatMarks]]] = [:]
  private var mustPass: [String: [Int: RepeatMarks]] = [:]
  private(set) var table = CaseTable()
  private(set) var finishedByTarget: [String: Int] = [:]

  /// - Parameter gates: to be judged.
  init(_ gates: [GateSpec], run: RunInfo) {
    // An unfinished run is judged at another confidence than it is reported at.
    let needsWhole = run.status != .finished
    // A slice plans what it has: how many trials of a tag were planned is not stored.
    var part = run
    part.plannedTrials = 0
    part.caseCount = 0
    for gate in gates {
      let slice = GateSlice(gate)
      switch gate.demand {
      case .passes: marks[slice, default: [:]] = [:]
      case .mustPass, .unreadable: break
      case .bound, .notWorse:
        if slice != .all || needsWhole, builders[slice] == nil { builders[slice] = SummaryBuilder(run: part) }
        if case .share? = Measure.named(gate.measure)?.source {
          shares[slice, default: [:]][gate.measure] = [:]
        }
      }
    }
  }

  mutating func add(_ trial: TrialRecord) {
    guard trial.status != .cancelled else { return }
    finishedByTarget[trial.target, default: 0] += 1
    let number = table.note(trial)
    if trial.mustPass { mustPass[trial.target, default: [:]][number, default: RepeatMarks()].add(trial) }
    for slice in builders.keys where slice.holds(trial) { builders[slice]?.add(trial) }
    for (slice, measures) in shares where slice.holds(trial) {
      for name in measures.keys {
        guard case .share(let isOne)? = Measure.named(name)?.source, let one = isOne(trial) else { continue }
        shares[slice]?[name]?[trial.target, default: ShareTally()].add(one, at: number)
      }
    }
    for slice in marks.keys where slice.holds(trial) {
      marks[slice]?[trial.target, default: [:]][number, default: RepeatMarks()].add(trial)
    }
  }

  func summaries(confidence: Double) -> [GateSlice: RunSummary] {
    builders.mapValues { $0.summary(confidence: confidence) }
  }

  func share(_ name: String, _ slice: GateSlice, _ target: String, confidence: Double) -> Estimate {
    shares[slice]?[name]?[target]?.estimate(table, confidence: confidence)
      ?? Estimate(value: nil, n: 0, method: .wilson)
  }

  var hasMustPass: Bool { !mustPass.isEmpty }

  func mustPassMarks(_ target: String) -> [(number: Int, marks: RepeatMarks)] {
    (mustPass[target] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Case numbers with their repeats.
  func marks(_ slice: GateSlice, _ target: String) -> [(number: Int, marks: RepeatMarks)] {
    (marks[slice]?[target] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension Measure {
  static let byName = Dictionary(uniqueKeysWithValues: MeasureRegistry.all.map { ($0.info.name, $0) })

  static func named(_ name: String) -> Measure? { byName[name] }
}
