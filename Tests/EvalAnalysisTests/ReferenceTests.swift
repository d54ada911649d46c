import EvalCore
import Foundation
import Testing

@testable import EvalAnalysis

/// Holds our own distributions against SciPy's, by the table that `reference/make.py` writes.
@Suite struct ReferenceTests {
  struct Row {
    var function: String
    var arguments: [Double]
    var expected: Double
  }

  static func rows() throws -> [Row] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("reference/reference.json")
    let table = try JSONValue.parse([UInt8](Data(contentsOf: file)))
    return try #require(table["rows"]?.arrayValue).map { row in
      Row(
        function: try #require(row["function"]?.stringValue),
        arguments: try #require(row["arguments"]?.arrayValue).compactMap(\.doubleValue),
        expected: try #require(row["expected"]?.doubleValue))
    }
  }

  static func ours(_ row: Row) -> Double? {
    let a = row.arguments
    switch row.function {
    case "incompleteBeta": return SpecialFunctions.incompleteBeta(a[0], a[1], x: a[2], y: 1 - a[2])
    case "normalQuantile": return Normal.quantile(a[0])
    case "normalCDF": return Normal.cdf(a[0])
    case "tQuantile": return StudentT.quantile(a[0], df: a[1])
    case "tUpperTail": return StudentT.upperTail(a[0], df: a[1])
    case "binomialCDF": return Binomial.cdf(Int(a[0]), n: Int(a[1]), p: a[2])
    case "binomialQuantile": return Double(Binomial.quantile(a[0], n: Int(a[1]), p: a[2]))
    case "wilsonLow": return Proportion.wilson(share: a[0] / a[1], n: a[1]).lowerBound
    case "wilsonHigh": return Proportion.wilson(share: a[0] / a[1], n: a[1]).upperBound
    case "meanLow", "meanHigh":
      var cases = CaseValues()
      for value in a { cases.append(value) }
      let interval = Mean.estimate(cases).interval
      return row.function == "meanLow" ? interval?.lowerBound : interval?.upperBound
    case "rankLow": return Percentile.ranks(a[0], of: Int(a[1])).map { Double($0.low) }
    case "rankHigh": return Percentile.ranks(a[0], of: Int(a[1])).map { Double($0.high) }
    default: return nil
    }
  }

  @Test func everyRowAgreesWithSciPy() throws {
    let rows = try Self.rows()
    #expect(rows.count > 600)
    for row in rows {
      let ours = try #require(Self.ours(row), "no function \(row.function)")
      // SciPy's own incomplete beta loses digits far from the centre.
      let tolerance = row.function == "binomialCDF" || row.function == "incompleteBeta" ? 1e-10 : 1e-11
      let difference = abs(ours - row.expected)
      #expect(
        difference <= tolerance * abs(row.expected) || difference < 1e-15,
        "\(row.function)\(row.arguments): \(ours), SciPy \(row.expected)")
    }
  }
}
