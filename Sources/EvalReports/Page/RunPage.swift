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
  /// Of a page with cases: one style and one script too.
  static let run = PageAssets(
    styles: [Part(PackageResources.page_css + PackageResources.chart_css + CaseExplorer.style)],
    scripts: [Part(PackageResources.page_js + CaseExplorer.script)])
}
