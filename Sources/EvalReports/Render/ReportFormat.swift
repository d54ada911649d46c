package import EvalAnalysis
package import EvalCore

/// Takes a report piece by piece, so that no report has to fit in memory.
package typealias ReportSink = (String) -> Void

/// How a report is shown.
package struct ReportOptions: Sendable, Hashable {
  /// Columns of the terminal, at least 20.
  package var width = 80
  package var color = false
  /// False keeps to ASCII.
  package var unicode = true
  /// False leaves the sections of details out.
  package var details = true

  package init() {}
}

/// Where a report's numbers and texts come from.
package struct ReportInput {
  package var summary: RunSummary
  /// Read again by formats with one row a trial.
  package var source: any TrialSource
  /// The texts of a trial's attempts by attempt number; `nil` leaves them out.
  package var texts: ((TrialKey) throws -> [Int: AttemptTexts])?
  /// What a case asked, as `CaseFacts.content`, by the case's hash; `nil` leaves it out.
  package var content: ((ContentHash) throws -> JSONValue?)?

  package init(
    summary: RunSummary, source: any TrialSource,
    texts: ((TrialKey) throws -> [Int: AttemptTexts])? = nil,
    content: ((ContentHash) throws -> JSONValue?)? = nil
  ) {
    self.summary = summary
    self.source = source
    self.texts = texts
    self.content = content
  }
}

/// A way to write the report of a run: one file, and one line in `all`.
package struct ReportFormat: Sendable {
  package var name: String
  /// Without the dot.
  package var fileExtension: String
  /// One line for `--help`.
  package var summary: String
  /// - Throws: what the source throws.
  package var render: @Sendable (ReportInput, ReportOptions, ReportSink) throws -> Void

  package static let all: [ReportFormat] = [
    .terminal,
    .markdown,
    .html,
    .json,
    .csv,
    .junit,
  ]

  /// The format of that name; `nil` when there is none.
  package static func named(_ name: String) -> ReportFormat? { all.first { $0.name == name } }
}
