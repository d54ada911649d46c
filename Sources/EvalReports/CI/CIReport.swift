package import EvalAnalysis
import EvalCore

/// What a reader of a pull request or a job's page gets to see of a run: the verdict, the comparison, the results.
package enum CIReport {
  /// - Parameter comparisons: with the baseline, a pair for each target; `nil` without a baseline.
  /// - Throws: what reading answers throws.
  package static func document(
    _ summary: RunSummary, comparisons: ComparisonReportInput? = nil
  ) throws -> ReportDocument {
    var blocks: [ReportBlock] = []
    if let banner = RunReport.banner(summary.run) { blocks.append(.banner(banner)) }
    blocks.append(.paragraph(RunReport.headline(summary)))
    if let verdict = summary.verdict { blocks += RunReport.verdict(verdict) }
    if let comparisons, !comparisons.comparisons.isEmpty {
      let document = try ComparisonReport.document(comparisons)
      if comparisons.comparisons.count == 1 { blocks.append(.heading(document.title)) }
      blocks += document.blocks
    }
    var results = [RunReport.results(summary)]
    let findings = summary.findings.filter { $0.code != "recorded-not-live" }
    if !findings.isEmpty { results.append(.findings(findings)) }
    blocks.append(.section(title: "Results", results))
    blocks.append(.notes(["Run \(summary.run.id): evalrun show \(summary.run.id)"]))
    return ReportDocument(title: title(summary), blocks: blocks)
  }

  /// The body of a comment: the document behind a line that marks it, so that the next run finds and replaces it.
  package static func comment(
    _ document: ReportDocument, suite: String, limit: Int = FittedMarkdown.commentLimit
  ) -> String {
    let mark = "<!-- evalrun: \(plain(suite)) -->\n"
    return mark + FittedMarkdown.text(document, limit: limit - mark.utf8.count)
  }

  /// Nothing that could end the mark.
  private static func plain(_ suite: String) -> String {
    String(
      suite.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == " " || $0 == "." ? $0 : "_" }.prefix(100))
  }

  private static func title(_ summary: RunSummary) -> String {
    let name = summary.run.suiteName
    guard let verdict = summary.verdict else { return "\(name): no gates" }
    let total = Numbers.count(verdict.results.count)
    let bad = [GateOutcome.fail, .invalid, .inconclusive].filter { verdict.count($0) > 0 }
    if bad.isEmpty {
      return "✅ \(name): \(verdict.results.count == 1 ? "the gate passed" : "all \(total) gates passed")"
    }
    let words = bad.map { "\(Numbers.count(verdict.count($0))) \($0.words)" }.joined(separator: ", ")
    let sign = verdict.count(.fail) > 0 ? "❌" : "⚠️"
    return "\(sign) \(name): \(words) of \(total) gates"
  }
}

extension GateOutcome {
  /// For a sentence about several gates.
  fileprivate var words: String {
    switch self {
    case .pass: "passed"
    case .fail: "failed"
    case .inconclusive, .invalid: rawValue
    }
  }
}
