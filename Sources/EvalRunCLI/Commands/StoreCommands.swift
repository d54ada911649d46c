import EvalCore
import EvalReports
import EvalStore

/// `evalrun list`.
struct ListCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    let store = try session.openStore(.read)
    let limit = session.arguments.count("limit") ?? 20
    do {
      let runs = try store.runs()
      let finished = try store.finishedCounts()
      let sets = try store.scoreSetCounts()
      let entries = runs.prefix(limit).map {
        RunList.Entry(run: $0, finished: finished[$0.id] ?? 0, scoreSets: sets[$0.id] ?? 0)
      }
      show(RunList.document(entries, more: runs.count - entries.count), session)
    } catch {
      throw CommandFailure(error)
    }
    return .done
  }
}

/// `evalrun show RUN [CASE]`.
struct ShowCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    let store = try session.openStore(.read)
    let words = session.arguments.positional
    let run = try session.run(words[0], in: store)
    do {
      if words.count > 1 {
        show(try story(words[1], of: run, in: store).document, session)
      } else {
        show(
          try RunOverview.document(session.trials(run, in: store), scoreSets: store.scoreSets(run.id)),
          session)
      }
    } catch {
      throw CommandFailure(error)
    }
    return .done
  }

  private func story(_ id: String, of run: RunInfo, in store: RunStore) throws -> CaseStory {
    var trials: [TrialRecord] = []
    var ids: Set<String> = []
    let source = try session.trials(run, in: store)
    try source.forEachTrial { trial in
      if trial.caseID == id { trials.append(trial) }
      if ids.count < 10_000 { ids.insert(trial.caseID) }
    }
    guard let first = trials.first else {
      throw CommandFailure(
        .usage, "there is no case '\(id)' in run \(run.id)",
        advice: suggestion(for: id, among: Array(ids)) ?? "see 'evalrun show \(run.id)'")
    }
    var texts: [TrialKey: [Int: AttemptTexts]] = [:]
    let reader = try store.textReader(run.id)
    for trial in trials { texts[trial.key] = try reader.texts(trial.key) }
    return CaseStory(
      run: source.run, caseID: id, content: try store.caseContent(run.id, first.key.caseHash), trials: trials,
      texts: texts)
  }
}

/// `evalrun report RUN`.
struct ReportCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    let store = try session.openStore(.read)
    let run = try session.run(session.arguments.positional[0], in: store)
    let name = session.arguments.text("format") ?? "terminal"
    guard let format = ReportFormat.named(name) else {
      throw CommandFailure(.usage, "there is no format '\(name)'")
    }
    let reports = RunReports(session: session, store: store)
    let input = try reports.input(run, withTexts: true)
    guard let path = session.arguments.text("output") else {
      try reports.render(format, input, options: session.reportOptions) { session.console.result($0) }
      return .done
    }
    let file = try OutputFile(path: path)
    try reports.render(format, input, options: ReportOptions()) { file.write($0) }
    try file.close()
    return .done
  }
}

private func show(_ document: ReportDocument, _ session: Session) {
  TerminalRenderer(session.reportOptions).render(document) { session.console.result($0) }
}
