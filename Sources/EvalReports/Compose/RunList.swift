package import EvalCore

/// The list of runs.
package enum RunList {
  /// A run with how far it came.
  package struct Entry: Sendable {
    package var run: RunInfo
    /// Trials that are done.
    package var finished: Int
    /// New gradings of its answers, its own not counted.
    package var scoreSets: Int

    package init(run: RunInfo, finished: Int, scoreSets: Int = 0) {
      self.run = run
      self.finished = finished
      self.scoreSets = scoreSets
    }
  }

  /// - Parameters:
  ///   - entries: the newest first.
  ///   - more: runs that are not in `entries`.
  package static func document(_ entries: [Entry], more: Int = 0) -> ReportDocument {
    var table = ReportTable(
      columns: [
        .init("run", .left), .init("suite", .left), .init("started", .left), .init("status", .left),
        .init("trials", .right),
      ])
    for entry in entries {
      let run = entry.run
      table.rows.append([
        ReportCell(run.id, note: run.name), ReportCell(run.suiteName),
        ReportCell(UTCTime.text(run.startedAt)),
        ReportCell(
          run.status.rawValue, note: run.provenance == .recorded ? "recorded" : nil,
          tone: run.status == .finished ? .plain : .warning),
        ReportCell(
          Numbers.part(entry.finished, of: run.plannedTrials),
          note: entry.scoreSets > 0
            ? "\(entry.scoreSets) score \(entry.scoreSets == 1 ? "set" : "sets")" : nil),
      ])
    }
    var blocks: [ReportBlock] =
      entries.isEmpty ? [.paragraph("There is no run yet: `evalrun SUITE.json` makes one.")] : [.table(table)]
    if more > 0 { blocks.append(.notes(["\(Numbers.count(more)) older runs are not shown."])) }
    return ReportDocument(title: "Runs", blocks: blocks)
  }
}
