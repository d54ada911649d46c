import EvalAnalysis
import EvalCore
import EvalReports
import EvalRouting
import EvalStore

/// `evalrun route replay RUN --policy FILE…`.
struct RouteReplayCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    let desk = try ReplayDesk(session: session)
    let scenario = try ScenarioReader(session: session, profiles: desk.profiles).scenario()
    let policies = try desk.policies()
    let recorded = try desk.recorded(readsEveryText: policies.contains { $0.policy.readsAnswerLength })
    let settings = try desk.comparisonSettings(recorded)
    let replayer = Replayer(recorded.table, scenario: scenario, settings: recorded.settings)
    let contenders = policies.map(\.contender)
    let comparison = RoutingComparison.make(replayer, policies: contenders, settings: settings)
    let report = ReplayReport(
      recorded: recorded, comparison: comparison, gaps: comparison.gaps(replayer, policies: contenders),
      sources: policies.map { loaded in
        ReplayReport.Source(
          name: loaded.name, origin: loaded.origin, hash: loaded.policy.hash,
          unprotected: loaded.policy.unprotected)
      })
    try desk.write { format, options, sink in report.render(format, options, to: sink) }
    return desk.code(leaks: report.leaks)
  }
}

extension ReplayDesk {
  /// What is fixed before a comparison, from the command line.
  func comparisonSettings(_ recorded: RecordedRun) throws(CommandFailure) -> ComparisonSettings {
    var settings = ComparisonSettings()
    let arms = recorded.table.arms.map(\.name)
    for (option, path) in [("weak", \ComparisonSettings.weak), ("strong", \ComparisonSettings.strong)] {
      guard let name = session.arguments.text(option) else { continue }
      guard arms.contains(name) else {
        throw CommandFailure(
          .usage, "--\(option): the run has no arm '\(name)'",
          advice: suggestion(for: name, among: arms) ?? "it has \(arms.joined(separator: ", "))")
      }
      settings[keyPath: path] = name
    }
    if let seed = session.arguments.count("seed") { settings.seed = UInt64(seed) }
    return settings
  }

  /// Writes a report in the format and to the place that were asked for.
  func write(
    _ render: (_ format: String, ReportOptions, (String) -> Void) -> Void
  ) throws(CommandFailure) {
    let format = session.arguments.text("format") ?? "terminal"
    guard let path = session.arguments.text("output") else {
      return render(format, session.reportOptions) { session.console.result($0) }
    }
    let file = try OutputFile(path: path)
    render(format, ReportOptions()) { file.write($0) }
    try file.close()
  }

  /// Leaks are never averaged away and never pass in silence.
  func code(leaks: Int) -> ExitCode {
    guard leaks > 0 else { return .done }
    let calls = counted(leaks, "call")
    if session.arguments.has("no-fail") {
      session.console.error("leaks: \(calls) would have gone where they may not; --no-fail lets it pass")
      return .done
    }
    session.console.error("leaks: \(calls) would have gone where they may not")
    return .gateFailed
  }
}
