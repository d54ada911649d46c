/// A way to write two gradings side by side: one entry in `all`.
package struct ScoreSetFormat: Sendable {
  package var name: String
  package var render: @Sendable (ScoreSetReportInput, ReportOptions, ReportSink) -> Void

  package static let all: [ScoreSetFormat] = [
    ScoreSetFormat(name: "terminal") {
      TerminalRenderer($1).render(ScoreSetReport.document($0), to: $2)
    },
    ScoreSetFormat(name: "md") { MarkdownRenderer($1).render(ScoreSetReport.document($0), to: $2) },
    ScoreSetFormat(name: "html") { input, _, sink in
      PageRenderer().render(ScoreSetReport.document(input), to: sink)
    },
    ScoreSetFormat(name: "json") { input, _, sink in sink(ScoreSetJSON.text(input)) },
  ]

  /// The format of that name; `nil` when there is none.
  package static func named(_ name: String) -> ScoreSetFormat? { all.first { $0.name == name } }
}
