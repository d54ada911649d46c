import EvalAnalysis
import EvalCore
import EvalReports
import EvalStore

/// `evalrun power SUITE|RUN`.
struct PowerCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    let goal = (session.arguments.amount("points") ?? 3) / 100
    guard goal > 0, goal <= 1 else { throw CommandFailure(.usage, "--points is above 0 and at most 100") }
    let subject = session.arguments.positional[0]
    let isSuite = subject.contains(".") || subject.contains("/")
    let suite = isSuite ? try SuiteLoading(session: session).load(subject) : nil
    var size: (units: Int?, repeats: Int?) = (
      session.arguments.count("cases"), session.arguments.count("repeats")
    )
    if let suite {
      size.units = size.units ?? suite.cases.summaries.count
      size.repeats = size.repeats ?? suite.settings.repeats
    }
    let document =
      if let run = session.arguments.text("from") ?? (isSuite ? nil : subject) {
        try measured(run, size, goal, title: suite?.name)
      } else {
        try assumed(size, goal, title: suite?.name ?? subject)
      }
    TerminalRenderer(session.reportOptions).render(document) { session.console.result($0) }
    return .done
  }

  private func measured(
    _ name: String, _ size: (units: Int?, repeats: Int?), _ goal: Double, title: String?
  ) throws(CommandFailure) -> ReportDocument {
    let store = try session.openStore(.read)
    let run = try session.run(name, in: store)
    let plan: PowerPlan
    do {
      plan = PowerPlan.measured(
        try ComparisonInput.read(store.trials(run), label: run.id), units: size.units, repeats: size.repeats,
        goal: goal)
    } catch {
      throw CommandFailure(error)
    }
    guard !plan.rows.isEmpty else {
      throw CommandFailure(.usage, "run \(run.id) has no two judged cases to learn from")
    }
    return PowerReport.document(
      plan, title: title ?? run.suiteName, basis: "Variances are those of run \(run.id).")
  }

  private func assumed(
    _ size: (units: Int?, repeats: Int?), _ goal: Double, title: String
  ) throws(CommandFailure) -> ReportDocument {
    let passRate = session.arguments.amount("pass-rate") ?? 0.8
    let discordance = session.arguments.amount("discordance") ?? 0.2
    guard (0...1).contains(passRate), (0...1).contains(discordance) else {
      throw CommandFailure(.usage, "--pass-rate and --discordance are in 0…1")
    }
    let plan = PowerPlan.assumed(
      units: size.units ?? 1, repeats: size.repeats ?? 1, goal: goal, passRate: passRate,
      discordance: discordance)
    return PowerReport.document(
      plan, title: title,
      basis: "Assumed: pass rates of \(short(passRate * 100, places: 1)) %, "
        + "\(short(discordance * 100, places: 1)) % of cases pass on one side only, repeats do not help. "
        + "A run says more: --from RUN.")
  }
}

extension CommandTable {
  static let power = CommandSpec(
    name: "power", summary: "Say what difference a suite can see, and how many cases a smaller one takes.",
    discussion: """
      Without a run the variances are assumed, and stated. With --from, or a run in the suite's place, they are the
      run's: of every target, between targets, and of a target against itself when cases were repeated.
      """,
    arguments: [ArgumentRow("SUITE", "A suite's path, or a run's id or name.")],
    options: [
      OptionRow("from", value: ("RUN", .text), "Take the variances from this run."),
      OptionRow("cases", value: ("N", .count(atLeast: 2)), "Plan for N cases; the suite's unless given."),
      OptionRow("repeats", value: ("N", .count(atLeast: 1)), "Plan for N repeats; the suite's unless given."),
      OptionRow("points", value: ("P", .amount), "The difference to see, in points; 3 unless given."),
      OptionRow("pass-rate", value: ("SHARE", .amount), "Assumed pass rate in 0…1; 0.8 unless given."),
      OptionRow(
        "discordance", value: ("SHARE", .amount),
        "Assumed share of cases that only one side passes; 0.2 unless given."),
      commandsOption, databaseOption, colorOption, quietOption, helpOption,
    ],
    examples: [
      ("evalrun power suite.json", "what its cases can see"),
      ("evalrun power suite.json --from latest --repeats 3 --points 2", "with the noise of a run"),
    ],
    perform: { session throws(CommandFailure) in try PowerCommand(session: session).perform() })
}
