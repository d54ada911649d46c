import EvalAnalysis

/// A way to write a comparison: one entry in `all`.
package struct ComparisonFormat: Sendable {
  package var name: String
  /// One line for `--help`.
  package var summary: String
  /// - Throws: what reading the answers throws.
  package var render: @Sendable (ComparisonReportInput, ReportOptions, ReportSink) throws -> Void

  package static let all: [ComparisonFormat] = [
    ComparisonFormat(name: "terminal", summary: "for a person at a terminal, 80 columns or its width") {
      TerminalRenderer($1).render(try ComparisonReport.document($0), to: $2)
    },
    ComparisonFormat(name: "md", summary: "Markdown for a pull request, details folded") {
      MarkdownRenderer($1).render(try ComparisonReport.document($0), to: $2)
    },
    ComparisonFormat(name: "html", summary: "one page for a browser, with nothing to load (Docs/Page.md)") {
      PageRenderer().render(try ComparisonReport.document($0), to: $2)
    },
    ComparisonFormat(name: "json", summary: "every number with its doubt, for programs (Docs/ReportJSON.md)")
    {
      $2(ComparisonJSON.text($0.comparisons))
    },
    ComparisonFormat(name: "csv", summary: "one row a case and pair of sides, for spreadsheets") {
      ComparisonCSV.write($0.comparisons, to: $2)
    },
  ]

  /// The format of that name; `nil` when there is none.
  package static func named(_ name: String) -> ComparisonFormat? { all.first { $0.name == name } }
}
