extension ReportFormat {
  static let html = ReportFormat(
    name: "html", fileExtension: "html",
    summary: "one page for a browser, with nothing to load (Docs/Page.md)"
  ) { input, _, sink in
    let page = PageRenderer(.run)
    let outline = page.begin(RunReport.document(input.summary), parts: [("cases", "Cases")], to: sink)
    // Below what decides, above the details.
    try CaseExplorer(input: input).write(to: sink)
    page.end(outline, to: sink)
  }
}

extension PageAssets {
  /// Of a page with cases.
  static let run = PageAssets(
    styles: page.styles + [Part(CaseExplorer.style)], scripts: page.scripts + [Part(CaseExplorer.script)])
}
