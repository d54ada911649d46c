import Testing

@testable import EvalReports

/// Numbers that measuring should never give, and more than anybody can see.
@Suite struct ChartOddTests {
  static let oddValues: [[Double]] = [
    [], [1], [.nan], [.infinity, -.infinity], [7, 7, 7], [0, 0], [-5, -3], [1e300, 1], [1e-300, 2e-300],
    [-1e15, 1e15], [.nan, 3, .infinity], [Double.leastNonzeroMagnitude, .greatestFiniteMagnitude], [-0.0],
  ]

  private static func point(_ index: Int, _ value: Double) -> Chart.Point {
    guard !value.isNaN else { return Chart.Point(x: value, y: value) }
    return Chart.Point(
      x: value, y: value * 2, xInterval: value...max(value, 9), yInterval: min(-1, value)...value,
      label: "p\(index)")
  }

  @Test(arguments: oddValues, [Chart.Axis.Scale.linear, .log]) func `Any numbers make a sound picture`(
    _ values: [Double], _ scale: Chart.Axis.Scale
  ) throws {
    let points = values.enumerated().map { Self.point($0.offset, $0.element) }
    let axis = Chart.Axis("x", .dollars, scale: scale)
    let rows = values.map { Chart.Bars.Row("r", [.init($0, interval: $0.isNaN ? nil : min(0, $0)...$0)]) }
    let charts = [
      Chart.Content.plot(
        .init(
          x: axis, y: .init("y", .milliseconds, scale: scale),
          series: [
            .init("a", .points, points), .init("b", .line, points), .init("c", .steps, points, fillsTo: 0),
          ],
          marks: values.map { .init(.x($0), label: "m") })),
      .bars(.init(axis: axis, parts: [.init("p")], rows: rows)),
      .bars(.init(axis: axis, style: .stacked, parts: [.init("p")], rows: rows)),
      .bars(.init(axis: axis, style: .dots, parts: [.init("p")], rows: rows)),
      .map(
        .init(rowsLabel: "cases", valueLabel: "score", columns: ["a"], rows: values.map { .init("r", [$0]) })),
    ]
    for content in charts {
      let chart = Chart(id: "odd", title: "Odd", content, alternative: "odd")
      let svg = SampleCharts.svg(chart)
      let elements = try #require(SVGReader.read(svg))
      let words = svg.lowercased().split { !$0.isLetter }
      #expect(!words.contains("nan") && !words.contains("inf"), "\(svg)")
      for element in elements {
        for key in ["x", "x1", "x2", "cx", "width"] where element.name != "pattern" {
          if let x = element.number(key) { #expect(x >= 0 && x <= 640, "\(element)") }
        }
      }
      for unicode in [true, false] {
        for line in SampleCharts.text(chart, unicode: unicode) {
          #expect(DisplayWidth.of(line) <= 80, "\(line)")
        }
      }
    }
  }

  @Test func `What cannot be drawn is counted`() throws {
    let chart = Chart(
      id: "log", title: "",
      .plot(
        .init(
          x: .init("x", .milliseconds, scale: .log), y: .init("y", .share),
          series: [.init("", .line, [.init(x: 0, y: 0), .init(x: 5, y: 0.5), .init(x: .nan, y: 1)])])),
      alternative: "")
    #expect(
      try ChartSVGTests.wide(chart).contains {
        $0.has("note") && $0.text == "2 points are not drawn: no value above 0."
      })
  }

  @Test func `Ten thousand points make a small picture`() throws {
    let points = (0..<10_000).map { (index: Int) -> Chart.Point in
      let noise = (index &* 7919) % 1000
      return Chart.Point(x: Double(index + 1), y: Double(noise) / 1000)
    }
    let rising = zip(points, points.map(\.y).sorted()).map { Chart.Point(x: $0.x, y: $1) }
    for shape in [Chart.Series.Shape.points, .line, .steps] {
      let sorted = shape == .steps ? rising : points
      let chart = Chart(
        id: "big", title: "",
        .plot(
          .init(
            x: .init("x", .milliseconds, scale: .log), y: .init("y", .share),
            series: (0..<3).map { .init("s\($0)", shape, sorted) })), alternative: "")
      let svg = SampleCharts.svg(chart)
      #expect(svg.utf8.count < 100_000, "\(shape): \(svg.utf8.count)")
      _ = try #require(SVGReader.read(svg))
    }
    let rows = (0..<10_000).map { Chart.CellMap.Row("case \($0)", [Double($0 % 3) / 2, nil, 1]) }
    let map = Chart(
      id: "big", title: "",
      .map(.init(rowsLabel: "cases", valueLabel: "score", columns: ["a", "b", "c"], rows: rows)),
      alternative: "")
    #expect(SampleCharts.svg(map).utf8.count < 60_000)
    #expect(
      try ChartSVGTests.wide(map).contains {
        $0.has("note") && $0.text == "A bar is the mean of 50 neighbouring cases."
      })
  }
}
