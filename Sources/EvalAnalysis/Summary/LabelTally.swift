import EvalCore

/// Finds the labels that are known for the judges of a run's checks.
struct LabelTally {
  private let labels: [JudgeIdentity: [VerdictLabel]]
  private var names: [String] = []
  private var identities: [String: Set<JudgeIdentity>] = [:]

  init(_ labels: [VerdictLabel]) { self.labels = Dictionary(grouping: labels, by: \.identity) }

  mutating func add(_ trial: TrialRecord) {
    guard !labels.isEmpty, !trial.judgeCalls.isEmpty else { return }
    for answer in JudgedAnswer.all(of: trial) {
      guard let identity = answer.identity else { continue }
      if identities[answer.check] == nil { names.append(answer.check) }
      identities[answer.check, default: []].insert(identity)
    }
  }

  /// One for each check of which labels are known.
  func measured(_ targets: [TargetSummary], seed: UInt64) -> [MeasuredCheck] {
    names.compactMap { name in
      let asked = (identities[name] ?? []).sorted {
        ($0.form.hex, $0.judges.map(\.hex).joined()) < ($1.form.hex, $1.judges.map(\.hex).joined())
      }
      let known = asked.flatMap { labels[$0] ?? [] }
      guard !known.isEmpty else { return nil }
      let errors = JudgeErrors(known, seed: seed)
      return MeasuredCheck(
        check: name, errors: errors, rates: TargetRate.all(errors, name, targets), questions: asked.count,
        labelledQuestions: asked.count { labels[$0] != nil })
    }
  }
}

extension TargetRate {
  /// The judged pass rates of a check by target, with what they are without the judge's errors.
  static func all(_ errors: JudgeErrors, _ check: String, _ targets: [TargetSummary]) -> [TargetRate] {
    targets.compactMap { target in
      guard let found = target.checks.first(where: { $0.name == check }), found.verdicts > 0 else {
        return nil
      }
      let corrected = errors.corrected(found.passRate, of: target.name)
      return TargetRate(
        target: target.name, raw: found.passRate, corrected: corrected.result, basis: corrected.basis)
    }
  }
}
