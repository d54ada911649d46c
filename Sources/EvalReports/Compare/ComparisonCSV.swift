import EvalAnalysis
import EvalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Writes one row for each case of either side, as RFC 4180 has it.
enum ComparisonCSV {
  static func write(_ comparisons: [Comparison], to sink: ReportSink) {
    sink(columns.joined(separator: ",") + "\r\n")
    for comparison in comparisons {
      let sides = Sides(comparison)
      let names = [CSVText.text(sides.reference), CSVText.text(sides.candidate)]
      for pair in comparison.pairing.pairs {
        sink(row(names, pair, anyVerdict: comparison.pairing.anyVerdict))
      }
      for (word, ids) in [
        ("reference", comparison.pairing.onlyReference), ("candidate", comparison.pairing.onlyCandidate),
      ] {
        for id in ids {
          let cells = names + [CSVText.text(id), word]
          sink(line(cells + Array(repeating: "", count: columns.count - cells.count)))
        }
      }
    }
  }

  private static let measures: [ComparisonMeasure] = [
    .pass, .score, .latency, .firstToken, .cost, .cloudShare,
  ]

  private static let columns =
    ["reference", "candidate", "case", "on", "pairs"]
    + measures.flatMap { ["reference_\(name($0))", "candidate_\(name($0))"] } + [
      "tags", "cluster", "case_hash",
    ]

  private static func name(_ measure: ComparisonMeasure) -> String {
    switch measure {
    case .pass, .passConditional: "pass_rate"
    case .score, .scoreConditional: "score"
    case .latency: "total_ms"
    case .firstToken: "first_token_ms"
    case .cost: "cost_usd"
    case .cloudShare: "cloud_share"
    }
  }

  private static func row(_ names: [String], _ pair: CasePairing.Pair, anyVerdict: Bool) -> String {
    var pairs = 0
    var cells: [String] = []
    for measure in measures {
      let sample = PairedSample(measure, CollectionOfOne(pair), anyVerdict: anyVerdict)
      pairs = max(pairs, sample.pairs)
      let isRatio = measure.scale == .ratio
      for side in [sample.reference, sample.candidate] {
        cells.append(CSVText.number(side.values.first.map { isRatio ? exp($0) : $0 }))
      }
    }
    return line(
      names + [CSVText.text(pair.reference.id), "both", String(pairs)] + cells
        + [
          CSVText.text(pair.reference.tags.joined(separator: "; ")), CSVText.text(pair.cluster),
          pair.reference.hash.hex,
        ])
  }

  private static func line(_ cells: [String]) -> String { cells.joined(separator: ",") + "\r\n" }
}
