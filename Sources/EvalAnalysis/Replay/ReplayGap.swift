import EvalCore

/// Trials of one side that a replay does not take as they were recorded, for one reason.
package struct ReplayGap: Sendable, Hashable {
  /// `bounded`, `modeled` or `missing`.
  package var label: String
  package var reason: String
  package var trials: Int
  /// Up to 5 cases, in the table's order.
  package var caseIDs: [String]

  /// The reasons of a side's trials, from many to few; exact trials have none.
  package static func gaps(of traces: [PolicyTrace], _ cases: [ReplayCase]) -> [ReplayGap] {
    var found: [String: ReplayGap] = [:]
    for trace in traces {
      guard let reason = trace.label.reason else { continue }
      let key = "\(trace.label.name) \(reason)"
      var gap = found[key] ?? ReplayGap(label: trace.label.name, reason: reason, trials: 0, caseIDs: [])
      gap.trials += 1
      let id = cases[trace.caseIndex].id
      if gap.caseIDs.count < 5, !gap.caseIDs.contains(id) { gap.caseIDs.append(id) }
      found[key] = gap
    }
    return found.values.sorted { ($1.trials, $0.label, $0.reason) < ($0.trials, $1.label, $1.reason) }
  }
}

extension RoutingComparison {
  /// Why trials of its sides are not taken as they were recorded, by the side's name; a side without a gap is not in it.
  package func gaps(_ replayer: Replayer, policies: [Contender]) -> [String: [ReplayGap]] {
    var gaps: [String: [ReplayGap]] = [:]
    let sides = arms.map { Contender(policy: ArmAlone($0.name)) } + policies
    for (side, score) in zip(sides, arms + self.policies) where score.coverage.exact < score.coverage.trials {
      let traces = replayer.traces(of: side.policy, constraints: side.constraints)
      let found = ReplayGap.gaps(of: traces, replayer.table.cases)
      if !found.isEmpty { gaps[side.name] = found }
    }
    return gaps
  }
}
