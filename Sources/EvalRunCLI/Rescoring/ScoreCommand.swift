import EvalAnalysis
import EvalCore
import EvalEngine
import EvalReports
import EvalStore

/// `evalrun score RUN --with SUITE.json`: stored answers, new scores.
struct ScoreCommand {
  let session: Session

  func perform() throws(CommandFailure) -> ExitCode {
    if session.arguments.has("list") { return try list() }
    guard let path = session.arguments.text("with") else {
      throw CommandFailure(
        .usage, "'evalrun score' needs the suite that grades: --with SUITE.json",
        advice: "--list shows the sets that there are")
    }
    Interrupts.begin()
    let store = try session.openStore(.write)
    defer { store.close() }
    let run = try session.run(session.arguments.positional[0], in: store)
    guard !run.isPrivate else {
      throw CommandFailure(
        .usage, "run \(run.id) is private: it keeps no answer that could be graded anew",
        advice: "grade live, or run without --private")
    }
    let before = try scoreSet(session.arguments.text("against"), of: run, in: store)
    let suite = try SuiteLoading(session: session).load(path)
    let wiring = ScoreWiring(session: session, suite: suite, run: run)
    let calls = try wiring.calls()
    session.console.redact(with: calls.redactor)
    let lock = try lock(run, in: store)
    defer { lock.release() }
    let desk = try ScoreDesk(
      session: session, store: store, run: run, suite: suite, provenance: calls.provenance)
    let (set, outcome) = try desk.grade(wiring, calls)
    Interrupts.handle(nil)
    try report(set, before: before, unanswered: desk.cases.unanswered, of: run, in: store, calls.redactor)
    return end(outcome, set)
  }

  private func list() throws(CommandFailure) -> ExitCode {
    let store = try session.openStore(.read)
    let run = try session.run(session.arguments.positional[0], in: store)
    do {
      TerminalRenderer(session.reportOptions).render(
        ScoreSetList.document(try store.scoreSets(run.id), run: run)
      ) { session.console.result($0) }
    } catch {
      throw CommandFailure(error)
    }
    return .done
  }

  private func scoreSet(
    _ text: String?, of run: RunInfo, in store: RunStore
  ) throws(CommandFailure) -> ScoreSetInfo? {
    do {
      return try text.flatMap { text throws(StoreError) in try store.scoreSet(text, of: run.id) }
    } catch {
      throw CommandFailure(error)
    }
  }

  /// A run that goes on meanwhile, or another grading of it, would change what is graded.
  private func lock(_ run: RunInfo, in store: RunStore) throws(CommandFailure) -> RunLock {
    do {
      return try store.lock(run.id)
    } catch {
      guard error.kind == .runLocked else { throw CommandFailure(error) }
      throw CommandFailure(.couldNotRun, error.message, advice: "wait for it, or stop it")
    }
  }

  private func report(
    _ set: ScoreSetInfo, before: ScoreSetInfo?, unanswered: Int, of run: RunInfo, in store: RunStore,
    _ redactor: Redactor
  ) throws(CommandFailure) {
    guard let format = ScoreSetFormat.named(session.arguments.text("format") ?? "terminal") else { return }
    do {
      let current = try store.scoreSet(String(set.number), of: run.id) ?? set
      let change = try ScoreSetChange(
        before: store.trials(run, scores: before), after: store.trials(run, scores: current), set: current)
      let input = ScoreSetReportInput(
        change: change, judges: try store.judgeCosts(run.id, set: set.number), unanswered: unanswered)
      guard let path = session.arguments.text("output") else {
        return format.render(input, session.reportOptions) { session.console.result($0) }
      }
      let file = try OutputFile(path: path)
      format.render(input, ReportOptions()) { file.write(redactor.redact($0)) }
      try file.close()
    } catch {
      throw CommandFailure(error)
    }
  }

  private func end(_ outcome: RunOutcome, _ set: ScoreSetInfo) -> ExitCode {
    let console = session.console
    let left = counted(outcome.progress.remaining, "trial")
    let goOn = "the same command goes on with \(left)"
    switch outcome.stopped {
    case nil: return .done
    case .interrupted:
      console.error("interrupted; \(goOn)")
      return .interrupted
    case .maxCost:
      console.error(
        "stopped by --max-cost at $\(short(outcome.progress.spent, places: 4)); \(goOn)")
    case .costUnknown:
      console.failure(
        CommandFailure(
          .couldNotRun, "--max-cost cannot be held: the judges do not say how many tokens they took",
          advice: "without --max-cost \(goOn)"))
    case .broken(let why): console.failure(CommandFailure(.couldNotRun, why, advice: goOn))
    case .maxErrors, .failFast: break
    }
    return .couldNotRun
  }
}

extension Session {
  /// A run's trials with the scores that `--scores` names; its own unless given.
  func trials(_ run: RunInfo, in store: RunStore) throws(CommandFailure) -> StoredTrials {
    guard let text = arguments.text("scores") else { return store.trials(run) }
    do {
      return store.trials(run, scores: try store.scoreSet(text, of: run.id))
    } catch {
      throw CommandFailure(error)
    }
  }
}
