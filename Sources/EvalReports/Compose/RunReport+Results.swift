import EvalAnalysis
import EvalCore

extension RunReport {
  /// The table that answers first: how good, how fast, how dear.
  static func results(_ summary: RunSummary) -> ReportBlock {
    var table = TargetTable(summary.targets, id: "targets")
    table.row("trials finished", when: { $0.counts.unfinished > 0 }, show: { finished($0.counts) })
    table.row("without answer", when: { $0.counts.withoutAnswer > 0 }, show: { withoutAnswer($0.counts) })
    table.row(
      "could not be judged", when: { $0.counts.unjudged > 0 },
      show: {
        ReportCell(count: $0.counts.unjudged, tone: .warning)
      })
    addScores(to: &table, summary)
    addSpeed(to: &table, summary)
    addTokens(to: &table)
    addCost(to: &table, summary)
    addRouting(to: &table, summary)
    return table.block
  }

  private static func addTokens(to table: inout TargetTable) {
    for (label, path) in [("tokens in, a call", \TokenSummary.input), ("tokens out, a call", \.output)] {
      table.row(
        label, when: { $0.tokens[keyPath: path].reported > 0 },
        show: { target in
          let count = target.tokens[keyPath: path]
          guard let mean = count.mean else { return .missing }
          return ReportCell(
            Quantity.amount.text(mean), n: count.reported,
            note: count.unreported > 0 ? "\(Numbers.count(count.unreported)) not reported" : nil)
        })
    }
  }

  private static func addCost(to table: inout TargetTable, _ summary: RunSummary) {
    table.row(summary.isRecorded ? "cost of 1,000 trials if live" : "cost of 1,000 trials") { target in
      guard target.cost.perTrial.value != nil else { return cost(target.cost) }
      return ReportCell(target.cost.perTrial.thousandfold, .dollars)
    }
    table.mark(.cost, summary, isHigherBetter: false) { $0.cost.perTrial.value }
    table.row(
      "cost per success", when: { $0.cost.known > 0 }, show: { ReportCell($0.cost.perSuccess, .dollars) })
  }

  /// Strict and conditional one under the other where they differ; the suite says which leads.
  private static func addScores(to table: inout TargetTable, _ summary: RunSummary) {
    let scores = summary.targets.map(\.score)
    let leadsConditional = summary.run.settings["failuresCountAsZero"]?.boolValue == false
    typealias Reading = (words: String, path: KeyPath<ScoreSummary, Estimate>)
    func readings(_ strict: KeyPath<ScoreSummary, Estimate>, _ conditional: KeyPath<ScoreSummary, Estimate>)
      -> [Reading]
    {
      guard scores.contains(where: { $0[keyPath: strict] != $0[keyPath: conditional] }) else {
        return [("", strict)]
      }
      let both: [Reading] = [(" (strict)", strict), (" (conditional)", conditional)]
      return leadsConditional ? both.reversed() : both
    }
    for (words, path) in readings(\.passStrict, \.passConditional) {
      table.row(
        "pass rate\(words)", when: { $0.score[keyPath: path].n > 0 },
        show: { passRate($0.score[keyPath: path], of: $0.score) })
      if path == \.passStrict {
        table.mark(.pass, summary, isHigherBetter: true) { $0.score.passStrict.value }
      }
    }
    addCorrected(to: &table, summary)
    // A score made of passes and fails alone is the pass rate again.
    guard scores.contains(where: { $0.strict != $0.passStrict }) else { return }
    for (words, path) in readings(\.strict, \.conditional) {
      table.row(
        "score\(words)", when: { $0.score[keyPath: path].n > 0 },
        show: { ReportCell($0.score[keyPath: path], .score) })
      if path == \.strict {
        table.mark(.score, summary, isHigherBetter: true) { $0.score.strict.value }
      }
    }
  }

  private static func addSpeed(to table: inout TargetTable, _ summary: RunSummary) {
    let suffix = summary.isRecorded ? ", recorded" : ""
    let hasToken = { (target: TargetSummary) in target.headline?.headlineToken != nil }
    table.row(
      "first token p50\(suffix)", when: hasToken,
      show: {
        percentile($0, of: $0.headline?.headlineToken, \.p50)
      })
    table.mark(.firstToken, summary, isHigherBetter: false) { $0.headline?.headlineToken?.p50.measured }
    table.row(
      "first token p95\(suffix)", when: hasToken,
      show: {
        percentile($0, of: $0.headline?.headlineToken, \.p95)
      })
    let hasCalls = { (target: TargetSummary) in target.headline != nil }
    table.row("total p50\(suffix)", when: hasCalls, show: { percentile($0, of: $0.headline?.total, \.p50) })
    table.mark(.latency, summary, isHigherBetter: false) { $0.headline?.total.p50.measured }
    table.row("total p95\(suffix)", when: hasCalls, show: { percentile($0, of: $0.headline?.total, \.p95) })
  }

  private static func percentile(
    _ target: TargetSummary, of distribution: Distribution?, _ path: KeyPath<Distribution, Percentile>
  ) -> ReportCell {
    guard let distribution, let group = target.headline else { return .missing }
    var cell = ReportCell(distribution[keyPath: path], .milliseconds, showsN: true)
    if group.condition.connection != .unknown {
      let connection = group.condition.connection.rawValue
      cell.note = cell.note.map { "\($0) · \(connection)" } ?? connection
    }
    return cell
  }

  private static func passRate(_ estimate: Estimate, of score: ScoreSummary) -> ReportCell {
    var cell = ReportCell(estimate, .share)
    if estimate.n > 0 {
      cell.n = nil
      let parts = [Numbers.part(score.passes, of: estimate.n), cell.note].compactMap(\.self)
      cell.note = parts.joined(separator: " · ")
    }
    return cell
  }

  private static func finished(_ counts: TrialCounts) -> ReportCell {
    ReportCell(
      Numbers.part(counts.finished, of: counts.planned), tone: counts.unfinished > 0 ? .warning : .plain)
  }

  private static func withoutAnswer(_ counts: TrialCounts) -> ReportCell {
    var parts: [String] = []
    for (count, word) in [
      (counts.failed, "failed"), (counts.refused, "refused"), (counts.empty, "empty"),
      (counts.blocked, "blocked"),
    ] where count > 0 {
      parts.append("\(Numbers.count(count)) \(word)")
    }
    return ReportCell(
      Numbers.count(counts.withoutAnswer), note: parts.isEmpty ? nil : parts.joined(separator: ", "),
      // A block may be what the case wants; whether it was is what the score says.
      tone: counts.withoutAnswer > counts.blocked ? .bad : .quiet)
  }

  /// The known sum; `≥` when it may be more, `unknown` when nothing is known.
  static func cost(_ cost: CostSummary) -> ReportCell {
    guard cost.attempts > 0 else { return .missing }
    if cost.unknown == cost.attempts {
      return ReportCell("unknown", note: "\(Numbers.count(cost.unknown)) calls", tone: .warning)
    }
    var notes: [String] = []
    if cost.unknown > 0 {
      notes.append("\(Numbers.part(cost.unknown, of: cost.attempts)) calls unknown")
    }
    if cost.cut > 0 { notes.append("\(Numbers.count(cost.cut)) cut") }
    let sign = cost.isLowerBound ? "≥ " : ""
    return ReportCell(
      sign + Quantity.dollars.text(cost.known), note: notes.isEmpty ? nil : notes.joined(separator: ", "))
  }

  /// Everything that trials can become, with the classes of failures and the reasons for no score.
  static func trials(_ summary: RunSummary) -> [ReportBlock] {
    var table = TargetTable(summary.targets)
    table.row("planned") { ReportCell(count: $0.counts.planned) }
    table.row("finished") { ReportCell(count: $0.counts.finished) }
    table.row("answered") { ReportCell(count: $0.counts.ok) }
    for (label, path) in [
      ("refused", \TrialCounts.refused), ("empty", \.empty), ("blocked by policy", \.blocked),
      ("failed", \.failed),
    ] {
      table.row(
        label, when: { $0.counts[keyPath: path] > 0 },
        show: {
          ReportCell(count: $0.counts[keyPath: path], tone: .bad)
        })
    }
    for kind in ordered(summary.targets.flatMap { $0.counts.failures.map(\.kind) }) {
      table.row("  \(kind.rawValue)") { target in
        ReportCell(count: target.counts.failures.first { $0.kind == kind }?.count ?? 0, tone: .bad)
      }
    }
    table.row(
      "not finished", when: { $0.counts.unfinished > 0 },
      show: {
        ReportCell(count: $0.counts.unfinished, tone: .warning)
      })
    table.row("scored") { ReportCell(count: $0.counts.scored) }
    for reason in ordered(summary.targets.flatMap { $0.counts.unscored.map(\.reason) }) {
      table.row("  unscored: \(reason?.words ?? "no check")") { target in
        ReportCell(count: target.counts.unscored.first { $0.reason == reason }?.count ?? 0, tone: .warning)
      }
    }
    let isPartial = { (target: TargetSummary) in target.score.conditional.missing > 0 }
    table.row(
      "score, worst case", when: { isPartial($0) && $0.score.bounds != nil },
      show: { target in
        target.score.bounds.map { ReportCell(Quantity.score.text($0)) } ?? .missing
      })
    table.row(
      "pass rate, worst case", when: { isPartial($0) && $0.score.passBounds != nil },
      show: { target in
        target.score.passBounds.map { ReportCell(Quantity.share.text($0)) } ?? .missing
      })
    return [table.block]
  }

  /// Each value once, in the order of its first coming.
  static func ordered<Value: Hashable>(_ values: [Value]) -> [Value] {
    var seen: Set<Value> = []
    return values.filter { seen.insert($0).inserted }
  }

  /// What each criterion of the rubrics got.
  private static func addCriteria(to table: inout TargetTable, _ summary: RunSummary) {
    let pairs = summary.targets.flatMap { target in
      target.checks.flatMap { check in check.criteria.map { [check.name, $0.name] } }
    }
    for pair in ordered(pairs).prefix(40) {
      table.row("\(pair[0]): \(pair[1])") { target in
        let check = target.checks.first { $0.name == pair[0] }
        guard let criterion = check?.criteria.first(where: { $0.name == pair[1] }) else { return .missing }
        var cell = ReportCell(criterion.value, .score)
        if criterion.verdicts > 0 {
          let reached = "\(Numbers.part(criterion.passes, of: criterion.verdicts)) good enough"
          cell.note = [cell.note, reached].compactMap(\.self).joined(separator: " · ")
        }
        return cell
      }
    }
  }

  /// Each check over all cases.
  static func checks(_ summary: RunSummary) -> [ReportBlock] {
    let names = ordered(summary.targets.flatMap { $0.checks.map(\.name) })
    guard !names.isEmpty else { return [] }
    let limit = 40
    var table = TargetTable(summary.targets)
    for name in names.prefix(limit) {
      table.row(name) { target in
        guard let check = target.checks.first(where: { $0.name == name }) else { return .missing }
        guard check.verdicts > 0 else { return ReportCell(check.value, .score) }
        var cell = ReportCell(check.passRate, .share)
        cell.n = nil
        cell.note =
          Numbers.part(check.passes, of: check.verdicts)
          + (check.passRate.missing > 0 ? " · \(Numbers.count(check.passRate.missing)) unscored" : "")
        return cell
      }
      if let measured = summary.judging?.measured.first(where: { $0.check == name }) {
        table.row("\(name), corrected") { RunReport.corrected($0, measured) }
      }
    }
    addCriteria(to: &table, summary)
    var blocks = [table.block]
    if names.count > limit {
      blocks.append(
        .paragraph(
          "\(limit) of \(Numbers.count(names.count)) checks are shown; the JSON report has all of them."))
    }
    return blocks
  }
}

extension TrialCounts {
  /// Finished without an answer that can be graded.
  var withoutAnswer: Int { failed + refused + empty + blocked }

  /// Answers whose checks gave no score.
  var unjudged: Int {
    unscored.filter { $0.reason != .noAnswer && $0.reason != nil }.reduce(0) { $0 + $1.count }
  }
}

extension UnscoredReason {
  var words: String {
    switch self {
    case .noAnswer: "no answer"
    case .notMeasured: "not measured live"
    case .notReported: "not reported"
    case .graderFailed: "grader failed"
    case .notApplicable: "not applicable"
    }
  }
}

extension LatencyGroup {
  /// The first-token times that headlines speak of: the kind with more calls.
  var headlineToken: Distribution? {
    guard let plain = firstToken, let cached = firstTokenCached else { return firstToken ?? firstTokenCached }
    return cached.n > plain.n ? cached : plain
  }
}
