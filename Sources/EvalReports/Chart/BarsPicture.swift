/// Draws rows of bars, stacks of bars, or dots with intervals.
struct BarsPicture {
  private let bars: Chart.Bars
  private let frame: SVGFrame
  private let pattern: String
  private let scale: ChartScale
  private let legend: SVGLegend
  /// Names stand above their bars where they would take too much of the width.
  private let namesAreAbove: Bool
  private let left: Double
  private let right: Double

  /// The most rows that are drawn.
  private static let mostRows = 40
  private static let thickness = 14.0

  /// - Parameter id: begins the names of the hatchings.
  init(_ bars: Chart.Bars, _ frame: SVGFrame, id: String) {
    self.bars = bars
    self.frame = frame
    pattern = id
    let named = bars.parts.enumerated().filter { bars.parts.count > 1 && !$0.element.name.isEmpty }
    legend = SVGLegend(
      named.map { index, part in
        let slot = part.slot ?? index
        return .init(
          name: part.name,
          sample: bars.style == .dots ? .symbol(slot: slot, isReference: false) : .swatch(slot: slot))
      }, frame)
    let names = bars.rows.map { SVGText.width($0.name, size: frame.font) }.max() ?? 0
    namesAreAbove = frame.isNarrow || names > frame.width * 0.28
    left = namesAreAbove ? 8 : names + 14
    var right = 0.0
    var scale = bars.scale(wanted: frame.isNarrow ? 4 : 6)
    for wanted in stride(from: frame.isNarrow ? 4 : 6, through: 1, by: -1) {
      scale = bars.scale(wanted: wanted)
      // Room for the number behind the longest bar.
      right = frame.width - BarsPicture.valueWidth(bars, frame) - 8
      let widest = scale.ticks.map { SVGText.width($0.text, size: frame.font) }.max() ?? 0
      if widest + 8 <= (right - left) / Double(max(1, scale.ticks.count - 1)) { break }
    }
    self.right = right
    self.scale = scale
  }

  private static func valueWidth(_ bars: Chart.Bars, _ frame: SVGFrame) -> Double {
    bars.rows.prefix(mostRows).flatMap { row in
      row.values.map { bars.axis.unit.text($0.value) } + [bars.total(row)].compactMap(\.self)
    }.map { SVGText.width($0, size: frame.font) }.max() ?? 0
  }

  var drawing: SVGDrawing {
    var svg = SVGWriter()
    if bars.style != .dots {
      SVGHatch.define(bars.parts.indices.map(slot), pattern: pattern, into: &svg)
    }
    legend.draw(into: &svg, pattern: pattern)
    let rows = bars.rows.prefix(BarsPicture.mostRows)
    let top = legend.height + 4
    let bottom = rows.reduce(top) { $0 + height($1) } + 2
    drawAxis(top: top, bottom: bottom, into: &svg)
    var y = top
    for row in rows {
      draw(row, top: y, into: &svg)
      y += height(row)
    }
    var notes: [String] = []
    if bars.rows.count > rows.count {
      notes.append("\(Numbers.part(rows.count, of: bars.rows.count)) rows are drawn, the first.")
    }
    if rows.isEmpty { notes.append("No values.") }
    let end = bottom + 2 * frame.lineHeight + 6
    let total = svg.notes(notes, frame, top: end) + 4
    return SVGDrawing(body: svg.text, height: total)
  }

  private func slot(_ part: Int) -> Int { bars.parts[part].slot ?? part }

  private func height(_ row: Chart.Bars.Row) -> Double {
    let bars = bars.style == .stacked ? 1 : max(1, row.values.count)
    return (namesAreAbove ? frame.lineHeight + 1 : 0) + Double(bars) * (BarsPicture.thickness + 2) + 7
  }

  private func place(_ value: Double) -> Double? {
    scale.position(value).map { left + $0 * (right - left) }
  }

  private func drawAxis(top: Double, bottom: Double, into svg: inout SVGWriter) {
    func line(_ x: Double, _ classes: String) {
      svg.element(
        "line",
        [
          "class": SVGValue(classes), "x1": SVGValue(x), "y1": SVGValue(top), "x2": SVGValue(x),
          "y2": SVGValue(bottom),
        ])
    }
    var last = -Double.infinity
    for tick in scale.ticks {
      guard let x = place(tick.value) else { continue }
      line(x, tick.value == 0 && bars.style != .dots ? "axis" : "grid")
      let half = SVGText.width(tick.text, size: frame.font) / 2
      // The first one may not leave the picture on the left.
      let middle = max(x, half + 2)
      guard middle - half >= last + 4 else { continue }
      last = middle + half
      svg.element(
        "text",
        [
          "class": "tick", "x": SVGValue(middle), "y": SVGValue(bottom + frame.font + 3),
          "text-anchor": "middle",
        ], words: tick.text)
    }
    svg.element(
      "text",
      [
        "class": "label", "x": SVGValue(right), "y": SVGValue(bottom + 2 * frame.lineHeight),
        "text-anchor": "end",
      ], words: SVGText.cut("\(bars.axis.label) \u{2192}", to: frame.width - 16, size: frame.font))
  }

  // MARK: Rows

  private func draw(_ row: Chart.Bars.Row, top: Double, into svg: inout SVGWriter) {
    var y = top + 3
    if namesAreAbove {
      y += frame.lineHeight + 1
      name(row, x: left, y: y - 4, anchor: "start", into: &svg)
    } else {
      name(row, x: left - 8, y: top + height(row) / 2 + frame.font * 0.35, anchor: "end", into: &svg)
    }
    if bars.style == .stacked {
      drawStack(row, top: y, into: &svg)
      return
    }
    for (part, value) in row.values.enumerated() where part < bars.parts.count {
      if bars.style == .dots {
        drawDot(value, part: part, top: y, into: &svg)
      } else {
        drawBar(value, part: part, top: y, into: &svg)
      }
      y += BarsPicture.thickness + 2
    }
  }

  private func name(
    _ row: Chart.Bars.Row, x: Double, y: Double, anchor: String, into svg: inout SVGWriter
  ) {
    svg.element(
      "text", ["class": "name", "x": SVGValue(x), "y": SVGValue(y), "text-anchor": SVGValue(anchor)],
      words: SVGText.cut(row.name, to: frame.width - 16, size: frame.font))
  }

  private func number(_ text: String, x: Double, top: Double, into svg: inout SVGWriter) {
    svg.element(
      "text",
      [
        "class": "value", "x": SVGValue(x + 5),
        "y": SVGValue(top + BarsPicture.thickness / 2 + frame.font * 0.35),
      ], words: text)
  }

  private func drawBar(
    _ value: Chart.Bars.Value, part: Int, top: Double, into svg: inout SVGWriter
  ) {
    guard let number = value.value, let end = place(number) else {
      self.number(Numbers.missing, x: place(0) ?? left, top: top, into: &svg)
      return
    }
    let zero = place(0) ?? left
    let box = LabelBox(
      left: min(zero, end), top: top, right: max(zero, end), bottom: top + BarsPicture.thickness)
    SVGHatch.draw(box, slot: slot(part), pattern: pattern, into: &svg)
    let behind = whisker(value, middle: top + BarsPicture.thickness / 2, "whisker over", into: &svg)
    self.number(bars.axis.unit.text(number), x: max(behind ?? end, zero), top: top, into: &svg)
  }

  private func drawDot(
    _ value: Chart.Bars.Value, part: Int, top: Double, into svg: inout SVGWriter
  ) {
    guard let number = value.value, let x = place(number) else {
      self.number(Numbers.missing, x: left, top: top, into: &svg)
      return
    }
    let middle = top + BarsPicture.thickness / 2
    let behind = whisker(value, middle: middle, "whisker \(SVGSymbol.colour(slot(part)))", into: &svg)
    SVGSymbol.draw(slot(part), at: ChartSpot(x: x, y: middle), radius: 4.5, into: &svg)
    self.number(bars.axis.unit.text(number), x: max(behind ?? x, x + 4), top: top, into: &svg)
  }

  /// - Returns: where it ends on the right.
  private func whisker(
    _ value: Chart.Bars.Value, middle: Double, _ classes: String, into svg: inout SVGWriter
  ) -> Double? {
    guard let interval = value.interval, let part = scale.positions(interval) else { return nil }
    let (low, high) = (left + part.lowerBound * (right - left), left + part.upperBound * (right - left))
    func n(_ value: Double) -> String { SVGNumber.text(value) }
    svg.element(
      "path",
      [
        "class": SVGValue(classes),
        "d": SVGValue(
          "M\(n(low)) \(n(middle - 3))v6M\(n(low)) \(n(middle))H\(n(high))M\(n(high)) \(n(middle - 3))v6"),
      ])
    return high
  }

  private func drawStack(_ row: Chart.Bars.Row, top: Double, into svg: inout SVGWriter) {
    var (below, above) = (0.0, 0.0)
    for (part, value) in row.values.enumerated() where part < bars.parts.count {
      guard let number = value.value, ChartScale.isDrawable(number, bars.axis), number != 0 else { continue }
      let from = number < 0 ? below : above
      guard let start = place(from) ?? (from == 0 ? left : nil), let end = place(from + number) else {
        continue
      }
      if number < 0 { below += number } else { above += number }
      SVGHatch.draw(
        LabelBox(
          left: min(start, end), top: top, right: max(start, end), bottom: top + BarsPicture.thickness),
        slot: slot(part), pattern: pattern, into: &svg)
    }
    number(
      bars.total(row) ?? Numbers.missing, x: place(max(above, 0)) ?? left, top: top, into: &svg)
  }
}

extension Chart.Bars {
  /// The sum of a stack in words; `nil` where every part is missing, or for another style.
  func total(_ row: Row) -> String? {
    guard style == .stacked else { return nil }
    let known = row.values.compactMap(\.value).filter { ChartScale.isDrawable($0, axis) }
    return known.isEmpty ? nil : axis.unit.text(known.reduce(0, +))
  }
}
