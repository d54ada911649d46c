import Foundation
import Testing

@testable import EvalReports

/// The style of pictures: what no accessibility engine measures in an SVG.
@Suite struct ChartStyleTests {
  static let css = String(decoding: PackageResources.chart_css, as: UTF8.self)

  /// WCAG 2.2, 1.4.11: graphics stand 3:1 against what is beside them, words 4.5:1 (1.4.3).
  @Test(arguments: [(0, "#ffffff"), (1, "#14171b")]) func `Colours stand out on the page's paper`(
    _ theme: Int, _ paper: String
  ) throws {
    let parts = Self.css.components(separatedBy: "@media (prefers-color-scheme: dark)")
    try #require(parts.count == 2)
    let rules = parts[theme].components(separatedBy: ".chart svg")[0]
    var seen: Set<String> = []
    for match in rules.matches(of: /--chart-([a-z0-9]+):[^#;]*(#[0-9a-f]{3,6})/) {
      let name = String(match.1)
      let contrast = Self.contrast(String(match.2), paper)
      seen.insert(name)
      switch name {
      case "ink", "quiet": #expect(contrast >= 4.5, "\(name) \(contrast)")
      case "grid", "band", "paper": continue
      default: #expect(contrast >= 3, "\(name) \(contrast)")
      }
    }
    let slots = (0..<SVGSymbol.colours).map { "s\($0)" } + (0..<MapPicture.levels).map { "v\($0)" }
    #expect(seen.isSuperset(of: slots))
  }

  @Test func `Every class of a picture has a rule, and the style loads nothing`() throws {
    var classes: Set<String> = []
    for chart in SampleCharts.all {
      for element in try #require(SVGReader.read(SampleCharts.svg(chart))) {
        classes.formUnion((element.attributes["class"] ?? "").split(separator: " ").map(String.init))
      }
    }
    for name in classes.subtracting(["legend"]) {
      #expect(Self.css.contains(".\(name)"), "\(name)")
    }
    #expect(!Self.css.contains("url(") && !Self.css.contains("@import") && !Self.css.contains("</"))
  }

  private static func contrast(_ left: String, _ right: String) -> Double {
    let (one, other) = (luminance(left), luminance(right))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  /// WCAG 2.2, relative luminance.
  private static func luminance(_ colour: String) -> Double {
    var digits = colour.dropFirst().map { Double($0.hexDigitValue ?? 0) }
    if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
    let parts = stride(from: 0, to: 6, by: 2).map { index -> Double in
      let part = (digits[index] * 16 + digits[index + 1]) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
