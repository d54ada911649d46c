import EvalAnalysis
import EvalCore
import EvalReports

/// What a run is compared with, and what CI gets to read of it: JUnit, a comment, the step's summary and annotations, as
/// options and environment say.
struct CIDesk {
  let session: Session
  let suite: Suite
  let baseline: BaselineSides?

  private var isCI: Bool { session.arguments.has("ci") }
  private var isGitHub: Bool { isCI && session.environment["GITHUB_ACTIONS"] == "true" }
  private var folder: String { session.arguments.text("output") ?? "Reports" }

  /// Where each file goes; `nil` when nobody asked for it.
  private var junitPath: String? { session.arguments.text("junit") ?? (isCI ? "\(folder)/junit.xml" : nil) }
  private var commentPath: String? {
    session.arguments.text("comment") ?? (isCI ? "\(folder)/comment.md" : nil)
  }
  private var summaryPath: String? {
    guard isGitHub, let path = session.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return nil }
    return path
  }

  /// An exit code that cannot fail should surprise nobody.
  func sayWhatIsMissing() {
    let demands = suite.gates.gates.map(\.demand)
    let example = "passRate not worse than baseline by 0.05"
    let holdsBaseline = demands.contains { if case .notWorse(.baseline, _) = $0 { true } else { false } }
    if baseline != nil, !holdsBaseline {
      session.console.note(
        "the baseline is compared with and decides nothing: no gate speaks of it, such as '\(example)'")
    } else if isCI, demands.isEmpty {
      session.console.note("no gates: the exit code says only whether the suite ran; see Docs/Gates.md")
    }
  }

  /// GitHub takes every line that begins with `::` for a command, whoever wrote it, so a server's message could be one.
  ///
  /// - Returns: the word that ends the silence; `nil` where there is nobody to silence.
  func silenceCommands() -> String? {
    guard isGitHub else { return nil }
    let word = "evalrun-\(UInt64.random(in: .min ... .max))"
    session.console.result("::stop-commands::\(word)\n")
    return word
  }

  /// Prints the comparison and writes what was asked for.
  /// - Parameter silence: what `silenceCommands` returned.
  func report(
    _ input: ReportInput, redactor: Redactor, silence: String?
  ) throws(CommandFailure) {
    let compared = try comparisons(input)
    let document: ReportDocument
    do {
      if let compared, !compared.comparisons.isEmpty {
        session.console.result("\n")
        TerminalRenderer(session.reportOptions).render(try ComparisonReport.document(compared)) {
          session.console.result($0)
        }
      }
      document = try CIReport.document(input.summary, comparisons: compared)
      if let path = junitPath {
        try write(path, redactor) { try ReportFormat.junit.render(input, ReportOptions(), $0) }
      }
    } catch {
      throw CommandFailure(error)
    }
    if let path = commentPath {
      let text = CIReport.comment(document, suite: input.summary.run.suiteName)
      do { try write(path, redactor) { $0(text) } } catch { throw CommandFailure(error) }
    }
    if let path = summaryPath {
      let text = FittedMarkdown.text(document, limit: FittedMarkdown.summaryLimit)
      try Files.append(redactor.redact(text), to: path)
    }
    annotate(input, compared?.comparisons ?? [], redactor, silence)
  }

  /// A pair for each target that both have; `nil` without a baseline.
  private func comparisons(
    _ input: ReportInput
  ) throws(CommandFailure) -> ComparisonReportInput? {
    guard let baseline else { return nil }
    let run = input.summary.run
    let own: [ComparisonInput]
    do {
      own = try ComparisonInput.read(input.source, label: run.name ?? run.id)
    } catch {
      throw CommandFailure(error)
    }
    var comparisons = own.compactMap { candidate in
      baseline.sides.first { $0.facts.target.name == candidate.facts.target.name }
        .map { Comparison(reference: $0, candidate: candidate) }
    }
    if comparisons.isEmpty {
      session.console.error(
        "the baseline '\(baseline.name)' has none of the run's targets: there is nothing to compare")
    }
    Comparison.correct(&comparisons)
    return ComparisonReportInput(comparisons: comparisons, answers: ComparedAnswers(session: session).answers)
  }

  private func write(
    _ path: String, _ redactor: Redactor, _ body: ((String) -> Void) throws -> Void
  ) throws {
    try Files.makeFolder(above: path)
    let file = try OutputFile(path: path)
    try body { file.write(redactor.redact($0)) }
    try file.close()
  }

  private func annotate(
    _ input: ReportInput, _ comparisons: [Comparison], _ redactor: Redactor, _ silence: String?
  ) {
    guard let silence else { return }
    session.console.result("::\(silence)::\n")
    let summaries = suite.cases.summaries
    let annotations = CIAnnotation.all(input.summary, comparisons: comparisons) { id in
      summaries.firstIndex { $0.id == id }.flatMap { try? suite.cases.load($0).location }
    }
    let commands = GitHubCommands(
      folder: Files.currentFolder, workspace: session.environment["GITHUB_WORKSPACE"])
    for line in commands.lines(annotations) { session.console.result(redactor.redact(line) + "\n") }
  }
}
