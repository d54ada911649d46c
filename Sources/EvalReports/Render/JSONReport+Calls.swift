import EvalAnalysis
import EvalCore

extension JSONReport {
  static func writeLatency(_ group: LatencyGroup, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("source", group.condition.source.rawValue)
    writer.field("connection", group.condition.connection.rawValue)
    writer.field("turn", group.condition.turn.rawValue)
    writer.field("calls", group.calls)
    writer.field("failures", group.failures)
    for (key, distribution) in [
      ("firstTokenMilliseconds", group.firstToken), ("firstTokenCachedMilliseconds", group.firstTokenCached),
      ("firstTokenFailuresLastMilliseconds", group.adjustedFirstToken),
      ("firstContentMilliseconds", group.firstContent),
      ("firstContentCachedMilliseconds", group.firstContentCached), ("totalMilliseconds", group.total),
      ("totalFailuresLastMilliseconds", group.adjustedTotal),
      ("userFirstTokenMilliseconds", group.userFirstToken), ("userTotalMilliseconds", group.userTotal),
      ("connectMilliseconds", group.connect), ("refusedTotalMilliseconds", group.refusedTotal),
    ] {
      writer.distribution(key, distribution)
    }
    writer.endObject()
  }

  static func writeUsage(of target: TargetSummary, to writer: inout JSONWriter) {
    writer.array("decoding", target.decoding) { decoding, writer in
      writer.beginObject()
      writer.field("source", decoding.source.rawValue)
      writer.distribution("tokensPerSecond", decoding.tokensPerSecond)
      writer.field("buffered", decoding.buffered)
      writer.endObject()
    }
    writer.key("tokens")
    writer.beginObject()
    for (key, count) in [
      ("input", target.tokens.input), ("cachedInput", target.tokens.cachedInput),
      ("cacheWrite", target.tokens.cacheWrite), ("output", target.tokens.output),
      ("reasoning", target.tokens.reasoning),
    ] {
      writer.key(key)
      writeTokens(count, to: &writer)
    }
    writer.field("inconsistent", target.tokens.inconsistent)
    writer.endObject()
    writeCost(target.cost, to: &writer)
    writeAccepted(target.acceptance, to: &writer)
    writeRetries(target.retries, to: &writer)
  }

  static func writeTokens(_ count: TokenCount, to writer: inout JSONWriter) {
    writer.beginObject()
    // Nothing reported is not a sum of 0.
    writer.field("sum", count.reported > 0 ? count.sum : nil)
    writer.field("mean", count.mean)
    writer.field("reported", count.reported)
    writer.field("unreported", count.unreported)
    writer.endObject()
  }

  private static func writeCost(_ cost: CostSummary, to writer: inout JSONWriter) {
    writer.key("cost")
    writer.beginObject()
    writer.field("knownDollars", cost.attempts > cost.unknown ? cost.known : nil)
    writer.field("paidDollars", cost.attempts > cost.unknown ? cost.paid : nil)
    writer.field("attempts", cost.attempts)
    writer.field("unknown", cost.unknown)
    writer.field("cut", cost.cut)
    writer.field("isLowerBound", cost.isLowerBound)
    writer.estimate("dollarsPerTrial", cost.perTrial)
    writer.estimate("dollarsPerSuccess", cost.perSuccess)
    writer.endObject()
  }

  private static func writeRetries(_ retries: RetrySummary, to writer: inout JSONWriter) {
    writer.key("retries")
    writer.beginObject()
    writer.field("attempts", retries.attempts)
    writer.field("retriedTrials", retries.retriedTrials)
    writer.field("retries", retries.retries)
    writer.field("fallbacks", retries.fallbacks)
    writer.field("escalations", retries.escalations)
    writer.array("causes", retries.causes) { cause, writer in
      writer.beginObject()
      writer.field("class", cause.kind.rawValue)
      writer.field("n", cause.count)
      writer.endObject()
    }
    writer.distribution("waitMilliseconds", retries.waits)
    writer.field("totalWaitMilliseconds", retries.totalWait)
    writer.endObject()
  }

  static func writeRepeats(_ repeats: RepeatSummary?, to writer: inout JSONWriter) {
    writer.key("repeats")
    guard let repeats else {
      writer.null()
      return
    }
    writer.beginObject()
    writer.field("repeats", repeats.repeats)
    writer.estimate("flipRate", repeats.flipRate)
    for (key, entries) in [("passAtK", repeats.passAtK), ("passHatK", repeats.passHatK)] {
      writer.array(key, entries) { entry, writer in
        writer.beginObject()
        writer.field("k", entry.k)
        writer.estimate("rate", entry.estimate)
        writer.endObject()
      }
    }
    writer.array("mixedCases", repeats.mixed) { mixed, writer in
      writer.beginObject()
      writer.field("case", mixed.caseID)
      writer.field("passes", mixed.passes)
      writer.field("verdicts", mixed.verdicts)
      writer.endObject()
    }
    writer.endObject()
  }
}

extension JSONWriter {
  mutating func field(_ key: String, _ value: String?) {
    self.key(key)
    if let value { string(value) } else { null() }
  }

  mutating func field(_ key: String, _ value: Int?) {
    self.key(key)
    if let value { int(value) } else { null() }
  }

  mutating func field(_ key: String, _ value: Bool) {
    self.key(key)
    bool(value)
  }

  mutating func field(_ key: String, _ value: Double?) {
    self.key(key)
    if let value { double(Numbers.rounded(value)) } else { null() }
  }

  mutating func array<Element>(
    _ key: String, _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
  ) {
    self.key(key)
    beginArray()
    for element in elements { write(element, &self) }
    endArray()
  }

  mutating func range(_ key: String, _ range: ClosedRange<Double>?) {
    self.key(key)
    guard let range else {
      null()
      return
    }
    beginArray()
    for end in [range.lowerBound, range.upperBound] {
      // Beyond every finished call, as where failures count as slowest.
      if end.isFinite { double(Numbers.rounded(end)) } else { null() }
    }
    endArray()
  }

  mutating func estimate(_ key: String, _ estimate: Estimate) {
    self.key(key)
    beginObject()
    field("value", estimate.value)
    range("interval", estimate.interval)
    field("n", estimate.n)
    field("missing", estimate.missing)
    field("units", estimate.units)
    field("method", estimate.method.rawValue)
    endObject()
  }

  mutating func distribution(_ key: String, _ distribution: Distribution?) {
    self.key(key)
    guard let distribution else {
      null()
      return
    }
    beginObject()
    field("n", distribution.n)
    field("missing", distribution.missing)
    field("failures", distribution.p50.failures)
    field("minimum", distribution.minimum)
    field("maximum", distribution.maximum)
    for (key, percentile) in [
      ("p50", distribution.p50), ("p90", distribution.p90), ("p95", distribution.p95),
    ] {
      self.percentile(key, percentile)
    }
    endObject()
  }

  private mutating func percentile(_ key: String, _ percentile: Percentile) {
    self.key(key)
    beginObject()
    let estimate = percentile.estimate
    field("value", estimate.value)
    range("interval", estimate.interval)
    field("n", estimate.n)
    field("required", percentile.required)
    // What was seen even where n is too small to call it a percentile; null among the failures.
    field("observed", percentile.observed?.value)
    field("isMaximum", percentile.isMaximum)
    field("isBeyondTimeout", percentile.observed == .beyond)
    endObject()
  }
}
