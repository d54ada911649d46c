import EvalAnalysis

extension RunReport {
  /// What embedders did and cost; a text that was known cost no call.
  static func embedders(_ embedders: [EmbedderSummary], isRecorded: Bool) -> ReportTable {
    var table = ReportTable(
      caption: "Embedders", columns: [.init("", .left)] + embedders.map { .init($0.name) })
    func row(_ label: String, _ cell: (EmbedderSummary) -> ReportCell) {
      table.rows.append([ReportCell(label)] + embedders.map(cell))
    }
    if embedders.contains(where: { $0.model != nil }) {
      row("model") { ReportCell($0.model ?? Numbers.missing) }
    }
    row("texts") { ReportCell(count: $0.texts) }
    row("  known from this run") { ReportCell(count: $0.fromRun) }
    row("  known from the database") { ReportCell(count: $0.fromDatabase) }
    row("calls") { embedder in
      ReportCell(
        Numbers.count(embedder.calls),
        note: embedder.retries > 0 ? "\(Numbers.count(embedder.retries)) retries" : nil)
    }
    if embedders.contains(where: { $0.failures > 0 }) {
      row("  without vectors of use") { ReportCell(count: $0.failures, tone: .warning) }
    }
    row("input tokens") { tokens($0.input) }
    row(isRecorded ? "cost if live" : "cost") { embedder in
      if embedder.calls > 0, embedder.unknownCosts == embedder.calls {
        return ReportCell("unknown", tone: .warning)
      }
      let sign = embedder.isLowerBound || embedder.unknownCosts > 0 ? "≥ " : ""
      return ReportCell(sign + Quantity.dollars.text(embedder.knownCost))
    }
    if embedders.contains(where: { $0.time.n > 0 }) {
      row("total p50") { ReportCell($0.time.p50, .milliseconds, showsN: true) }
    }
    return table
  }
}
