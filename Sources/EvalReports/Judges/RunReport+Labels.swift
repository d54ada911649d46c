import EvalAnalysis
import EvalCore

extension RunReport {
  /// A target's pass rate at a check without the judge's errors.
  static func corrected(_ target: TargetSummary, _ measured: MeasuredCheck) -> ReportCell {
    measured.rates.first { $0.target == target.name }.map { ReportCell($0) } ?? .missing
  }

  /// The pass rate without the judge's errors, below the judged one, where that check alone decides what passes.
  static func addCorrected(to table: inout TargetTable, _ summary: RunSummary) {
    guard let judging = summary.judging, let measured = judging.measured.first else { return }
    let deciding = Set(
      summary.targets.flatMap { target in target.checks.filter { $0.verdicts > 0 }.map(\.name) })
    table.row("pass rate, corrected") { target in
      guard deciding == [measured.check] else {
        return ReportCell(
          "refused", note: "\(deciding.count) checks decide: see Checks", tone: .warning)
      }
      var cell = corrected(target, measured)
      if target.score.passStrict != target.score.passConditional {
        cell.note = [cell.note, "of judged answers"].compactMap(\.self).joined(separator: " · ")
      }
      return cell
    }
  }

  /// What labels by people say of the judges; empty without any.
  static func measured(_ judging: JudgingSummary) -> [ReportBlock] {
    guard !judging.measured.isEmpty else { return [] }
    var table = ReportTable(
      caption: "Judges against people",
      columns: [
        .init("check", .left), .init("labels"), .init("kappa"), .init("sensitivity"), .init("specificity"),
        .init("labelled", .left),
      ])
    for measured in judging.measured {
      let rates = measured.errors.inAll
      let origin = ReportCell(
        measured.errors.labellers.isEmpty
          ? "by people" : "by \(measured.errors.labellers.joined(separator: ", "))",
        note:
          "\(measured.errors.sources.joined(separator: ", ")); run \(measured.errors.runs.joined(separator: ", "))"
      )
      var name = ReportCell(measured.check)
      if measured.labelledQuestions < measured.questions {
        name.note = "labels for \(Numbers.part(measured.labelledQuestions, of: measured.questions)) questions"
      }
      table.rows.append([
        name, ReportCell(count: rates.n), ReportCell(kappa: rates.kappa),
        ReportCell(rates.sensitivity, .share), ReportCell(rates.specificity, .share), origin,
      ])
    }
    return [
      .table(table),
      .paragraph(
        "Corrected rates take the judge's errors, as these labels show them, out of the judged rates, by Rogan and Gladen; "
          + "Docs/Judges.md."),
    ]
  }
}
