/// Draws a value for each of many rows (cases) as one strip of bars a column (target): high and dark is 1, low and light
/// is 0, so that columns which disagree show as unlike heights above each other.
struct MapPicture {
  private let map: Chart.CellMap
  private let frame: SVGFrame
  private let left = 4.0
  private var right: Double { frame.width - 4 }

  private static let stripHeight = 26.0
  /// The most columns that are drawn, and the most rows whose names show under the pointer.
  private static let mostColumns = 24
  private static let mostNames = 120

  init(_ map: Chart.CellMap, _ frame: SVGFrame) {
    self.map = map
    self.frame = frame
  }

  var drawing: SVGDrawing {
    var svg = SVGWriter()
    var y = drawScale(into: &svg)
    let top = y
    let columns = map.columns.prefix(MapPicture.mostColumns)
    var size = 1
    for (index, name) in columns.enumerated() {
      svg.element(
        "text", ["class": "name", "x": SVGValue(left), "y": SVGValue(y + frame.font + 2)],
        words: SVGText.cut(name, to: frame.width - 8, size: frame.font))
      y += frame.lineHeight + 2
      size = drawStrip(index, top: y, into: &svg)
      y += MapPicture.stripHeight + 5
    }
    drawNames(top: top, bottom: y, into: &svg)
    y = drawAxis(top: y, into: &svg)
    var notes: [String] = []
    if size > 1 { notes.append("A bar is the mean of \(size) neighbouring \(map.rowsLabel).") }
    if map.columns.count > columns.count {
      notes.append("\(Numbers.part(columns.count, of: map.columns.count)) strips are drawn, the first.")
    }
    let height = svg.notes(notes, frame, top: y) + 4
    return SVGDrawing(body: svg.text, height: height)
  }

  /// What heights and shades mean.
  /// - Returns: where the strips begin.
  private func drawScale(into svg: inout SVGWriter) -> Double {
    let base = frame.lineHeight + 4
    var x = left
    func words(_ text: String, at place: Double) {
      svg.element("text", ["class": "legend", "x": SVGValue(place), "y": SVGValue(base - 3)], words: text)
    }
    words("\(map.valueLabel) 0", at: x)
    x += SVGText.width("\(map.valueLabel) 0", size: frame.font) + 5
    for level in 0..<MapPicture.levels {
      let height = max(2, (base - 4) * Double(level) / Double(MapPicture.levels - 1))
      svg.element(
        "path",
        [
          "class": "cell v\(level)",
          "d": SVGValue(MapPicture.bar(x: x, bottom: base, width: 8, height: height)),
        ])
      x += 10
    }
    words("1", at: x + 2)
    x += 22
    svg.element(
      "path", ["class": "cell none", "d": SVGValue(MapPicture.gap(x: x, bottom: base, width: 8))])
    words("none", at: x + 13)
    return base + 8
  }

  static let levels = 5

  /// The shade of a value in 0…1.
  static func level(_ value: Double) -> Int {
    min(levels - 1, max(0, Int((value * Double(levels - 1)).rounded())))
  }

  private static func bar(x: Double, bottom: Double, width: Double, height: Double) -> String {
    func n(_ value: Double) -> String { SVGNumber.text(value) }
    return "M\(n(x)) \(n(bottom))v\(n(-height))h\(n(width))v\(n(height))z"
  }

  /// A mark for a value that is missing, which no bar looks like.
  private static func gap(x: Double, bottom: Double, width: Double) -> String {
    func n(_ value: Double) -> String { SVGNumber.text(value) }
    let middle = bottom - stripHeight / 4
    return "M\(n(x)) \(n(middle))h\(n(width))v-2h\(n(-width))z"
  }

  /// - Returns: how many rows a bar stands for.
  private func drawStrip(_ column: Int, top: Double, into svg: inout SVGWriter) -> Int {
    let values = map.rows.map { column < $0.values.count ? $0.values[column] : nil }
    let (bins, size) = ChartThinning.bins(values, most: ChartThinning.cells)
    let bottom = top + MapPicture.stripHeight
    let step = (right - left) / Double(max(1, bins.count))
    let width = max(0.6, step - (step > 3 ? 1 : 0.2))
    var paths = [String](repeating: "", count: MapPicture.levels)
    var missing = ""
    for (index, value) in bins.enumerated() {
      let x = left + Double(index) * step
      guard let value, value.isFinite else {
        missing += MapPicture.gap(x: x, bottom: bottom, width: width)
        continue
      }
      let share = min(max(value, 0), 1)
      paths[MapPicture.level(share)] += MapPicture.bar(
        x: x, bottom: bottom, width: width, height: max(2, share * MapPicture.stripHeight))
    }
    for (level, path) in paths.enumerated() where !path.isEmpty {
      svg.element("path", ["class": "cell v\(level)", "d": SVGValue(path)])
    }
    if !missing.isEmpty { svg.element("path", ["class": "cell none", "d": SVGValue(missing)]) }
    svg.element(
      "line",
      [
        "class": "axis", "x1": SVGValue(left), "y1": SVGValue(bottom), "x2": SVGValue(right),
        "y2": SVGValue(bottom),
      ])
    return size
  }

  /// The name and the numbers of a row, under the pointer.
  private func drawNames(top: Double, bottom: Double, into svg: inout SVGWriter) {
    guard !frame.isNarrow, !map.rows.isEmpty, map.rows.count <= MapPicture.mostNames else { return }
    let step = (right - left) / Double(map.rows.count)
    for (index, row) in map.rows.enumerated() {
      let words = zip(map.columns, row.values).map { "\($0) \(Chart.Unit.score.text($1))" }
      svg.open(
        "rect",
        [
          "class": "hit", "x": SVGValue(left + Double(index) * step), "y": SVGValue(top),
          "width": SVGValue(step), "height": SVGValue(bottom - top),
        ])
      svg.element("title", words: "\(row.name): \(words.joined(separator: ", "))")
      svg.close("rect")
    }
  }

  private func drawAxis(top: Double, into svg: inout SVGWriter) -> Double {
    let count = map.rows.count
    let ends =
      count == 0
      ? [("no \(map.rowsLabel)", left, "start")]
      : [("1", left, "start"), ("\(Numbers.count(count)) \(map.rowsLabel)", right, "end")]
    for (words, x, anchor) in ends {
      svg.element(
        "text",
        [
          "class": "tick", "x": SVGValue(x), "y": SVGValue(top + frame.font), "text-anchor": SVGValue(anchor),
        ], words: words)
    }
    return top + frame.lineHeight
  }
}
