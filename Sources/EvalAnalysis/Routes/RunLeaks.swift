package import EvalCore

/// A call of a route that went where it may not, for people who must find it.
package struct RouteLeak: Sendable, Hashable {
  package var route: String
  package var caseID: String
  /// 0-based.
  package var repeatIndex: Int
  /// The attempt's number in its trial.
  package var attempt: Int
  package var arm: String
  /// An unknown one counts as the farthest.
  package var boundary: Boundary
  /// What the case says; `nil` when it says nothing, which is the most restrictive.
  package var sensitivity: String?
  package var rules: [Leak.Rule]
}

/// Looks for leaks in the trials of a run: by the attempt log, the case's signals, the suite's privacy as stored with the
/// run and the policy's constraints as it was written. What the policy decided is not asked.
package struct RunLeaks: Sendable {
  private let audits: [String: LeakAudit]

  /// - Parameter run: one that did not write its suite's privacy down is held to the standard.
  package init(_ run: RunInfo) {
    let privacy = run.privacy ?? .standard
    let routes = run.targets.filter { $0.kind == "route" }
    audits = Dictionary(
      routes.map { route in
        (
          route.name,
          LeakAudit(privacy: privacy, constraints: RunLeaks.constraints(of: route.content))
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The leaks of one trial, in order; empty for a profile alone, which nobody routed.
  package func leaks(of trial: TrialRecord) -> [RouteLeak] {
    guard let audit = audits[trial.target] else { return [] }
    let attempts = trial.attempts.filter { $0.phase == .measured }
    return audit.leaks(of: attempts.map(LeakAudit.Call.init), signals: trial.signals).map { leak in
      let attempt = attempts[leak.attempt]
      return RouteLeak(
        route: trial.target, caseID: trial.caseID, repeatIndex: trial.key.repeatIndex,
        attempt: attempt.number, arm: attempt.profile, boundary: leak.boundary,
        sensitivity: trial.signals["sensitivity"]?.stringValue, rules: leak.rules)
    }
  }

  /// The limits that a policy writes for itself; what it does not write is no limit of its own. `nil` without any.
  private static func constraints(of policy: JSONValue) -> PrivacyRules? {
    guard let written = policy["constraints"] else { return nil }
    var rules = PrivacyRules(maxBoundary: [:], consentRequired: [])
    for sensitivity in Sensitivity.allCases {
      let word = written["maxBoundary"]?[sensitivity.rawValue]?.stringValue
      rules.maxBoundary[sensitivity] = word.flatMap(Boundary.init(rawValue:)) ?? .thirdParty
    }
    let names = written["consentRequired"]?.arrayValue?.compactMap(\.stringValue) ?? []
    rules.consentRequired = Set(names.compactMap(Boundary.init(rawValue:)))
    return rules
  }
}
