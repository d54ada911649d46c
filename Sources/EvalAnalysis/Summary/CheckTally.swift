import EvalCore

/// Gathers one check over a target's trials.
struct CheckTally {
  private struct Entry {
    var number: Int32
    /// −1 when the check has no verdict.
    var passed: Int8
    var value: Double
  }

  let name: String
  let kind: String
  private var entries: [Entry] = []
  private var unscored: [UnscoredReason?: Int] = [:]
  private var criteria = CriterionTally()
  private var passes = 0
  private var verdicts = 0

  init(name: String, kind: String) {
    self.name = name
    self.kind = kind
  }

  mutating func add(_ score: ScoreRecord, at number: Int) {
    criteria.add(score.criteria, at: number)
    switch score.judgement {
    case .scored(let value, let passed):
      entries.append(
        Entry(number: Int32(number), passed: passed.map { $0 ? 1 : 0 } ?? -1, value: value))
      if let passed {
        verdicts += 1
        if passed { passes += 1 }
      }
    case .unscored(let reason, _):
      unscored[reason, default: 0] += 1
    }
  }

  func summary(_ table: CaseTable, confidence: Double) -> CheckSummary {
    let missing = unscored.values.reduce(0, +)
    var values = CaseValues()
    var rates = CaseValues()
    values.isBinary = entries.allSatisfy { $0.value == 0 || $0.value == 1 }
    let ordered = entries.sorted { $0.number < $1.number }
    var start = 0
    while start < ordered.count {
      let number = ordered[start].number
      var sum = 0.0
      var judged = 0
      var passed = 0
      var end = start
      while end < ordered.count, ordered[end].number == number {
        sum += ordered[end].value
        if ordered[end].passed >= 0 { judged += 1 }
        if ordered[end].passed == 1 { passed += 1 }
        end += 1
      }
      let cluster = table.clusters[Int(number)]
      values.append(sum / Double(end - start), trials: end - start, cluster: cluster)
      if judged > 0 { rates.append(Double(passed) / Double(judged), trials: judged, cluster: cluster) }
      start = end
    }
    return CheckSummary(
      name: name, kind: kind, passRate: Mean.ofScores(rates, missing: missing, confidence: confidence),
      passes: passes, verdicts: verdicts,
      value: Mean.ofScores(values, missing: missing, confidence: confidence),
      unscored: ScoreTally.ordered(unscored), criteria: criteria.summaries(table))
  }
}

/// The checks of one target by name, in the order in which they are met.
struct CheckTallies {
  private var places: [String: Int] = [:]
  private var tallies: [CheckTally] = []

  mutating func add(_ scores: [ScoreRecord], at number: Int) {
    for score in scores {
      let place =
        places[score.check]
        ?? {
          places[score.check] = tallies.count
          tallies.append(CheckTally(name: score.check, kind: score.kind))
          return tallies.count - 1
        }()
      tallies[place].add(score, at: number)
    }
  }

  func summaries(_ table: CaseTable, confidence: Double) -> [CheckSummary] {
    tallies.map { $0.summary(table, confidence: confidence) }
  }
}
