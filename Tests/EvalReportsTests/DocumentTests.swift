import EvalAnalysis
import EvalCore
import Testing

@testable import EvalReports

/// What must stand in a report whatever its format.
@Suite struct DocumentTests {
  static func text(_ document: ReportDocument) -> String {
    var text = ""
    TerminalRenderer(ReportOptions()).render(document) { text += $0 }
    return text
  }

  @Test func formatsHaveNamesOfTheirOwn() {
    #expect(Set(ReportFormat.all.map(\.name)).count == ReportFormat.all.count)
    #expect(Set(ReportFormat.all.map(\.fileExtension)).count == ReportFormat.all.count)
    #expect(ReportFormat.named("md")?.name == "md" && ReportFormat.named("nope") == nil)
  }

  @Test func anEmptyRunHasAReport() throws {
    let sample = SampleRun(run: SampleRun.live().run, trials: [])
    let summary = try RunSummary.make(from: sample)
    for format in ReportFormat.all {
      var text = ""
      try format.render(ReportInput(summary: summary, source: sample), ReportOptions()) { text += $0 }
      #expect(
        !text.isEmpty && !text.split { !$0.isLetter }.contains { $0.lowercased() == "nan" || $0 == "inf" })
    }
    #expect(Self.text(RunReport.document(summary)).contains("0 of 240 trials finished"))
    #expect(Self.text(try RunOverview.document(sample)).contains("0 of 240"))
  }

  /// Whether a trial without an answer is a 0 is the suite's to say, and the report says which reading it is.
  @Test func theSuiteSaysWhichReadingLeads() throws {
    func order(_ failuresCountAsZero: Bool) throws -> [String] {
      var sample = SampleRun.live()
      guard case .object(var settings) = sample.run.settings else { return [] }
      settings["failuresCountAsZero"] = .bool(failuresCountAsZero)
      sample.run.settings = .object(settings)
      let text = Self.text(RunReport.document(try RunSummary.make(from: sample)))
      return text.split(separator: "\n").filter { $0.hasPrefix("pass rate (") }.map {
        String($0.prefix { $0 != ")" })
      }
    }
    #expect(try order(true) == ["pass rate (strict", "pass rate (conditional"])
    #expect(try order(false) == ["pass rate (conditional", "pass rate (strict"])
  }

  @Test func aTargetWithALongNameFits() throws {
    var sample = SampleRun.recorded()
    let name = String(repeating: "塔long-name-", count: 12)
    sample.run.targets[0].name = name
    for index in sample.trials.indices where sample.trials[index].target == SampleRun.device {
      sample.trials[index].target = name
    }
    let text = Self.text(RunReport.document(try RunSummary.make(from: sample)))
    for line in text.split(separator: "\n") { #expect(DisplayWidth.of(line) <= 80, "\(line)") }
  }

  @Test func overviewPutsDisagreementFirst() throws {
    let document = try RunOverview.document(SampleRun.live(), limit: 3)
    guard
      case .table(let table)? = document.blocks.first(where: { if case .table = $0 { true } else { false } })
    else {
      Issue.record("no table")
      return
    }
    #expect(table.rows.count == 3 && table.columns.count == 4)
    for row in table.rows { #expect(Set(row.dropFirst().map(\.text)).count > 1) }
    #expect(Self.text(document).contains("3 of 40 cases"))
  }

  @Test func overviewNamesWhyThereIsNoAnswer() throws {
    var map = OutcomeMap(SampleRun.recorded().run)
    var trial = SampleRun.recorded().trials[0]
    trial.status = .failed
    trial.errorClass = .overloaded
    map.add(trial)
    #expect(map.cells(0)[0].text == "overloaded" && map.cells(0)[1].text == "—")
  }
}
