package import EvalAnalysis

/// What a plan can see, as a document.
package enum PowerReport {
  /// - Parameters:
  ///   - title: the suite's or the run's name.
  ///   - basis: where the variances come from, in one sentence.
  package static func document(_ plan: PowerPlan, title: String, basis: String) -> ReportDocument {
    let noun = plan.isClustered ? "clusters" : "cases"
    let goal = points(plan.goal)
    var table = ReportTable(columns: [
      .init("target", .left), .init("against", .left), .init("difference seen"),
      .init("\(noun) for \(goal)"), .init("more"),
    ])
    for row in plan.rows {
      table.rows.append([
        ReportCell(row.target, note: row.measure == .score ? "score" : "pass rate"),
        ReportCell(row.reference ?? "a limit"), ReportCell(seen(row, plan)),
        ReportCell(row.casesForGoal.map(Numbers.count) ?? Numbers.missing),
        ReportCell(row.casesForGoal.map { more($0, plan.units) } ?? Numbers.missing),
      ])
    }
    let size =
      "\(Numbers.count(plan.units)) \(noun) × \(plan.repeats) \(plan.repeats == 1 ? "repeat" : "repeats"). \(basis)"
    return ReportDocument(
      title: "\(title): power", blocks: [.paragraph(size), .table(table), .notes(notes(plan))])
  }

  private static func seen(_ row: PowerPlan.Row, _ plan: PowerPlan) -> String {
    // Without any spread the next run may still differ by one case.
    let least = 1 / Double(plan.units * plan.repeats)
    return row.detectable < least ? "one trial" : "\(Numbers.fixed(row.detectable * 100, 1)) points"
  }

  private static func more(_ needed: Int, _ have: Int) -> String {
    needed <= have ? "none" : Numbers.count(needed - have)
  }

  private static func points(_ share: Double) -> String {
    let text = Numbers.fixed(share * 100, 1)
    return "\(text.hasSuffix(".0") ? String(text.dropLast(2)) : text) points"
  }

  private static func notes(_ plan: PowerPlan) -> [String] {
    var notes = [
      "Seen: in four of five runs the 95 % interval excludes the limit. A gate 'not worse than X by M' fails in four of five "
        + "runs at a drop of M and the difference seen, and passes as often without a drop when M is at least that."
    ]
    if plan.isMeasured, plan.rows.contains(where: { $0.variance.within == nil }) {
      notes.append("The run has one repeat: what repeats would help is not known, and taken as nothing.")
    }
    if let row = plan.rows.first(where: { $0.reference != nil && $0.variance.within != nil })
      ?? plan.rows.first,
      let within = row.variance.within, row.variance.of(repeats: plan.repeats) > 0
    {
      let share = within / Double(plan.repeats) / row.variance.of(repeats: plan.repeats)
      notes.append(
        "Of \(row.target)'s doubt against \(row.reference ?? "a limit"), \(Numbers.fixed(share * 100, 0)) % is noise that more repeats "
          + "average away; the rest takes more cases.")
    }
    let calls = plan.units * plan.repeats
    if !plan.isClustered, calls < 72 {
      notes.append("p95 latency takes 72 calls of one kind: \(calls) are not enough.")
    }
    notes.append("Formulas: Docs/Statistics.md.")
    return notes
  }
}
