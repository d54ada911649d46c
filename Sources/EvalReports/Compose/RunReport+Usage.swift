import EvalAnalysis
import EvalCore

extension RunReport {
  /// Tokens, cost and retries over all attempts.
  static func usage(_ summary: RunSummary) -> [ReportBlock] {
    var table = TargetTable(summary.targets)
    table.row("calls") { ReportCell(count: $0.cost.attempts) }
    for (label, path) in [
      ("input tokens", \TokenSummary.input), ("  from cache", \.cachedInput), ("  to cache", \.cacheWrite),
      ("output tokens", \.output), ("  reasoning", \.reasoning),
    ] {
      let isTotal = label.hasSuffix("tokens")
      table.row(
        label, when: { isTotal || $0.tokens[keyPath: path].reported > 0 },
        show: {
          tokens($0.tokens[keyPath: path])
        })
    }
    for source in [Provenance.live, .recorded] {
      let words = source == .recorded ? "tokens per second, recorded" : "tokens per second"
      table.row(words, when: { $0.decoding.contains { $0.source == source } }, show: { decoding($0, source) })
    }
    table.row(summary.isRecorded ? "cost if live" : "cost") { cost($0.cost) }
    table.row(
      "paid now", when: { _ in summary.isRecorded },
      show: {
        ReportCell(Quantity.dollars.text($0.cost.paid))
      })
    let isPriced = { (target: TargetSummary) in target.cost.perTrial.n > 0 }
    table.row("cost per trial", when: isPriced, show: { ReportCell($0.cost.perTrial, .dollars) })
    table.row("cost per success", when: isPriced, show: { ReportCell($0.cost.perSuccess, .dollars) })
    addRetries(to: &table)
    return [table.block] + accepted(summary)
  }

  static func tokens(_ count: TokenCount) -> ReportCell {
    guard let mean = count.mean else {
      if count.unreported == 0 { return .missing }
      return ReportCell(
        Numbers.missing, note: "\(Numbers.count(count.unreported)) calls not reported", tone: .quiet)
    }
    let unreported = count.unreported > 0 ? " · \(Numbers.count(count.unreported)) not reported" : ""
    return ReportCell(
      Numbers.count(count.sum), n: count.reported, note: "mean \(Quantity.amount.text(mean))\(unreported)")
  }

  private static func decoding(_ target: TargetSummary, _ source: Provenance) -> ReportCell {
    guard let decoding = target.decoding.first(where: { $0.source == source }) else { return .missing }
    var cell = ReportCell(decoding.tokensPerSecond.p50, .tokensPerSecond, showsN: true)
    if decoding.buffered > 0 {
      let words = "\(Numbers.count(decoding.buffered)) buffered"
      cell.note = cell.note.map { "\($0) · \(words)" } ?? words
    }
    return cell
  }

  private static func addRetries(to table: inout TargetTable) {
    table.row(
      "retries", when: { $0.retries.retries > 0 },
      show: { target in
        let causes = target.retries.causes.map { "\($0.count) \($0.kind.rawValue)" }.joined(separator: ", ")
        return ReportCell(
          Numbers.count(target.retries.retries), note: causes.isEmpty ? nil : causes,
          tone: target.retries.retries > 0 ? .warning : .quiet)
      })
    table.row(
      "trials with a retry", when: { $0.retries.retries > 0 },
      show: {
        ReportCell(part: $0.retries.retriedTrials, of: $0.counts.finished)
      })
    table.row(
      "waited for retries", when: { $0.retries.retries > 0 },
      show: { target in
        guard let longest = target.retries.waits.maximum else { return .missing }
        return ReportCell(
          Quantity.milliseconds.text(target.retries.totalWait),
          note: "longest \(Quantity.milliseconds.text(longest))")
      })
    table.row(
      "fallbacks", when: { $0.retries.fallbacks > 0 }, show: { ReportCell(count: $0.retries.fallbacks) })
    table.row(
      "escalations", when: { $0.retries.escalations > 0 },
      show: {
        ReportCell(count: $0.retries.escalations)
      })
  }

  /// How steady the answers are.
  static func repeats(_ summary: RunSummary) -> [ReportBlock] {
    guard let first = summary.targets.lazy.compactMap(\.repeats).first, first.flipRate.n > 0 else {
      return []
    }
    var table = TargetTable(summary.targets)
    table.row("cases that pass and fail") { target in
      target.repeats.map { ReportCell($0.flipRate, .share) } ?? .missing
    }
    for (index, entry) in first.passAtK.enumerated() where entry.k > 1 {
      table.row("pass@\(entry.k): one of \(entry.k) passes") { share($0.repeats?.passAtK, index) }
      table.row("pass^\(entry.k): all \(entry.k) pass") { share($0.repeats?.passHatK, index) }
    }
    return [table.block] + summary.targets.compactMap(mixed)
  }

  private static func share(_ entries: [RepeatSummary.KEstimate]?, _ index: Int) -> ReportCell {
    guard let entries, entries.indices.contains(index) else { return .missing }
    return ReportCell(entries[index].estimate, .share)
  }

  private static func mixed(_ target: TargetSummary) -> ReportBlock? {
    guard let repeats = target.repeats, !repeats.mixed.isEmpty else { return nil }
    let all = Int(((repeats.flipRate.value ?? 0) * Double(repeats.flipRate.n)).rounded())
    let shown = repeats.mixed.prefix(10)
    var text = "\(target.name) passes and fails: "
    text += shown.map { "\($0.caseID) \($0.passes)/\($0.verdicts)" }.joined(separator: ", ")
    if all > shown.count { text += " and \(Numbers.count(all - shown.count)) more" }
    return .paragraph(text + ".")
  }
}
