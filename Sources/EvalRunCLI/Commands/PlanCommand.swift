import EvalCore
import EvalSuites

/// `evalrun plan`.
struct PlanCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    let loading = SuiteLoading(session: session)
    let suite = try loading.load(session.arguments.positional[0])
    let settings = loading.settings(suite)
    let plan = try loading.plan(suite, settings: settings)
    let console = session.console
    console.result(
      "\(suite.name): \(counted(plan.trials.count, "trial")) = \(counted(plan.caseCount, "case")) × "
        + "\(counted(plan.targets.count, "target")) × \(counted(settings.repeats, "repeat")), seed \(plan.seed)\n"
    )
    if session.arguments.has("order") { printOrder(suite, plan) }
    return .done
  }

  private func printOrder(_ suite: Suite, _ plan: Plan) {
    let summaries = suite.cases.summaries
    for (index, trial) in plan.trials.enumerated() {
      let target = plan.targets[Int(trial.targetIndex)].name
      session.console.result(
        "\(index + 1)\t\(summaries[Int(trial.caseIndex)].id)\t\(target)\t\(trial.repeatIndex + 1)\n")
    }
  }
}
