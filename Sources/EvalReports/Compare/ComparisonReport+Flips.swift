import EvalAnalysis
import EvalCore

extension ComparisonReport {
  /// Which cases changed, and what was answered on both sides.
  static func flips(_ comparison: Comparison, _ input: ComparisonReportInput) throws -> [ReportBlock] {
    let sides = Sides(comparison)
    let fallen = comparison.flips.count { $0.change < 0 }
    let shown = mostTelling(comparison.flips)
    var blocks: [ReportBlock] = [
      .paragraph(
        "\(Numbers.count(fallen)) fell, \(Numbers.count(comparison.flips.count - fallen)) rose, of "
          + "\(Numbers.count(comparison.pairing.pairs.count)) cases.")
    ]
    var table = ReportTable(
      columns: [
        .init("case", .left), .init(sides.reference), .init(sides.candidate), .init("tags", .left),
      ])
    for flip in shown {
      table.rows.append([
        ReportCell(flip.caseID), cell(flip.reference), cell(flip.candidate),
        ReportCell(flip.tags.joined(separator: ", ")),
      ])
    }
    blocks.append(.table(table))
    if let answers = input.answers {
      for flip in shown.prefix(answerLimit) {
        let texts = try answers(comparison, flip)
        if let block = diff(flip, texts.reference, texts.candidate) { blocks.append(block) }
      }
    }
    if shown.count < comparison.flips.count {
      blocks.append(
        .notes(["\(Numbers.part(shown.count, of: comparison.flips.count)) changed cases; all: --format csv"]))
    }
    return blocks
  }

  /// Both kinds have their share of the list.
  static func mostTelling(_ flips: [Flip]) -> [Flip] {
    let fallen = flips.filter { $0.change < 0 }
    let risen = flips.filter { $0.change >= 0 }
    let fair = flipLimit / 2
    let down = min(fallen.count, max(fair, flipLimit - risen.count))
    return Array(fallen.prefix(down)) + Array(risen.prefix(flipLimit - down))
  }

  static func cell(_ side: Flip.Side) -> ReportCell {
    let note = side.unanswered > 0 ? "\(side.unanswered) without answer" : nil
    guard side.verdicts > 0 else {
      return ReportCell(side.score.map(Quantity.score.text) ?? Numbers.missing, note: note)
    }
    if side.verdicts == 1 {
      return side.passes == 1
        ? ReportCell("✓", note: note, tone: .good) : ReportCell("✗", note: note, tone: .bad)
    }
    let tone: ReportCell.Tone =
      side.passes == side.verdicts ? .good : side.passes == 0 ? .bad : .warning
    return ReportCell("\(side.passes)/\(side.verdicts)", note: note, tone: tone)
  }

  private static func diff(_ flip: Flip, _ reference: String?, _ candidate: String?) -> ReportBlock? {
    guard reference != nil || candidate != nil else { return nil }
    let what = flip.change < 0 ? "fell" : "rose"
    let turn = flip.reference.verdicts > 1 ? ", repeat \(flip.repeatIndex + 1)" : ""
    let diff = WordDiff(reference ?? "", candidate ?? "")
    let text = diff.isEqual ? "(the same answer) " + diff.text(context: 12) : diff.text(context: 12)
    return .verbatim(label: "\(flip.caseID)\(turn), \(what)", text: text)
  }
}
