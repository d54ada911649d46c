import EvalAnalysis
import EvalCore
import EvalEngine
import EvalGraders
import EvalReports
import EvalStore

/// `evalrun SUITE.json`: load, plan, find or begin the run, walk it, report it.
struct RunCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    Interrupts.begin()
    let loading = SuiteLoading(session: session)
    var suite = try loading.load(session.arguments.positional[0])
    suite.gates = try GateWiring(session: session).settings(
      suite.gates, targets: suite.targets.map(\.name), cases: suite.cases.summaries)
    let baseline = try BaselineSides(session)
    let ci = CIDesk(session: session, suite: suite, baseline: baseline)
    ci.sayWhatIsMissing()
    let silence = ci.silenceCommands()
    let settings = loading.settings(suite)
    let plan = try loading.plan(suite, settings: settings)
    guard !plan.trials.isEmpty else {
      throw CommandFailure(.usage, "nothing to run: the options leave no trial", advice: "see 'evalrun plan'")
    }
    let calls = try CallWiring(session: session, suite: suite, plan: plan, settings: settings).make()
    session.console.redact(with: calls.redactor)
    try refuseUnpricedLimit(plan, suite, calls)
    if settings.isPrivate, !suite.comparisons.isEmpty {
      throw CommandFailure(
        .usage, "a private run keeps no answers to compare",
        advice: "take 'comparisons' out, or run without --private")
    }
    if calls.provenance == .live {
      try OpenFiles.allow(
        calls: Engine.askedConcurrency(plan, suite: suite, providers: calls.providers, settings: settings))
    }
    let store = try session.openStore(.write)
    defer { store.close() }
    let desk = RunDesk(session: session, store: store, redactor: calls.redactor)
    let opened = try desk.open(suite, plan: plan, settings: settings, calls: calls)
    var outcome = try walk(suite, plan: plan, settings: settings, calls: calls, opened: opened, store)
    let isCompared = try compare(suite, store: store, calls: calls, opened: opened, outcome: &outcome)
    try desk.close(opened, outcome: outcome, isCompared: isCompared, findings: calls.findings())
    Interrupts.handle(nil)
    let input = try report(opened, store: store, redactor: calls.redactor, baseline)
    try ci.report(input, redactor: calls.redactor, silence: silence)
    let ended = exitCode(outcome, store: store, run: opened.run, input.summary.verdict)
    let code = LeakGate(session: session).code(input.summary, else: ended)
    sayHowItEnded(outcome, code: code, run: opened.run)
    return code
  }

  /// A limit on money that nobody can count would be no limit.
  private func refuseUnpricedLimit(
    _ plan: Plan, _ suite: Suite, _ calls: CallWiring.Calls
  ) throws(CommandFailure) {
    guard session.arguments.has("max-cost") else { return }
    let called = plan.calledProfiles(suite, policies: calls.policies)
    for profile in called + suite.judges where profile.price == nil {
      throw CommandFailure(
        .usage, "--max-cost cannot be held: the profile '\(profile.name)' has no price",
        advice: "give it a \"price\", or \"free\" if it is")
    }
  }

  private func walk(
    _ suite: Suite, plan: Plan, settings: RunSettings, calls: CallWiring.Calls, opened: RunDesk.Opened,
    _ store: RunStore
  ) throws(CommandFailure) -> RunOutcome {
    let progress = RunProgress()
    let graders = GraderWiring(
      suite: suite, allowsCommands: session.arguments.has("allow-commands"), judges: calls.judges)
    var limits = RunLimits()
    limits.maxCost = session.arguments.amount("max-cost")
    limits.maxErrors = session.arguments.count("max-errors")
    limits.failFast = session.arguments.has("fail-fast")
    var parts = EngineParts(
      suite: suite, plan: plan, settings: settings, limits: limits, providers: calls.providers,
      policies: calls.policies, makeGrader: graders.make, observers: [opened.recorder],
      control: opened.control, progress: progress, finished: opened.finished, judges: calls.judges)
    parts.provenance = calls.provenance
    parts.spentBefore = opened.spent
    parts.embeddings = try calls.shelf(suite, store, isFresh: session.arguments.has("fresh"))
    parts.isSpotCheck = { !GraderRegistry.asksJudge($0) }
    let engine = Engine(parts)
    let console = session.console
    Interrupts.stop(opened.control, telling: console)
    return blocking {
      let reporter = ProgressReporter(console: console, progress: progress)
      reporter.start()
      let outcome = await engine.run()
      await reporter.stop()
      return outcome
    }
  }

  /// Has judges compare answers once all are there.
  /// - Returns: whether nothing is left to compare.
  private func compare(
    _ suite: Suite, store: RunStore, calls: CallWiring.Calls, opened: RunDesk.Opened,
    outcome: inout RunOutcome
  ) throws(CommandFailure) -> Bool {
    guard !suite.comparisons.isEmpty, let judges = calls.judges else { return true }
    guard outcome.isComplete else { return false }
    if try ComparisonDesk(suite: suite, store: store, opened: opened, judges: judges).perform() {
      return true
    }
    if let reason = opened.control.stopReason { outcome.stopped = reason }
    return false
  }

  /// - Returns: what every other report starts from.
  private func report(
    _ opened: RunDesk.Opened, store: RunStore, redactor: Redactor, _ baseline: BaselineSides?
  ) throws(CommandFailure) -> ReportInput {
    let reports = RunReports(session: session, store: store)
    let run = try session.run(opened.run.id, in: store)
    let input = try reports.input(run, baseline: baseline?.sides ?? [], withTexts: true)
    if let terminal = ReportFormat.named("terminal") {
      try reports.render(terminal, input, options: session.reportOptions) { session.console.result($0) }
    }
    guard !session.arguments.has("no-reports") else { return input }
    let folder = try reports.writeFiles(
      run, input, under: session.arguments.text("output") ?? "Reports", redactor: redactor)
    session.console.note("reports: \(folder)/")
    return input
  }

  /// Nothing that succeeded means that nothing was measured, whatever the table says.
  private func exitCode(
    _ outcome: RunOutcome, store: RunStore, run: RunInfo, _ verdict: GateVerdict?
  ) -> ExitCode {
    switch outcome.stopped {
    case .interrupted: return .interrupted
    case .broken, .maxCost, .costUnknown, .maxErrors, .failFast: return .couldNotRun
    case nil: break
    }
    let trials = (try? store.totals(run.id).trials) ?? [:]
    let answered = trials.filter {
      $0.key == .ok || $0.key == .refused || $0.key == .empty || $0.key == .blocked
    }
    return answered.values.reduce(0, +) == 0 ? .couldNotRun : GateWiring(session: session).code(verdict)
  }

  private func sayHowItEnded(_ outcome: RunOutcome, code: ExitCode, run: RunInfo) {
    let console = session.console
    let left = outcome.progress.remaining
    let goOn = "the same command goes on with \(left > 0 ? counted(left, "trial") : "the comparisons")"
    switch outcome.stopped {
    case .interrupted: console.error("interrupted; \(goOn)")
    case .maxCost:
      // With what the calls cost that were in flight when it was reached.
      console.error("stopped by --max-cost at $\(short(outcome.progress.spent, places: 4)); \(goOn)")
    case .costUnknown:
      console.failure(
        CommandFailure(
          .couldNotRun, "--max-cost cannot be held: the answers do not say how many tokens they took",
          advice: "without --max-cost \(goOn)"))
    case .maxErrors(let count): console.error("stopped by --max-errors after \(count) failed; \(goOn)")
    case .failFast: console.error("stopped by --fail-fast; \(goOn)")
    case .broken(let why): console.failure(CommandFailure(.couldNotRun, why, advice: goOn))
    case nil:
      if code == .couldNotRun {
        console.failure(
          CommandFailure(
            .couldNotRun, "no call succeeded", advice: "see the errors with 'evalrun show \(run.id)'"))
      }
    }
  }
}
