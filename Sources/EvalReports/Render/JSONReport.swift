import EvalAnalysis
import EvalCore

extension ReportFormat {
  static let json = ReportFormat(
    name: "json", fileExtension: "json", summary: "every number with its n, for programs (Docs/ReportJSON.md)"
  ) { input, _, sink in
    sink(JSONReport.text(input.summary))
  }
}

/// Writes a summary as JSON, version 1. Keys keep their order; an absent number is null, never 0.
enum JSONReport {
  static let version = 1

  static func text(_ summary: RunSummary) -> String {
    var writer = JSONWriter(.pretty)
    writer.beginObject()
    writer.field("format", "evalrun.report")
    writer.field("version", version)
    writer.field("recorded", summary.isRecorded)
    writer.key("run")
    writeRun(summary, to: &writer)
    writeVerdict(summary.verdict, to: &writer)
    writer.array("findings", summary.findings) { write($0, to: &$1) }
    writer.key("concurrency")
    writer.beginObject()
    writer.field("asked", summary.concurrency.asked)
    writer.field("heldMedian", summary.concurrency.heldMedian)
    writer.field("heldMaximum", summary.concurrency.heldMaximum)
    writer.field("isHeld", summary.concurrency.isHeld)
    writer.field("n", summary.concurrency.n)
    writer.endObject()
    writer.array("warmUps", summary.warmUps) { warmUp, writer in
      writer.beginObject()
      writer.field("profile", warmUp.profile)
      writer.field("calls", warmUp.calls)
      writer.field("failures", warmUp.failures)
      writer.distribution("totalMilliseconds", warmUp.total)
      writer.endObject()
    }
    writeJudging(summary.judging, to: &writer)
    writer.array("targets", summary.targets) { write($0, to: &$1) }
    writer.endObject()
    return writer.text + "\n"
  }

  private static func writeRun(_ summary: RunSummary, to writer: inout JSONWriter) {
    let run = summary.run
    writer.beginObject()
    writer.field("id", run.id)
    writer.field("name", run.name)
    writer.field("status", run.status.rawValue)
    writer.field("suite", run.suiteName)
    writer.field("suitePath", run.suitePath)
    writer.field("suiteHash", run.suiteHash.hex)
    writer.field("planHash", run.planHash.hex)
    writer.field("provenance", run.provenance.rawValue)
    writer.field("recording", run.recording)
    writer.field("private", run.isPrivate)
    writer.key("scoreSet")
    ScoreSetJSON.write(run.scoreSet, to: &writer)
    writer.field("seed", String(run.seed))
    writer.field("repeats", run.repeats)
    writer.field("cases", run.caseCount)
    writer.field("plannedTrials", summary.planned)
    writer.field("finishedTrials", summary.finished)
    writer.key("startedAt")
    writer.double(run.startedAt)
    writer.key("finishedAt")
    if let finished = run.finishedAt { writer.double(finished) } else { writer.null() }
    writer.field("toolVersion", run.toolVersion)
    writer.field("machine", run.machine)
    writer.key("settings")
    writer.raw(run.settings)
    if summary.hasRoute {
      writer.key("privacy")
      writer.raw(run.privacy?.json ?? .null)
    }
    writer.array("targets", run.targets) { target, writer in
      writer.beginObject()
      writer.field("name", target.name)
      writer.field("kind", target.kind)
      writer.field("hash", target.hash.hex)
      writer.key("content")
      writer.raw(target.content)
      writer.endObject()
    }
    writer.endObject()
  }

  static func write(_ finding: Finding, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("code", finding.code)
    writer.field("target", finding.target)
    writer.field("message", finding.message)
    writer.field("advice", finding.advice)
    writer.endObject()
  }

  private static func write(_ target: TargetSummary, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("name", target.name)
    writer.field("kind", target.kind)
    writer.field("hash", target.hash.hex)
    writer.key("trials")
    write(target.counts, to: &writer)
    writer.key("score")
    write(target.score, to: &writer)
    writer.array("checks", target.checks) { check, writer in
      writer.beginObject()
      writer.field("name", check.name)
      writer.field("kind", check.kind)
      writer.field("passes", check.passes)
      writer.field("verdicts", check.verdicts)
      writer.estimate("passRate", check.passRate)
      writer.estimate("value", check.value)
      writer.array("unscored", check.unscored) { write($0, to: &$1) }
      writer.array("criteria", check.criteria) { criterion, writer in
        writer.beginObject()
        writer.field("name", criterion.name)
        writer.estimate("value", criterion.value)
        writer.field("passes", criterion.passes)
        writer.field("verdicts", criterion.verdicts)
        writer.endObject()
      }
      writer.endObject()
    }
    writer.array("latency", target.latency) { writeLatency($0, to: &$1) }
    writeUsage(of: target, to: &writer)
    writeRepeats(target.repeats, to: &writer)
    writeRoute(target.route, to: &writer)
    writer.array("servedModels", target.servedModels) { model, writer in
      writer.beginObject()
      writer.field("profile", model.profile)
      writer.field("requested", model.requested)
      writer.field("served", model.served)
      writer.field("calls", model.calls)
      writer.endObject()
    }
    writer.endObject()
  }

  private static func write(_ counts: TrialCounts, to writer: inout JSONWriter) {
    writer.beginObject()
    for (key, value) in [
      ("planned", counts.planned), ("finished", counts.finished), ("unfinished", counts.unfinished),
      ("ok", counts.ok), ("refused", counts.refused), ("empty", counts.empty), ("blocked", counts.blocked),
      ("cancelled", counts.cancelled), ("failed", counts.failed), ("scored", counts.scored),
    ] {
      writer.field(key, value)
    }
    writer.array("failures", counts.failures) { failure, writer in
      writer.beginObject()
      writer.field("class", failure.kind.rawValue)
      writer.field("blame", failure.kind.blame.rawValue)
      writer.field("n", failure.count)
      writer.endObject()
    }
    writer.array("unscored", counts.unscored) { write($0, to: &$1) }
    writer.endObject()
  }

  private static func write(_ count: TrialCounts.UnscoredCount, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("reason", count.reason?.rawValue ?? "noCheck")
    writer.field("n", count.count)
    writer.endObject()
  }

  private static func write(_ score: ScoreSummary, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.estimate("strict", score.strict)
    writer.estimate("conditional", score.conditional)
    writer.range("worstCase", score.bounds)
    writer.estimate("passRateStrict", score.passStrict)
    writer.estimate("passRateConditional", score.passConditional)
    writer.range("passRateWorstCase", score.passBounds)
    writer.field("passes", score.passes)
    writer.field("verdicts", score.verdicts)
    writer.array("mustPassFailures", score.mustPassFailures) { $1.string($0) }
    writer.endObject()
  }
}
