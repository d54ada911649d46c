/// Writes a table in a box that scrolls sideways where the page is narrower.
struct PageTable {
  let table: ReportTable
  /// The places of the findings about each target, which the heads of the targets' columns point at.
  let findings: [String: [Int]]

  init(_ table: ReportTable, findings: [String: [Int]] = [:]) {
    self.table = table
    self.findings = findings
  }

  func write(to sink: ReportSink) {
    let label = table.caption ?? table.id ?? "Table"
    // A group: a landmark for each table would bury the page's own.
    sink(
      "<div class=\"table\" role=\"group\" tabindex=\"0\" aria-label=\"\(HTMLText.line(label))\">\n<table")
    if let id = table.id { sink(" id=\"\(HTMLText.anchor(id))\"") }
    // A few columns have room for a number and its doubt on one line.
    if table.columns.count <= 4 { sink(" class=\"roomy\"") }
    sink(">\n")
    if let caption = table.caption { sink("<caption>\(HTMLText.escape(caption))</caption>\n") }
    if table.columns.contains(where: { !$0.title.isEmpty }) {
      sink("<thead><tr>")
      for column in table.columns { head(column, to: sink) }
      sink("</tr></thead>\n")
    }
    sink("<tbody>\n")
    for row in table.rows { write(row, to: sink) }
    sink("</tbody>\n</table>\n</div>\n")
  }

  private func head(_ column: ReportTable.Column, to sink: ReportSink) {
    if column.title.isEmpty { return sink("<td></td>") }
    let alignment = column.alignment == .right ? " class=\"num\"" : ""
    sink("<th scope=\"col\"\(alignment)><bdi>\(HTMLText.escape(column.title))</bdi>")
    if table.id == "targets" {
      for place in findings[column.title] ?? [] {
        sink(
          "<sup><a href=\"#finding-\(place)\" aria-label=\"Finding \(place)\">\(place)</a></sup>")
      }
    }
    sink("</th>")
  }

  private func write(_ row: [ReportCell], to sink: ReportSink) {
    sink("<tr>")
    for (place, cell) in row.enumerated() {
      // A row that goes on under the one above has no name of its own.
      let isName = place == 0 && !cell.text.isEmpty
      let isRight = table.columns.indices.contains(place) && table.columns[place].alignment == .right
      // A label that is indented in text belongs to the one above.
      let isPart = isName && cell.text.hasPrefix("  ")
      let tone = cell.isBest && cell.tone == .good ? "lead" : cell.tone.word
      let classes = [isRight ? "num" : nil, isPart ? "part" : nil, tone].compactMap(\.self)
      let attributes =
        (isName ? " scope=\"row\"" : "")
        + (classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\"")
      sink("<\(isName ? "th" : "td")\(attributes)>\(content(cell))</\(isName ? "th" : "td")>")
    }
    sink("</tr>\n")
  }

  private func content(_ cell: ReportCell) -> String {
    let text = String(cell.text.drop { $0 == " " })
    var result = "<span class=\"value\">\(HTMLText.escape(text))</span>"
    if cell.isBest { result += " <b class=\"best\">best</b>" }
    // Numbers are not broken over lines; a note may be long.
    var details = [cell.interval, cell.n.map { "n=\(Numbers.count($0))" }].compactMap { part in
      part.map { "<span>\(HTMLText.escape($0))</span>" }
    }
    if let note = cell.note { details.append("<span class=\"note\">\(HTMLText.escape(note))</span>") }
    guard !details.isEmpty else { return result }
    return "\(result) <span class=\"detail\">\(details.joined(separator: " "))</span>"
  }
}

extension ReportCell.Tone {
  /// Its class in the style; `nil` for a plain cell.
  var word: String? {
    switch self {
    case .plain: nil
    case .good: "good"
    case .bad: "bad"
    case .warning: "warning"
    case .quiet: "quiet"
    }
  }
}
