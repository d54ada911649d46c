import EvalAnalysis
import EvalCore

/// Writes a replay with one row a side: arms, policies, the oracle.
enum ReplayCSV {
  static func write(_ report: ReplayReport, to sink: ReportSink) {
    let comparison = report.comparison
    sink(columns.map(\.name).joined(separator: ",") + "\r\n")
    for score in comparison.arms + comparison.policies {
      let row = Row(report: report, score: score)
      sink(columns.map { $0.value(row) }.joined(separator: ",") + "\r\n")
    }
  }

  private struct Row {
    var report: ReplayReport
    var score: PolicyScore

    var scenario: String { report.comparison.scenario.joined(separator: "; ") }
  }

  private struct Column: Sendable {
    var name: String
    var value: @Sendable (Row) -> String

    init(_ name: String, _ value: @escaping @Sendable (Row) -> String) {
      self.name = name
      self.value = value
    }
  }

  /// A value and the ends of its interval.
  private static func estimate(
    _ name: String, _ estimate: @escaping @Sendable (PolicyScore) -> Estimate?
  ) -> [Column] {
    [
      Column(name) { CSVText.number(estimate($0.score)?.value.map(Numbers.rounded)) },
      Column("\(name)_low") {
        CSVText.number(estimate($0.score)?.interval.map { Numbers.rounded($0.lowerBound) })
      },
      Column("\(name)_high") {
        CSVText.number(estimate($0.score)?.interval.map { Numbers.rounded($0.upperBound) })
      },
    ]
  }

  private static let columns: [Column] =
    [
      Column("run") { CSVText.text($0.report.recorded.run.id) },
      Column("what_if") { CSVText.text($0.scenario.isEmpty ? "as recorded" : $0.scenario) },
      Column("side") { CSVText.text($0.score.name) },
      Column("kind") { $0.score.isArm ? "arm" : "policy" },
      Column("compared") { $0.score.isCompared ? "true" : "false" },
      Column("trials") { String($0.score.trials) },
      Column("coverage") { CSVText.number(Numbers.rounded($0.score.coverage.share)) },
      Column("exact") { String($0.score.coverage.exact) },
      Column("modeled") { String($0.score.coverage.modeled) },
      Column("bounded") { String($0.score.coverage.bounded) },
      Column("missing") { String($0.score.coverage.missing) },
    ]
    + estimate("quality") { $0.quality } + estimate("cost_per_case_usd") { $0.cost }
    + estimate("latency_p50_ms") { $0.latency.p50.estimate }
    + estimate("latency_p95_ms") { $0.latency.p95.estimate }
    + estimate("cloud_share") { $0.cloud.any } + estimate("private_cloud_share") { $0.cloud.privateCloud }
    + estimate("third_party_share") { $0.cloud.thirdParty }
    + estimate("fallback_rate") { $0.fallbacks.rate }
    + estimate("escalation_rate") { $0.fallbacks.escalation }
    + estimate("blocked_rate") { $0.fallbacks.blocked }
    + [Column("leaks") { String($0.score.leaks.attempts) }]
    + estimate("quality_over_coin") { $0.relative?.qualityOverMix }
    + estimate("hull_lift") { $0.relative?.hullLift } + estimate("gap_closed") { $0.relative?.gapClosed }
    + estimate("pgr") { $0.relative?.pgr } + estimate("quality_regret") { $0.relative?.qualityRegret }
}
