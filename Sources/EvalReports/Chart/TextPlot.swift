/// Points and curves in a field of signs: a letter for each series, its curve in dots.
struct TextPlot {
  private let plot: Chart.Plot
  private let frame: ChartText
  private let x: ChartScale
  private let y: ChartScale
  private let gutter: Int
  private var grid: TextGrid

  private static let rows = 8
  /// The most points of a series that are letters of their own.
  private static let few = 40

  init(_ plot: Chart.Plot, _ frame: ChartText) {
    self.plot = plot
    self.frame = frame
    let extent = plot.extent
    x = ChartScale(plot.x, extent.x, wanted: frame.width / 14)
    y = ChartScale(plot.y, extent.y, wanted: 3)
    gutter = (y.ticks.map { DisplayWidth.of(frame.text.line($0.text)) }.max() ?? 0) + 1
    grid = TextGrid(
      columns: max(1, frame.width - gutter - 1), rows: TextPlot.rows, unicode: frame.text.unicode)
    drawMarks()
    for role in [Chart.Series.Role.reference, .data, .chosen] {
      for (index, series) in plot.series.enumerated() where series.role == role { draw(series, index) }
    }
  }

  var lines: [String] {
    guard plot.series.contains(where: { $0.points.contains(where: plot.isDrawable) }) else { return [] }
    let arrows = frame.text.unicode ? ("↑", "→") : ("up:", "across:")
    let names = "\(arrows.0) \(plot.y.label)  \(arrows.1) \(plot.x.label)"
    var lines = [frame.style.dim(frame.cut(names, to: frame.width))]
    let labels = yLabels
    for row in 0..<grid.rows {
      let label = labels[row].map { frame.text.line($0) }
      let wall = label == nil ? frame.sign("│", "|") : frame.sign("┤", "+")
      let line =
        frame.style.dim(TextLayout.pad(label ?? "", to: gutter, .right) + String(wall))
        + grid.row(row, paint: paint)
      lines.append(TextPlot.trimmed(line))
    }
    lines += bottom
    return lines + frame.legend(legend)
  }

  private static func trimmed(_ line: String) -> String {
    var line = line
    while line.last == " " { line.removeLast() }
    return line
  }

  private func paint(_ run: String, _ slot: Int?) -> String {
    guard let slot else { return run }
    return frame.style.slot(run, slot)
  }

  // MARK: Axes

  /// By row.
  private var yLabels: [String?] {
    var labels = [String?](repeating: nil, count: grid.rows)
    for tick in y.ticks where !tick.isMinor || y.ticks.count < 6 {
      guard let part = y.position(tick.value) else { continue }
      let row = Int(((1 - part) * Double(grid.rows - 1)).rounded())
      if labels[row] == nil { labels[row] = tick.text }
    }
    return labels
  }

  private var bottom: [String] {
    var axis = [Character](repeating: frame.sign("─", "-"), count: grid.columns)
    var words = [Character](repeating: " ", count: gutter + 1 + grid.columns)
    var free = words.map { _ in true }
    for isMinor in [false, true] {
      for tick in x.ticks where tick.isMinor == isMinor {
        guard let part = x.position(tick.value) else { continue }
        let place = Int((part * Double(grid.columns - 1)).rounded())
        let label = Array(frame.text.line(tick.text))
        let start = min(max(0, gutter + 1 + place - label.count / 2), words.count - label.count)
        guard start >= 0 else { continue }
        let taken = max(0, start - 1)..<min(words.count, start + label.count + 1)
        guard free[taken].allSatisfy({ $0 }) else { continue }
        axis[place] = frame.sign("┴", "+")
        for (index, character) in label.enumerated() { words[start + index] = character }
        for index in start..<(start + label.count) { free[index] = false }
      }
    }
    let corner = String(repeating: " ", count: gutter) + String(frame.sign("└", "+"))
    return [corner + String(axis), TextPlot.trimmed(String(words))].map(frame.style.dim)
  }

  // MARK: Drawing

  private var letters: [Int: Character] { TextPlot.letters(plot) }

  /// One letter for each series that is no reference; none where there is but one curve.
  private static func letters(_ plot: Chart.Plot) -> [Int: Character] {
    let named = plot.series.indices.filter { plot.series[$0].role != .reference }
    if named.count == 1, plot.series[named[0]].shape != .points { return [:] }
    let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return Dictionary(
      uniqueKeysWithValues: named.enumerated().map { ($1, $0 < alphabet.count ? alphabet[$0] : "*") })
  }

  private var legend: [String] {
    var entries = plot.series.enumerated().compactMap { index, series -> String? in
      guard !series.name.isEmpty, series.points.contains(where: plot.isDrawable) else { return nil }
      if series.role == .reference {
        return "\(series.shape == .points ? "o" : frame.sign("⠒", ".")) \(series.name)"
      }
      guard let letter = letters[index] else { return nil }
      return "\(letter) \(series.name)"
    }
    let chosen = plot.series.indices.filter { plot.series[$0].role == .chosen }.compactMap { letters[$0] }
    if !chosen.isEmpty, !plot.chosen.isEmpty {
      entries.append("\(chosen.map(String.init).joined(separator: " ")): \(plot.chosen)")
    }
    entries += plot.marks.compactMap { mark in
      mark.label.map { "\(sign(of: mark)) \($0)" }
    }
    if grid.hasSharedCell { entries.append("* several") }
    return entries
  }

  /// As its line is drawn: down or across.
  private func sign(of mark: Chart.Mark) -> Character {
    switch mark.place {
    case .x, .xBand: frame.sign("⡇", ":")
    case .y, .yBand: frame.sign("⠒", ".")
    }
  }

  private mutating func drawMarks() {
    for mark in plot.marks {
      switch mark.place {
      case .x(let value): vertical(value)
      case .xBand(let range):
        vertical(range.lowerBound)
        vertical(range.upperBound)
      case .y(let value): horizontal(value)
      case .yBand(let range):
        horizontal(range.lowerBound)
        horizontal(range.upperBound)
      }
    }
  }

  private mutating func vertical(_ value: Double) {
    guard let part = x.position(value) else { return }
    grid.line(grid.dot(part, 0), grid.dot(part, 1), sign: ":", slot: nil, every: 2)
  }

  private mutating func horizontal(_ value: Double) {
    guard let part = y.position(value) else { return }
    grid.line(grid.dot(0, part), grid.dot(1, part), sign: ".", slot: nil, every: 3)
  }

  private func dot(_ point: Chart.Point) -> (x: Int, y: Int)? {
    guard let across = x.position(point.x), let up = y.position(point.y) else { return nil }
    return grid.dot(across, up)
  }

  private mutating func draw(_ series: Chart.Series, _ index: Int) {
    let isReference = series.role == .reference
    let slot = isReference ? nil : plot.slot(index)
    let letter = letters[index]
    switch series.shape {
    case .points:
      for point in series.points {
        guard let dot = dot(point) else { continue }
        if series.points.count > TextPlot.few {
          grid.set(dot.x, dot.y, sign: letter ?? ".", slot: slot)
        } else {
          drawWhiskers(of: point, slot: slot)
          grid.letter(letter ?? "o", at: dot, slot: slot)
        }
      }
    case .line, .steps: drawCurve(series, slot: slot, letter: letter, every: isReference ? 2 : 1)
    }
  }

  private mutating func drawWhiskers(of point: Chart.Point, slot: Int?) {
    guard let across = x.position(point.x), let up = y.position(point.y) else { return }
    if let range = point.xInterval.flatMap(x.positions) {
      grid.line(grid.dot(range.lowerBound, up), grid.dot(range.upperBound, up), sign: "-", slot: slot)
    }
    if let range = point.yInterval.flatMap(y.positions) {
      grid.line(grid.dot(across, range.lowerBound), grid.dot(across, range.upperBound), sign: "|", slot: slot)
    }
  }

  private mutating func drawCurve(_ series: Chart.Series, slot: Int?, letter: Character?, every: Int) {
    let sign = letter ?? (series.role == .reference ? "." : "#")
    let dots = series.points.compactMap(dot)
    let floor = series.fillsTo.flatMap { y.position($0) }.map { grid.dot(0, $0).y }
    if dots.count == 1 { grid.set(dots[0].x, dots[0].y, sign: sign, slot: slot) }
    for (start, end) in zip(dots, dots.dropFirst()) {
      let corner = series.shape == .steps ? (x: end.x, y: start.y) : end
      if let floor, series.shape == .steps {
        for x in start.x...max(start.x, end.x) { grid.line((x, floor), (x, start.y), sign: sign, slot: slot) }
      }
      grid.line(start, corner, sign: sign, slot: slot, every: every)
      if series.shape == .steps { grid.line(corner, end, sign: sign, slot: slot, every: every) }
    }
    guard let letter, grid.unicode, dots.count > 1 else { return }
    for part in [0.25, 0.5, 0.75] {
      let place = Int((part + 0.03 * Double((slot ?? 0) % 4)) * Double(dots.count - 1))
      grid.letter(letter, at: dots[place], slot: slot, replaces: false)
    }
  }
}
