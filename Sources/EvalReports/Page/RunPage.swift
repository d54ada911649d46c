extension ReportFormat {
  static let html = ReportFormat(
    name: "html", fileExtension: "html",
    summary: "one page for a browser, with nothing to load (Docs/Page.md)"
  ) { input, _, sink in
    let page = PageRenderer()
    let outline = page.begin(RunReport.document(input.summary), to: sink)
    // The cases stand here: below what decides, above the details.
    page.end(outline, to: sink)
  }
}
