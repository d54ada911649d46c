import EvalAnalysis
import EvalCore
import EvalReports
import EvalStore

/// Reads a run back from the store and renders it.
struct RunReports {
  let session: Session
  let store: RunStore

  /// What every format starts from.
  /// - Parameters:
  ///   - gates: to be judged; `nil` takes those that were stored with the run.
  ///   - baseline: what gates against the baseline hold it against.
  func input(
    _ run: RunInfo, gates: GateSettings? = nil, baseline: [ComparisonInput] = [], withTexts: Bool
  ) throws(CommandFailure) -> ReportInput {
    do {
      let source = try session.trials(run, in: store)
      let summary = try RunSummary.make(
        from: source, warmUps: store.warmUps(run), gates: gates, baseline: baseline,
        repeatedAnswers: run.repeats > 1 ? store.repeatedAnswers(run.id) : [],
        labels: store.verdictLabels(ofJudgesIn: run.id))
      guard withTexts, !run.isPrivate else { return ReportInput(summary: summary, source: source) }
      let texts = try store.textReader(run.id)
      return ReportInput(
        summary: summary, source: source, texts: { try texts.texts($0) },
        content: { try texts.content(of: $0) })
    } catch {
      throw CommandFailure(error)
    }
  }

  /// The report in a format as the terminal would show it.
  func render(
    _ format: ReportFormat, _ input: ReportInput, options: ReportOptions, to sink: (String) -> Void
  ) throws(CommandFailure) {
    do {
      try format.render(input, options, sink)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Writes the report files of a run.
  /// - Returns: the folder they are in.
  func writeFiles(
    _ run: RunInfo, _ input: ReportInput, under root: String, redactor: Redactor
  ) throws(CommandFailure) -> String {
    let folder = self.folder(of: run, under: root)
    try Files.makeFolder(folder)
    for format in ReportFormat.all where format.name != "terminal" {
      let file = try OutputFile(path: path(of: format, run, under: root))
      try render(format, input, options: ReportOptions()) { file.write(redactor.redact($0)) }
      try file.close()
    }
    return folder
  }

  /// Where the report of a run in a format lies.
  func path(of format: ReportFormat, _ run: RunInfo, under root: String) -> String {
    "\(folder(of: run, under: root))/report.\(format.fileExtension)"
  }

  private func folder(of run: RunInfo, under root: String) -> String {
    "\(root)/\(fileName(run.suiteName))-\(run.id)"
  }

  private func fileName(_ name: String) -> String {
    let safe = name.map { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : "-" }
    return safe.isEmpty ? "suite" : String(safe.prefix(60))
  }
}
