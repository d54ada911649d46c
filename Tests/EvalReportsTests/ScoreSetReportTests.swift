import EvalAnalysis
import EvalCore
import Testing

@testable import EvalReports

/// Old and new scores side by side in every format, against golden files.
@Suite struct ScoreSetReportTests {
  /// The sample run, graded by a stricter suite that has lost two cases and one check and has a new one.
  static func input() throws -> ScoreSetReportInput {
    let before = SampleRun.live()
    var after = before
    let set = set
    after.run.scoreSet = set
    for place in after.trials.indices { regrade(&after.trials[place]) }
    let change = try ScoreSetChange(before: before, after: after, set: set)
    return ScoreSetReportInput(change: change, judges: (48, 0.0123, 2), unanswered: 1)
  }

  private static var set: ScoreSetInfo {
    var set = ScoreSetInfo(
      name: "strict", createdAt: 1_796_109_333, hash: SampleRun.hash("strict", "scores"),
      suiteName: "support",
      suitePath: "Suites/strict|1.json", suiteHash: SampleRun.hash("strict", "suite"), toolVersion: "0.2.0",
      provenance: .live, trials: 240, planned: 228,
      skipped: [.init(id: "case-01", reason: .inputChanged), .init(id: "case-02", reason: .notInSuite)],
      skippedCount: 2, judging: ["judges": [["name": "strict judge"]]])
    (set.number, set.covered, set.finishedAt) = (2, 228, 1_796_109_444)
    return set
  }

  private static func regrade(_ trial: inout TrialRecord) {
    if ["case-01", "case-02"].contains(trial.caseID) {
      trial.scores = []
      trial.score = TrialScore(value: nil, passed: nil, unscored: .notApplicable)
      return
    }
    guard !trial.scores.isEmpty else { return }
    if trial.scores.count > 1 { trial.scores.removeLast() }
    if case .scored(_, .some) = trial.scores[0].judgement, trial.caseID.hasSuffix("7") {
      trial.scores[0].judgement = .verdict(trial.caseID == "case-07")
    }
    if trial.caseID.hasSuffix("9") { trial.scores[0].judgement = .unscored(.graderFailed, "no verdict") }
    if trial.status == .ok {
      trial.scores.append(
        ScoreRecord(
          check: "<new>|check", kind: "contains", weight: 1, turn: nil, judgement: .verdict(true),
          explanation: nil))
    }
    trial.score = TrialScore(
      trial.scores.map { Score(check: $0.check, kind: $0.kind, weight: $0.weight, judgement: $0.judgement) })
  }

  @Test(arguments: [("terminal", "txt"), ("md", "md"), ("json", "json")])
  func sideBySide(format: String, suffix: String) throws {
    var text = ""
    try #require(ScoreSetFormat.named(format)).render(Self.input(), ReportOptions()) { text += $0 }
    try expectGolden(text, "scores.\(suffix)")
    #expect(format == "terminal" || !text.contains("| <new>|check"))
  }

  @Test func aPageHoldsTheSame() throws {
    var text = ""
    try #require(ScoreSetFormat.named("html")).render(Self.input(), ReportOptions()) { text += $0 }
    #expect(
      text.contains("scores 2 (strict)") && text.contains("case-17") && text.contains("&lt;new&gt;|check"))
    #expect(!text.contains("<new>"))
  }

  @Test func setsAreListed() throws {
    var text = ""
    TerminalRenderer(ReportOptions()).render(ScoreSetList.document([Self.set], run: SampleRun.live().run)) {
      text += $0
    }
    try expectGolden(text, "score-sets.txt")
  }

  @Test func aReportSaysWhoseScoresItShows() throws {
    var run = SampleRun.recorded()
    run.run.scoreSet = Self.set
    let banner = try #require(RunReport.banner(run.run))
    #expect(
      banner.contains("Recorded, not live") && banner.contains("set 2 (strict)")
        && banner.contains("228 of 240"))
    let json = JSONReport.text(try RunSummary.make(from: run))
    let value = try JSONValue.parse(Array(json.utf8))
    #expect(value["run"]?["scoreSet"]?["number"]?.intValue == 2)
    #expect(value["run"]?["scoreSet"]?["skipped"]?.arrayValue?.count == 2)
  }
}
