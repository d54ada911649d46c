package import EvalAnalysis
import EvalCore

extension RunReport {
  /// The verdict alone.
  package static func verdictDocument(_ summary: RunSummary) -> ReportDocument {
    var blocks: [ReportBlock] = []
    if let banner = banner(summary.run) { blocks.append(.banner(banner)) }
    if let verdict = summary.verdict { blocks += self.verdict(verdict) }
    return ReportDocument(title: title(summary.run), blocks: blocks)
  }

  /// Every gate with what was measured, and why those that are not decided are not.
  static func verdict(_ verdict: GateVerdict) -> [ReportBlock] {
    var table = ReportTable(
      caption: "Verdict: \(verdict.outcome.rawValue)",
      columns: [.init("gate", .left), .init("outcome", .left), .init("measured")])
    for result in verdict.results {
      table.rows.append([
        ReportCell(result.gate.name ?? result.gate.rule, note: whatItIsAbout(result)),
        ReportCell(result.outcome.rawValue, tone: tone(result.outcome)), measured(result),
      ])
    }
    return [.table(table), .notes(reasons(verdict) + [smallPrint(verdict)])]
  }

  private static func whatItIsAbout(_ result: GateResult) -> String? {
    let rule = result.gate.name.map { _ in result.gate.rule }
    let parts = [rule, result.target, result.reference.map { "against \($0)" }].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  private static func tone(_ outcome: GateOutcome) -> ReportCell.Tone {
    switch outcome {
    case .pass: .good
    case .fail: .bad
    case .inconclusive, .invalid: .warning
    }
  }

  static func measured(_ result: GateResult) -> ReportCell {
    guard let estimate = result.estimate else {
      return result.failingCases.isEmpty
        ? .missing : ReportCell("\(Numbers.count(result.failingCases.count)) failing")
    }
    var cell = ReportCell(estimate, quantity(result), showsMissing: false)
    if let high = estimate.interval?.upperBound, !high.isFinite, let low = estimate.interval?.lowerBound {
      cell.interval = "\(quantity(result).text(low)) to >timeout"
    }
    return cell
  }

  private static func quantity(_ result: GateResult) -> Quantity {
    // A ratio, whatever it is a ratio of.
    if result.estimate?.method == .logT { return .score }
    let isDifference = if case .notWorse = result.gate.demand { true } else { false }
    switch result.unit {
    case .share: return isDifference || result.gate.measure == "score" ? .score : .share
    case .time: return .milliseconds
    case .dollars: return .dollars
    case .count: return .amount
    case .tokensPerSecond: return .tokensPerSecond
    }
  }

  private static func reasons(_ verdict: GateVerdict) -> [String] {
    verdict.results.compactMap { result in
      guard result.outcome != .pass, let reason = result.reason else { return nil }
      let target = result.target.map { ", \($0)" } ?? ""
      let rule = result.gate.name ?? result.gate.rule
      return "\(rule)\(target): \(reason)." + (result.advice.map { " \(sentence($0))" } ?? "")
    }
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  private static func smallPrint(_ verdict: GateVerdict) -> String {
    var parts: [String] = []
    if let early = verdict.earlyFraction {
      parts.append(
        "Looked at early, with \(Numbers.fixed(early * 100, 0)) % of the trials: a boundary that holds for any number of looks."
      )
    }
    let tested = verdict.results.count { ($0.falseAlarmRate ?? 0) > 0 }
    if tested > 0 {
      parts.append(
        "A gate tests its 95 % interval: one whose truth lies just at the limit fails in at most 2.5 % of runs"
          + (tested > 1
            ? ", one of these \(tested) in at most \(Numbers.fixed(verdict.falseAlarmRate * 100, 1)) %."
            : "."))
    }
    parts.append("Docs/Gates.md.")
    return parts.joined(separator: " ")
  }
}
