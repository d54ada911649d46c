package import EvalAnalysis
import EvalCore

/// What labels say of the judges of a run, composed once for every format.
package enum JudgeCheckReport {
  package static func document(_ check: JudgeCheck) -> ReportDocument {
    var blocks: [ReportBlock] = [.paragraph(headline(check))]
    if !check.findings.isEmpty { blocks.append(.findings(check.findings)) }
    for measured in check.checks { blocks += self.blocks(measured) }
    blocks.append(.notes(notes))
    return ReportDocument(
      title: "\(check.run.suiteName): the judges of run \(check.run.name ?? check.run.id)", blocks: blocks)
  }

  private static func headline(_ check: JudgeCheck) -> String {
    var text = "Labels: \(check.file)"
    if let person = check.labelledBy { text += ", by \(person)" }
    if let note = check.note { text += ". \(note)" }
    return text
  }

  private static func blocks(_ measured: CheckMeasurement) -> [ReportBlock] {
    let judges = measured.judges.isEmpty ? "" : ", judged by \(measured.judges.joined(separator: ", "))"
    var blocks: [ReportBlock] = [.heading("\(measured.check)\(judges)")]
    if let errors = measured.errors {
      blocks.append(.table(verdicts(errors, measured.rates)))
    } else {
      blocks.append(
        .paragraph(
          "No answer is labelled as a whole, or nothing says what passes: there are no verdicts to compare."))
    }
    if !measured.criteria.isEmpty { blocks.append(.table(criteria(measured))) }
    for criterion in measured.criteria { blocks.append(.table(confusion(criterion))) }
    return blocks
  }

  /// Verdicts over all targets and for each, with the rates that follow.
  private static func verdicts(_ errors: JudgeErrors, _ rates: [TargetRate]) -> ReportTable {
    let labelled = errors.targets.map(\.name)
    let targets = labelled + rates.map(\.target).filter { !labelled.contains($0) }
    // Of one target "all" would say everything twice.
    let showsAll = targets.count > 1
    var table = ReportTable(
      columns: [.init("", .left)] + (showsAll ? [.init("all targets")] : []) + targets.map { .init($0) })
    func row(_ label: String, _ cell: (VerdictRates) -> ReportCell) {
      var cells = [ReportCell(label)]
      if showsAll { cells.append(cell(errors.inAll)) }
      for target in targets {
        cells.append(errors.targets.first { $0.name == target }.map { cell($0.rates) } ?? .missing)
      }
      table.rows.append(cells)
    }
    row("labels") { ReportCell(count: $0.n) }
    row("both pass") { ReportCell(count: $0.bothPass) }
    row("both fail") { ReportCell(count: $0.bothFail) }
    row("the judge passes, people fail") { ReportCell(count: $0.judgePasses, tone: .bad) }
    row("the judge fails, people pass") { ReportCell(count: $0.judgeFails, tone: .bad) }
    row("agreement") { ReportCell($0.agreement, .share) }
    row("kappa") { ReportCell(kappa: $0.kappa) }
    row("sensitivity") { ReportCell($0.sensitivity, .share) }
    row("specificity") { ReportCell($0.specificity, .share) }
    row("people pass") { ReportCell($0.people, .share) }
    func rateRow(_ label: String, _ cell: (TargetRate) -> ReportCell) {
      let cells = targets.map { target in rates.first { $0.target == target }.map(cell) ?? .missing }
      table.rows.append([ReportCell(label)] + (showsAll ? [ReportCell("")] : []) + cells)
    }
    if !rates.isEmpty {
      rateRow("pass rate, judged") { ReportCell($0.raw, .share) }
      rateRow("pass rate, corrected") { ReportCell($0) }
    }
    return table
  }

  private static func criteria(_ measured: CheckMeasurement) -> ReportTable {
    let targets = RunReport.ordered(measured.criteria.flatMap { $0.targets.map(\.name) })
    let showsAll = targets.count > 1
    var table = ReportTable(
      caption: "Levels of each criterion",
      columns: [.init("criterion", .left), .init("same level")]
        + (showsAll ? [.init("kappa, all targets")] : [])
        + targets.map { .init(showsAll ? "kappa, \($0)" : "kappa") })
    for criterion in measured.criteria {
      let kind = criterion.levels.count > 2 ? "quadratic weights" : nil
      var cells = [ReportCell(criterion.criterion, note: kind), ReportCell(criterion.inAll.same, .share)]
      if showsAll { cells.append(ReportCell(kappa: criterion.inAll.kappa)) }
      for target in targets {
        let agreement = criterion.targets.first { $0.name == target }?.agreement
        cells.append(agreement.map { ReportCell(kappa: $0.kappa) } ?? .missing)
      }
      table.rows.append(cells)
    }
    return table
  }

  private static func confusion(_ criterion: CriterionMeasurement) -> ReportTable {
    var table = ReportTable(
      caption: "\(criterion.criterion): people's levels down, the judge's across",
      columns: [.init("", .left)] + criterion.levels.map { .init($0) })
    for (level, counts) in zip(criterion.levels, criterion.inAll.table) {
      table.rows.append([ReportCell(level)] + counts.map { ReportCell(count: $0) })
    }
    return table
  }

  private static let notes = [
    "Sensitivity: of the answers that people pass, the share that the judge passes. Specificity: of those that people fail, "
      + "the share that it fails. Answers that were drawn count as many as they stand for; counts are plain. Ranges are "
      + "95 % intervals.",
    "The words for kappa are those of Landis and Koch (1977): from 0 slight, from 0.21 fair, from 0.41 moderate, from 0.61 "
      + "substantial, from 0.81 almost perfect; a convention, no proof.",
    "Corrected: the judged rate without the judge's errors, by Rogan and Gladen, with the doubt of the labels in it. The "
      + "labels are kept with the judge: later reports of runs with this judge and this check carry corrected rates. "
      + "Docs/Judges.md, Docs/Statistics.md.",
  ]
}

/// A way to write what labels say of judges: one entry in `all`.
package struct JudgeCheckFormat: Sendable {
  package var name: String
  /// One line for `--help`.
  package var summary: String
  package var render: @Sendable (JudgeCheck, ReportOptions, ReportSink) -> Void

  package static let all: [JudgeCheckFormat] = [
    JudgeCheckFormat(name: "terminal", summary: "for a person at a terminal") {
      TerminalRenderer($1).render(JudgeCheckReport.document($0), to: $2)
    },
    JudgeCheckFormat(name: "md", summary: "Markdown") {
      MarkdownRenderer($1).render(JudgeCheckReport.document($0), to: $2)
    },
    JudgeCheckFormat(name: "json", summary: "every number with its doubt, for programs (Docs/ReportJSON.md)")
    { check, _, sink in
      sink(JudgeCheckJSON.text(check))
    },
  ]

  /// The format of that name; `nil` when there is none.
  package static func named(_ name: String) -> JudgeCheckFormat? { all.first { $0.name == name } }
}
