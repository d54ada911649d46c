/// Bars, stacks and dots with intervals as lines of signs, the numbers behind them.
struct TextBars {
  private let bars: Chart.Bars
  private let frame: ChartText
  private let scale: ChartScale
  private let lineNames: [String]
  private let gutter: Int
  private let columns: Int

  private static let mostLines = 10

  init(_ bars: Chart.Bars, _ frame: ChartText) {
    self.bars = bars
    self.frame = frame
    scale = bars.scale(wanted: 4)
    let most = frame.width * 2 / 5
    lineNames = bars.rows.flatMap { row -> [String] in
      guard bars.style != .stacked, bars.parts.count > 1 else { return [frame.cut(row.name, to: most)] }
      return bars.parts.enumerated().map { index, part in
        frame.cut(index == 0 ? "\(row.name): \(part.name)" : "  \(part.name)", to: most)
      }
    }
    gutter = (lineNames.map { DisplayWidth.of($0) }.max() ?? 0) + 1
    let numbers = bars.rows.flatMap { row in
      row.values.map { bars.axis.unit.text($0.value) } + [bars.total(row)].compactMap(\.self)
    }
    let number = numbers.map { DisplayWidth.of(frame.text.line($0)) }.max() ?? 0
    columns = max(8, frame.width - gutter - number - 2)
  }

  var lines: [String] {
    var lines: [String] = []
    guard bars.rows.contains(where: { $0.values.contains { $0.value?.isFinite == true } }) else { return [] }
    for row in bars.rows {
      if bars.style == .stacked {
        lines.append(stack(row))
      } else {
        for (part, value) in row.values.enumerated() where part < bars.parts.count {
          lines.append(bars.style == .dots ? dots(value, part) : bar(value, part))
        }
      }
    }
    lines = zip(lineNames, lines).map { TextLayout.pad($0, to: gutter, .left) + $1 }
    let rest = lines.count - TextBars.mostLines
    if rest > 0 {
      lines = lines.prefix(TextBars.mostLines) + [frame.text.clean("… \(Numbers.count(rest)) more")]
    }
    return lines + [frame.style.dim(frame.cut(bars.axis.label + ends, to: frame.width))] + legend
  }

  /// What the left and the right edge are.
  private var ends: String {
    guard let first = scale.ticks.first, let last = scale.ticks.last else { return "" }
    return ": \(first.text) to \(last.text)"
  }

  private static let fills: [Character] = ["█", "▒", "▓", "░", "▚", "▤", "▥", "▦"]
  private static let plainFills: [Character] = ["#", "=", "+", "-", "o", "x", "%", "~"]

  private func fill(_ part: Int) -> Character {
    frame.sign(TextBars.fills[part % 8], TextBars.plainFills[part % 8])
  }

  private var legend: [String] {
    guard bars.style == .stacked, bars.parts.count > 1 else { return [] }
    return frame.legend(bars.parts.enumerated().map { "\(fill($0)) \($1.name)" })
  }

  private func number(_ value: Double?) -> String { " " + frame.text.line(bars.axis.unit.text(value)) }

  /// Eighths of a cell from the left.
  private func eighths(_ value: Double) -> Int? {
    scale.position(value).map { Int(($0 * Double(columns * 8)).rounded()) }
  }

  private func bar(_ value: Chart.Bars.Value, _ part: Int) -> String {
    guard let amount = value.value, let end = eighths(amount) else { return number(nil) }
    let zero = eighths(0) ?? 0
    let slot = bars.parts[part].slot ?? part
    guard frame.text.unicode, end >= zero else {
      let (low, high) = (min(zero, end) / 8, max(zero, end + 4) / 8)
      let bar = String(repeating: fill(0), count: max(amount == 0 ? 0 : 1, high - low))
      return String(repeating: " ", count: low) + frame.style.slot(bar, slot) + number(amount)
    }
    let start = zero / 8
    var bar = String(repeating: "█", count: max(0, end / 8 - start))
    if end % 8 > 0, end / 8 >= start { bar.append(TextBars.parts[end % 8 - 1]) }
    return String(repeating: " ", count: start) + frame.style.slot(bar, slot) + number(amount)
  }

  private static let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  private func stack(_ row: Chart.Bars.Row) -> String {
    var text = ""
    var (sum, drawn) = (0.0, 0)
    for (part, value) in row.values.enumerated() where part < bars.parts.count {
      guard let amount = value.value, amount > 0, let end = eighths(sum + amount) else { continue }
      sum += amount
      // Whole cells, so that a part's end is at most half a cell off.
      let cells = (end + 4) / 8
      text += frame.style.slot(
        String(repeating: fill(part), count: max(0, cells - drawn)), bars.parts[part].slot ?? part)
      drawn = max(drawn, cells)
    }
    return text + " " + frame.text.line(bars.total(row) ?? Numbers.missing)
  }

  private func dots(_ value: Chart.Bars.Value, _ part: Int) -> String {
    guard let amount = value.value, let place = scale.position(amount) else { return number(nil) }
    func cell(_ place: Double) -> Int { Int((place * Double(columns - 1)).rounded()) }
    var cells = [Character](repeating: " ", count: columns)
    if let range = value.interval.flatMap(scale.positions) {
      let (low, high) = (cell(range.lowerBound), cell(range.upperBound))
      for index in low...high { cells[index] = frame.sign("─", "-") }
      cells[low] = frame.sign("├", "|")
      cells[high] = frame.sign("┤", "|")
    }
    cells[cell(place)] = frame.sign("●", "o")
    return frame.style.slot(String(cells), bars.parts[part].slot ?? part) + number(amount)
  }
}
