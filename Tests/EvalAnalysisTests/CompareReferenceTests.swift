import EvalCore
import Foundation
import Testing

@testable import EvalAnalysis

/// Holds the functions behind a comparison against SciPy and statsmodels, by the table that `reference/compare.py` writes.
@Suite struct CompareReferenceTests {
  struct Row {
    var function: String
    var arguments: [Double]
    var expected: [Double]
  }

  static func rows() throws -> [Row] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("reference/compare.json")
    let table = try JSONValue.parse([UInt8](Data(contentsOf: file)))
    return try #require(table["rows"]?.arrayValue).map { row in
      Row(
        function: try #require(row["function"]?.stringValue),
        arguments: try #require(row["arguments"]?.arrayValue).compactMap(\.doubleValue),
        expected: try #require(row["expected"]?.arrayValue).compactMap(\.doubleValue))
    }
  }

  /// Graded scores of single cases on two sides, the reference's first.
  static func difference(_ values: [Double], clusters: [Double] = []) throws -> PairedSample {
    var pairs = TestPairs()
    let n = values.count / 2
    for index in 0..<n {
      pairs.add(
        "case \(index)", [.graded(values[index], threshold: nil)],
        [.graded(values[n + index], threshold: nil)],
        cluster: clusters.isEmpty ? nil : "cluster \(Int(clusters[index]))")
    }
    return PairedSample(.score, try pairs.pairing())
  }

  static func ratio(_ values: [Double]) throws -> PairedDifference {
    var pairs = TestPairs()
    let n = values.count / 2
    func attempt(_ milliseconds: Double) -> AttemptRecord {
      var attempt = TestRun.attempt(1)
      attempt.timeline.terminal = attempt.timeline.start! + Int64((milliseconds * 1e6).rounded())
      return attempt
    }
    for index in 0..<n {
      pairs.reference.add(case: "case \(index)", attempts: [attempt(values[index])])
      pairs.candidate.add(case: "case \(index)", attempts: [attempt(values[n + index])])
    }
    return try pairs.difference(.latency)
  }

  static func ends(_ estimate: Estimate) -> [Double] {
    [estimate.value, estimate.interval?.lowerBound, estimate.interval?.upperBound].compactMap(\.self)
  }

  static func ours(_ row: Row) throws -> [Double]? {
    let a = row.arguments
    switch row.function {
    case "mcNemar": return [PairedProportion.mcNemar(gained: Int(a[0]), lost: Int(a[1]))]
    case "tango":
      let interval = PairedProportion.tango(gained: a[0], lost: a[1], n: a[2], confidence: a[3])
      return [interval.lowerBound, interval.upperBound]
    case "signFlip":
      let result = SignFlip.test(a, seed: 1)
      return result.isExact ? [result.p] : nil
    case "signFlipDrawn":
      let result = SignFlip.test(a, seed: 1)
      return result.isExact ? nil : [result.p]
    case "holm": return Holm.adjusted(a)
    case "pairedT": return ends(PairedDifference(.score, try difference(a), seed: 1).change)
    case "ratio": return ends(try ratio(a).change)
    case "clusteredSE":
      let n = a.count / 3
      let sample = try difference(Array(a[..<(2 * n)]), clusters: Array(a[(2 * n)...]))
      return [try #require(Mean.moments(sample.differences)).standardError]
    case "detectable": return [Power.detectable(variance: 1, units: a[0])]
    case "detectableByT":
      return [Power.detectable(standardError: 1 / a[0].squareRoot(), df: a[0] - 1)]
    default: return nil
    }
  }

  /// How near each must come: what is computed, to its last digits; what is drawn or approximated, to what it may be off.
  static let tolerances: [String: Double] = [
    // The search for the greatest likelihood finds it to some eight digits.
    "tango": 1e-6, "signFlipDrawn": 0.01, "ratio": 1e-9,
    // The far tail, which the closed form leaves out, and the central for the noncentral t.
    "detectable": 1e-5, "detectableByT": 0.025,
  ]

  @Test func everyRowAgrees() throws {
    let rows = try Self.rows()
    #expect(rows.count > 60)
    for row in rows {
      let ours = try #require(try Self.ours(row), "no function \(row.function)")
      #expect(ours.count == row.expected.count)
      let tolerance = Self.tolerances[row.function] ?? 1e-11
      for (ours, expected) in zip(ours, row.expected) {
        let difference = abs(ours - expected)
        #expect(
          difference <= tolerance * max(1, abs(expected)),
          "\(row.function)\(row.arguments): \(ours), reference \(expected)")
      }
    }
  }
}
