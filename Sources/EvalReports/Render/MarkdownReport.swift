import EvalCore

extension ReportFormat {
  static let markdown = ReportFormat(
    name: "md", fileExtension: "md", summary: "Markdown for a pull request, details folded"
  ) { input, options, sink in
    MarkdownRenderer(options).render(RunReport.document(input.summary, pictures: .sentences), to: sink)
  }
}

/// Writes a document as GitHub-flavoured Markdown.
package struct MarkdownRenderer: Sendable {
  private let options: ReportOptions

  package init(_ options: ReportOptions = ReportOptions()) { self.options = options }

  package func render(_ document: ReportDocument, to sink: ReportSink) {
    sink("# \(escape(document.title))\n")
    for block in document.blocks {
      if case .section = block, !options.details { continue }
      render(block, to: sink)
    }
  }

  private func render(_ block: ReportBlock, to sink: ReportSink) {
    switch block {
    case .heading(let title): sink("\n## \(escape(title))\n")
    case .verdict(let words, _): sink("\n**\(escape(words))**\n")
    case .paragraph(let words): sink("\n\(escape(words))\n")
    case .banner(let words): sink("\n> [!WARNING]\n> **\(escape(words))**\n")
    case .table(let table): render(table, to: sink)
    case .chart(let chart): sink("\n**\(escape(chart.title))**: \(escape(chart.alternative))\n")
    case .findings(let findings): render(findings, to: sink)
    case .notes(let notes): for note in notes { sink("\n<sub>\(escape(note))</sub>\n") }
    case .verbatim(let label, let content):
      sink("\n**\(escape(label))**\n\n")
      MarkdownEscape.fenced(content, to: sink)
    case .section(let title, let blocks):
      sink("\n<details><summary>\(escape(title))</summary>\n")
      for block in blocks { render(block, to: sink) }
      sink("\n</details>\n")
    }
  }

  private func render(_ findings: [Finding], to sink: ReportSink) {
    sink("\n")
    for finding in findings {
      let target = finding.target.map { "**\(escape($0))**: " } ?? ""
      let advice = finding.advice.map { " *\(escape($0))*" } ?? ""
      sink("- \(target)\(escape(finding.message)).\(advice)\n")
    }
  }

  private func render(_ table: ReportTable, to sink: ReportSink) {
    if let caption = table.caption { sink("\n**\(escape(caption))**\n") }
    sink("\n| " + table.columns.map { escape($0.title) }.joined(separator: " | ") + " |\n")
    sink("|" + table.columns.map { $0.alignment == .left ? ":--" : "--:" }.joined(separator: "|") + "|\n")
    for row in table.rows { sink("| " + row.map(cell).joined(separator: " | ") + " |\n") }
  }

  private func cell(_ cell: ReportCell) -> String {
    // A label's indentation would be lost in a table cell.
    let indent = cell.text.prefix { $0 == " " }.count
    let text = String(repeating: "&emsp;", count: indent / 2) + escape(String(cell.text.dropFirst(indent)))
    guard let detail = cell.detail else { return text }
    return "\(text)<br><sub>\(escape(detail))</sub>"
  }

  private func escape(_ text: String) -> String { MarkdownEscape.inline(text) }
}

/// Makes words of strangers plain text in Markdown.
enum MarkdownEscape {
  /// On one line, without markup, HTML, links, mentions or references.
  static func inline(_ text: String) -> String {
    var result = ""
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "|", "\\", "`", "*", "_", "[", "]", "~", "$":
        result += "\\"
        result.unicodeScalars.append(scalar)
      // The host turns `@name` and `#1` of plain text into mentions and references; a comment between stops it.
      case "@": result += "@<!-- -->"
      case "#": result += "\\#<!-- -->"
      // And `https://…` and `www.…` into links.
      case "/" where previous == ":": result += "<!-- -->/"
      case "." where result.suffix(3).lowercased() == "www": result += "<!-- -->."
      case "\n": result += "<br>"
      case "\r": break
      default: result.unicodeScalars.append(TerminalText.isUnsafe(scalar) ? "\u{FFFD}" : scalar)
      }
      previous = scalar
    }
    return leading(result)
  }

  /// A line may not begin a list, a heading or a rule.
  private static func leading(_ text: String) -> String {
    guard let first = text.unicodeScalars.first else { return text }
    switch first {
    case "-", "+", "=": return "\\" + text
    case "0"..."9":
      let digits = text.prefix { $0.isNumber }
      let rest = text.dropFirst(digits.count)
      guard let mark = rest.first, mark == "." || mark == ")" else { return text }
      guard rest.count == 1 || rest.dropFirst().first == " " else { return text }
      return digits + "\\" + rest
    default: return text
    }
  }

  /// A block of code whose fence is longer than any in it.
  static func fenced(_ text: String, to sink: ReportSink) {
    var longest = 0
    var run = 0
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: max(3, longest + 1))
    sink("\(fence)text\n")
    var safe = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where scalar != "\r" {
      let isKept = scalar == "\n" || scalar == "\t" || !TerminalText.isUnsafe(scalar)
      safe.append(isKept ? scalar : "\u{FFFD}")
    }
    sink(String(safe) + (safe.last == "\n" ? "" : "\n") + fence + "\n")
  }
}
