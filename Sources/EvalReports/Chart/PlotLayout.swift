/// Where a plot's axes lie in its SVG, and every value on them.
struct PlotLayout: Sendable {
  let plot: Chart.Plot
  let frame: SVGFrame
  let x: ChartScale
  let y: ChartScale
  let legend: SVGLegend
  /// Inside the axes.
  let area: LabelBox
  /// Ticks of x whose labels have room, with their places.
  let xLabels: [(place: Double, tick: ChartTick)]

  /// Room between the axes and the outermost values, so that no symbol is cut.
  private static let inset = 7.0

  init(_ plot: Chart.Plot, _ frame: SVGFrame, legend entries: [SVGLegend.Entry]) {
    self.plot = plot
    self.frame = frame
    legend = SVGLegend(entries, frame)
    let wanted = frame.isNarrow ? 4 : 5
    let extent = plot.extent
    let y = ChartScale(plot.y, extent.y, wanted: wanted)
    var x = ChartScale(plot.x, extent.x, wanted: 1)
    let yWidth = y.ticks.map { SVGText.width($0.text, size: frame.font) }.max() ?? 0
    let top = legend.height + frame.lineHeight + 8
    var area = LabelBox(
      left: max(24, yWidth + 10), top: top, right: 0, bottom: top + frame.plotHeight)
    var labels: [(place: Double, tick: ChartTick)] = []
    for count in stride(from: frame.isNarrow ? 5 : 8, through: 1, by: -1) {
      x = ChartScale(plot.x, extent.x, wanted: count)
      let last = x.ticks.last.map { SVGText.width($0.text, size: frame.font) } ?? 0
      area.right = frame.width - max(10, last / 2 - PlotLayout.inset + 3)
      let fitting = PlotLayout.fitting(x, area, frame)
      labels = fitting.labels
      if fitting.isWhole || plot.x.scale == .log { break }
    }
    self.area = area
    self.x = x
    self.y = y
    xLabels = labels
  }

  /// The ticks whose labels do not touch; of a decade 2 and 5 go first.
  private static func fitting(
    _ scale: ChartScale, _ area: LabelBox, _ frame: SVGFrame
  ) -> (labels: [(place: Double, tick: ChartTick)], isWhole: Bool) {
    var kept: [(place: Double, tick: ChartTick, half: Double)] = []
    var isWhole = true
    for isMinor in [false, true] {
      for tick in scale.ticks where tick.isMinor == isMinor {
        guard let part = scale.position(tick.value) else { continue }
        let place = area.left + inset + part * (area.right - area.left - 2 * inset)
        let half = SVGText.width(tick.text, size: frame.font) / 2 + 6
        if kept.allSatisfy({ abs($0.place - place) >= $0.half + half }) {
          kept.append((place, tick, half))
        } else {
          isWhole = false
        }
      }
    }
    return (kept.sorted { $0.place < $1.place }.map { ($0.place, $0.tick) }, isWhole)
  }

  /// Clamped to the axes; `nil` for what cannot be drawn.
  func place(x value: Double) -> Double? {
    x.position(value).map {
      area.left + PlotLayout.inset + $0 * (area.right - area.left - 2 * PlotLayout.inset)
    }
  }

  func place(y value: Double) -> Double? {
    y.position(value).map {
      area.bottom - PlotLayout.inset - $0 * (area.bottom - area.top - 2 * PlotLayout.inset)
    }
  }

  func spot(_ point: Chart.Point) -> ChartSpot? {
    guard let x = place(x: point.x), let y = place(y: point.y) else { return nil }
    return ChartSpot(x: x, y: y)
  }

  /// Grid lines, ticks and the names of the axes.
  func drawAxes(into svg: inout SVGWriter) {
    for tick in y.ticks {
      guard let place = place(y: tick.value) else { continue }
      line(
        from: ChartSpot(x: area.left, y: place), to: ChartSpot(x: area.right, y: place), "grid", into: &svg)
    }
    for tick in x.ticks {
      guard let place = place(x: tick.value) else { continue }
      line(
        from: ChartSpot(x: place, y: area.top), to: ChartSpot(x: place, y: area.bottom), "grid", into: &svg)
    }
    line(
      from: ChartSpot(x: area.left, y: area.bottom), to: ChartSpot(x: area.right, y: area.bottom), "axis",
      into: &svg)
    var last = Double.infinity
    for tick in y.ticks where y.axis.scale == .linear || !tick.isMinor || y.ticks.count < 5 {
      guard let place = place(y: tick.value), last - place >= frame.font else { continue }
      last = place
      svg.element(
        "text",
        [
          "class": "tick", "x": SVGValue(area.left - 6), "y": SVGValue(place + frame.font * 0.35),
          "text-anchor": "end",
        ], words: tick.text)
    }
    for (place, tick) in xLabels {
      svg.element(
        "text",
        [
          "class": "tick", "x": SVGValue(place), "y": SVGValue(area.bottom + frame.font + 4),
          "text-anchor": "middle",
        ], words: tick.text)
    }
    axisNames(into: &svg)
  }

  private func axisNames(into svg: inout SVGWriter) {
    let room = frame.width - 8
    svg.element(
      "text", ["class": "label", "x": "4", "y": SVGValue(area.top - 8)],
      words: SVGText.cut("\u{2191} \(plot.y.label)", to: room, size: frame.font))
    svg.element(
      "text",
      [
        "class": "label", "x": SVGValue(area.right), "y": SVGValue(area.bottom + 2 * frame.lineHeight),
        "text-anchor": "end",
      ], words: SVGText.cut("\(plot.x.label) \u{2192}", to: room, size: frame.font))
  }

  /// Below the names of the axes.
  var end: Double { area.bottom + 2 * frame.lineHeight + 6 }

  func line(from start: ChartSpot, to end: ChartSpot, _ classes: String, into svg: inout SVGWriter) {
    svg.element(
      "line",
      [
        "class": SVGValue(classes), "x1": SVGValue(start.x), "y1": SVGValue(start.y), "x2": SVGValue(end.x),
        "y2": SVGValue(end.y),
      ])
  }
}
