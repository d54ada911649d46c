/// A report of what would have been, in the formats that such reports have.
protocol WhatIfReport: Sendable {
  var document: ReportDocument { get }
  var json: String { get }
  func writeCSV(to sink: ReportSink)
}

extension WhatIfReport {
  fileprivate func write(_ format: String, _ options: ReportOptions, to sink: ReportSink) {
    switch format {
    case "json": sink(json)
    case "csv": writeCSV(to: sink)
    case "html": PageRenderer().render(document, to: sink)
    case "md": MarkdownRenderer().render(document, to: sink)
    default: TerminalRenderer(options).render(document, to: sink)
    }
  }
}

extension ReplayReport {
  /// Writes it in one of the formats `terminal`, `md`, `html`, `json` and `csv`.
  package func render(_ format: String, _ options: ReportOptions, to sink: ReportSink) {
    write(format, options, to: sink)
  }
}

extension SweepReport {
  /// Writes it in one of the formats `terminal`, `md`, `html`, `json` and `csv`.
  package func render(_ format: String, _ options: ReportOptions, to sink: ReportSink) {
    write(format, options, to: sink)
  }
}
