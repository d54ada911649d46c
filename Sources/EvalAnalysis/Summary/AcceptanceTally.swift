import EvalCore

/// Gathers what trials took and whether they were accepted, one cell a case.
struct AcceptanceTally {
  /// Trials of which a number is known.
  private struct Part {
    var trials: Int32 = 0
    var accepted: Int32 = 0
    var sum = 0.0

    mutating func add(_ value: Double?, isAccepted: Bool) {
      guard let value else { return }
      trials += 1
      sum += value
      if isAccepted { accepted += 1 }
    }
  }

  private struct Cell {
    var asks: Int32 = 0
    var accepted: Int32 = 0
    var cost = Part()
    var wait = Part()
  }

  private var cells: [Cell] = []
  private var finished = 0

  mutating func add(_ trial: TrialRecord, at number: Int) {
    guard trial.status != .cancelled else { return }
    finished += 1
    guard let isAccepted = AcceptanceTally.isAccepted(trial) else { return }
    while cells.count <= number { cells.append(Cell()) }
    cells[number].asks += 1
    if isAccepted { cells[number].accepted += 1 }
    cells[number].cost.add(AcceptanceTally.dollars(trial), isAccepted: isAccepted)
    cells[number].wait.add(AcceptanceTally.milliseconds(trial), isAccepted: isAccepted)
  }

  /// `nil` for an answer on which there is no verdict.
  private static func isAccepted(_ trial: TrialRecord) -> Bool? {
    if trial.status == .failed { return false }
    return trial.score.passed ?? (ScoreTally.hasNoAnswer(trial) ? false : nil)
  }

  /// `nil` when the cost of one call is unknown.
  private static func dollars(_ trial: TrialRecord) -> Double? {
    var sum = 0.0
    for attempt in trial.attempts where attempt.phase == .measured {
      guard let dollars = attempt.cost.dollars else { return nil }
      sum += dollars
    }
    return sum
  }

  /// What a user waited for all turns; `nil` when a call has no end.
  private static func milliseconds(_ trial: TrialRecord) -> Double? {
    var sum: Int64 = 0
    for attempt in trial.attempts where attempt.phase == .measured {
      let timeline = attempt.timeline
      guard let time = attempt.isOK ? timeline.total : timeline.duration ?? timeline.total else { return nil }
      sum += attempt.wait + (timeline.queue ?? 0) + time
    }
    return EvalAnalysis.milliseconds(sum)
  }

  /// - Returns: `nil` when no check of the run gives a verdict.
  func summary(_ table: CaseTable, seed: UInt64) -> AcceptanceSummary? {
    guard table.anyVerdict else { return nil }
    // A failed trial says nothing of a case that no check could have accepted.
    let judged = cells.indices.filter {
      cells[$0].asks > 0 && table.hasChecks[$0] && !table.isUngated[$0]
    }
    var rates = CaseValues()
    for number in judged {
      let cell = cells[number]
      rates.append(
        Double(cell.accepted) / Double(cell.asks), trials: Int(cell.asks), cluster: table.clusters[number])
    }
    guard rates.trials > 0 else { return nil }
    return AcceptanceSummary(
      rate: Mean.ofScores(rates, missing: finished - rates.trials), cost: part(\.cost, judged, table, seed),
      wait: part(\.wait, judged, table, seed), again: again(judged))
  }

  private func part(
    _ path: KeyPath<Cell, Part>, _ judged: [Int], _ table: CaseTable, _ seed: UInt64
  ) -> AcceptanceSummary.PerAccepted {
    var means = CaseValues()
    var rates = CaseValues()
    var ratio = RatioSample()
    for number in judged {
      let part = cells[number][keyPath: path]
      guard part.trials > 0 else { continue }
      let cluster = table.clusters[number]
      let (mean, rate) = (part.sum / Double(part.trials), Double(part.accepted) / Double(part.trials))
      means.append(mean, trials: Int(part.trials), cluster: cluster)
      rates.append(rate, trials: Int(part.trials), cluster: cluster)
      // Each case once, however often it was asked, as in every mean.
      ratio.append(top: mean, bottom: rate, cluster: cluster)
    }
    let missing = finished - means.trials
    var result = AcceptanceSummary.PerAccepted(
      perAsk: Mean.estimate(means, missing: missing, bounds: 0...Double.greatestFiniteMagnitude),
      perAccepted: Ratio.estimate(ratio, n: means.trials, missing: missing, seed: seed))
    result.bound(rates)
    return result
  }

  private func again(_ judged: [Int]) -> AcceptanceSummary.Again? {
    let cases = judged.map { (passes: Int(cells[$0].accepted), trials: Int(cells[$0].asks)) }
      .filter { $0.trials >= 2 }
    guard !cases.isEmpty else { return nil }
    return AcceptanceSummary.Again(
      cases: cases.count, never: cases.count { $0.passes == 0 },
      neverExpected: Dispersion.expectedWithoutPass(cases), pValue: Dispersion.pValue(cases))
  }
}

extension AcceptanceSummary.PerAccepted {
  /// Takes a value back that has no upper end, and says what is the least.
  fileprivate mutating func bound(_ rates: CaseValues) {
    guard rates.count > 0 else {
      reason = .noVerdict
      return
    }
    let isUnbounded =
      perAccepted.interval == nil && perAccepted.method == .clusterBootstrap
      && (perAccepted.units ?? 0) >= 2
    guard perAccepted.value == nil || isUnbounded else { return }
    reason = perAccepted.value == nil ? .noneAccepted : .fewAccepted
    perAccepted.value = nil
    // The mean over the most that the rate can be.
    guard let most = Mean.ofScores(rates).interval?.upperBound, most > 0 else { return }
    atLeast = perAsk.value.map { $0 / most }
  }
}
