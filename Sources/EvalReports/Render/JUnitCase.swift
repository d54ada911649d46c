import EvalAnalysis
import EvalCore

/// One test case of a JUnit report: the repeats of one case under one target, and what they come to.
struct JUnitCase {
  enum Outcome: Hashable { case passed, failed, broken, skipped }

  private(set) var trials: [TrialRecord]
  private let repeats: Int

  /// - Parameters:
  ///   - trials: finished trials of one case and target, at least one.
  ///   - repeats: how many were planned.
  init(_ trials: [TrialRecord], repeats: Int) {
    self.trials = trials
    self.repeats = repeats
  }

  var id: String { trials[0].caseID }
  var target: String { trials[0].target }
  /// Seconds from the first schedule to the end, over all repeats.
  var seconds: Double { Double(trials.reduce(0) { $0 + ($1.duration ?? 0) }) / 1e9 }

  /// A failed check of any repeat is a failure; else whatever broke is an error; it passes when a repeat passed and none
  /// is missing.
  var outcome: Outcome {
    let outcomes = trials.map(JUnitCase.outcome)
    if outcomes.contains(.failed) { return .failed }
    if outcomes.contains(.broken) || trials.count < repeats { return .broken }
    return outcomes.contains(.passed) ? .passed : .skipped
  }

  /// What one trial comes to: `failed` is the model's doing, `broken` is not.
  static func outcome(_ trial: TrialRecord) -> Outcome {
    if trial.status == .failed { return trial.errorClass?.blame == .model ? .failed : .broken }
    if let passed = trial.score.passed { return passed ? .passed : .failed }
    if trial.score.value != nil { return .passed }
    switch (trial.score.unscored, trial.status) {
    case (.graderFailed?, _): return .broken
    case (.noAnswer?, .refused), (.noAnswer?, .empty): return .failed
    default: return .skipped
    }
  }

  /// What a gate comes to.
  static func outcome(_ gate: GateOutcome, _ leaning: GateSettings.Leaning?) -> Outcome {
    switch (gate, leaning) {
    case (.pass, _), (.inconclusive, .pass?): .passed
    case (.fail, _), (.inconclusive, .fail?): .failed
    case (.invalid, _): .broken
    case (.inconclusive, nil): .skipped
    }
  }

  /// The trials that made the outcome what it is.
  var telling: [TrialRecord] {
    let outcome = self.outcome
    return trials.filter { JUnitCase.outcome($0) == outcome }
  }

  /// One word for machines: a check's kind, a class of error, a reason.
  var type: String {
    guard let first = telling.first else { return "unfinished" }
    if first.status == .failed { return first.errorClass?.rawValue ?? "failed" }
    if let check = JUnitCase.failedChecks(first).first { return check.kind }
    return first.score.unscored?.rawValue ?? (first.status == .ok ? "noCheck" : first.status.rawValue)
  }

  /// One sentence: how many repeats passed, and the first reason why not all of them did.
  var message: String {
    var parts: [String] = []
    if repeats > 1 {
      let passed = trials.count { JUnitCase.outcome($0) == .passed }
      parts.append("\(passed) of \(repeats) repeats passed")
    }
    if trials.count < repeats { parts.append("\(repeats - trials.count) not finished") }
    if let first = telling.first { parts.append(JUnitCase.reason(first)) }
    return parts.joined(separator: "; ")
  }

  private static func reason(_ trial: TrialRecord) -> String {
    if trial.status == .failed {
      let words = trial.served?.errorMessage.map { ": \(cut($0, to: 300))" } ?? ""
      return "\(trial.errorClass?.rawValue ?? "failed")\(words)"
    }
    let failed = failedChecks(trial)
    if let first = failed.first {
      let words = first.explanation.map { ": \(cut($0, to: 300))" } ?? ""
      let more = failed.count > 1 ? " (and \(failed.count - 1) more)" : ""
      return "\(first.check) failed\(words)\(more)"
    }
    if trial.status == .ok, trial.score.unscored == nil { return "no check looks at it" }
    for score in trial.scores {
      guard case .unscored(let reason, let words) = score.judgement, reason == trial.score.unscored else {
        continue
      }
      return "\(score.check) could not be judged: \(words.isEmpty ? reason.words : cut(words, to: 300))"
    }
    return trial.status.rawValue
  }

  static func failedChecks(_ trial: TrialRecord) -> [ScoreRecord] {
    trial.scores.filter { score in
      if case .scored(_, false?) = score.judgement { true } else { false }
    }
  }

  /// The first characters of a text that may be an answer of any length.
  static func cut(_ text: String, to limit: Int) -> String {
    guard let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex),
      end < text.endIndex
    else { return text }
    return "\(text[..<end])…"
  }
}
