import EvalCore

/// What one target's trials of one case come to.
struct CaseCell {
  var finished: Int32 = 0
  /// Trials with a value, and the values' sum.
  var scored: Int32 = 0
  var sum = 0.0
  /// Trials that count 0 in the strict score.
  var zeros: Int32 = 0
  var passes: Int32 = 0
  var verdicts: Int32 = 0
  /// Trials that count as not passed in the strict rate.
  var passZeros: Int32 = 0
  /// Trials whose cost is known, their cost and how many of them passed.
  var priced: Int32 = 0
  var cost = 0.0
  var pricedPasses: Int32 = 0
}

/// Gathers the scores of one target, one cell a case.
struct ScoreTally {
  private(set) var cells: [CaseCell] = []
  private(set) var counts = TrialCounts()
  private var failures: [ErrorClass: Int] = [:]
  private var unscored: [UnscoredReason?: Int] = [:]
  private var isBinary = true

  mutating func add(_ trial: TrialRecord, at number: Int) {
    count(trial)
    guard trial.status != .cancelled else { return }
    while cells.count <= number { cells.append(CaseCell()) }
    var cell = cells[number]
    cell.finished += 1
    addScore(of: trial, to: &cell)
    addCost(of: trial, to: &cell)
    cells[number] = cell
  }

  private mutating func count(_ trial: TrialRecord) {
    switch trial.status {
    case .ok: counts.ok += 1
    case .refused: counts.refused += 1
    case .empty: counts.empty += 1
    case .blocked: counts.blocked += 1
    case .cancelled: counts.cancelled += 1
    case .failed:
      counts.failed += 1
      failures[trial.errorClass ?? .unknown, default: 0] += 1
    }
    if trial.status != .cancelled { counts.finished += 1 }
  }

  private mutating func addScore(of trial: TrialRecord, to cell: inout CaseCell) {
    let hasNoAnswer = ScoreTally.hasNoAnswer(trial)
    if !hasNoAnswer, let value = trial.score.value {
      counts.scored += 1
      cell.scored += 1
      cell.sum += value
      if value != 0, value != 1 { isBinary = false }
    } else {
      let reason = trial.score.unscored ?? (hasNoAnswer ? .noAnswer : nil)
      unscored[reason, default: 0] += 1
      if hasNoAnswer { cell.zeros += 1 }
    }
    if !(hasNoAnswer && trial.status == .failed), let passed = trial.score.passed {
      cell.verdicts += 1
      if passed { cell.passes += 1 }
    } else if hasNoAnswer {
      cell.passZeros += 1
    }
  }

  /// A failed trial has none whatever was judged of earlier turns. A refusal, an empty answer or a block may be what
  /// the case wants: then its checks have said so.
  static func hasNoAnswer(_ trial: TrialRecord) -> Bool {
    switch trial.status {
    case .failed: true
    case .refused, .empty, .blocked:
      trial.score.value == nil && (trial.score.unscored ?? .noAnswer) == .noAnswer
    case .ok, .cancelled: false
    }
  }

  private func addCost(of trial: TrialRecord, to cell: inout CaseCell) {
    guard let dollars = trial.knownDollars else { return }
    cell.priced += 1
    cell.cost += dollars
    if trial.score.passed == true, trial.status != .failed { cell.pricedPasses += 1 }
  }

  /// The counts with their lists in order.
  func counts(planned: Int) -> TrialCounts {
    var counts = counts
    counts.planned = max(planned, counts.finished)
    counts.failures = failures.map { .init(kind: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.kind.rawValue) < ($0.count, $1.kind.rawValue) }
    counts.unscored = ScoreTally.ordered(unscored)
    return counts
  }

  static func ordered(_ unscored: [UnscoredReason?: Int]) -> [TrialCounts.UnscoredCount] {
    unscored.map { .init(reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason?.rawValue ?? "") < ($0.count, $1.reason?.rawValue ?? "") }
  }

  /// - Parameter confidence: of the intervals.
  func summary(_ table: CaseTable, planned: Int, confidence: Double) -> ScoreSummary {
    var strict = CaseValues()
    var conditional = CaseValues()
    var passStrict = CaseValues()
    var passConditional = CaseValues()
    strict.isBinary = isBinary
    conditional.isBinary = isBinary
    var mustPassFailures: [String] = []
    var sum = 0.0
    for (number, cell) in cells.enumerated() {
      let cluster = table.clusters[number]
      func add(_ sum: Double, of trials: Int32, to values: inout CaseValues) {
        guard trials > 0 else { return }
        values.append(sum / Double(trials), trials: Int(trials), cluster: cluster)
      }
      sum += cell.sum
      add(cell.sum, of: cell.scored, to: &conditional)
      add(cell.sum, of: cell.scored + (table.hasChecks[number] ? cell.zeros : 0), to: &strict)
      add(Double(cell.passes), of: cell.verdicts, to: &passConditional)
      add(Double(cell.passes), of: cell.verdicts + passZeros(number, table), to: &passStrict)
      if table.mustPass[number], cell.passes < cell.finished, mustPassFailures.count < 20 {
        mustPassFailures.append(table.ids[number])
      }
    }
    func missing(_ values: CaseValues) -> Int { planned - values.trials }
    func mean(_ values: CaseValues) -> Estimate {
      Mean.ofScores(values, missing: missing(values), confidence: confidence)
    }
    let passes = cells.reduce(0) { $0 + Int($1.passes) }
    let hasAny = strict.trials > 0
    return ScoreSummary(
      strict: mean(strict),
      conditional: mean(conditional),
      bounds: hasAny ? worstCaseBounds(sum: sum, missing: missing(conditional), planned: planned) : nil,
      passStrict: mean(passStrict),
      passConditional: mean(passConditional),
      passBounds: passStrict.trials == 0
        ? nil
        : worstCaseBounds(sum: Double(passes), missing: missing(passConditional), planned: planned),
      passes: passes, verdicts: passConditional.trials, mustPassFailures: mustPassFailures)
  }

  /// Trials without an answer count as not passed only where a pass was possible.
  private func passZeros(_ number: Int, _ table: CaseTable) -> Int32 {
    guard table.anyVerdict, table.hasChecks[number], !table.isUngated[number] else { return 0 }
    return cells[number].passZeros
  }

  func repeats(_ table: CaseTable, repeats: Int) -> RepeatSummary? {
    guard repeats > 1 else { return nil }
    let judged = cells.indices.map { number in
      (
        number: number, passes: Int(cells[number].passes),
        verdicts: Int(cells[number].verdicts + passZeros(number, table))
      )
    }.filter { $0.verdicts > 0 }
    func mean(_ k: Int, _ value: (Int, Int) -> Double?) -> RepeatSummary.KEstimate {
      var values = CaseValues()
      for one in judged {
        guard let value = value(one.passes, one.verdicts) else { continue }
        values.append(value, cluster: table.clusters[one.number])
      }
      values.isBinary = values.values.allSatisfy { $0 == 0 || $0 == 1 }
      return .init(k: k, estimate: Mean.ofScores(values, missing: judged.count - values.count))
    }
    let ks = [1, 2, 5, 10, 100].filter { $0 < repeats } + [repeats]
    let mixed = judged.filter { $0.passes > 0 && $0.passes < $0.verdicts }
      .sorted {
        abs(2 * $0.passes - $0.verdicts) * $1.verdicts < abs(2 * $1.passes - $1.verdicts) * $0.verdicts
      }
    return RepeatSummary(
      repeats: repeats, flipRate: Repeats.flipRate(judged.lazy.map { ($0.passes, $0.verdicts) }),
      passAtK: ks.map { k in mean(k) { Repeats.passAtK(passes: $0, of: $1, k: k) } },
      passHatK: ks.map { k in mean(k) { Repeats.passHatK(passes: $0, of: $1, k: k) } },
      mixed: mixed.prefix(20).map {
        .init(caseID: table.ids[$0.number], passes: $0.passes, verdicts: $0.verdicts)
      })
  }
}
