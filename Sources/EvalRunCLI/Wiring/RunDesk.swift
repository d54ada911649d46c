import EvalAnalysis
import EvalCore
import EvalEngine
import EvalStore

/// Finds the run that a command goes on with, or begins one, and closes it afterwards.
struct RunDesk {
  let session: Session
  let store: RunStore
  let redactor: Redactor

  struct Opened {
    var run: RunInfo
    var lock: RunLock
    var recorder: Recorder
    var control: RunControl
    var finished: Set<TrialKey>
    /// US dollars of finished trials, by target; `nil` is unknown.
    var spent: [String: Double?]
  }

  func open(
    _ suite: Suite, plan: Plan, settings: RunSettings, calls: CallWiring.Calls
  ) throws(CommandFailure) -> Opened {
    do {
      let control = RunControl()
      let (run, lock) = try takeRun(suite, plan: plan, settings: settings, calls: calls)
      let finished = try store.finishedTrials(run.id)
      if !finished.isEmpty {
        session.console.note(
          "run \(run.id) goes on: \(finished.count) of \(counted(plan.trials.count, "trial")) are done")
      }
      let recorder = try store.recorder(run: run, redactor: redactor, isPrivate: run.isPrivate) { error in
        control.abort(.broken(error.message))
      }
      return Opened(
        run: run, lock: lock, recorder: recorder, control: control, finished: finished,
        spent: finished.isEmpty ? [:] : try store.spent(run.id))
    } catch {
      throw CommandFailure(error)
    }
  }

  /// - Parameter isCompared: nothing is left to compare.
  func close(
    _ opened: Opened, outcome: RunOutcome, isCompared: Bool, findings: [Finding]
  ) throws(CommandFailure) {
    do {
      try opened.recorder.flush()
      let status: RunStatus = outcome.isComplete && isCompared ? .finished : .interrupted
      try store.finish(opened.run.id, status, findings: findings, redactor: redactor)
    } catch {
      throw CommandFailure(error)
    }
    opened.lock.release()
  }

  private func takeRun(
    _ suite: Suite, plan: Plan, settings: RunSettings, calls: CallWiring.Calls
  ) throws -> (RunInfo, RunLock) {
    if let old = try store.unfinished(planHash: plan.hash) {
      if !session.arguments.has("fresh"), goesOn(old, settings: settings, calls: calls) {
        let lock = try store.lock(old.id)
        // Between finding and locking it, another process may have finished it.
        if let again = try store.unfinished(planHash: plan.hash), again.id == old.id {
          return (try withGates(of: suite, old), lock)
        }
        lock.release()
      } else {
        try giveUp(old)
      }
    }
    let run = newRun(suite, plan: plan, settings: settings, calls: calls)
    let lock = try store.lock(run.id)
    try store.begin(run, redactor: redactor)
    return (run, lock)
  }

  /// Live and recorded answers never share a run, nor do private and open ones.
  private func goesOn(_ old: RunInfo, settings: RunSettings, calls: CallWiring.Calls) -> Bool {
    old.provenance == calls.provenance && old.isPrivate == settings.isPrivate
  }

  /// Gates are no part of a plan: a run that goes on is judged by those of now.
  private func withGates(of suite: Suite, _ old: RunInfo) throws -> RunInfo {
    var run = old
    guard case .object(var settings) = old.settings else { return old }
    settings["gates"] = stored(suite.gates)
    run.settings = .object(settings)
    try store.keep(run.settings, of: run.id, redactor: redactor)
    return run
  }

  private func stored(_ gates: GateSettings) -> JSONValue? { gates == GateSettings() ? nil : gates.json }

  private func giveUp(_ old: RunInfo) throws {
    guard session.arguments.has("fresh") else { return }
    guard let lock = try lockUnlessHeld(old.id) else { return }
    try store.abandon(old.id)
    lock.release()
    session.console.note("run \(old.id) is abandoned for a fresh one")
  }

  private func lockUnlessHeld(_ id: String) throws -> RunLock? {
    do {
      return try store.lock(id)
    } catch {
      guard error.kind == .runLocked else { throw error }
      session.console.note("\(error.message); a fresh run starts beside it")
      return nil
    }
  }

  private func newRun(
    _ suite: Suite, plan: Plan, settings: RunSettings, calls: CallWiring.Calls
  ) -> RunInfo {
    let now = WallClock.now()
    var stored = settings.object
    stored["sample"] = plan.sample?.json
    stored["askedConcurrency"] = .integer(
      Int64(Engine.askedConcurrency(plan, suite: suite, providers: calls.providers, settings: settings)))
    stored["judging"] = suite.judgingObject
    stored["gates"] = self.stored(suite.gates)
    var run = RunInfo(
      id: RunIdentity.newID(at: now), suiteName: suite.name, suitePath: suite.path, suiteHash: suite.hash,
      planHash: plan.hash, seed: plan.seed, repeats: settings.repeats, plannedTrials: plan.trials.count,
      caseCount: plan.caseCount, startedAt: now, startedMonotonic: Monotonic.now(),
      targets: zip(plan.targets, plan.targetHashes).map { target, hash in
        RunInfo.TargetInfo(name: target.name, kind: target.kind, hash: hash, content: target.content)
      },
      settings: .object(stored), provenance: calls.provenance, toolVersion: evalrunVersion,
      machine: RunIdentity.machine)
    run.arms = plan.calledProfiles(suite, policies: calls.policies).filter { arm in
      !plan.targets.contains { $0.name == arm.name }
    }.map {
      RunInfo.TargetInfo(name: $0.name, kind: "profile", hash: $0.hash, content: .object($0.contentObject))
    }
    run.privacy = suite.privacy
    run.name = session.arguments.text("name")
    run.isPrivate = settings.isPrivate
    run.recording = calls.recording
    run.findings = suite.findings.map { finding in
      Finding(code: "suite", message: finding.message, advice: finding.advice)
    }
    return run
  }
}

extension Target {
  /// What is stored of a target with its run.
  var content: JSONValue {
    switch self {
    case .profile(let profile): .object(profile.contentObject)
    case .route(let route): route.policy
    }
  }
}
