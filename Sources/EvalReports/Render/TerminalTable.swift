/// Lays a table out in columns. One that is too wide becomes several, each with the first column.
struct TerminalTable {
  private let text: TerminalText
  private let style: TerminalStyle
  private let width: Int
  private let caption: String?
  private let columns: [ReportTable.Column]
  private let layout: Layout
  fileprivate static let gap = 2

  init(_ table: ReportTable, width: Int, text: TerminalText, style: TerminalStyle) {
    self.text = text
    self.style = style
    self.width = width
    caption = table.caption.map(text.line)
    columns = table.columns.map { .init(text.line($0.title), $0.alignment) }
    // Narrower details cost lines; they are worth it where they bring columns that belong together into one table.
    let columns = self.columns
    let layouts = [24, 18, 14].map { Layout(table, columns: columns, width: width, detail: $0, text) }
    layout = layouts.min { $0.parts.count < $1.parts.count } ?? layouts[0]
  }

  func render(to sink: ReportSink) {
    if let caption {
      for line in TextLayout.wrap(caption, to: width) { sink(style.bold(line) + "\n") }
    }
    for (index, part) in layout.parts.enumerated() {
      if index > 0 { sink("\n") }
      render(part, to: sink)
    }
  }

  private func render(_ part: [Int], to sink: ReportSink) {
    let widths = layout.widths
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
    for row in layout.rows {
      let height = part.map { row[$0].lines.count }.max() ?? 0
      for line in 0..<height { sink(self.line(line, of: row, part) + "\n") }
    }
  }

  private func line(_ line: Int, of row: [Cell], _ part: [Int]) -> String {
    let widths = layout.widths
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

/// The cells of a table broken into lines, and its columns dealt out to tables of at most `width` columns.
private struct Layout {
  let rows: [[Cell]]
  let widths: [Int]
  /// The columns of each table, the first one in every one.
  let parts: [[Int]]

  /// - Parameter detail: the most columns of a cell's second line.
  init(
    _ table: ReportTable, columns: [ReportTable.Column], width: Int, detail: Int, _ text: TerminalText
  ) {
    let labelLimit = columns.count == 1 ? width : max(12, width * 2 / 5)
    func limit(_ index: Int) -> Int { index == 0 ? labelLimit : width - labelLimit - TerminalTable.gap }
    let rows = table.rows.map { row in
      row.enumerated().map { Cell($0.element, limit: limit($0.offset), detail: detail, text) }
    }
    let widths = columns.indices.map { index in
      rows.reduce(min(limit(index), DisplayWidth.of(columns[index].title))) { max($0, $1[index].width) }
    }
    self.rows = rows
    self.widths = widths
    parts = Layout.parts(widths, width: width)
  }

  private static func parts(_ widths: [Int], width: Int) -> [[Int]] {
    var parts: [[Int]] = []
    var current = [0]
    var used = widths[0]
    for index in widths.indices.dropFirst() {
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
}

/// A cell's lines with the tone of each.
private struct Cell {
  private(set) var lines: [(text: String, tone: ReportCell.Tone)] = []

  var width: Int { lines.map { DisplayWidth.of($0.text) }.max() ?? 0 }

  init(_ cell: ReportCell, limit: Int, detail: Int, _ text: TerminalText) {
    for line in TextLayout.wrap(text.clean(cell.text), to: limit) { lines.append((line, cell.tone)) }
    guard let words = cell.detail else { return }
    for line in Cell.wrap(text.line(words), to: min(limit, detail), most: limit, text) {
      lines.append((line, .quiet))
    }
  }

  /// Breaks a detail between its parts rather than inside them.
  ///
  /// - Parameter most: the column's own limit, which no word exceeds.
  private static func wrap(
    _ detail: String, to limit: Int, most: Int, _ text: TerminalText
  ) -> [String] {
    guard DisplayWidth.of(detail) > limit else { return [detail] }
    let separator = text.clean(" · ")
    var lines: [String] = []
    for part in detail.split(separator: separator) {
      if let last = lines.last, DisplayWidth.of(last) + separator.count + DisplayWidth.of(part) <= limit {
        lines[lines.count - 1] = last + separator + part
      } else {
        // A number is never broken; a name that fills the column is.
        let longest = part.split(separator: " ").map { DisplayWidth.of($0) }.max() ?? 0
        lines += TextLayout.wrap(String(part), to: max(limit, min(longest, most)))
      }
    }
    return lines
  }
}
