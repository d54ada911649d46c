/// Lays a table out in columns. One that is too wide becomes several, each with the first column.
struct TerminalTable {
  private let text: TerminalText
  private let style: TerminalStyle
  private let width: Int
  private let caption: String?
  private let columns: [ReportTable.Column]
  private let rows: [[Cell]]
  private let widths: [Int]
  private static let gap = 2

  /// A cell's lines with the tone of each.
  private struct Cell {
    var lines: [(text: String, tone: ReportCell.Tone)]

    var width: Int { lines.map { DisplayWidth.of($0.text) }.max() ?? 0 }
  }

  init(_ table: ReportTable, width: Int, text: TerminalText, style: TerminalStyle) {
    self.text = text
    self.style = style
    self.width = width
    caption = table.caption.map(text.line)
    columns = table.columns.map { .init(text.line($0.title), $0.alignment) }
    let labelLimit = table.columns.count == 1 ? width : max(12, width * 2 / 5)
    var rows: [[Cell]] = []
    for row in table.rows {
      rows.append(
        row.enumerated().map { index, cell in
          TerminalTable.cell(
            cell, limit: index == 0 ? labelLimit : width - labelLimit - TerminalTable.gap, text)
        })
    }
    self.rows = rows
    let columns = self.columns
    widths = columns.indices.map { index in
      let limit = index == 0 ? labelLimit : width - labelLimit - TerminalTable.gap
      let title = min(limit, DisplayWidth.of(columns[index].title))
      return rows.reduce(title) { max($0, $1[index].width) }
    }
  }

  private static func cell(_ cell: ReportCell, limit: Int, _ text: TerminalText) -> Cell {
    var lines: [(String, ReportCell.Tone)] = []
    // A label's indentation is its own: wrapping must not lose it.
    for line in TextLayout.wrap(text.clean(cell.text), to: limit) { lines.append((line, cell.tone)) }
    if let detail = cell.detail {
      for line in wrapDetail(text.line(detail), limit: limit, text) { lines.append((line, .quiet)) }
    }
    return Cell(lines: lines)
  }

  /// Breaks a detail between its parts rather than inside them.
  private static func wrapDetail(_ detail: String, limit: Int, _ text: TerminalText) -> [String] {
    let limit = min(limit, 24)
    guard DisplayWidth.of(detail) > limit else { return [detail] }
    let separator = text.clean(" · ")
    var lines: [String] = []
    for part in detail.split(separator: separator) {
      if let last = lines.last, DisplayWidth.of(last) + separator.count + DisplayWidth.of(part) <= limit {
        lines[lines.count - 1] = last + separator + part
      } else {
        lines += TextLayout.wrap(String(part), to: limit)
      }
    }
    return lines
  }

  func render(to sink: ReportSink) {
    if let caption { sink(style.bold(caption) + "\n") }
    for (index, part) in parts().enumerated() {
      if index > 0 { sink("\n") }
      render(part, to: sink)
    }
  }

  /// The columns of each table, the first one in every one.
  private func parts() -> [[Int]] {
    var parts: [[Int]] = []
    var current = [0]
    var used = widths[0]
    for index in columns.indices.dropFirst() {
      let needed = TerminalTable.gap + widths[index]
      if used + needed > width, current.count > 1 {
        parts.append(current)
        (current, used) = ([0], widths[0])
      }
      current.append(index)
      used += needed
    }
    return parts + [current]
  }

  private func render(_ part: [Int], to sink: ReportSink) {
    if part.contains(where: { !columns[$0].title.isEmpty }) {
      let heads = part.map {
        TextLayout.pad(
          TextLayout.cut(columns[$0].title, to: widths[$0], mark: text.clean("…")), to: widths[$0],
          columns[$0].alignment)
      }
      sink(style.bold(trimmed(heads.joined(separator: "  "))) + "\n")
    }
    let rule = part.map { String(repeating: text.unicode ? "─" : "-", count: widths[$0]) }
    sink(style.dim(rule.joined(separator: "  ")) + "\n")
    for row in rows {
      let height = part.map { row[$0].lines.count }.max() ?? 0
      for line in 0..<height { sink(self.line(line, of: row, part) + "\n") }
    }
  }

  private func line(_ line: Int, of row: [Cell], _ part: [Int]) -> String {
    var result = ""
    var blanks = 0
    for (place, index) in part.enumerated() {
      if place > 0 { blanks += TerminalTable.gap }
      guard line < row[index].lines.count else {
        blanks += widths[index]
        continue
      }
      let (text, tone) = row[index].lines[line]
      let fill = widths[index] - DisplayWidth.of(text)
      let isLeft = columns[index].alignment == .left
      result += String(repeating: " ", count: blanks + (isLeft ? 0 : fill)) + style.tone(text, tone)
      blanks = isLeft ? fill : 0
    }
    return result
  }

  private func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }
}
