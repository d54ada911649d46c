import EvalAnalysis
import EvalCore

extension RunReport {
  /// What the judges did and cost, and how far their verdicts agree; empty when nobody judged.
  static func judges(_ summary: RunSummary) -> [ReportBlock] {
    guard let judging = summary.judging else { return [] }
    var blocks = comparisons(judging)
    if !judging.judges.isEmpty { blocks.append(ledger(judging, isRecorded: summary.isRecorded)) }
    if !judging.embedders.isEmpty {
      blocks.append(.table(embedders(judging.embedders, isRecorded: summary.isRecorded)))
    }
    if let agreement = agreement(judging) { blocks.append(agreement) }
    blocks += measured(judging)
    var note = "Judges are booked apart: nothing of this is in the targets' times, tokens or costs."
    if !judging.judges.isEmpty, let version = judging.promptVersion, let hash = judging.promptHash {
      note += " Judge prompt version \(version) (\(hash.prefix(12))); Docs/Judges.md."
    }
    return blocks + [.paragraph(note)]
  }

  /// Who was preferred, in both orders, and how strong that makes each.
  private static func comparisons(_ judging: JudgingSummary) -> [ReportBlock] {
    guard !judging.pairs.isEmpty else { return [] }
    var table = ReportTable(
      caption: "Comparisons, each in both orders",
      columns: [
        .init("", .left), .init("win rate"), .init("won"), .init("tied"), .init("lost"),
        .init("changed with the order"),
      ])
    for pair in judging.pairs {
      var rate = ReportCell(pair.winRate, .share, showsMissing: false)
      if pair.unscored > 0 { rate.note = "\(Numbers.count(pair.unscored)) unscored" }
      table.rows.append([
        ReportCell("\(pair.comparison): \(pair.first) over \(pair.second)"), rate,
        ReportCell(count: pair.wins),
        ReportCell(count: pair.ties), ReportCell(count: pair.losses),
        ReportCell(pair.flipRate, .share, showsMissing: false),
      ])
    }
    return [.table(table)] + judging.rankings.map(ranking)
  }

  private static func ranking(_ ranking: RankingSummary) -> ReportBlock {
    var table = ReportTable(
      caption: "\(ranking.comparison): Bradley–Terry strength",
      columns: [.init("", .left), .init("strength")])
    for target in ranking.targets {
      table.rows.append([ReportCell(target.name), ReportCell(target.strength, .score, showsMissing: false)])
    }
    return .table(table)
  }

  private static func ledger(_ judging: JudgingSummary, isRecorded: Bool) -> ReportBlock {
    var table = JudgeColumns(judging.judges)
    table.row("model", when: { $0.model != nil }, show: { ReportCell($0.model ?? Numbers.missing) })
    addVerdicts(to: &table)
    table.row("calls") { judge in
      ReportCell(
        Numbers.count(judge.calls), note: judge.retries > 0 ? "\(Numbers.count(judge.retries)) retries" : nil)
    }
    table.row("verdict held by") { ReportCell($0.forceWords) }
    table.row("input tokens") { tokens($0.input) }
    table.row("output tokens") { tokens($0.output) }
    table.row(isRecorded ? "cost if live" : "cost") { cost($0) }
    table.row(
      "total p50", when: { $0.time.n > 0 }, show: { ReportCell($0.time.p50, .milliseconds, showsN: true) })
    return .table(table.table)
  }

  private static func addVerdicts(to table: inout JudgeColumns) {
    table.row("questions with a verdict") { judge in
      ReportCell(
        Numbers.part(judge.verdicts, of: judge.questions), tone: judge.unread > 0 ? .warning : .plain)
    }
    for fault in ordered(table.judges.flatMap { $0.faults.map(\.fault) }) {
      table.row("  unscored: \(fault.words)") { judge in
        ReportCell(count: judge.faults.first { $0.fault == fault }?.count ?? 0, tone: .warning)
      }
    }
    table.row(
      "  could not judge a criterion", when: { $0.abstentions > 0 },
      show: { ReportCell(count: $0.abstentions, tone: .warning) })
    table.row(
      "  verdict on a second request", when: { $0.repaired > 0 }, show: { ReportCell(count: $0.repaired) })
  }

  private static func cost(_ judge: JudgeSummary) -> ReportCell {
    if judge.unknownCosts == judge.calls { return ReportCell("unknown", tone: .warning) }
    let sign = judge.isLowerBound || judge.unknownCosts > 0 ? "≥ " : ""
    return ReportCell(
      sign + Quantity.dollars.text(judge.knownCost),
      note: judge.unknownCosts > 0
        ? "\(Numbers.part(judge.unknownCosts, of: judge.calls)) calls unknown" : nil)
  }

  private static func agreement(_ judging: JudgingSummary) -> ReportBlock? {
    let worth = judging.criteria.filter { $0.alpha.n > 0 || !$0.selfConsistency.isEmpty }
    guard !worth.isEmpty else { return nil }
    var table = ReportTable(
      caption: "Agreement of verdicts on the same answer",
      columns: [
        .init("check: criterion", .left), .init("answers"), .init("alpha"), .init("mean spread"),
        .init("judges agree with themselves", .left),
      ])
    for criterion in worth {
      let own = criterion.selfConsistency.map { entry in
        let value = entry.same.value.map(Quantity.share.text) ?? Numbers.missing
        return "\(entry.judge) \(value) (n=\(Numbers.count(entry.same.n)))"
      }
      table.rows.append([
        ReportCell("\(criterion.check): \(criterion.criterion)"),
        ReportCell(Numbers.count(criterion.answers)),
        ReportCell(criterion.alpha, .score, showsMissing: false),
        ReportCell(criterion.spread, .score, showsMissing: false),
        own.isEmpty ? .missing : ReportCell(own.joined(separator: ", ")),
      ])
    }
    return .table(table)
  }
}

/// A table whose columns are the run's judges.
struct JudgeColumns {
  private(set) var table: ReportTable
  let judges: [JudgeSummary]

  init(_ judges: [JudgeSummary]) {
    self.judges = judges
    table = ReportTable(columns: [.init("", .left)] + judges.map { .init($0.name) })
  }

  /// A row that is left out when it says nothing of any judge.
  mutating func row(
    _ label: String, when isWorthIt: (JudgeSummary) -> Bool = { _ in true },
    show cell: (JudgeSummary) -> ReportCell
  ) {
    guard judges.contains(where: isWorthIt) else { return }
    table.rows.append([ReportCell(label)] + judges.map(cell))
  }
}

extension JudgeSummary {
  /// `schema`, or `schema 12, none 3` where an endpoint refused one on the way.
  var forceWords: String {
    let parts = VerdictForce.allCases.compactMap { force in forced[force].map { (force.words, $0) } }
    if parts.count == 1 { return parts[0].0 }
    return parts.map { "\($0.0) \(Numbers.count($0.1))" }.joined(separator: ", ")
  }
}

extension VerdictForce {
  fileprivate var words: String {
    switch self {
    case .schema: "schema"
    case .tool: "tool call"
    case .none: "words alone"
    }
  }
}

extension JudgeFault {
  var words: String {
    switch self {
    case .callFailed: "call failed"
    case .refused: "refused to judge"
    case .truncated: "verdict cut"
    case .noVerdict: "no verdict in the answer"
    case .abstained: "could not compare"
    case .noEmbedding: "no vector of use"
    case .withheld: "not asked: the content may not travel so far"
    case .cancelled: "stopped"
    }
  }
}
