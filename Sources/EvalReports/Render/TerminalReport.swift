import EvalCore

extension ReportFormat {
  static let terminal = ReportFormat(
    name: "terminal", fileExtension: "txt", summary: "for a person at a terminal, 80 columns or its width"
  ) { input, options, sink in
    TerminalRenderer(options).render(RunReport.document(input.summary, pictures: .inSections), to: sink)
  }
}

/// Writes a document as text for a terminal.
package struct TerminalRenderer: Sendable {
  private let options: ReportOptions
  private let text: TerminalText
  private let style: TerminalStyle
  private var width: Int { max(20, options.width) }

  package init(_ options: ReportOptions) {
    self.options = options
    text = TerminalText(unicode: options.unicode)
    style = TerminalStyle(isOn: options.color)
  }

  package func render(_ document: ReportDocument, to sink: ReportSink) {
    write(document.title, style.bold, to: sink)
    var skipped: [String] = []
    for block in document.blocks {
      if case .section(let title, _) = block, !options.details {
        skipped.append(title)
      } else {
        render(block, to: sink)
      }
    }
    if !skipped.isEmpty {
      sink("\n")
      write("Not shown here: \(skipped.joined(separator: ", ")).", style.dim, to: sink)
    }
  }

  private func render(_ block: ReportBlock, to sink: ReportSink) {
    sink("\n")
    switch block {
    case .heading(let title): write(title, style.bold, to: sink)
    case .verdict(let words, _): write(words, style.bold, to: sink)
    case .paragraph(let words): write(words, { $0 }, to: sink)
    case .banner(let words): banner(words, to: sink)
    case .table(let table): TerminalTable(table, width: width, text: text, style: style).render(to: sink)
    case .chart(let chart): render(chart, to: sink)
    case .findings(let findings): render(findings, to: sink)
    case .notes(let notes): for note in notes { write(note, style.dim, to: sink) }
    case .verbatim(let label, let content):
      write(label, style.bold, to: sink)
      write(content, { $0 }, indent: "  ", to: sink)
    case .section(let title, let blocks):
      section(title, to: sink)
      for (index, block) in blocks.enumerated() {
        // A section's first table stands right under its title.
        if index == 0, case .table(let table) = block, table.caption == nil {
          TerminalTable(table, width: width, text: text, style: style).render(to: sink)
        } else {
          render(block, to: sink)
        }
      }
    }
  }

  private func section(_ title: String, to sink: ReportSink) {
    let line = options.unicode ? "─" : "-"
    let title = TextLayout.cut(text.line(title), to: width - 8, mark: text.clean("…"))
    let rest = max(0, width - 4 - DisplayWidth.of(title))
    sink(style.bold("\(line)\(line) \(title) ") + style.dim(String(repeating: line, count: rest)) + "\n")
  }

  /// The picture where there is room for one, the sentence always.
  private func render(_ chart: Chart, to sink: ReportSink) {
    write(chart.title, style.bold, to: sink)
    for line in ChartText(chart, width: width, text: text, style: style).lines { sink(line + "\n") }
    write(chart.alternative, { $0 }, to: sink)
    if let note = chart.note { write(note, style.dim, to: sink) }
  }

  private func banner(_ words: String, to sink: ReportSink) {
    let rule = String(repeating: options.unicode ? "━" : "=", count: width)
    sink(style.warning(rule) + "\n")
    write(words, style.warning, indent: " ", to: sink)
    sink(style.warning(rule) + "\n")
  }

  private func render(_ findings: [Finding], to sink: ReportSink) {
    for finding in findings {
      let target = finding.target.map { "\($0): " } ?? ""
      let advice = finding.advice.map { "; \($0)" } ?? ""
      let lines = TextLayout.wrap(text.line("\(target)\(finding.message)\(advice)"), to: width - 2)
      for (index, line) in lines.enumerated() {
        sink((index == 0 ? style.warning("! ") : "  ") + line + "\n")
      }
    }
  }

  private func write(_ words: String, _ style: (String) -> String, indent: String = "", to sink: ReportSink) {
    for line in TextLayout.wrap(text.clean(words), to: width - indent.utf8.count) {
      sink(line.isEmpty ? "\n" : indent + style(line) + "\n")
    }
  }
}

/// Colours by ANSI codes, or none.
struct TerminalStyle: Sendable {
  let isOn: Bool

  func bold(_ text: String) -> String { paint(text, "1") }
  func dim(_ text: String) -> String { paint(text, "2") }
  func warning(_ text: String) -> String { paint(text, "33") }

  /// The colour of a series, the same in every picture of a report.
  func slot(_ text: String, _ slot: Int) -> String {
    paint(text, ["34", "33", "36", "35", "32", "31", "94", "90"][abs(slot) % 8])
  }

  func tone(_ text: String, _ tone: ReportCell.Tone) -> String {
    switch tone {
    case .plain: text
    case .good: paint(text, "32")
    case .bad: paint(text, "31")
    case .warning: paint(text, "33")
    case .quiet: paint(text, "2")
    }
  }

  private func paint(_ text: String, _ code: String) -> String {
    isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
