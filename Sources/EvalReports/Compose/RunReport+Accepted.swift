import EvalAnalysis

extension RunReport {
  /// What an accepted answer takes; nothing when every answer was accepted, or none can be.
  static func accepted(_ summary: RunSummary) -> [ReportBlock] {
    guard summary.targets.contains(where: { ($0.acceptance?.rate.value ?? 1) < 1 }) else { return [] }
    let suffix = summary.isRecorded ? ", recorded" : ""
    let cost = summary.isRecorded ? "cost if live" : "cost"
    var table = TargetTable(summary.targets, caption: "Per accepted answer: a user asks again until one is")
    func row(_ label: String, _ cell: (AcceptanceSummary) -> ReportCell) {
      table.row(label) { $0.acceptance.map(cell) ?? .missing }
    }
    row("accepted") { ReportCell($0.rate, .share) }
    row("asks per accepted answer") { acceptance in
      guard let rate = acceptance.rate.value, rate > 0 else { return .missing }
      return ReportCell(Quantity.amount.text(1 / rate))
    }
    let isPriced = { (target: TargetSummary) in (target.acceptance?.cost.perAsk.value ?? 0) > 0 }
    if summary.targets.contains(where: isPriced) {
      row("\(cost), each answer") { ReportCell($0.cost.perAsk, .dollars, showsMissing: false) }
      row("\(cost), each accepted answer") { perAccepted($0.cost, .dollars) }
    }
    row("wait, each answer\(suffix)") { ReportCell($0.wait.perAsk, .milliseconds, showsMissing: false) }
    row("wait, each accepted answer\(suffix)") { perAccepted($0.wait, .milliseconds) }
    table.row(
      "cases never accepted", when: { $0.acceptance?.again != nil },
      show: { target in
        guard let again = target.acceptance?.again else { return .missing }
        return ReportCell(
          Numbers.part(again.never, of: again.cases),
          note: "\(Quantity.amount.text(again.neverExpected)) by chance",
          tone: again.never > 0 ? .warning : .plain)
      })
    return [table.block]
  }

  private static func perAccepted(_ part: AcceptanceSummary.PerAccepted, _ quantity: Quantity) -> ReportCell {
    // Nothing to divide: an unknown price is no lack of verdicts.
    guard part.perAsk.value != nil else { return .missing }
    guard let reason = part.reason else { return ReportCell(part.perAccepted, quantity) }
    let least = part.atLeast.map { "≥ \(quantity.text($0))" } ?? Numbers.missing
    return ReportCell(least, n: part.perAccepted.n, note: reason.words, tone: .warning)
  }
}

extension AcceptanceSummary.Reason {
  fileprivate var words: String {
    switch self {
    case .noVerdict: "no verdict"
    case .noneAccepted: "none accepted"
    case .fewAccepted: "too few accepted for an upper end"
    }
  }
}
