import EvalAnalysis
import EvalCore
import Testing

@testable import EvalReports

/// The sentence that a reader without time takes away, and the marks in the table under it.
@Suite struct RunVerdictTests {
  /// Targets that pass the first so many of the cases and take so many milliseconds at so many dollars.
  static func summary(
    _ targets: [(name: String, passes: Int, milliseconds: Int64, dollars: Double?)], cases: Int
  ) throws -> RunSummary {
    var run = SampleRun.info(
      targets: targets.map { ($0.name, "m", "free") }, cases: cases, repeats: 1)
    run.settings = .object([:])
    var trials: [TrialRecord] = []
    for number in 0..<cases {
      for (place, target) in targets.enumerated() {
        var timeline = Timeline()
        timeline.scheduled = 0
        timeline.start = 0
        timeline.terminal = (target.milliseconds + Int64(number % 5)) * 1_000_000
        timeline.done = timeline.terminal
        let attempt = AttemptRecord(
          turn: 0, step: 0, number: 1, phase: .measured, profile: target.name, boundary: nil, cause: "first",
          outcome: "ok", errorClass: nil, provenance: .live, inFlight: 1, wait: 0, timeline: timeline,
          usage: nil, cost: Cost(dollars: target.dollars))
        let score = ScoreRecord(
          check: "c", kind: "k", weight: 1, turn: nil, judgement: .verdict(number < target.passes),
          explanation: nil)
        trials.append(
          TrialRecord(
            key: TrialKey(
              caseHash: SampleRun.hash("c\(number)", "case"), targetHash: run.targets[place].hash,
              repeatIndex: 0),
            caseID: "c\(number)", tags: [], cluster: nil, mustPass: false, target: target.name, status: .ok,
            errorClass: nil,
            score: TrialScore([Score(check: "c", kind: "k", weight: 1, judgement: score.judgement)]),
            duration: nil, attempts: [attempt], scores: [score]))
      }
    }
    return try RunSummary.make(from: SampleRun(run: run, trials: trials))
  }

  static func table(_ summary: RunSummary) throws -> ReportTable {
    let tables = RunReport.document(summary).blocks.compactMap { block -> ReportTable? in
      if case .table(let table) = block, table.id == "targets" { table } else { nil }
    }
    #expect(tables.count == 1)
    return try #require(tables.first)
  }

  /// Which target is marked in the row that begins with these words; `nil` for none.
  static func best(_ label: String, _ summary: RunSummary) throws -> String? {
    let table = try table(summary)
    let row = try #require(table.rows.first { $0[0].text.hasPrefix(label) })
    let marked = row.indices.filter { row[$0].isBest }
    #expect(marked.count <= 1)
    return marked.first.map { table.columns[$0].title }
  }

  @Test func eachSideWinsWhatItWins() throws {
    let summary = try Self.summary([("near", 10, 100, 0), ("far", 30, 300, 0.002)], cases: 40)
    #expect(
      RunVerdict(summary).sentence
        == "far passes more (75.0 % against 25.0 %, +50.0 points, 35.2 to 64.8); "
        + "near ends sooner (33.8 % of the time, 33.7 to 33.9) and costs less ($0 against $2.00 for 1,000 trials)."
    )
    #expect(try Self.best("pass rate", summary) == "far")
    #expect(try Self.best("total p50", summary) == "near")
    #expect(try Self.best("cost of 1,000", summary) == "near")
    #expect(try Self.best("total p95", summary) == nil)
    #expect(RunVerdict(summary).tone == .plain)
  }

  /// The point values differ; the words and the marks do not claim it.
  @Test func whatIsNotShownIsNotClaimed() throws {
    let summary = try Self.summary([("near", 20, 100, 0), ("far", 22, 100, 0)], cases: 40)
    #expect(
      RunVerdict(summary).sentence
        == "no difference is shown in pass rate (far +5.0 points, -4.2 to 16.5) and time to the end.")
    for label in ["pass rate", "total p50", "cost of 1,000"] {
      #expect(try Self.best(label, summary) == nil, "\(label)")
    }
  }

  @Test func amongThreeTheBestMustBeatEveryOther() throws {
    let near = try Self.summary([("a", 10, 100, 0), ("b", 38, 100, 0), ("c", 40, 100, 0)], cases: 40)
    #expect(RunVerdict(near).sentence.hasPrefix("c passes more than a (100 % against 25.0 %"))
    #expect(try Self.best("pass rate", near) == nil)
    let far = try Self.summary([("a", 10, 100, 0), ("b", 22, 100, 0), ("c", 40, 100, 0)], cases: 40)
    #expect(RunVerdict(far).sentence.hasPrefix("c passes more than every other (b: 100 % against 55.0 %"))
    #expect(try Self.best("pass rate", far) == "c")
  }

  @Test func aCostThatNobodyKnowsKeepsTheMarkAway() throws {
    let summary = try Self.summary([("a", 10, 100, 0), ("b", 10, 100, 0.01), ("c", 10, 100, nil)], cases: 40)
    #expect(RunVerdict(summary).sentence.contains("a costs less than b"))
    #expect(try Self.best("cost of 1,000", summary) == nil)
  }

  @Test func whoNeverAnsweredIsBrokenAndSaidSoFirst() throws {
    var summary = try Self.summary([("near", 10, 100, 0), ("far", 30, 300, 0)], cases: 40)
    summary.targets[1].counts.failed = summary.targets[1].counts.finished
    #expect(RunVerdict(summary).sentence.hasPrefix("far answered nothing (40 of 40 trials failed); "))
    #expect(RunVerdict(summary).tone == .bad)
    summary.targets[0].counts.failed = summary.targets[0].counts.finished
    #expect(RunVerdict(summary).sentence == "nothing was answered: 80 of 80 trials failed.")
  }

  @Test func oneTargetSpeaksForItself() throws {
    let summary = try Self.summary([("only", 30, 100, 0.002)], cases: 40)
    #expect(
      RunVerdict(summary).sentence
        == "only passes 75.0 % of its trials (59.8–85.8 %, n=40), takes 102 ms at the median and costs $2.00 for 1,000 trials."
    )
  }

  @Test func leaksAndGatesComeFirst() throws {
    let routed = try RunSummary.make(from: SampleRun.routed())
    #expect(RunVerdict(routed).sentence.hasPrefix("naive leaked once; gates are inconclusive (6 of 8); "))
    #expect(RunVerdict(routed).tone == .bad)
    let live = try RunSummary.make(from: SampleRun.live())
    #expect(RunVerdict(live).sentence.hasPrefix("gates failed (2 of 13); "))
  }

  @Test func whatIsNotThereIsSaid() throws {
    let nothing = try RunSummary.make(from: SampleRun(run: SampleRun.live().run, trials: []))
    #expect(RunVerdict(nothing).sentence == "Nothing has been measured yet.")
    var half = SampleRun.live()
    half.trials.removeLast(100)
    #expect(
      RunVerdict(try RunSummary.make(from: half)).sentence.hasPrefix("So far, with 140 of 240 trials: "))
  }

  /// One sentence, whatever the format.
  @Test func everyFormatBeginsWithIt() throws {
    let summary = try RunSummary.make(from: SampleRun.live())
    let sentence = RunVerdict(summary).sentence
    #expect(!sentence.dropLast().contains(". ") && sentence.hasSuffix("."))
    let text = DocumentTests.text(RunReport.document(summary)).split { $0.isWhitespace }.joined(
      separator: " ")
    #expect(text.contains(sentence))
  }
}
