/// Draws a chart with the signs of a terminal, small: at most twelve lines, a legend of many names excepted.
///
/// Where there is nothing to draw, or no room, there are no lines: the chart's sentence stands beside it anyway.
struct ChartText {
  let chart: Chart
  /// Columns, at most so many for a line.
  let width: Int
  let text: TerminalText
  let style: TerminalStyle

  /// The fewest columns that a picture is drawn in.
  static let least = 40
  static let mostWidth = 100

  init(_ chart: Chart, width: Int, text: TerminalText, style: TerminalStyle) {
    self.chart = chart
    self.width = min(width, ChartText.mostWidth)
    self.text = text
    self.style = style
  }

  /// Without a line feed at the end of each.
  var lines: [String] {
    guard width >= ChartText.least else { return [] }
    switch chart.content {
    case .plot(let plot): return TextPlot(plot, self).lines
    case .bars(let bars): return TextBars(bars, self).lines
    case .map(let map): return mapLines(map)
    }
  }

  // MARK: What the kinds share

  func sign(_ unicode: Character, _ ascii: Character) -> Character { text.unicode ? unicode : ascii }

  func cut(_ words: String, to width: Int) -> String {
    TextLayout.cut(text.line(words), to: width, mark: text.clean("…"))
  }

  /// Entries of a legend in lines, none broken.
  func legend(_ entries: [String]) -> [String] {
    var lines: [String] = []
    for entry in entries {
      let entry = cut(entry, to: width)
      if let last = lines.last, DisplayWidth.of(last) + 2 + DisplayWidth.of(entry) <= width {
        lines[lines.count - 1] = last + "  " + entry
      } else {
        lines.append(entry)
      }
    }
    return lines
  }

  // MARK: The map

  private static let heights: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let mostColumns = 9

  /// One sign a row of the map, one line a column.
  private func mapLines(_ map: Chart.CellMap) -> [String] {
    guard !map.rows.isEmpty, !map.columns.isEmpty else { return [] }
    let columns = map.columns.prefix(ChartText.mostColumns)
    let names = columns.map { cut($0, to: 24) }
    let gutter = (names.map { DisplayWidth.of($0) }.max() ?? 0) + 1
    var lines: [String] = []
    var size = 1
    for (index, name) in names.enumerated() {
      let values = map.rows.map { index < $0.values.count ? $0.values[index] : nil }
      let bins = ChartThinning.bins(values, most: width - gutter)
      size = bins.size
      lines.append(TextLayout.pad(name, to: gutter, .left) + String(bins.values.map(sign)))
    }
    if map.columns.count > columns.count {
      lines.append(text.clean("… \(Numbers.count(map.columns.count - columns.count)) more"))
    }
    let one = size == 1 ? "a sign is one of" : "a sign is the mean of \(size) of"
    let scale = text.unicode ? "▁ 0, █ 1, · none" : "_ 0, - below a half, = from a half, # 1, . none"
    let words = "\(map.valueLabel): \(scale); \(one) \(Numbers.count(map.rows.count)) \(map.rowsLabel)"
    return lines + TextLayout.wrap(text.line(words), to: width).map(style.dim)
  }

  private func sign(_ value: Double?) -> Character {
    guard let value, value.isFinite else { return sign("·", ".") }
    let share = min(max(value, 0), 1)
    if text.unicode { return ChartText.heights[Int((share * 7).rounded())] }
    return share == 1 ? "#" : share >= 0.5 ? "=" : share > 0 ? "-" : "_"
  }
}
