import EvalCore

/// Writes the blocks of a document as HTML.
struct PageBlocks {
  let outline: PageOutline

  func write(_ item: PageOutline.Item, level: Int, to sink: ReportSink) {
    if case .findings(let findings) = item.block {
      write(findings, from: item.firstFinding, id: item.id, level: level, to: sink)
    } else {
      write(item.block, id: item.id, level: level, to: sink)
    }
  }

  /// - Parameters:
  ///   - id: the part's name in links; `nil` for none.
  ///   - level: of a heading that the block begins with.
  private func write(_ block: ReportBlock, id: String?, level: Int, to sink: ReportSink) {
    switch block {
    case .heading(let title): heading(title, id: id, level: level, to: sink)
    case .verdict(let words, let tone): verdict(words, tone, id: id, to: sink)
    case .paragraph(let words): sink("<p>\(HTMLText.escape(words))</p>\n")
    case .banner(let words):
      sink("<div class=\"banner\" role=\"note\"><p>\(HTMLText.escape(words))</p></div>\n")
    case .table(let table): PageTable(table, findings: outline.findings).write(to: sink)
    case .chart(let chart): picture(chart, to: sink)
    case .findings(let findings): write(findings, from: nil, id: id, level: level, to: sink)
    case .notes(let notes):
      sink("<div class=\"notes\">\n")
      for note in notes { sink("<p>\(HTMLText.escape(note))</p>\n") }
      sink("</div>\n")
    case .verbatim(let label, let text): verbatim(label, text, to: sink)
    case .section(let title, let blocks):
      section(title, blocks, isOpen: PageOutline.isOpen(block), id: id, level: level, to: sink)
    }
  }

  private func heading(_ title: String, id: String?, level: Int, to sink: ReportSink) {
    let level = min(level, 6)
    sink("<h\(level)\(attribute("id", id))>\(HTMLText.line(title))</h\(level)>\n")
  }

  private func verdict(_ words: String, _ tone: ReportCell.Tone, id: String?, to sink: ReportSink) {
    let classes = ["verdict", tone.word].compactMap(\.self).joined(separator: " ")
    sink("<p\(attribute("id", id)) class=\"\(classes)\">\(HTMLText.escape(words))</p>\n")
  }

  private func picture(_ chart: Chart, to sink: ReportSink) {
    sink("<figure id=\"picture-\(HTMLText.anchor(chart.id))\">\n")
    sink("<figcaption><b>\(HTMLText.escape(chart.title))</b> \(HTMLText.escape(chart.alternative))")
    if let note = chart.note { sink(" <span class=\"advice\">\(HTMLText.escape(note))</span>") }
    sink("</figcaption>\n")
    ChartSVG(chart).write(to: sink)
    if let numbers = chart.numbers {
      sink("<details><summary>The numbers</summary>\n")
      PageTable(numbers).write(to: sink)
      sink("</details>\n")
    }
    sink("</figure>\n")
  }

  private func verbatim(_ label: String, _ text: String, to sink: ReportSink) {
    sink("<figure class=\"verbatim\"><figcaption>\(HTMLText.line(label))</figcaption>")
    // Parsers take the first line feed of a `pre` away.
    sink("<pre dir=\"auto\" tabindex=\"0\" role=\"group\" aria-label=\"\(HTMLText.line(label))\">\n")
    sink(HTMLText.escape(text))
    sink("</pre></figure>\n")
  }

  /// The anchor of a folded section lies in its content: a browser opens what a link leads into.
  private func section(
    _ title: String, _ blocks: [ReportBlock], isOpen: Bool, id: String?, level: Int, to sink: ReportSink
  ) {
    let heading = "<h\(min(level, 6))>\(HTMLText.line(title))</h\(min(level, 6))>"
    if isOpen {
      sink("<section\(attribute("id", id)) aria-label=\"\(HTMLText.line(title))\">\n\(heading)\n")
    } else {
      sink(
        "<details class=\"section\"><summary>\(heading)</summary>\n<div class=\"body\"\(attribute("id", id))>\n"
      )
    }
    for block in blocks { write(block, id: nil, level: level + 1, to: sink) }
    sink(isOpen ? "</section>\n" : "</div></details>\n")
  }

  /// - Parameter first: numbers them over the whole page, so that a table can point at them; `nil` for none.
  private func write(
    _ findings: [Finding], from first: Int?, id: String?, level: Int, to sink: ReportSink
  ) {
    let tag = "h\(min(level, 6))"
    sink(
      "<section\(attribute("id", id)) class=\"findings\" aria-label=\"Findings\">\n<\(tag)>Findings</\(tag)>\n"
    )
    sink("<ol\(attribute("start", first.map(String.init)))>\n")
    for (place, finding) in findings.enumerated() {
      sink("<li\(attribute("id", first.map { "finding-\($0 + place)" }))>\(words(finding))</li>\n")
    }
    sink("</ol>\n</section>\n")
  }

  private func words(_ finding: Finding) -> String {
    let severity = FindingSeverity(finding)
    let word = "<b class=\"severity \(severity.tone.word ?? "")\">\(severity.rawValue)</b> "
    let target = finding.target.map { "<b><bdi>\(HTMLText.line($0))</bdi></b>: " } ?? ""
    let advice =
      finding.advice.map { " <span class=\"advice\">\(HTMLText.escape(PageBlocks.sentence($0)))</span>" }
      ?? ""
    return "\(word)\(target)\(HTMLText.escape(finding.message))\(PageBlocks.stop(finding.message))\(advice)"
  }

  /// With a capital letter and a full stop.
  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + stop(text)
  }

  private static func stop(_ text: String) -> String {
    [".", "…", "!", "?"].contains { text.hasSuffix($0) } ? "" : "."
  }

  private func attribute(_ name: String, _ value: String?) -> String {
    value.map { " \(name)=\"\($0)\"" } ?? ""
  }
}
