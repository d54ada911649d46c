/// What the colours, shapes and dashes of a picture stand for, in rows above it.
struct SVGLegend: Sendable {
  enum Sample: Sendable, Hashable {
    case symbol(slot: Int, isReference: Bool)
    case ring
    case line(slot: Int, isDashed: Bool, hasSymbol: Bool)
    case reference
    /// A filled square, hatched as the part of a bar is.
    case swatch(slot: Int)
  }

  struct Entry: Sendable, Hashable {
    var name: String
    var sample: Sample
  }

  private struct Placed {
    var entry: Entry
    var text: String
    var x: Double
    var row: Int
  }

  private let frame: SVGFrame
  private let placed: [Placed]
  /// Entries beyond the last that is shown.
  private let more: Int
  let height: Double

  private static let most = 24
  private static let sampleWidth = 22.0

  init(_ entries: [Entry], _ frame: SVGFrame) {
    self.frame = frame
    var placed: [Placed] = []
    var (x, row) = (4.0, 0)
    for entry in entries.prefix(SVGLegend.most) {
      let text = SVGText.cut(entry.name, to: frame.width - 40, size: frame.font)
      let width = SVGLegend.sampleWidth + 5 + SVGText.width(text, size: frame.font)
      if x > 4, x + width > frame.width - 4 { (x, row) = (4, row + 1) }
      placed.append(Placed(entry: entry, text: text, x: x, row: row))
      x += width + 14
    }
    self.placed = placed
    more = max(0, entries.count - SVGLegend.most)
    let rows = placed.isEmpty ? 0 : row + 1 + (more > 0 ? 1 : 0)
    height = rows == 0 ? 0 : Double(rows) * frame.lineHeight + 6
  }

  func draw(into svg: inout SVGWriter, pattern: String = "") {
    for item in placed {
      let middle = (Double(item.row) + 0.5) * frame.lineHeight + 2
      draw(item.entry.sample, at: ChartSpot(x: item.x, y: middle), into: &svg, pattern: pattern)
      svg.element(
        "text",
        [
          "class": "legend", "x": SVGValue(item.x + SVGLegend.sampleWidth + 5),
          "y": SVGValue(middle + frame.font * 0.35),
        ], words: item.text)
    }
    guard more > 0, let last = placed.last else { return }
    svg.element(
      "text",
      ["class": "legend", "x": "4", "y": SVGValue((Double(last.row) + 1.9) * frame.lineHeight)],
      words: "and \(Numbers.count(more)) more")
  }

  private func draw(
    _ sample: Sample, at left: ChartSpot, into svg: inout SVGWriter, pattern: String
  ) {
    let middle = ChartSpot(x: left.x + SVGLegend.sampleWidth / 2, y: left.y)
    func stroke(_ classes: String) {
      svg.element(
        "path",
        ["class": SVGValue(classes), "d": "M\(SVGNumber.text(left.x)) \(SVGNumber.text(left.y))h22"])
    }
    switch sample {
    case .symbol(let slot, let isReference):
      SVGSymbol.draw(slot, at: middle, radius: 4.5, isReference: isReference, into: &svg)
    case .ring: SVGSymbol.drawRing(at: middle, radius: 6, into: &svg)
    case .line(let slot, let isDashed, let hasSymbol):
      stroke("line \(SVGSymbol.colour(slot))\(isDashed ? " dash" : "")")
      if hasSymbol { SVGSymbol.draw(slot, at: middle, radius: 3.5, into: &svg) }
    case .reference: stroke("line ref")
    case .swatch(let slot):
      SVGHatch.draw(
        LabelBox(left: left.x + 6, top: left.y - 6, right: left.x + 18, bottom: left.y + 6), slot: slot,
        pattern: pattern, into: &svg)
    }
  }
}

extension SVGSymbol {
  static func draw(
    _ slot: Int, at place: ChartSpot, radius: Double, isReference: Bool = false, into svg: inout SVGWriter
  ) {
    svg.element(
      "path",
      [
        "class": SVGValue("point \(isReference ? "ref" : colour(slot))"),
        "d": SVGValue(path(slot, at: place, radius: radius)),
      ])
  }

  static func drawRing(at place: ChartSpot, radius: Double = 8.5, into svg: inout SVGWriter) {
    svg.element(
      "circle", ["class": "ring", "cx": SVGValue(place.x), "cy": SVGValue(place.y), "r": SVGValue(radius)])
  }
}

/// Fills of bars: a colour and, over it, a hatching, so that parts differ without colour.
enum SVGHatch {
  /// Slot 0 is plain.
  private static let kinds = [
    "", "M0 6L6 0", "M0 3H6", "M3 0V6", "M0 0L6 6", "M3 3h.1", "M0 3H6M3 0V6", "M1.5 1.5h.1M4.5 4.5h.1",
  ]

  private static func kind(_ slot: Int) -> Int { (abs(slot) + abs(slot) / kinds.count) % kinds.count }

  /// The patterns that some slots need; they belong into the SVG that uses them.
  /// - Parameter pattern: begins the names, which no other SVG of the page may have.
  static func define(_ slots: [Int], pattern: String, into svg: inout SVGWriter) {
    let needed = Set(slots.map(kind)).subtracting([0]).sorted()
    guard !needed.isEmpty else { return }
    svg.open("defs")
    for kind in needed {
      svg.open(
        "pattern",
        [
          "id": "\(pattern)-h\(kind)", "width": "6", "height": "6", "patternUnits": "userSpaceOnUse",
        ])
      svg.element("path", ["class": "hatch", "d": SVGValue(kinds[kind])])
      svg.close("pattern")
    }
    svg.close("defs")
  }

  static func draw(_ box: LabelBox, slot: Int, pattern: String, into svg: inout SVGWriter) {
    let width = max(0, box.right - box.left)
    let kind = kind(slot)
    for (classes, fill) in [("bar \(SVGSymbol.colour(slot))", nil), ("over", "url(#\(pattern)-h\(kind))")] {
      if fill != nil, kind == 0 { continue }
      svg.element(
        "rect",
        [
          "class": SVGValue(classes), "x": SVGValue(box.left), "y": SVGValue(box.top),
          "width": SVGValue(width), "height": SVGValue(box.bottom - box.top), "fill": SVGValue(fill),
        ])
    }
  }
}
