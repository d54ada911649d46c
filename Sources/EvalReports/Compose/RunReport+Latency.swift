import EvalAnalysis
import EvalCore

extension RunReport {
  /// One table a metric, one row a target and condition; nothing is pooled.
  static func latency(_ summary: RunSummary) -> [ReportBlock] {
    var blocks: [ReportBlock] = []
    func add(_ caption: String, _ rows: (LatencyGroup) -> [LatencyRow]) {
      let table = latencyTable(summary, caption: caption, rows)
      if !table.rows.isEmpty { blocks.append(.table(table)) }
    }
    add("First token") { group in
      [
        .init(group.firstToken), .init(group.firstTokenCached, "cached prompt"),
        .init(group.adjustedFirstToken, "failures last"),
      ]
    }
    if hasLaterContent(summary) {
      add("First visible text") { group in
        [.init(group.firstContent), .init(group.firstContentCached, "cached prompt")]
      }
    }
    add("Total") { group in [.init(group.total), .init(group.adjustedTotal, "failures last")] }
    if summary.targets.contains(where: {
      $0.retries.retries + $0.retries.fallbacks + $0.retries.escalations > 0
    }) {
      add("First token with retries and waits") { group in [.init(group.userFirstToken)] }
      add("Total with retries and waits") { group in [.init(group.userTotal)] }
    }
    add("Connecting") { group in [.init(group.connect)] }
    add("Refusals, not in any of the above") { group in [.init(group.refusedTotal)] }
    return blocks
  }

  private struct LatencyRow {
    var distribution: Distribution?
    var word: String?

    init(_ distribution: Distribution?, _ word: String? = nil) {
      self.distribution = distribution
      self.word = word
    }
  }

  private static func latencyTable(
    _ summary: RunSummary, caption: String, _ rows: (LatencyGroup) -> [LatencyRow]
  ) -> ReportTable {
    var table = ReportTable(
      caption: caption,
      columns: [.init("", .left), .init("n"), .init("p50"), .init("p90"), .init("p95"), .init("max")])
    for target in summary.targets {
      for group in target.latency {
        for row in rows(group) {
          guard let distribution = row.distribution, distribution.n > 0 else { continue }
          table.rows.append(
            cells(
              distribution, target: target.name,
              condition: [group.condition.words, row.word].compactMap(\.self).joined(separator: ", ")))
        }
      }
    }
    return table
  }

  private static func cells(_ distribution: Distribution, target: String, condition: String) -> [ReportCell] {
    let failures = distribution.p50.failures
    let missing = distribution.missing > 0 ? "\(Numbers.count(distribution.missing)) missing" : nil
    let maximum =
      failures > 0
      ? ReportCell(">timeout", note: "\(Numbers.count(failures)) failed", tone: .bad)
      : distribution.maximum.map { ReportCell(Quantity.milliseconds.text($0)) } ?? .missing
    func percentile(_ percentile: Percentile) -> ReportCell {
      var cell = ReportCell(percentile, .milliseconds)
      // The notes say what n each takes.
      if !percentile.isEstimable { cell.note = nil }
      return cell
    }
    return [
      ReportCell(target, note: condition.isEmpty ? nil : condition),
      ReportCell(Numbers.count(distribution.p50.n), note: missing),
      percentile(distribution.p50), percentile(distribution.p90), percentile(distribution.p95), maximum,
    ]
  }

  /// Whether visible text came later than the first token anywhere, as with a model that reasons first.
  private static func hasLaterContent(_ summary: RunSummary) -> Bool {
    summary.targets.contains { target in
      target.latency.contains { group in
        group.firstContent?.p50.observed != group.firstToken?.p50.observed
          || group.firstContentCached?.p50.observed != group.firstTokenCached?.p50.observed
      }
    }
  }
}

extension CallCondition {
  /// `warm`, `cold, later turns`, `recorded`; empty for a live first call whose connection is not known.
  var words: String {
    var words: [String] = []
    if source == .recorded { words.append("recorded") }
    if connection != .unknown { words.append(connection.rawValue) }
    if turn == .later { words.append("later turns") }
    return words.joined(separator: ", ")
  }
}
