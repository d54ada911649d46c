package import EvalCore

/// Everything the engine needs for one run. It knows protocols only.
package struct EngineParts: Sendable {
  package var suite: Suite
  package var plan: Plan
  package var settings: RunSettings
  package var limits: RunLimits
  /// A provider for each profile that a target may call, by profile name.
  package var providers: [String: any Provider]
  /// A policy for each planned target, by its name; a profile's own always calls it.
  package var policies: [String: any Policy]
  package var makeGrader: @Sendable (CheckSpec) throws(GraderProblem) -> any Grader
  package var observers: [any RunObserver]
  package var control: RunControl
  package var progress: RunProgress
  /// Trials that an earlier process finished.
  package var finished: Set<TrialKey>
  /// Where graders' questions to judges go; `nil` when nobody judges.
  package var judges: JudgeDesk?
  /// Whether an answer may be put to a check before it is served: not where that asks a judge, which an app would not.
  package var isSpotCheck: @Sendable (CheckSpec) -> Bool = { _ in true }
  /// Vectors that earlier runs have paid for; `nil` where none are used, as when a recording is made or replayed.
  package var embeddings: (any EmbeddingShelf)?
  /// Where the answers of the run come from.
  package var provenance = Provenance.live
  /// US dollars that earlier processes of the run spent on the trials of a route, by its name; `nil` is unknown.
  package var spentBefore: [String: Double?] = [:]

  package init(
    suite: Suite, plan: Plan, settings: RunSettings, limits: RunLimits = RunLimits(),
    providers: [String: any Provider], policies: [String: any Policy],
    makeGrader: @escaping @Sendable (CheckSpec) throws(GraderProblem) -> any Grader,
    observers: [any RunObserver], control: RunControl, progress: RunProgress,
    finished: Set<TrialKey> = [], judges: JudgeDesk? = nil
  ) {
    self.suite = suite
    self.plan = plan
    self.settings = settings
    self.limits = limits
    self.providers = providers
    self.policies = policies
    self.makeGrader = makeGrader
    self.observers = observers
    self.control = control
    self.progress = progress
    self.finished = finished
    self.judges = judges
  }
}

/// How a run ended in this process.
package struct RunOutcome: Sendable, Hashable {
  /// `nil` when the plan is done.
  package var stopped: StopReason?
  package var progress: RunProgress.Snapshot

  package init(stopped: StopReason?, progress: RunProgress.Snapshot) {
    self.stopped = stopped
    self.progress = progress
  }

  /// True when every planned trial is there.
  package var isComplete: Bool { progress.remaining == 0 }
}

/// Walks a plan with bounded width.
package struct Engine: Sendable {
  private let parts: EngineParts

  package init(_ parts: EngineParts) { self.parts = parts }

  /// Calls in flight that a plan asks for, for the run's settings: the widths of its profiles within those of their
  /// endpoints and of the run, and never more than there are trials.
  package static func askedConcurrency(
    _ plan: Plan, suite: Suite, providers: [String: any Provider], settings: RunSettings
  ) -> Int {
    let profiles = suite.profiles.filter { providers[$0.name] != nil }
    return Floor.askedWidth(
      profiles: profiles, providers: profiles.compactMap { providers[$0.name] }, settings: settings,
      trials: plan.trials.count)
  }

  /// Runs what is left of the plan. It does not throw: what fails under test is data, and what breaks the tool comes back
  /// as `StopReason.broken`.
  package func run() async -> RunOutcome {
    let floor = Floor(parts)
    let todo = floor.unfinished()
    parts.progress.plan(parts.plan.trials.count, alreadyDone: parts.plan.trials.count - todo.count)
    let dispatcher = Dispatcher(floor.dispatchState(todo))
    parts.judges?.open(floor, dispatcher)
    // Before the work begins: a run of instant answers is over before a later line of this function runs.
    parts.control.onChange { state in
      switch state {
      case .running: break
      case .draining: dispatcher.drain()
      case .aborting: dispatcher.close()
      }
    }
    floor.stopAtLimits(dispatcher)
    let work = Task { await walk(todo, floor: floor, dispatcher: dispatcher) }
    parts.control.onChange { state in
      if case .aborting = state { work.cancel() }
    }
    await work.value
    for finding in floor.windowLog.findings(floor.profiles) {
      for observer in parts.observers { observer.receive(.finding(finding)) }
    }
    let snapshot = parts.progress.snapshot
    return RunOutcome(stopped: snapshot.remaining == 0 ? nil : parts.control.stopReason, progress: snapshot)
  }

  private func walk(_ todo: [PlannedTrial], floor: Floor, dispatcher: Dispatcher) async {
    guard !todo.isEmpty else { return }
    var surveyed = floor
    surveyed.windows = await WindowSurvey(floor: floor).windows()
    let floor = surveyed
    await WarmUp(floor: floor, dispatcher: dispatcher).run()
    // Workers beyond the width stand in for those that wait for a retry.
    let workers = min(todo.count, floor.totalWidth * 2 + 8)
    await withDiscardingTaskGroup { group in
      for _ in 0..<workers {
        group.addTask {
          while let trial = await dispatcher.nextTrial() {
            await TrialRunner(floor: floor, dispatcher: dispatcher, planned: trial).run()
            dispatcher.endTrial(trial)
          }
        }
      }
    }
  }
}
