import EvalAnalysis
import EvalCore

extension ScoreSetReport {
  /// Whole trials first, then one row for each check and way to see it.
  static func table(_ target: ScoreSetChange.TargetChange, _ change: ScoreSetChange) -> ReportTable {
    var table = ReportTable(columns: [
      .init("", .left), .init(label(change.before)), .init(label(change.after)), .init("change"), .init("↓"),
      .init("↑"),
    ])
    for difference in target.whole {
      table.rows.append(
        [
          ReportCell("all checks, \(difference.measure.title)"),
          ReportCell(difference.reference, difference.measure.quantity, showsMissing: false),
          ReportCell(difference.candidate, difference.measure.quantity, showsMissing: false),
          ComparisonReport.change(difference),
        ] + moves(difference))
    }
    for check in target.checks { table.rows += rows(check) }
    return table
  }

  private static func rows(_ check: ScoreSetChange.CheckChange) -> [[ReportCell]] {
    let name = ReportCell(check.check, note: note(check))
    guard check.isPaired, !check.differences.isEmpty else {
      let change = ReportCell(
        check.after.trials == 0 ? "gone" : check.before.trials == 0 ? "new" : Numbers.missing, tone: .quiet)
      return [[name, cell(check.before), cell(check.after), change, .missing, .missing]]
    }
    return check.differences.map { difference in
      [
        name, cell(check.before, difference.measure), cell(check.after, difference.measure),
        ComparisonReport.change(difference),
      ] + moves(difference)
    }
  }

  private static func moves(_ difference: PairedDifference) -> [ReportCell] {
    [
      ReportCell(count: difference.fallen, tone: .bad), ReportCell(count: difference.risen, tone: .good),
    ]
  }

  private static func note(_ check: ScoreSetChange.CheckChange) -> String? {
    var parts: [String] = []
    let kinds = [check.before.kind, check.after.kind].filter { !$0.isEmpty }
    if let first = kinds.first, let last = kinds.last {
      if first != last {
        parts.append("\(first) → \(last)")
      } else if first != check.check {
        parts.append(first)
      }
    }
    if let turn = check.turn { parts.append("turn \(turn + 1)") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The share of passes, or the mean value; with what could not be judged.
  private static func cell(
    _ counts: ScoreSetChange.Counts, _ measure: ComparisonMeasure? = nil
  ) -> ReportCell {
    guard counts.trials > 0 else { return .missing }
    let unscored = counts.unscored > 0 ? "\(Numbers.count(counts.unscored)) unscored" : nil
    let showsPasses = measure.map { $0 == .pass } ?? (counts.verdicts > 0)
    if showsPasses {
      let share = counts.verdicts > 0 ? Double(counts.passes) / Double(counts.verdicts) : nil
      return ReportCell(
        share.map(Quantity.share.text) ?? Numbers.missing, n: counts.verdicts, note: unscored,
        tone: share == nil ? .warning : .plain)
    }
    return ReportCell(
      counts.mean.map(Quantity.score.text) ?? Numbers.missing, n: counts.scored, note: unscored,
      tone: counts.mean == nil ? .warning : .plain)
  }

  /// The cases that a check judged otherwise, the most telling of each.
  static func flips(_ target: ScoreSetChange.TargetChange, _ change: ScoreSetChange) -> [ReportBlock] {
    var table = ReportTable(columns: [
      .init("check", .left), .init("case", .left), .init(label(change.before)), .init(label(change.after)),
    ])
    let all = [("all checks", target.flips)] + target.checks.map { (title($0), $0.flips) }
    // One check alone says the same as the whole.
    let lists =
      target.checks.count(where: \.isPaired) == 1
        && all[0].1.count == all.dropFirst().reduce(0) { $0 + $1.1.count }
      ? Array(all.dropFirst()) : all
    var hidden = 0
    for (name, flips) in lists {
      let shown = ComparisonReport.mostTelling(flips)
      hidden += flips.count - shown.count
      for flip in shown {
        table.rows.append([
          ReportCell(name), ReportCell(flip.caseID), ComparisonReport.cell(flip.reference),
          ComparisonReport.cell(flip.candidate),
        ])
      }
    }
    guard !table.rows.isEmpty else { return [] }
    let more = hidden > 0 ? [ReportBlock.notes(["\(Numbers.count(hidden)) more; all: --format json"])] : []
    return [.table(table)] + more
  }

  private static func title(_ check: ScoreSetChange.CheckChange) -> String {
    check.turn.map { "\(check.check), turn \($0 + 1)" } ?? check.check
  }
}
