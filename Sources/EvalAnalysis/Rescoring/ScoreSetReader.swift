import EvalCore

/// Pairs the trials of two gradings. Both come in the same order, so the earlier one is kept in that order, with a few
/// numbers for each check of a trial.
struct ScoreSetReader {
  /// Names a check within a target.
  struct CheckKey: Hashable {
    var check: String
    var turn: Int?
  }

  /// A trial of the earlier grading.
  private struct Early {
    var key: TrialKey
    var whole: ComparedTrial
    var isUngated: Bool
    /// Into `values`.
    var checks: Range<Int>
  }

  private let names: [String]
  private var places: [String: Int] = [:]
  private var columns: [TargetColumns]
  private var early: [Early] = []
  private var values: [(check: Int32, judgement: CheckValue)] = []
  private var position = 0
  private var clusters: [String: Int] = [:]

  init(run: RunInfo) {
    names = run.targets.map(\.name)
    for (place, name) in names.enumerated() { places[name] = place }
    columns = names.map { _ in TargetColumns() }
  }

  mutating func add(before trial: TrialRecord) {
    guard let place = places[trial.target], trial.status != .cancelled, trial.isCovered else { return }
    let start = values.count
    for score in trial.scores {
      let check = columns[place].place(of: score)
      columns[place].checks[check].before.add(score)
      values.append((Int32(check), CheckValue(score.judgement)))
    }
    early.append(
      Early(
        key: trial.key, whole: ComparedTrial(scoresOf: trial), isUngated: trial.isUngated,
        checks: start..<values.count))
  }

  mutating func add(after trial: TrialRecord) {
    guard let place = places[trial.target], trial.status != .cancelled else { return }
    columns[place].trials += 1
    // A trial that only one of the passes has was not covered by the other.
    guard trial.isCovered, let old = find(trial.key) else { return }
    columns[place].covered += 1
    let cluster = trial.cluster.map { name in
      clusters[name]
        ?? {
          clusters[name] = clusters.count
          return clusters.count - 1
        }()
    }
    columns[place].begin(trial, cluster: cluster)
    columns[place].whole.add(
      old.whole, ComparedTrial(scoresOf: trial), isUngated: old.isUngated || trial.isUngated,
      hasChecks: !old.checks.isEmpty || !trial.scores.isEmpty)
    var news = [CheckValue?](repeating: nil, count: columns[place].checks.count)
    for score in trial.scores {
      let check = columns[place].place(of: score)
      while news.count <= check { news.append(nil) }
      columns[place].checks[check].after.add(score)
      news[check] = CheckValue(score.judgement)
    }
    for (check, before) in values[old.checks] {
      guard let after = news[Int(check)] else { continue }
      columns[place].checks[Int(check)].pairs.add(
        before.trial(trial.key.repeatIndex), after.trial(trial.key.repeatIndex), isUngated: false,
        hasChecks: true)
    }
  }

  /// The earlier grading's trial of this key, from the last one found on; what lies between has no partner.
  private mutating func find(_ key: TrialKey) -> Early? {
    guard let found = early[position...].firstIndex(where: { $0.key == key }) else { return nil }
    position = found + 1
    return early[found]
  }

  mutating func targets(seed: UInt64) -> [ScoreSetChange.TargetChange] {
    zip(names, columns.indices).map { name, place in columns[place].change(name, seed: seed) }
  }
}

extension TrialRecord {
  /// It has a score that nobody set a threshold for.
  fileprivate var isUngated: Bool { score.passed == nil && score.value != nil }
}

/// A judgement in two small numbers.
struct CheckValue {
  /// `nan` is unscored.
  private let value: Double
  private let passed: Bool?

  init(_ judgement: Judgement) {
    switch judgement {
    case .scored(let value, let passed): (self.value, self.passed) = (value, passed)
    case .unscored: (value, passed) = (.nan, nil)
    }
  }

  func trial(_ repeatIndex: Int) -> ComparedTrial {
    var trial = ComparedTrial(repeatIndex: repeatIndex)
    trial.score = value.isNaN ? nil : value
    trial.passed = passed
    return trial
  }
}

extension ScoreSetChange.Counts {
  mutating func add(_ score: ScoreRecord) {
    kind = score.kind
    trials += 1
    switch score.judgement {
    case .scored(let value, let passed):
      sum += value
      if let passed {
        verdicts += 1
        if passed { passes += 1 }
      }
    case .unscored: unscored += 1
    }
  }
}
