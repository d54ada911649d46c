import EvalCore

extension FindingRules {
  /// What makes verdicts doubtful.
  func judging() -> [Finding] {
    guard let judging = summary.judging else { return [] }
    return judging.judges.flatMap { unread($0) + unpriced($0) }
      + judging.embedders.flatMap(embedder)
      + judging.criteria.flatMap { disagreement($0) + inconsistency($0) }
      + judging.measured.flatMap { $0.errors.favours($0.check) }
  }

  private func unread(_ judge: JudgeSummary) -> [Finding] {
    guard judge.unread * 20 >= max(judge.questions, 1), judge.unread > 0 else { return [] }
    let why = judge.faults.map { "\($0.fault.rawValue) \($0.count)" }.joined(separator: ", ")
    let isShort = judge.faults.first?.fault == .truncated
    return [
      Finding(
        code: "judge-unread",
        message:
          "\(judge.unread) of \(judge.questions) questions to the judge '\(judge.name)' gave no verdict (\(why))",
        advice: isShort
          ? "raise the judge's `maxOutputTokens`, or lower `criteriaPerCall`"
          : "look at one with `evalrun show`; those answers are in no score")
    ]
  }

  private func embedder(_ embedder: EmbedderSummary) -> [Finding] {
    var findings: [Finding] = []
    if embedder.failures > 0 {
      findings.append(
        Finding(
          code: "embedding-failed",
          message:
            "\(embedder.failures) of \(embedder.calls) calls to the embedder '\(embedder.name)' gave no vectors",
          advice: "look at one with `evalrun show`; those answers are in no score"))
    }
    if embedder.unknownCosts > 0 {
      findings.append(
        Finding(
          code: "judge-cost-unknown",
          message:
            "the cost of \(embedder.unknownCosts) of \(embedder.calls) calls to the embedder '\(embedder.name)' is "
            + "unknown",
          advice: "state `price` in its profile, or `\"free\"`"))
    }
    return findings
  }

  private func unpriced(_ judge: JudgeSummary) -> [Finding] {
    guard judge.unknownCosts > 0 else { return [] }
    return [
      Finding(
        code: "judge-cost-unknown",
        message:
          "the cost of \(judge.unknownCosts) of \(judge.calls) calls to the judge '\(judge.name)' is unknown",
        advice: "state `price` in its profile, or `\"free\"`")
    ]
  }

  /// Below 2/3 Krippendorff advises to draw no conclusion (*Content Analysis*, 2018, 12.4.2).
  private func disagreement(_ criterion: CriterionAgreement) -> [Finding] {
    guard let alpha = criterion.alpha.value, criterion.alpha.n >= 10, alpha < 2.0 / 3 else { return [] }
    return [
      Finding(
        code: "judges-disagree",
        message:
          "verdicts on '\(criterion.criterion)' of '\(criterion.check)' agree little: alpha \(Self.rounded(alpha)) "
          + "over \(criterion.alpha.n) answers, and below 0.67 nothing should be concluded from them",
        advice: "describe its levels more sharply, add scored examples, or take another judge")
    ]
  }

  private func inconsistency(_ criterion: CriterionAgreement) -> [Finding] {
    criterion.selfConsistency.compactMap { entry in
      guard let same = entry.same.value, entry.same.n >= 10, same < 0.8 else { return nil }
      return Finding(
        code: "judge-inconsistent",
        message:
          "the judge '\(entry.judge)' gave the same answer the same level of '\(criterion.criterion)' in "
          + "\(Int((same * 100).rounded())) % of \(entry.same.n) second looks",
        advice: "take the median of several `draws` or judges, or fewer levels")
    }
  }

  static func rounded(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let digits = String(100 + abs(hundredths) % 100).dropFirst()
    return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(digits)"
  }
}
