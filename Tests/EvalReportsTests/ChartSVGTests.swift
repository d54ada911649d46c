import EvalCore
import Foundation
import Testing

@testable import EvalReports

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The elements of an SVG in their order, as an XML parser reads them.
final class SVGReader: NSObject, XMLParserDelegate {
  struct Element {
    var name: String
    var attributes: [String: String]
    var text = ""
    /// `narrow` or `wide`.
    var frame: String

    func number(_ key: String) -> Double? { attributes[key].flatMap(Double.init) }
    func has(_ word: String) -> Bool {
      (attributes["class"] ?? "").split(separator: " ").contains { $0 == word }
    }
  }

  private(set) var elements: [Element] = []
  private var open: [Int] = []
  private var frame = ""

  /// - Returns: `nil` when it is not well-formed.
  static func read(_ svg: String) -> [Element]? {
    let reader = SVGReader()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = reader
    return parser.parse() ? reader.elements : nil
  }

  func parser(
    _: XMLParser, didStartElement name: String, namespaceURI _: String?, qualifiedName _: String?,
    attributes: [String: String]
  ) {
    if name == "svg" { frame = attributes["class"] ?? "" }
    open.append(elements.count)
    elements.append(Element(name: name, attributes: attributes, frame: frame))
  }

  func parser(_: XMLParser, foundCharacters characters: String) {
    if let last = open.last { elements[last].text += characters }
  }

  func parser(_: XMLParser, didEndElement _: String, namespaceURI _: String?, qualifiedName _: String?) {
    open.removeLast()
  }
}

@Suite struct ChartSVGTests {
  static func wide(_ chart: Chart) throws -> [SVGReader.Element] {
    try #require(SVGReader.read(SampleCharts.svg(chart))).filter { $0.frame == "wide" }
  }

  @Test(arguments: SampleCharts.all) func `Each kind is as it was looked at`(_ chart: Chart) throws {
    let svg = SampleCharts.svg(chart)
    try expectGolden(svg, "chart-\(chart.id).svg")
    let elements = try #require(SVGReader.read(svg))
    for frame in ["narrow", "wide"] {
      let picture = try #require(elements.first { $0.name == "svg" && $0.frame == frame })
      #expect(picture.attributes["role"] == "img")
      for (key, name, words) in [
        ("aria-labelledby", "title", chart.title), ("aria-describedby", "desc", chart.alternative),
      ] {
        let id = picture.attributes[key]
        #expect(elements.contains { $0.name == name && $0.attributes["id"] == id && $0.text == words })
      }
    }
    let ids = elements.compactMap { $0.attributes["id"] }
    #expect(Set(ids).count == ids.count)
  }

  // MARK: Geometry

  @Test func `A value stands where its tick stands`() throws {
    let chart = Chart(
      id: "g", title: "",
      .plot(
        .init(
          x: .init("x", .milliseconds, scale: .log), y: .init("y", .share, range: 0...1),
          series: [.init("", .points, [.init(x: 1000, y: 0.4), .init(x: 10, y: 0), .init(x: 10_000, y: 1)])])),
      alternative: "")
    let elements = try Self.wide(chart)
    let second = try #require(elements.first { $0.has("tick") && $0.text == "1 s" }?.number("x"))
    let share = try #require(elements.first { $0.has("tick") && $0.text == "40 %" }?.number("y"))
    let path = try #require(elements.first { $0.has("point") }?.attributes["d"])
    let start = path.dropFirst().prefix { $0 != "a" }.split(separator: " ").compactMap { Double($0) }
    // The symbol is a circle of radius 4.5 that begins on its left; words stand 0.35 of 12 below their middle.
    #expect(abs(start[0] + 4.5 - second) < 0.11 && abs(start[1] - (share - 4.2)) < 0.11)
    // Two of three decades from the left end.
    let ends = try ["10 ms", "10 s"].map { text in
      try #require(elements.first { $0.has("tick") && $0.text == text }?.number("x"))
    }
    #expect(abs(second - (ends[0] + (ends[1] - ends[0]) * 2 / 3)) < 0.11)
  }

  @Test func `A bar ends where its tick stands, its whiskers where theirs do`() throws {
    let elements = try Self.wide(SampleCharts.bars)
    let ticks = Dictionary(
      elements.filter { $0.has("tick") }.compactMap { element in
        element.number("x").map { (element.text, $0) }
      },
      uniquingKeysWith: { first, _ in first })
    let bar = try #require(
      elements.first { $0.has("bar") && $0.has("s0") && ($0.number("height") ?? 0) == 14 })
    let left = try #require(bar.number("x"))
    let right = try #require(bar.number("width")) + left
    #expect(abs(right - (ticks["60 %"] ?? 0)) < 0.11)
    let zero = try #require(elements.first { $0.has("axis") }?.number("x1"))
    #expect(left == zero)
    let whisker = try #require(elements.first { $0.has("whisker") }?.attributes["d"])
    let low = try #require(Double(whisker.dropFirst().prefix { $0 != " " }))
    #expect(abs(low - (left + (right - left) * 5 / 6)) < 0.2)
  }

  @Test func `A cumulative curve rises where its values are`() throws {
    let spots = [
      ChartSpot(x: 10, y: 90), ChartSpot(x: 20, y: 60), ChartSpot(x: 40, y: 60), ChartSpot(x: 40, y: 30.04),
    ]
    #expect(PlotPicture.path(spots, isStepped: true) == "M10 90H20V60H40V30")
    #expect(PlotPicture.path(spots, isStepped: false) == "M10 90L20 60L40 60L40 30")
  }

  @Test(arguments: SampleCharts.all) func `No words stand on others, and nothing leaves the picture`(
    _ chart: Chart
  ) throws {
    let elements = try #require(SVGReader.read(SampleCharts.svg(chart)))
    for (frame, font) in [("narrow", 12.0), ("wide", 12.0)] {
      let mine = elements.filter { $0.frame == frame }
      let box = try #require(mine.first?.attributes["viewBox"]).split(separator: " ").compactMap {
        Double($0)
      }
      let boxes = mine.filter { $0.name == "text" }.compactMap { Self.box($0, font) }
      for (index, one) in boxes.enumerated() {
        #expect(one.box.left >= -0.5 && one.box.right <= box[2] + 0.5, "\(frame): \(one.text)")
        #expect(one.box.top >= -0.5 && one.box.bottom <= box[3] + 0.5, "\(frame): \(one.text)")
        for other in boxes[(index + 1)...] {
          #expect(!one.box.touches(other.box), "\(frame): \(one.text) on \(other.text)")
        }
      }
      for element in mine {
        for key in ["x", "x1", "x2", "cx"] {
          if let x = element.number(key) { #expect(x >= 0 && x <= box[2]) }
        }
      }
    }
  }

  private static func box(_ element: SVGReader.Element, _ font: Double) -> (text: String, box: LabelBox)? {
    guard let x = element.number("x"), let y = element.number("y") else { return nil }
    // What browsers draw is narrower than the estimate, which keeps on the safe side.
    let width = SVGText.width(element.text, size: font) * 0.92
    let left =
      switch element.attributes["text-anchor"] {
      case "end": x - width
      case "middle": x - width / 2
      default: x
      }
    return (
      element.text, LabelBox(left: left, top: y - font * 0.75, right: left + width, bottom: y + font * 0.2)
    )
  }

  // MARK: Strangers

  static let hostile = "</svg><script>alert(1)</script>\" onload=\"x' & ]]> \u{202E}abc\u{0}\u{1B}[31m &#x3c;"

  static func hostileCharts() -> [Chart] {
    let point = Chart.Point(x: 1, y: 1, label: hostile)
    return [
      Chart(
        id: hostile, title: hostile,
        .plot(
          .init(
            x: .init(hostile, .number), y: .init(hostile, .number),
            series: [.init(hostile, .points, [point]), .init(hostile, .line, [point, .init(x: 2, y: 2)])],
            marks: [.init(.x(1), label: hostile)], chosen: hostile)), alternative: hostile, note: hostile),
      Chart(
        id: hostile, title: hostile,
        .bars(
          .init(
            axis: .init(hostile, .number), style: .stacked, parts: [.init(hostile), .init(hostile)],
            rows: [.init(hostile, [.init(1), .init(2)])])), alternative: hostile),
      Chart(
        id: hostile, title: hostile,
        .map(
          .init(
            rowsLabel: hostile, valueLabel: hostile, columns: [hostile],
            rows: (0..<500).map { _ in .init(hostile, [1]) })), alternative: hostile),
      Chart(
        id: hostile, title: hostile,
        .map(
          .init(rowsLabel: hostile, valueLabel: hostile, columns: [hostile], rows: [.init(hostile, [nil])])),
        alternative: hostile),
    ]
  }

  @Test func `Nothing that a stranger wrote is markup`() throws {
    let names: Set<String> = [
      "div", "svg", "title", "desc", "text", "path", "line", "rect", "circle", "defs", "pattern",
    ]
    let keys: Set<String> = [
      "xmlns", "class", "viewBox", "role", "aria-labelledby", "aria-describedby", "id", "x", "y", "x1", "y1",
      "x2",
      "y2", "cx", "cy", "r", "d", "width", "height", "fill", "text-anchor", "patternUnits",
    ]
    for chart in Self.hostileCharts() {
      let svg = SampleCharts.svg(chart)
      #expect(!svg.contains("<script") && !svg.contains("\u{202E}") && !svg.contains("\u{1B}"))
      let elements = try #require(SVGReader.read(svg))
      for element in elements {
        #expect(names.contains(element.name), "\(element.name)")
        #expect(Set(element.attributes.keys).isSubset(of: keys), "\(element.attributes.keys)")
        #expect(element.attributes["id"]?.contains { $0 == " " || $0 == "<" } != true)
      }
      #expect(
        elements.contains {
          $0.name == "title" && $0.text.contains("</svg><script>alert(1)</script>\" onload")
        })
      for line in SampleCharts.text(chart) + SampleCharts.text(chart, unicode: false) {
        #expect(!line.contains("\u{1B}") && !line.contains("\u{202E}") && DisplayWidth.of(line) <= 80)
      }
    }
  }

  // MARK: Beside the picture

  @Test func `The numbers stand in a table where they are few`() throws {
    let numbers = try #require(SampleCharts.points.numbers)
    #expect(
      numbers.rows.count == 5 && numbers.rows[3][0].text == "cloud" && numbers.rows[3][2].text == "0.900")
    #expect(numbers.rows[3][1].interval == "$0.00180 to $0.00230")
    #expect(SampleCharts.bars.numbers?.rows[2][1].text == "—")
    #expect(SampleCharts.dots.numbers == nil)
  }
}
