import EvalAnalysis
import EvalCore

/// Writes a replay as JSON, version 1 (`Docs/ReportJSON.md`). An absent number is null, never 0.
enum ReplayJSON {
  static func text(_ report: ReplayReport) -> String {
    let comparison = report.comparison
    var writer = JSONWriter(.pretty)
    writer.beginObject()
    writer.field("format", "evalrun.replay")
    writer.field("version", 1)
    writer.field("whatIf", true)
    writer.replayHead(report.recorded, scenario: comparison.scenario)
    writer.field("cases", comparison.cases)
    writer.field("repeats", comparison.repeats)
    writer.field("comparedTrials", comparison.pairedTrials)
    writer.field("clusters", comparison.units)
    writer.field("seed", String(comparison.settings.seed))
    writer.field("resamples", comparison.settings.resamples)
    writer.field("coverageFloor", comparison.settings.floor)
    writer.field("leaks", report.leaks)
    writer.field("weak", comparison.weak)
    writer.field("strong", comparison.strong)
    writer.estimate("gap", comparison.gap)
    writer.key("quadrants")
    writeQuadrants(comparison.quadrants, to: &writer)
    writer.array("arms", comparison.arms) { write($0, report, &$1) }
    writer.array("policies", comparison.policies) { write($0, report, &$1) }
    writer.key("oracle")
    writeOracle(comparison.oracle, to: &writer)
    writer.array("zeroRouter", comparison.zeroRouter) { write($0, to: &$1) }
    writer.names("pareto", comparison.pareto)
    writer.names("ranking", comparison.ranking)
    writer.endObject()
    return writer.text + "\n"
  }

  private static func writeQuadrants(_ quadrants: RouteQuadrants?, to writer: inout JSONWriter) {
    guard let quadrants else { return writer.null() }
    writer.beginObject()
    writer.names("rescue", quadrants.rescue)
    writer.names("loss", quadrants.loss)
    writer.names("safe", quadrants.safe)
    writer.names("hard", quadrants.hard)
    writer.endObject()
  }

  private static func writeOracle(_ oracle: OracleScore?, to writer: inout JSONWriter) {
    guard let oracle else { return writer.null() }
    writer.beginObject()
    writer.estimate("quality", oracle.quality)
    writer.estimate("costPerCase", oracle.cost)
    writer.field("meanSeconds", oracle.meanSeconds)
    writer.field("isBiased", oracle.isBiased)
    writer.field("unpermittedCases", oracle.unpermitted)
    writer.endObject()
  }

  private static func write(_ point: CostQuality, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("costPerCase", point.cost)
    writer.field("quality", point.quality)
    writer.endObject()
  }

  private static func write(_ score: PolicyScore, _ report: ReplayReport, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("name", score.name)
    if let source = report.sources.first(where: { $0.name == score.name }), !score.isArm {
      writer.field("origin", source.origin)
      writer.field("hash", source.hash.hex)
      writer.field("unprotected", source.unprotected)
    }
    writer.field("isCompared", score.isCompared)
    writer.coverage(score.coverage)
    writer.field("trials", score.trials)
    writer.estimate("quality", score.quality)
    writer.estimate("costPerCase", score.cost)
    writer.field("costIsLowerBound", score.costIsLowerBound)
    writer.distribution("latencyMilliseconds", score.latency)
    writer.key("cloud")
    writer.beginObject()
    writer.estimate("any", score.cloud.any)
    writer.estimate("privateCloud", score.cloud.privateCloud)
    writer.estimate("thirdParty", score.cloud.thirdParty)
    writer.estimate("served", score.cloud.served)
    writer.estimate("tokens", score.cloud.tokens)
    writer.endObject()
    writeFallbacks(score.fallbacks, to: &writer)
    writer.key("waste")
    writer.beginObject()
    writer.field("seconds", score.waste.seconds)
    writer.field("dollars", score.waste.dollars)
    writer.field("deviceSeconds", score.waste.deviceSeconds)
    writer.field("deviceDollars", score.waste.deviceDollars)
    writer.endObject()
    writeLeaks(score.leaks, to: &writer)
    writer.array("gaps", report.gaps[score.name] ?? []) { gap, writer in
      writer.beginObject()
      writer.field("label", gap.label)
      writer.field("reason", gap.reason)
      writer.field("trials", gap.trials)
      writer.names("cases", gap.caseIDs)
      writer.endObject()
    }
    writer.key("relative")
    writeRelative(score.relative, to: &writer)
    writer.endObject()
  }

  private static func writeFallbacks(_ use: FallbackUse, to writer: inout JSONWriter) {
    writer.key("fallbacks")
    writer.beginObject()
    writer.estimate("rate", use.rate)
    writer.key("trialsByError")
    writer.beginObject()
    for entry in use.classes { writer.field(entry.kind.rawValue, entry.trials) }
    writer.endObject()
    writer.estimate("recovery", use.recovery)
    writer.endObject()
    writer.estimate("escalation", use.escalation)
    writer.estimate("blocked", use.blocked)
  }

  private static func writeLeaks(_ leaks: LeakCount, to writer: inout JSONWriter) {
    writer.key("leaks")
    writer.beginObject()
    writer.field("calls", leaks.attempts)
    writer.field("trials", leaks.trials)
    for rule in Leak.Rule.allCases { writer.field(rule.rawValue, leaks.rules[rule] ?? 0) }
    writer.names("cases", leaks.caseIDs)
    writer.endObject()
  }

  private static func writeRelative(_ relative: RelativeScore?, to writer: inout JSONWriter) {
    guard let relative else { return writer.null() }
    writer.beginObject()
    writer.estimate("qualityOverWeak", relative.qualityOverWeak)
    writer.estimate("qualityOverStrong", relative.qualityOverStrong)
    writer.estimate("costOverStrong", relative.costOverStrong)
    writer.field("strongShare", relative.strongShare)
    writer.key("coin")
    if let mix = relative.randomMix { write(mix, to: &writer) } else { writer.null() }
    writer.estimate("qualityOverCoin", relative.qualityOverMix)
    writer.estimate("hullLift", relative.hullLift)
    writer.estimate("costSaving", relative.costSaving)
    writer.field("aiq", relative.aiq)
    writer.estimate("pgr", relative.pgr)
    writer.estimate("ibc", relative.ibc)
    writer.estimate("gapClosed", relative.gapClosed)
    writer.estimate("qualityRegret", relative.qualityRegret)
    writer.estimate("costRegret", relative.costRegret)
    writer.names("dominatedBy", relative.dominatedBy)
    writer.endObject()
  }
}

extension JSONWriter {
  /// What a replay rests on.
  mutating func replayHead(_ recorded: RecordedRun, scenario: [String]) {
    field("run", recorded.run.id)
    field("suite", recorded.run.suiteName)
    field("suiteHash", recorded.run.suiteHash.hex)
    names("scenario", scenario)
    key("tokenSources")
    beginObject()
    for source in RecordedRun.TokenSource.allCases {
      field(source.rawValue, recorded.tokenSources[source] ?? 0)
    }
    endObject()
    key("unfinishedTrials")
    beginObject()
    for profile in recorded.profiles { field(profile.name, recorded.unfinished[profile.name] ?? 0) }
    endObject()
  }

  mutating func coverage(_ coverage: ReplayCoverage) {
    key("coverage")
    beginObject()
    field("share", coverage.share)
    field("trials", coverage.trials)
    field("exact", coverage.exact)
    field("modeled", coverage.modeled)
    field("bounded", coverage.bounded)
    field("missing", coverage.missing)
    field("unjudged", coverage.unjudged)
    endObject()
  }

  /// An array of strings; null for `nil`.
  mutating func names(_ key: String, _ names: [String]?) {
    self.key(key)
    guard let names else { return null() }
    beginArray()
    for name in names { string(name) }
    endArray()
  }
}
