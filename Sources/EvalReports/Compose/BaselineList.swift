package import EvalCore

/// The list of baselines.
package enum BaselineList {
  /// A baseline with the run behind it.
  package struct Entry: Sendable {
    package var name: String
    package var run: RunInfo
    /// True when it came from a file and its run is in no database here.
    package var isImported: Bool
    /// Seconds since 1970.
    package var setAt: Double?

    package init(name: String, run: RunInfo, isImported: Bool, setAt: Double?) {
      self.name = name
      self.run = run
      self.isImported = isImported
      self.setAt = setAt
    }
  }

  package static func document(_ entries: [Entry]) -> ReportDocument {
    guard !entries.isEmpty else {
      return ReportDocument(
        title: "Baselines",
        blocks: [.paragraph("There is no baseline yet: `evalrun baseline set NAME RUN` makes one.")])
    }
    var table = ReportTable(
      columns: [
        .init("baseline", .left), .init("run", .left), .init("suite", .left), .init("cases", .right),
        .init("started", .left), .init("set", .left),
      ])
    for entry in entries {
      let run = entry.run
      table.rows.append([
        ReportCell(entry.name), ReportCell(run.id, note: entry.isImported ? "imported, no texts" : nil),
        ReportCell(run.suiteName, note: run.provenance == .recorded ? "recorded" : nil),
        ReportCell(Numbers.count(run.caseCount)), ReportCell(UTCTime.text(run.startedAt)),
        ReportCell(entry.setAt.map(UTCTime.text) ?? Numbers.missing),
      ])
    }
    return ReportDocument(title: "Baselines", blocks: [.table(table)])
  }
}
