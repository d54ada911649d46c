import EvalAnalysis
import EvalCore

/// Writes two gradings side by side as JSON, version 1. Keys keep their order; an absent number is null, never 0.
enum ScoreSetJSON {
  static let version = 1

  static func text(_ input: ScoreSetReportInput) -> String {
    let change = input.change
    var writer = JSONWriter(.pretty)
    writer.beginObject()
    writer.field("format", "evalrun.scores")
    writer.field("version", version)
    writer.field("run", change.run.id)
    writer.key("before")
    write(change.before, to: &writer)
    writer.key("after")
    write(change.after, to: &writer)
    writer.field("unansweredCases", input.unanswered)
    writer.field("judgeCalls", input.judges.calls)
    writer.key("judgeKnownDollars")
    writer.double(input.judges.knownDollars)
    writer.field("judgeUnknownCosts", input.judges.unknown)
    writer.array("targets", change.targets) { write($0, to: &$1) }
    writer.endObject()
    return writer.text + "\n"
  }

  /// The set; null for the run's own grading.
  static func write(_ set: ScoreSetInfo?, to writer: inout JSONWriter) {
    guard let set else { return writer.null() }
    writer.beginObject()
    writer.field("number", set.number)
    writer.field("name", set.name)
    writer.field("hash", set.hash.hex)
    writer.field("suite", set.suiteName)
    writer.field("suitePath", set.suitePath)
    writer.field("suiteHash", set.suiteHash.hex)
    writer.field("toolVersion", set.toolVersion)
    writer.field("provenance", set.provenance.rawValue)
    writer.key("createdAt")
    writer.double(set.createdAt)
    writer.key("finishedAt")
    if let finished = set.finishedAt { writer.double(finished) } else { writer.null() }
    writer.field("trials", set.trials)
    writer.field("plannedTrials", set.planned)
    writer.field("scoredTrials", set.covered)
    writer.field("skippedCases", set.skippedCount)
    writer.array("skipped", set.skipped) { skipped, writer in
      writer.beginObject()
      writer.field("case", skipped.id)
      writer.field("reason", skipped.reason.rawValue)
      writer.endObject()
    }
    writer.endObject()
  }

  private static func write(_ target: ScoreSetChange.TargetChange, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("target", target.target)
    writer.field("finishedTrials", target.trials)
    writer.field("scoredTrials", target.covered)
    writer.array("differences", target.whole) { write($0, to: &$1) }
    writer.array("flips", target.flips) { ComparisonJSON.write($0, to: &$1) }
    writer.array("checks", target.checks) { check, writer in
      writer.beginObject()
      writer.field("check", check.check)
      writer.field("turn", check.turn.map { $0 + 1 })
      for (key, counts) in [("before", check.before), ("after", check.after)] {
        writer.key(key)
        write(counts, to: &writer)
      }
      writer.array("differences", check.differences) { write($0, to: &$1) }
      writer.array("flips", check.flips) { ComparisonJSON.write($0, to: &$1) }
      writer.endObject()
    }
    writer.endObject()
  }

  private static func write(_ difference: PairedDifference, to writer: inout JSONWriter) {
    writer.beginObject()
    ComparisonJSON.write(difference, to: &writer)
    writer.endObject()
  }

  /// Null where the grading does not have the check.
  private static func write(_ counts: ScoreSetChange.Counts, to writer: inout JSONWriter) {
    guard counts.trials > 0 else { return writer.null() }
    writer.beginObject()
    writer.field("kind", counts.kind)
    writer.field("trials", counts.trials)
    writer.field("unscored", counts.unscored)
    writer.field("verdicts", counts.verdicts)
    writer.field("passes", counts.passes)
    writer.field("mean", counts.mean)
    writer.endObject()
  }
}
