import EvalAnalysis
import EvalCore
import Foundation
import Testing

@testable import EvalReports

@Suite struct CIReportTests {
  /// The sample run against one of before, in which the device was better.
  static func sample() throws -> (summary: RunSummary, comparisons: ComparisonReportInput) {
    var run = SampleRun.live()
    var before = SampleRun.live()
    before.run.id = "20261129-031700-main"
    for place in before.trials.indices where before.trials[place].target == SampleRun.device && place % 5 < 3
    {
      before.trials[place].scores = before.trials[place].scores.map {
        var score = $0
        score.judgement = .verdict(true)
        return score
      }
      before.trials[place].score = TrialScore(value: 1, passed: true, unscored: nil)
    }
    run.run.targets.removeLast()
    run.run.plannedTrials = 160
    run.trials.removeAll { $0.target == SampleRun.unpriced }
    var gates = GateSettings()
    for (line, rule) in [
      "passRate not worse than baseline by 0.1", "passRate >= 0.5 for cloud", "latency.p95 <= 3s point",
      "score >= 0.80 for cloud",
    ].enumerated() {
      var gate = try GateSpec.read(rule, measures: MeasureRegistry.infos)
      gate.location = SourceLocation(file: "support.json", line: 90 + line, column: 7)
      gates.gates.append(gate)
    }
    let sides = try ComparisonInput.read(before, label: "main")
    let summary = try RunSummary.make(from: run, gates: gates, baseline: sides)
    var comparisons = try ComparisonInput.read(run, label: run.run.id).compactMap { candidate in
      sides.first { $0.facts.target.name == candidate.facts.target.name }
        .map { Comparison(reference: $0, candidate: candidate) }
    }
    Comparison.correct(&comparisons)
    return (
      summary,
      ComparisonReportInput(
        comparisons: comparisons,
        answers: { _, flip in ("Paris | <b>\(flip.caseID)</b>", "I do not know @somebody.\n::error::x") })
    )
  }

  @Test func comment() throws {
    let (summary, comparisons) = try Self.sample()
    // More than a twentieth of the cloud's calls failed: its p95 is beyond every time, also for a gate on the point.
    let slow = summary.verdict?.results.first {
      $0.gate.measure == "latency.p95" && $0.target == SampleRun.cloud
    }
    #expect(slow?.outcome == .fail && slow?.estimate?.value == nil)
    let document = try CIReport.document(summary, comparisons: comparisons)
    let text = CIReport.comment(document, suite: "a --> b")
    try expectGolden(text, "comment.md")
    #expect(text.hasPrefix("<!-- evalrun: a ___ b -->\n"))
    // Words of a model are no markup, and code is none anyway.
    let prose = text.components(separatedBy: "\n```").enumerated().filter { $0.offset % 2 == 0 }.map(
      \.element)
    #expect(!prose.joined().contains("<b>case") && !prose.joined().contains("@somebody"))
    for limit in [65_536, 8_000, 3_000, 1_000] {
      #expect(CIReport.comment(document, suite: "s", limit: limit).utf8.count <= limit)
    }
  }

  @Test func annotations() throws {
    let (summary, comparisons) = try Self.sample()
    let annotations = CIAnnotation.all(summary, comparisons: comparisons.comparisons) { id in
      SourceLocation(file: "support.json", line: 10, column: id.count)
    }
    let lines = GitHubCommands(folder: "/repo", workspace: "/repo").lines(annotations)
    try expectGolden(lines.joined(separator: "\n") + "\n", "annotations.txt")
    #expect(
      lines.count { $0.hasPrefix("::error ") } <= 10 && lines.count { $0.hasPrefix("::warning ") } == 10)
  }

  @Test func gatesInJUnit() throws {
    var run = SampleRun.recorded()
    run.run.settings = [:]
    var gates = GateSettings()
    for rule in ["passRate >= 0.01 point", "passRate >= 0.99", "score >= 0.7", "cost <= 0 point for cloud"] {
      gates.gates.append(try GateSpec.read(rule, measures: MeasureRegistry.infos))
    }
    let summary = try RunSummary.make(from: run, gates: gates)
    var text = ""
    try ReportFormat.junit.render(ReportInput(summary: summary, source: run), ReportOptions()) { text += $0 }
    try expectGolden(text, "gates.junit.xml")
  }
}
