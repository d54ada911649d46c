extension PlotPicture {
  /// The most labels beside points.
  private static let mostLabels = 40

  /// The name that a series has beside its only point, instead of in the legend.
  static func directLabel(_ series: Chart.Series, _ plot: Chart.Plot) -> String? {
    let drawn = series.points.filter(plot.isDrawable)
    guard series.shape == .points, drawn.count == 1, let label = drawn[0].label, label == series.name else {
      return nil
    }
    return label
  }

  /// Whether curves need symbols to be told apart.
  static func needsSymbols(_ plot: Chart.Plot) -> Bool {
    var slots: Set<Int> = []
    for (index, series) in plot.series.enumerated() where series.role != .reference && series.shape != .points
    {
      slots.insert(plot.slot(index))
    }
    return slots.count > 1
  }

  static func entries(_ plot: Chart.Plot, _ shown: Set<Int>) -> [SVGLegend.Entry] {
    let needsSymbols = needsSymbols(plot)
    var entries = plot.series.enumerated().compactMap { index, series -> SVGLegend.Entry? in
      guard shown.contains(index), !series.name.isEmpty, series.points.contains(where: plot.isDrawable) else {
        return nil
      }
      let slot = plot.slot(index)
      switch (series.shape, series.role) {
      case (.points, let role):
        return .init(name: series.name, sample: .symbol(slot: slot, isReference: role == .reference))
      case (_, .reference): return .init(name: series.name, sample: .reference)
      default:
        return .init(
          name: series.name,
          sample: .line(slot: slot, isDashed: series.dash == .dashed, hasSymbol: needsSymbols))
      }
    }
    if !plot.chosen.isEmpty,
      plot.series.contains(where: { $0.role == .chosen && $0.points.contains(where: plot.isDrawable) })
    {
      entries.append(.init(name: plot.chosen, sample: .ring))
    }
    return entries
  }

  typealias PlacedLabel = (series: Int, spot: ChartSpot, label: LabelPlacer.Label)

  /// Names beside points and lines, as many as find a place.
  static func labels(_ plot: Chart.Plot, _ layout: PlotLayout) -> [PlacedLabel] {
    let frame = layout.frame
    var bounds = layout.area
    bounds.right = frame.width - 2
    var placer = LabelPlacer(bounds: bounds, font: frame.font)
    block(plot, layout, &placer)
    var placed: [PlacedLabel] = marks(plot, layout, &placer)
    var left = mostLabels
    // What was decided for is named first.
    let order = plot.series.indices.sorted { (rank(plot.series[$0]), $0) < (rank(plot.series[$1]), $1) }
    for index in order where plot.series[index].shape == .points {
      for point in plot.series[index].points {
        guard left > 0, let words = point.label, let spot = layout.spot(point) else { continue }
        let text = SVGText.cut(words, to: frame.isNarrow ? 140 : 200, size: frame.font)
        guard let label = placer.place(text, at: spot) else { continue }
        placed.append((index, spot, label))
        left -= 1
      }
    }
    return placed
  }

  private static func rank(_ series: Chart.Series) -> Int {
    switch series.role {
    case .chosen: 0
    case .data: 1
    case .reference: 2
    }
  }

  /// What labels may not cover, and what they had better not.
  private static func block(_ plot: Chart.Plot, _ layout: PlotLayout, _ placer: inout LabelPlacer) {
    for series in plot.series {
      if series.shape == .points {
        for spot in series.points.prefix(400).compactMap(layout.spot) {
          placer.take(point: spot, radius: series.role == .chosen ? 10 : 5)
        }
      } else {
        let outline = ChartThinning.line(series.points.compactMap(layout.spot), width: 8)
        for (start, end) in zip(outline, outline.dropFirst()) { placer.avoid(from: start, to: end) }
      }
      for point in series.points.prefix(60) where series.shape == .points {
        guard let spot = layout.spot(point) else { continue }
        if let range = point.xInterval, let low = layout.place(x: max(range.lowerBound, layout.x.low)),
          let high = layout.place(x: range.upperBound)
        {
          placer.avoid(from: ChartSpot(x: low, y: spot.y), to: ChartSpot(x: high, y: spot.y))
        }
        if let range = point.yInterval, let low = layout.place(y: max(range.lowerBound, layout.y.low)),
          let high = layout.place(y: range.upperBound)
        {
          placer.avoid(from: ChartSpot(x: spot.x, y: low), to: ChartSpot(x: spot.x, y: high))
        }
      }
    }
  }

  private static func marks(
    _ plot: Chart.Plot, _ layout: PlotLayout, _ placer: inout LabelPlacer
  ) -> [PlacedLabel] {
    plot.marks.compactMap { mark in
      guard let words = mark.label else { return nil }
      let text = SVGText.cut(words, to: layout.frame.isNarrow ? 210 : 260, size: layout.frame.font)
      let area = layout.area
      let spot: ChartSpot?
      switch mark.place {
      case .x(let value): spot = layout.place(x: value).map { ChartSpot(x: $0, y: area.top + 14) }
      case .xBand(let range):
        spot = layout.place(x: range.upperBound).map { ChartSpot(x: $0, y: area.top + 14) }
      case .y(let value):
        spot = layout.place(y: value).map { ChartSpot(x: area.right - 8, y: $0) }
      case .yBand(let range):
        spot = layout.place(y: range.upperBound).map { ChartSpot(x: area.right - 8, y: $0) }
      }
      guard let spot, var label = placer.place(text, at: spot) else { return nil }
      label.isFar = false
      return (-1, spot, label)
    }
  }
}

extension Chart.Plot {
  /// The slot of a series: its own, or its place among the series that are data.
  func slot(_ index: Int) -> Int {
    series[index].slot ?? series[..<index].count { $0.role != .reference }
  }

  var undrawableWords: String {
    let powers = x.scale == .log || y.scale == .log
    let what = undrawable == 1 ? "1 point is" : "\(Numbers.count(undrawable)) points are"
    return "\(what) not drawn: \(powers ? "no value above 0" : "no value")."
  }
}
