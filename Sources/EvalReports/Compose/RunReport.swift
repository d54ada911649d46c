package import EvalAnalysis
import EvalCore

/// The report of one run, composed once for every format.
package enum RunReport {
  /// - Returns: banner, results and findings first, details in sections after them.
  package static func document(
    _ summary: RunSummary, pictures place: PicturePlace = .together
  ) -> ReportDocument {
    let pictures = RunPictures(summary, place)
    var blocks: [ReportBlock] = []
    if let banner = leakBanner(summary) { blocks.append(.banner(banner)) }
    if let banner = banner(summary.run) { blocks.append(.banner(banner)) }
    blocks.append(RunVerdict(summary).block)
    blocks.append(.paragraph(headline(summary)))
    if let verdict = summary.verdict { blocks += self.verdict(verdict) }
    blocks.append(results(summary))
    blocks += leaks(summary.leaks)
    // The banner has said it.
    let findings = summary.findings.filter { $0.code != "recorded-not-live" }
    if !findings.isEmpty { blocks.append(.findings(findings)) }
    let together = pictures.all
    if !together.isEmpty { blocks.append(.section(title: "Pictures", together)) }
    let routes = self.routes(summary)
    if !routes.isEmpty { blocks.append(.section(title: "Where requests went", routes)) }
    blocks.append(.section(title: "Trials", trials(summary)))
    let checks = self.checks(summary) + pictures.ofChecks
    if !checks.isEmpty { blocks.append(.section(title: "Checks", checks)) }
    let latency = self.latency(summary) + pictures.ofLatency
    if !latency.isEmpty {
      blocks.append(.section(title: summary.isRecorded ? "Latency, recorded" : "Latency", latency))
    }
    blocks.append(.section(title: "Tokens and cost", usage(summary) + pictures.ofCost))
    let judges = self.judges(summary)
    if !judges.isEmpty { blocks.append(.section(title: "Judges", judges)) }
    let repeats = self.repeats(summary)
    if !repeats.isEmpty { blocks.append(.section(title: "Repeats", repeats)) }
    blocks.append(.notes(notes(summary)))
    return ReportDocument(title: title(summary.run), blocks: blocks)
  }

  static func title(_ run: RunInfo) -> String {
    "\(run.suiteName): run \(run.name.map { "\($0) (\(run.id))" } ?? run.id)"
  }

  /// What is said above everything of a run that was not measured live, or is shown with other scores than its own.
  static func banner(_ run: RunInfo) -> String? {
    let parts = [recordingBanner(run), scoresBanner(run)].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  private static func recordingBanner(_ run: RunInfo) -> String? {
    guard run.provenance == .recorded else { return nil }
    return "Recorded, not live. Times are the recording's; costs are what a live run would cost."
  }

  private static func scoresBanner(_ run: RunInfo) -> String? {
    run.scoreSet.map { set in
      "Scores are those of set \(set.label), graded \(UTCTime.text(set.createdAt)) by \(set.suitePath) "
        + "(\(set.suiteHash.short)), not the run's own; \(Numbers.part(set.covered, of: set.trials)) trials have them."
    }
  }

  static func headline(_ summary: RunSummary) -> String {
    let run = summary.run
    let targets = summary.targets.count
    var parts = [
      "\(Numbers.count(run.caseCount)) \(run.caseCount == 1 ? "case" : "cases") × \(targets) "
        + "\(targets == 1 ? "target" : "targets") × \(run.repeats) \(run.repeats == 1 ? "repeat" : "repeats")",
      "\(Numbers.part(summary.finished, of: summary.planned)) trials finished",
    ]
    if let sample = SampleInfo(settings: run.settings) { parts.append("a sample: \(sample.sentence)") }
    if run.status != .finished { parts.append("run \(run.status.rawValue)") }
    // How many answers a recording gives at once says nothing of the load under which they were measured.
    if !summary.isRecorded, let concurrency = concurrency(summary.concurrency) { parts.append(concurrency) }
    return parts.joined(separator: " · ")
  }

  private static func concurrency(_ concurrency: ConcurrencySummary) -> String? {
    guard let held = concurrency.heldMedian else { return nil }
    guard let asked = concurrency.asked else { return "\(held) calls in flight" }
    return "calls in flight: \(asked) asked, \(held) held"
  }

  private static func notes(_ summary: RunSummary) -> [String] {
    let run = summary.run
    var notes: [String] = []
    if !summary.standings.isEmpty {
      notes.append(
        "Best, more, sooner, less: a paired test over the cases says so at 5 %, corrected (Holm) over all pairs of targets "
          + "and all measures. Percentiles p95 and tokens have no such test and no mark.")
    }
    if summary.isRecorded, let recording = run.recording {
      notes.append("Answers come from a recording: \(recording).")
    }
    notes += [
      "Strict: every finished trial counts, 0 without an answer; a trial that could not be judged is missing. "
        + "Conditional: judged trials only. Ranges are 95 % intervals; n is what a number rests on.",
      "Percentiles are nearest-rank over whole answers of one kind; — means that n is too small (p50 takes 6, p90 36, "
        + "p95 72). Definitions: Docs/Metrics.md, Docs/Statistics.md.",
    ]
    for warmUp in summary.warmUps {
      let failures = warmUp.failures > 0 ? ", \(warmUp.failures) failed" : ""
      let slowest = warmUp.total.maximum.map { ", slowest \(Quantity.milliseconds.text($0))" } ?? ""
      notes.append("Warm-up, in no number: \(warmUp.profile) \(warmUp.calls) calls\(failures)\(slowest).")
    }
    notes.append(
      "Suite \(run.suitePath) (\(run.suiteHash.short)), started \(UTCTime.text(run.startedAt)), seed \(run.seed), "
        + "evalrun \(run.toolVersion), \(run.machine)\(run.isPrivate ? ", texts not stored" : "").")
    return notes
  }
}
