package import EvalCore

/// How a replay is carried out.
package struct ReplaySettings: Sendable, Hashable {
  /// Nanoseconds that each decision counts for, for instance the median of a live run's; 0 leaves them out.
  package var routingNanoseconds: Int64 = 0
  /// The most calls in one turn, as live; a policy that wants more is blocked.
  package var callLimit = 100
  /// Retries of the run that was recorded: made after an injected error where the policy leaves retries to the run.
  package var retryLimit = RetrySettings().limit

  package init() {}
}

/// Walks policies over recorded trials as the engine walks them live, with zero calls.
package struct Replayer: Sendable {
  /// The recording, a scenario's signals and prices applied.
  package let table: ReplayTable
  package let scenario: Scenario
  package let settings: ReplaySettings

  package init(
    _ table: ReplayTable, scenario: Scenario = .none, settings: ReplaySettings = ReplaySettings()
  ) {
    self.table = scenario.applied(to: table)
    self.scenario = scenario
    self.settings = settings
  }

  /// What a policy does with every case and repeat: repeat by repeat, in each the cases in the table's order. A policy
  /// that looks at what the run has spent meets them in this order.
  ///
  /// - Parameter constraints: the policy's own privacy rules, for the leak audit.
  package func traces(of policy: any Policy, constraints: PrivacyRules? = nil) -> [PolicyTrace] {
    var traces: [PolicyTrace] = []
    traces.reserveCapacity(table.trialCount)
    var spent: Double? = 0
    for repeatIndex in 0..<table.repeats {
      for index in table.cases.indices {
        let trace = self.trace(
          of: policy, case: index, repeat: repeatIndex, spent: spent, constraints: constraints)
        spent = spent.flatMap { before in trace.dollars.map { before + $0 } }
        traces.append(trace)
      }
    }
    return traces
  }

  /// What a policy does with one recorded trial.
  ///
  /// - Parameter spent: US dollars of the policy's trials before; `nil` is unknown.
  package func trace(
    of policy: any Policy, case index: Int, repeat repeatIndex: Int, spent: Double? = 0,
    constraints: PrivacyRules? = nil
  ) -> PolicyTrace {
    var walk = ReplayWalk(self, policy: policy, case: index, repeat: repeatIndex, spentBefore: spent)
    walk.run()
    let audit = LeakAudit(privacy: table.privacy, constraints: constraints)
    walk.trace.leaks = audit.leaks(
      of: walk.trace.attempts.map(LeakAudit.Call.init), signals: table.cases[index].signals)
    return walk.trace
  }

  /// The facts of every case before its first call, in the table's order, as `RuledPolicy` takes them.
  package var factTable: FactTable {
    FactTable(
      table.cases.map { one in
        RoutingFacts(caseID: one.id, signals: one.signals, arms: facts(of: one, turn: 0))
      })
  }

  func facts(of one: ReplayCase, turn: Int) -> [String: ArmFacts] {
    guard one.facts.indices.contains(turn) else { return [:] }
    var facts: [String: ArmFacts] = [:]
    for (arm, known) in zip(table.arms, one.facts[turn]) { facts[arm.name] = known }
    return facts
  }
}

extension LeakAudit.Call {
  init(_ attempt: TraceAttempt) {
    let wasStopped =
      switch attempt.end {
      case .refused, .failed(.refusal), .failed(.contentFiltered): true
      case .ok, .empty, .failed: false
      }
    self.init(
      turn: attempt.turn, boundary: attempt.boundary, bytesSent: attempt.bytesSent, wasStopped: wasStopped)
  }
}
