package import EvalCore

/// The gradings of a run.
package enum ScoreSetList {
  package static func document(_ sets: [ScoreSetInfo], run: RunInfo) -> ReportDocument {
    let title = "Scores of run \(run.name ?? run.id)"
    guard !sets.isEmpty else {
      return ReportDocument(
        title: title,
        blocks: [
          .paragraph(
            "The run has its own scores, set 0, and no other: 'evalrun score \(run.id) --with SUITE.json' makes one."
          )
        ])
    }
    return ReportDocument(
      title: title,
      blocks: [
        .table(table(sets, run: run)),
        .notes(["Set 0 is what every command takes unless --scores names another."]),
      ])
  }

  /// One row a set, the run's own first.
  static func table(_ sets: [ScoreSetInfo], run: RunInfo) -> ReportTable {
    var table = ReportTable(columns: [
      .init("set", .left), .init("suite", .left), .init("graded", .left), .init("trials"),
      .init("judges", .left),
    ])
    table.rows.append([
      ReportCell("0", note: "the run's own"), ReportCell(run.suitePath, note: run.suiteHash.short),
      ReportCell(UTCTime.text(run.startedAt)), .missing, ReportCell(judges(run.settings["judging"])),
    ])
    for set in sets {
      table.rows.append([
        ReportCell(String(set.number), note: set.name),
        ReportCell(set.suitePath, note: "\(set.suiteHash.short), evalrun \(set.toolVersion)"),
        ReportCell(UTCTime.text(set.createdAt)),
        ReportCell(
          Numbers.part(set.covered, of: set.trials),
          note: set.finishedAt == nil ? "not finished" : nil, tone: set.finishedAt == nil ? .warning : .plain),
        ReportCell(judges(set.judging), note: set.provenance == .recorded ? "recorded" : nil),
      ])
    }
    return table
  }

  private static func judges(_ judging: JSONValue?) -> String {
    let names = judging?["judges"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
    return names.isEmpty ? Numbers.missing : names.joined(separator: ", ")
  }
}
