import EvalAnalysis
import EvalCore
import EvalReports
import EvalStore

/// `evalrun gate RUN`: judges a stored run again.
struct GateCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    let store = try session.openStore(.read)
    let run = try session.run(session.arguments.positional[0], in: store)
    let wiring = GateWiring(session: session)
    let gates = try wiring.settings(
      GateSettings(stored: run.settings["gates"], file: run.suitePath), targets: run.targets.map(\.name),
      cases: nil)
    let baseline = try BaselineSides(session)
    let input = try RunReports(session: session, store: store).input(
      run, gates: gates, baseline: baseline?.sides ?? [], withTexts: false)
    let summary = input.summary
    guard summary.verdict != nil || !summary.leaks.isEmpty else {
      throw CommandFailure(
        .usage, "run \(run.id) has no gate", advice: "give one with --gate, or in the suite's 'gates'")
    }
    TerminalRenderer(session.reportOptions).render(RunReport.verdictDocument(input.summary)) {
      session.console.result($0)
    }
    return LeakGate(session: session).code(summary, else: wiring.code(summary.verdict))
  }
}

extension CommandTable {
  /// Options of every command that judges.
  static let gateOptions = [
    OptionRow(
      "gate", value: ("RULE", .text), repeats: true,
      "A gate beside the suite's, such as 'score >= 0.8'; may be repeated. See Docs/Gates.md."),
    OptionRow(
      "inconclusive", value: ("OUTCOME", .choice(GateSettings.Leaning.allCases.map(\.rawValue))),
      "What an inconclusive gate counts as: pass or fail; else exit code 3."),
    OptionRow(
      "baseline", value: ("NAME", .text),
      "Compare with this baseline, and hold the gates that speak of one against it: a name, or a file with '/' or "
        + "'.json' in its name. See Docs/Baselines.md."),
    OptionRow("no-fail", "Report only: exit with 0 whatever the gates say."),
  ]

  static let gate = CommandSpec(
    name: "gate", summary: "Judge the gates of a stored run again, or further ones.",
    discussion: """
      Judged are the gates that were stored with the run and those of the command line, on the stored trials. An
      unfinished run is judged with a correction for looking early.
      """,
    arguments: [ArgumentRow("RUN", "A run's id, the start of one, its name, or 'latest'.")],
    options: gateOptions + [scoresOption, databaseOption, colorOption, quietOption, helpOption],
    examples: [
      ("evalrun gate latest --gate 'score >= 0.8 for on-device'", "exit code 0, 1 or 3")
    ],
    perform: { session throws(CommandFailure) in try GateCommand(session: session).perform() })
}
