import EvalCore
import EvalEngine
import EvalStore

/// Finds the score set that a command goes on with, or begins one, and fills it.
struct ScoreDesk {
  let session: Session
  let store: RunStore
  let run: RunInfo
  let suite: Suite
  let provenance: Provenance
  let cases: RescoredCases

  /// Skipped cases that a set lists by name.
  private static let skippedLimit = 1000

  init(
    session: Session, store: RunStore, run: RunInfo, suite: Suite, provenance: Provenance
  ) throws(CommandFailure) {
    (self.session, self.store, self.run, self.suite) = (session, store, run, suite)
    self.provenance = suite.judges.isEmpty ? .live : provenance
    do {
      cases = try RescoredCases(stored: ScoreDesk.stored(run, store, suite), cases: suite.cases)
    } catch {
      throw CommandFailure(error)
    }
    guard !cases.places.isEmpty else {
      throw CommandFailure(
        .usage, "\(suite.path) has no case that run \(run.id) has an answer to",
        advice: cases.skipped.contains { $0.reason == .inputChanged }
          ? "the inputs have changed: run the suite anew"
          : "name the suite of the run, or an edited copy of it")
    }
  }

  /// The run's cases; with their content where the suite has not the same.
  private static func stored(_ run: RunInfo, _ store: RunStore, _ suite: Suite) throws -> [CaseRecord] {
    let cases = try store.cases(run.id, withContent: false)
    let hashes = Set(suite.cases.summaries.map(\.hash))
    guard cases.contains(where: { !hashes.contains($0.hash) }) else { return cases }
    return try store.cases(run.id)
  }

  /// Grades what the set has no scores of yet.
  func grade(
    _ wiring: ScoreWiring, _ calls: CallWiring.Calls
  ) throws(CommandFailure) -> (ScoreSetInfo, RunOutcome) {
    do {
      var set = try chosen()
      let places = cases.places
      let answers = try store.answers(run.id, set: set.number) { places[$0] != nil }
      (set.trials, set.planned) = (answers.trials, answers.planned)
      guard answers.left > 0 || set.finishedAt == nil else {
        session.console.note(
          "score set \(set.label) has these scores already; --again or another --name grades anew")
        return (set, RunOutcome(stopped: nil, progress: RunProgress().snapshot))
      }
      if set.number > 0, answers.left < answers.planned {
        session.console.note(
          "score set \(set.label) goes on: \(answers.planned - answers.left) of "
            + "\(counted(answers.planned, "trial")) are graded")
      }
      return try fill(set, wiring, calls, alreadyDone: answers.planned - answers.left)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// The set of this name, else the newest one of these checks, else a new one with the number 0.
  private func chosen() throws -> ScoreSetInfo {
    let hash = cases.hash(suite, version: evalrunVersion)
    let sets = try store.scoreSets(run.id)
    let isAgain = session.arguments.has("again")
    func isSame(_ set: ScoreSetInfo) -> Bool { set.hash == hash && set.provenance == provenance }
    let name = session.arguments.text("name")
    if let name {
      guard !name.allSatisfy({ $0.isNumber }) else {
        throw CommandFailure(.usage, "'\(name)' cannot be a set's name: it would be taken for a number")
      }
      if let old = sets.first(where: { $0.name == name }) {
        guard isSame(old), !isAgain else {
          throw CommandFailure(
            .usage,
            "the run has a score set '\(name)' already\(isSame(old) ? "" : ", graded by other checks or judges")",
            advice: "give another --name; scores are never edited")
        }
        return updated(old)
      }
    } else if !isAgain, let old = sets.last(where: isSame) {
      return updated(old)
    }
    return updated(
      ScoreSetInfo(
        name: name, createdAt: WallClock.now(), hash: hash, suiteName: suite.name, suitePath: suite.path,
        suiteHash: suite.hash, toolVersion: evalrunVersion, provenance: provenance, trials: 0, planned: 0,
        skipped: [], skippedCount: 0, judging: suite.judgingObject))
  }

  private func updated(_ set: ScoreSetInfo) -> ScoreSetInfo {
    var set = set
    set.skipped = Array(cases.skipped.prefix(ScoreDesk.skippedLimit))
    set.skippedCount = cases.skipped.count
    return set
  }

  private func fill(
    _ set: ScoreSetInfo, _ wiring: ScoreWiring, _ calls: CallWiring.Calls, alreadyDone: Int
  ) throws -> (ScoreSetInfo, RunOutcome) {
    let control = RunControl()
    let progress = RunProgress()
    let (opened, recorder) = try store.openScoreSet(set, of: run.id, redactor: calls.redactor) { error in
      control.abort(.broken(error.message))
    }
    var parts = wiring.parts(calls, control: control, progress: progress, recorder: recorder)
    parts.embeddings = try calls.shelf(wiring.suite, store, isFresh: false)
    let rescoring = Rescoring(parts, places: cases.places)
    Interrupts.stop(control, telling: session.console)
    let (store, run, console, places) = (store, run, session.console, cases.places)
    let outcome: RunOutcome = try blocking {
      let reporter = ProgressReporter(console: console, progress: progress)
      reporter.start()
      let work = Task { () async -> Result<RunOutcome, StoreError> in
        do throws(StoreError) {
          let answers = try store.answers(run.id, set: opened.number) { places[$0] != nil }
          let tray = ScoreTray(answers: answers, recorder: recorder)
          return .success(
            await rescoring.run(
              tray, planned: opened.planned, alreadyDone: alreadyDone, cores: ScoreWiring.cores))
        } catch {
          return .failure(error)
        }
      }
      control.onChange { state in
        if case .aborting = state { work.cancel() }
      }
      let result = await work.value
      await reporter.stop()
      return result
    }.get()
    if outcome.isComplete { try store.finishScoreSet(opened, of: run.id) }
    return (opened, outcome)
  }
}
