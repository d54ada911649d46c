import EvalAnalysis
import EvalCore

extension JSONReport {
  static func writeJudging(_ judging: JudgingSummary?, to writer: inout JSONWriter) {
    writer.key("judging")
    guard let judging else { return writer.null() }
    writer.beginObject()
    writer.field("promptVersion", judging.promptVersion)
    writer.field("promptHash", judging.promptHash)
    writer.array("judges", judging.judges) { write($0, to: &$1) }
    writer.array("embedders", judging.embedders) { write($0, to: &$1) }
    writer.array("criteria", judging.criteria) { criterion, writer in
      writer.beginObject()
      writer.field("check", criterion.check)
      writer.field("criterion", criterion.criterion)
      writer.field("answers", criterion.answers)
      writer.field("verdicts", criterion.verdicts)
      writer.field("levels", criterion.levels)
      writer.estimate("alpha", criterion.alpha)
      writer.estimate("spread", criterion.spread)
      writer.array("selfConsistency", criterion.selfConsistency) { entry, writer in
        writer.beginObject()
        writer.field("judge", entry.judge)
        writer.estimate("same", entry.same)
        writer.endObject()
      }
      writer.endObject()
    }
    writeComparisons(judging, to: &writer)
    writer.array("measured", judging.measured) { write($0, to: &$1) }
    writer.endObject()
  }

  /// What labels by people say of the judges of a check.
  private static func write(_ measured: MeasuredCheck, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("check", measured.check)
    writer.field("questions", measured.questions)
    writer.field("labelledQuestions", measured.labelledQuestions)
    for (key, names) in [
      ("sources", measured.errors.sources), ("labelledBy", measured.errors.labellers),
      ("labelledRuns", measured.errors.runs),
    ] {
      writer.array(key, names) { $1.string($0) }
    }
    writer.key("verdicts")
    writer.errors(measured.errors)
    writer.array("rates", measured.rates) { $1.rate($0) }
    writer.endObject()
  }

  private static func writeComparisons(_ judging: JudgingSummary, to writer: inout JSONWriter) {
    writer.array("comparisons", judging.pairs) { pair, writer in
      writer.beginObject()
      for (key, text) in [("comparison", pair.comparison), ("first", pair.first), ("second", pair.second)] {
        writer.field(key, text)
      }
      for (key, count) in [
        ("wins", pair.wins), ("losses", pair.losses), ("ties", pair.ties), ("unscored", pair.unscored),
      ] {
        writer.field(key, count)
      }
      writer.estimate("winRate", pair.winRate)
      writer.estimate("flipRate", pair.flipRate)
      writer.endObject()
    }
    writer.array("rankings", judging.rankings) { ranking, writer in
      writer.beginObject()
      writer.field("comparison", ranking.comparison)
      writer.array("targets", ranking.targets) { target, writer in
        writer.beginObject()
        writer.field("name", target.name)
        writer.estimate("strength", target.strength)
        writer.endObject()
      }
      writer.endObject()
    }
  }

  private static func write(_ embedder: EmbedderSummary, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("name", embedder.name)
    writer.field("model", embedder.model)
    for (key, value) in [
      ("texts", embedder.texts), ("fromRun", embedder.fromRun), ("fromDatabase", embedder.fromDatabase),
      ("calls", embedder.calls), ("retries", embedder.retries), ("failures", embedder.failures),
    ] {
      writer.field(key, value)
    }
    writer.key("inputTokens")
    writeTokens(embedder.input, to: &writer)
    writer.field("knownDollars", embedder.calls > embedder.unknownCosts ? embedder.knownCost : nil)
    writer.field("unknownCosts", embedder.unknownCosts)
    writer.field("isLowerBound", embedder.isLowerBound || embedder.unknownCosts > 0)
    writer.distribution("totalMilliseconds", embedder.time)
    writer.endObject()
  }

  private static func write(_ judge: JudgeSummary, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("name", judge.name)
    writer.field("model", judge.model)
    for (key, value) in [
      ("calls", judge.calls), ("questions", judge.questions), ("verdicts", judge.verdicts),
      ("repaired", judge.repaired), ("retries", judge.retries), ("abstentions", judge.abstentions),
    ] {
      writer.field(key, value)
    }
    writer.array("unread", judge.faults) { entry, writer in
      writer.beginObject()
      writer.field("fault", entry.fault.rawValue)
      writer.field("n", entry.count)
      writer.endObject()
    }
    writer.key("forced")
    writer.beginObject()
    for force in VerdictForce.allCases { writer.field(force.rawValue, judge.forced[force] ?? 0) }
    writer.endObject()
    for (key, count) in [("inputTokens", judge.input), ("outputTokens", judge.output)] {
      writer.key(key)
      writeTokens(count, to: &writer)
    }
    writer.field("knownDollars", judge.calls > judge.unknownCosts ? judge.knownCost : nil)
    writer.field("unknownCosts", judge.unknownCosts)
    writer.field("isLowerBound", judge.isLowerBound || judge.unknownCosts > 0)
    writer.distribution("totalMilliseconds", judge.time)
    writer.endObject()
  }
}
