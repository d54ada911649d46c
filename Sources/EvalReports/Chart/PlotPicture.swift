/// Draws points and curves over two axes.
struct PlotPicture {
  private let plot: Chart.Plot
  private let frame: SVGFrame
  private let layout: PlotLayout
  private let labels: [(spot: ChartSpot, label: LabelPlacer.Label)]

  init(_ plot: Chart.Plot, _ frame: SVGFrame) {
    self.plot = plot
    self.frame = frame
    // Whose one point bears its name is in no legend, if the name finds a place.
    var inLegend = Set(plot.series.indices.filter { PlotPicture.directLabel(plot.series[$0], plot) == nil })
    var layout = PlotLayout(plot, frame, legend: PlotPicture.entries(plot, inLegend))
    var placed = PlotPicture.labels(plot, layout)
    let homeless = Set(plot.series.indices).subtracting(inLegend).subtracting(placed.map(\.series))
    if !homeless.isEmpty {
      inLegend.formUnion(homeless)
      layout = PlotLayout(plot, frame, legend: PlotPicture.entries(plot, inLegend))
      placed = PlotPicture.labels(plot, layout).filter { !homeless.contains($0.series) }
    }
    self.layout = layout
    labels = placed.map { ($0.spot, $0.label) }
  }

  var drawing: SVGDrawing {
    var svg = SVGWriter()
    layout.legend.draw(into: &svg)
    drawMarks(areBands: true, into: &svg)
    layout.drawAxes(into: &svg)
    var notes: [String] = []
    for role in [Chart.Series.Role.reference, .data, .chosen] {
      for (index, series) in plot.series.enumerated() where series.role == role {
        if let note = draw(series, slot: plot.slot(index), into: &svg), !notes.contains(note) {
          notes.append(note)
        }
      }
    }
    drawMarks(areBands: false, into: &svg)
    for (spot, label) in labels { draw(label, of: spot, into: &svg) }
    if plot.series.allSatisfy({ !$0.points.contains(where: plot.isDrawable) }) { drawNothing(into: &svg) }
    if plot.undrawable > 0 { notes.append(plot.undrawableWords) }
    let height = svg.notes(notes, frame, top: layout.end)
    return SVGDrawing(body: svg.text, height: height + 4)
  }

  private func drawNothing(into svg: inout SVGWriter) {
    svg.element(
      "text",
      [
        "class": "label", "x": SVGValue((layout.area.left + layout.area.right) / 2),
        "y": SVGValue((layout.area.top + layout.area.bottom) / 2), "text-anchor": "middle",
      ], words: "no values")
  }

  // MARK: Series

  /// The most points that have whiskers and symbols of full size.
  private static let few = 60

  /// - Returns: what was thinned, in words.
  private func draw(_ series: Chart.Series, slot: Int, into svg: inout SVGWriter) -> String? {
    let drawn = series.points.filter(plot.isDrawable)
    switch series.shape {
    case .points:
      if drawn.count > PlotPicture.few { return drawDots(series, drawn, slot: slot, into: &svg) }
      for point in drawn { draw(point, series, slot: slot, into: &svg) }
    case .line, .steps: drawCurve(series, drawn, slot: slot, into: &svg)
    }
    return nil
  }

  private func draw(_ point: Chart.Point, _ series: Chart.Series, slot: Int, into svg: inout SVGWriter) {
    guard let spot = layout.spot(point) else { return }
    let colour = series.role == .reference ? "ref" : SVGSymbol.colour(slot)
    if let path = whiskers(point, spot) {
      svg.element("path", ["class": SVGValue("whisker \(colour)"), "d": SVGValue(path)])
    }
    if series.role == .chosen { SVGSymbol.drawRing(at: spot, into: &svg) }
    SVGSymbol.draw(slot, at: spot, radius: 4.5, isReference: series.role == .reference, into: &svg)
  }

  private func whiskers(_ point: Chart.Point, _ spot: ChartSpot) -> String? {
    func n(_ value: Double) -> String { SVGNumber.text(value) }
    var path = ""
    if let range = point.xInterval, let low = layout.place(x: max(range.lowerBound, layout.x.low)),
      let high = layout.place(x: range.upperBound), high > low
    {
      path += "M\(n(low)) \(n(spot.y - 3))v6M\(n(low)) \(n(spot.y))H\(n(high))M\(n(high)) \(n(spot.y - 3))v6"
    }
    if let range = point.yInterval, let low = layout.place(y: max(range.lowerBound, layout.y.low)),
      let high = layout.place(y: range.upperBound), low > high
    {
      path += "M\(n(spot.x - 3)) \(n(low))h6M\(n(spot.x)) \(n(low))V\(n(high))M\(n(spot.x - 3)) \(n(high))h6"
    }
    return path.isEmpty ? nil : path
  }

  private func drawDots(
    _ series: Chart.Series, _ points: [Chart.Point], slot: Int, into svg: inout SVGWriter
  ) -> String? {
    let (spots, side) = ChartThinning.scatter(points.compactMap(layout.spot), side: 3)
    let colour = series.role == .reference ? "ref" : SVGSymbol.colour(slot)
    svg.element(
      "path",
      [
        "class": SVGValue("dots \(colour)"),
        "d": SVGValue(spots.map { SVGSymbol.path(slot, at: $0, radius: 2) }.joined()),
      ])
    guard side != nil else { return nil }
    let whose = series.name.isEmpty ? "" : " of \(series.name)"
    return
      "\(Numbers.part(spots.count, of: points.count)) points\(whose) are drawn: where many lie together, one."
  }

  private func drawCurve(
    _ series: Chart.Series, _ points: [Chart.Point], slot: Int, into svg: inout SVGWriter
  ) {
    let spots = ChartThinning.line(points.compactMap(layout.spot), width: 1.5)
    guard let first = spots.first, let last = spots.last else { return }
    let path = PlotPicture.path(spots, isStepped: series.shape == .steps)
    let colour = series.role == .reference ? "ref" : SVGSymbol.colour(slot)
    if let floor = series.fillsTo.flatMap({ layout.place(y: $0) }) {
      let closed =
        "\(path)V\(SVGNumber.text(floor))H\(SVGNumber.text(first.x))V\(SVGNumber.text(first.y))z"
      svg.element("path", ["class": SVGValue("area \(colour)"), "d": SVGValue(closed)])
    }
    let dash = series.dash == .dashed ? " dash" : ""
    svg.element("path", ["class": SVGValue("line \(colour)\(dash)"), "d": SVGValue(path)])
    if spots.count == 1 { SVGSymbol.draw(slot, at: last, radius: 3.5, into: &svg) }
    guard series.role != .reference, spots.count > 1, PlotPicture.needsSymbols(plot) else { return }
    // A little elsewhere on each curve, so that they do not cover each other.
    for part in [0.2, 0.5, 0.8] {
      let place = Int((part + 0.03 * Double(slot % 4)) * Double(spots.count - 1))
      SVGSymbol.draw(slot, at: spots[place], radius: 3.5, into: &svg)
    }
  }

  static func path(_ spots: [ChartSpot], isStepped: Bool) -> String {
    func n(_ value: Double) -> String { SVGNumber.text(value) }
    var path = ""
    for (index, spot) in spots.enumerated() {
      if index == 0 {
        path = "M\(n(spot.x)) \(n(spot.y))"
      } else if isStepped {
        path +=
          (n(spot.x) == n(spots[index - 1].x) ? "" : "H\(n(spot.x))")
          + (n(spot.y) == n(spots[index - 1].y) ? "" : "V\(n(spot.y))")
      } else {
        path += "L\(n(spot.x)) \(n(spot.y))"
      }
    }
    return path
  }

  // MARK: Marks and labels

  private func drawMarks(areBands: Bool, into svg: inout SVGWriter) {
    for mark in plot.marks {
      switch mark.place {
      case .xBand(let range):
        guard areBands, let low = layout.place(x: range.lowerBound),
          let high = layout.place(x: range.upperBound)
        else { continue }
        drawBand(
          LabelBox(left: low, top: layout.area.top, right: high, bottom: layout.area.bottom), into: &svg)
      case .yBand(let range):
        guard areBands, let low = layout.place(y: range.lowerBound),
          let high = layout.place(y: range.upperBound)
        else { continue }
        drawBand(
          LabelBox(left: layout.area.left, top: high, right: layout.area.right, bottom: low), into: &svg)
      case .x(let value):
        guard !areBands, let x = layout.place(x: value) else { continue }
        layout.line(
          from: ChartSpot(x: x, y: layout.area.top), to: ChartSpot(x: x, y: layout.area.bottom), "mark",
          into: &svg)
      case .y(let value):
        guard !areBands, let y = layout.place(y: value) else { continue }
        layout.line(
          from: ChartSpot(x: layout.area.left, y: y), to: ChartSpot(x: layout.area.right, y: y), "mark",
          into: &svg)
      }
    }
  }

  private func drawBand(_ box: LabelBox, into svg: inout SVGWriter) {
    svg.element(
      "rect",
      [
        "class": "band", "x": SVGValue(box.left), "y": SVGValue(box.top),
        "width": SVGValue(max(1, box.right - box.left)), "height": SVGValue(max(1, box.bottom - box.top)),
      ])
  }

  private func draw(_ label: LabelPlacer.Label, of spot: ChartSpot, into svg: inout SVGWriter) {
    if label.isFar {
      let middle = ChartSpot(x: label.x, y: label.y - frame.font * 0.35)
      layout.line(from: spot, to: middle, "leader", into: &svg)
    }
    svg.element(
      "text",
      [
        "class": "name", "x": SVGValue(label.x), "y": SVGValue(label.y),
        "text-anchor": SVGValue(label.anchor),
      ], words: label.text)
  }
}
