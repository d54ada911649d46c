/// Draws a chart as inline SVG: a narrow picture for a phone and a wide one, of which `chart.css` shows one.
///
/// Colours, dashes and sizes of type are classes, so that a page's content-security policy needs no inline style. What
/// tells series apart by colour tells them apart by shape, dash or hatching too.
package struct ChartSVG: Sendable {
  private let chart: Chart

  package init(_ chart: Chart) { self.chart = chart }

  package func write(to sink: ReportSink) {
    sink("<div class=\"chart\">\n")
    for frame in [SVGFrame.narrow, .wide] { sink(picture(frame)) }
    sink("</div>\n")
  }

  private func picture(_ frame: SVGFrame) -> String {
    let id = "chart-\(ChartSVG.safe(chart.id))-\(frame.name)"
    let drawing = drawing(frame, id: id)
    var svg = SVGWriter()
    svg.open(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "class": SVGValue(frame.name),
        "viewBox": "0 0 \(SVGNumber.text(frame.width)) \(SVGNumber.text(drawing.height))", "role": "img",
        "aria-labelledby": "\(id)-title", "aria-describedby": "\(id)-desc",
      ])
    svg.element("title", ["id": "\(id)-title"], words: chart.title)
    svg.element("desc", ["id": "\(id)-desc"], words: chart.alternative)
    return svg.text + drawing.body + "</svg>\n"
  }

  private func drawing(_ frame: SVGFrame, id: String) -> SVGDrawing {
    switch chart.content {
    case .plot(let plot): PlotPicture(plot, frame).drawing
    case .bars(let bars): BarsPicture(bars, frame, id: id).drawing
    case .map(let map): MapPicture(map, frame).drawing
    }
  }

  /// What may stand in an `id`, whatever stood there.
  private static func safe(_ id: String) -> String {
    String(
      String.UnicodeScalarView(
        id.unicodeScalars.map {
          $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) ? $0 : "-"
        }
      ))
  }
}

/// A size to draw for.
struct SVGFrame: Sendable, Hashable {
  /// The class of the SVG.
  let name: String
  let width: Double
  /// Of the type, as in `chart.css`.
  let font: Double
  /// Of the plot itself.
  let plotHeight: Double

  static let narrow = SVGFrame(name: "narrow", width: 300, font: 12, plotHeight: 190)
  static let wide = SVGFrame(name: "wide", width: 640, font: 12, plotHeight: 250)

  var isNarrow: Bool { width < 400 }
  var lineHeight: Double { (font * 1.35).rounded(.up) }
}

/// What is in an SVG.
struct SVGDrawing {
  var body: String
  var height: Double
}

extension SVGWriter {
  /// Words under a picture, broken into lines.
  /// - Returns: where the next line would stand.
  mutating func notes(_ notes: [String], _ frame: SVGFrame, top: Double) -> Double {
    var y = top
    for note in notes {
      for line in SVGWriter.wrapped(note, to: frame.width - 8, size: frame.font) {
        y += frame.lineHeight
        element("text", ["class": "note", "x": SVGValue(4.0), "y": SVGValue(y - 3)], words: line)
      }
    }
    return y
  }

  private static func wrapped(_ text: String, to width: Double, size: Double) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let longer = line.isEmpty ? String(word) : line + " " + word
      if SVGText.width(longer, size: size) > width, !line.isEmpty {
        lines.append(line)
        line = String(word)
      } else {
        line = longer
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}

/// The shape that stands for a slot, beside its colour.
enum SVGSymbol {
  static let colours = 8

  /// The class of a slot's colour.
  static func colour(_ slot: Int) -> String { "s\(abs(slot) % colours)" }

  /// After eight slots the colours come again with other shapes.
  private static func shape(_ slot: Int) -> Int {
    let slot = abs(slot)
    return (slot + slot / colours) % colours
  }

  /// The outline around a place, as path data.
  static func path(_ slot: Int, at place: ChartSpot, radius r: Double) -> String {
    func at(_ dx: Double, _ dy: Double) -> String {
      "M\(SVGNumber.text(place.x + dx)) \(SVGNumber.text(place.y + dy))"
    }
    func n(_ value: Double) -> String { SVGNumber.text(value) }
    switch shape(slot) {
    case 0: return at(-r, 0) + "a\(n(r)) \(n(r)) 0 1 0 \(n(2 * r)) 0a\(n(r)) \(n(r)) 0 1 0 \(n(-2 * r)) 0z"
    case 1: return at(-r * 0.9, -r * 0.9) + "h\(n(1.8 * r))v\(n(1.8 * r))h\(n(-1.8 * r))z"
    case 2: return at(0, -r * 1.1) + "l\(n(r * 1.1)) \(n(r * 1.9))h\(n(-r * 2.2))z"
    case 3:
      return at(0, -r * 1.3)
        + "l\(n(r * 1.1)) \(n(r * 1.3))l\(n(-r * 1.1)) \(n(r * 1.3))l\(n(-r * 1.1)) \(n(-r * 1.3))z"
    case 4: return at(0, r * 1.1) + "l\(n(r * 1.1)) \(n(-r * 1.9))h\(n(-r * 2.2))z"
    case 5: return at(-r * 1.2, -r * 0.5) + "h\(n(r * 2.4))v\(n(r))h\(n(-r * 2.4))z"
    case 6: return at(-r * 0.5, -r * 1.2) + "h\(n(r))v\(n(r * 2.4))h\(n(-r))z"
    default:
      return at(-r, -r) + "h\(n(2 * r))l\(n(-2 * r)) \(n(2 * r))h\(n(2 * r))z"
    }
  }
}
