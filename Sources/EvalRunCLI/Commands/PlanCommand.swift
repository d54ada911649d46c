import EvalCore
import EvalReports
import EvalRouting
import EvalSuites

/// `evalrun plan`.
struct PlanCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    let loading = SuiteLoading(session: session)
    let suite = try loading.load(session.arguments.positional[0])
    let settings = loading.settings(suite)
    let plan = try loading.plan(suite, settings: settings)
    let estimate: PlanEstimate
    let policies = RouteReading(suite: suite).read(knowsCases: false).policies
    do {
      estimate = try PlanEstimate(plan, suite) { route in
        suite.profiles.filter { policies[route.name]?.arms.contains($0.name) ?? false }
      }
    } catch {
      throw CommandFailure(error)
    }
    var document = ReportDocument(title: "\(suite.name): plan")
    document.blocks = [.paragraph(size(plan, settings)), .table(table(estimate)), .notes(notes(settings))]
    let arms = plan.targets.compactMap { target in policies[target.name].map { (target.name, $0.arms) } }
    if !arms.isEmpty {
      let words = arms.map { "\($0) may call \($1.joined(separator: ", "))" }
      document.blocks.append(
        .paragraph(
          "Routes: \(words.joined(separator: "; ")). Each calls at least one of its arms for a turn."))
    }
    if session.arguments.has("order") { document.blocks.append(.table(order(suite, plan))) }
    TerminalRenderer(session.reportOptions).render(document) { session.console.result($0) }
    return .done
  }

  private func size(_ plan: Plan, _ settings: RunSettings) -> String {
    "\(counted(plan.trials.count, "trial")): \(counted(plan.caseCount, "case")) × "
      + "\(counted(plan.targets.count, "target")) × \(counted(settings.repeats, "repeat")), seed \(plan.seed). "
      + "\(plan.sample.map { "A sample: \($0.sentence). " } ?? "")Nothing ran."
  }

  private func table(_ estimate: PlanEstimate) -> ReportTable {
    var table = ReportTable(
      columns: [
        .init("target", .left), .init("trials"), .init("calls"), .init("input tokens ~"),
        .init("output tokens"), .init("cost ~"),
      ])
    for column in estimate.columns {
      table.rows.append([
        ReportCell(column.target), ReportCell(Numbers.count(column.trials)), ReportCell(words(column.calls)),
        ReportCell(words(column.input)), ReportCell(words(column.output)), ReportCell(words(column.cost)),
      ])
    }
    return table
  }

  private func words(_ range: TokenRange) -> String {
    guard let high = range.high else { return "\(Numbers.count(range.low)) or more" }
    return high == range.low
      ? Numbers.count(high) : "\(Numbers.count(range.low))–\(Numbers.count(high))"
  }

  private func words(_ cost: PlanEstimate.CostRange?) -> String {
    guard let cost else { return "unknown" }
    let low = dollars(cost.low)
    guard let high = cost.high else { return "\(low) or more" }
    return cost.low == high ? low : "\(low)–\(dollars(high))"
  }

  private func dollars(_ value: Double) -> String {
    if value == 0 { return "$0" }
    return "$\(Numbers.fixed(value, value < 0.01 ? 6 : value < 1 ? 4 : 2))"
  }

  private func notes(_ settings: RunSettings) -> [String] {
    var notes = [
      "Input tokens are estimated by language and script; output is between nothing and each profile's limit. "
        + "Retries come on top: up to \(settings.retries.limit) for a failed call."
    ]
    if settings.warmup > 0 {
      notes.append("Before them \(counted(settings.warmup, "warm-up call")) for each profile, kept apart.")
    }
    return notes
  }

  private func order(_ suite: Suite, _ plan: Plan) -> ReportTable {
    let summaries = suite.cases.summaries
    var table = ReportTable(
      caption: "Order",
      columns: [.init("#"), .init("case", .left), .init("target", .left), .init("repeat"), .init("block")])
    for (index, trial) in plan.trials.enumerated() {
      table.rows.append([
        ReportCell(String(index + 1)), ReportCell(summaries[Int(trial.caseIndex)].id),
        ReportCell(plan.targets[Int(trial.targetIndex)].name), ReportCell(String(trial.repeatIndex + 1)),
        ReportCell(String(trial.block + 1)),
      ])
    }
    return table
  }
}
