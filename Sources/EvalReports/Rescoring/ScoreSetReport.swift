package import EvalAnalysis
import EvalCore

/// What a report of two gradings starts from.
package struct ScoreSetReportInput {
  package var change: ScoreSetChange
  /// What judges of the new grading were asked, every call included.
  package var judges: (calls: Int, knownDollars: Double, unknown: Int)
  /// Cases of the grading suite that the run has no answers to.
  package var unanswered: Int

  package init(
    change: ScoreSetChange, judges: (calls: Int, knownDollars: Double, unknown: Int), unanswered: Int
  ) {
    self.change = change
    self.judges = judges
    self.unanswered = unanswered
  }
}

/// Old and new scores of the same answers side by side, composed once for every format.
package enum ScoreSetReport {
  /// - Returns: what was graded by what, then for each target its whole trials, its checks and the cases that changed.
  package static func document(_ input: ScoreSetReportInput) -> ReportDocument {
    let change = input.change
    var blocks: [ReportBlock] = []
    if let banner = RunReport.banner(change.run) { blocks.append(.banner(banner)) }
    blocks.append(.paragraph(origin(change.after)))
    blocks += coverage(input).map { .paragraph($0) }
    for target in change.targets {
      if change.targets.count > 1 { blocks.append(.heading(target.target)) }
      blocks.append(.table(table(target, change)))
      let flips = self.flips(target, change)
      if !flips.isEmpty { blocks.append(.section(title: "Cases that changed: \(target.target)", flips)) }
    }
    blocks.append(.notes(notes(change)))
    return ReportDocument(title: title(change), blocks: blocks)
  }

  static func label(_ set: ScoreSetInfo?) -> String { set.map { "scores \($0.label)" } ?? "own scores" }

  private static func title(_ change: ScoreSetChange) -> String {
    "\(change.run.suiteName): \(label(change.after)) against \(label(change.before)), run "
      + "\(change.run.name ?? change.run.id)"
  }

  private static func origin(_ set: ScoreSetInfo) -> String {
    "Graded by suite \(set.suitePath) (\(set.suiteHash.short)), \(UTCTime.text(set.createdAt)), evalrun "
      + "\(set.toolVersion)\(set.finishedAt == nil ? "; not finished" : "")."
  }

  private static func coverage(_ input: ScoreSetReportInput) -> [String] {
    let set = input.change.after
    var lines = ["\(Numbers.part(set.covered, of: set.trials)) finished trials have new scores."]
    for (reason, words) in [
      (ScoreSetInfo.SkippedCase.Reason.inputChanged, "not scored, the input changed"),
      (.notInSuite, "not scored, the suite has no such case"),
    ] {
      let ids = set.skipped.filter { $0.reason == reason }.map(\.id)
      guard !ids.isEmpty else { continue }
      lines.append(
        "\(ids.count == 1 ? "1 case is" : "\(Numbers.count(ids.count)) cases are") \(words): "
          + ids.prefix(20).joined(separator: ", ") + (ids.count > 20 ? ", …" : ""))
    }
    if set.skippedCount > set.skipped.count {
      lines.append("\(Numbers.count(set.skippedCount)) cases in all are not scored.")
    }
    if input.unanswered > 0 {
      lines.append(
        "\(input.unanswered == 1 ? "1 case of the suite has" : "\(Numbers.count(input.unanswered)) cases of the suite have") "
          + "no answer in the run."
      )
    }
    if input.judges.calls > 0 {
      let unknown =
        input.judges.unknown > 0 ? " and \(Numbers.count(input.judges.unknown)) of unknown cost" : ""
      lines.append(
        "Judges: \(input.judges.calls == 1 ? "1 call" : "\(Numbers.count(input.judges.calls)) calls"), "
          + "\(Quantity.dollars.text(input.judges.knownDollars))\(unknown)"
          + "\(set.provenance == .recorded ? ", from a recording" : "").")
    }
    return lines
  }

  private static func notes(_ change: ScoreSetChange) -> [String] {
    [
      "Old and new values are over the trials that a grading judged; a change is over those that both judged, repeats "
        + "averaged first, with its 95 % interval. ↓ and ↑ count cases that fell and rose. Whole trials without an answer "
        + "count 0; a trial that could not be judged is missing, never 0.",
      "The subjects were not asked: times, tokens and costs of the run stay as they were measured. Report with these "
        + "scores: evalrun report \(change.run.id) --scores \(change.after.name ?? String(change.after.number))",
    ]
  }
}
