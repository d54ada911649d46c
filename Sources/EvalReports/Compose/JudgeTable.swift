import EvalCore

/// What judges were asked about a trial and what they said.
enum JudgeTable {
  /// Empty when nobody judged.
  static func blocks(_ trial: TrialRecord) -> [ReportBlock] {
    guard !trial.judgeCalls.isEmpty else { return [] }
    var table = ReportTable(
      caption: "Judges",
      columns: [
        .init("judge", .left), .init("criterion", .left), .init("level"), .init("reason", .left),
        .init("cost"),
      ])
    var raw: [ReportBlock] = []
    for call in trial.judgeCalls {
      table.rows += rows(call)
      if let text = call.raw, !text.isEmpty {
        raw.append(.verbatim(label: "What \(call.judge) said instead of a verdict", text: text))
      }
    }
    return [.table(table)] + raw
  }

  private static func rows(_ call: JudgeCallRecord) -> [[ReportCell]] {
    let name = ReportCell(call.judge, note: note(call))
    var cost = ReportCell("unknown", tone: .quiet)
    if let dollars = call.cost.dollars { cost = ReportCell(Quantity.dollars.text(dollars)) }
    switch call.reading {
    case .unread(let fault, let why):
      return [
        [name, .missing, ReportCell("?", tone: .warning), ReportCell(why.isEmpty ? fault.words : why), cost]
      ]
    case .preference(let preference, let reason):
      return [[name, .missing, ReportCell(preference.rawValue), ReportCell(reason ?? ""), cost]]
    case .embedded: return [[name, .missing, ReportCell("embedded"), ReportCell(""), cost]]
    case .marks(let marks):
      return marks.enumerated().map { index, mark in
        [
          index == 0 ? name : ReportCell(""), ReportCell(mark.criterion),
          mark.label.map { ReportCell($0, note: mark.level.map { "\($0 + 1) of \(mark.levels)" }) }
            ?? ReportCell("?", note: "cannot judge", tone: .warning),
          ReportCell(mark.reason ?? ""), index == 0 ? cost : ReportCell(""),
        ]
      }
    }
  }

  static func note(_ call: JudgeCallRecord) -> String? {
    var parts = [call.place.check]
    if call.place.draw > 0, call.place.purpose == .score { parts.append("draw \(call.place.draw + 1)") }
    if call.place.purpose == .recheck { parts.append("second look, counts in no score") }
    if call.place.isRepair { parts.append("asked again") }
    if call.number > 1 { parts.append("retry \(call.number - 1)") }
    return parts.joined(separator: ", ")
  }
}
