import EvalAnalysis
import EvalCore
import Foundation
import Testing

@testable import EvalReports

/// Every format of the sample runs against its golden file.
@Suite struct GoldenReportTests {
  static func rendered(
    _ format: ReportFormat, _ source: SampleRun, _ options: ReportOptions = ReportOptions()
  ) throws -> String {
    withoutAssets(format, try whole(format, source, options))
  }

  static func whole(
    _ format: ReportFormat, _ source: SampleRun, _ options: ReportOptions = ReportOptions()
  ) throws -> String {
    var warmUp = AttemptRecord(
      turn: 0, step: 0, number: 1, phase: .warmup, profile: SampleRun.cloud, boundary: .thirdParty,
      cause: "first", outcome: "ok", errorClass: nil, provenance: .live, inFlight: 1, wait: 0,
      timeline: Timeline(), usage: nil, cost: Cost(dollars: 0.0001))
    warmUp.timeline.start = 0
    warmUp.timeline.terminal = 812_000_000
    let warmUps = source.run.provenance == .live ? [warmUp, warmUp] : []
    let input = ReportInput(
      summary: try RunSummary.make(
        from: source, warmUps: warmUps,
        labels: source.run.provenance == .live ? SampleRun.labels : []), source: source,
      texts: { key in
        [
          1: AttemptTexts(
            request: nil, answer: "=1+1, \"quoted\"\nand more", reasoning: nil, toolCalls: [], refusal: nil)
        ]
      })
    var text = ""
    try format.render(input, options) { text += $0 }
    return text
  }

  /// Styles and scripts are files of their own, and the data of a case are tested as data: a golden page is what stands
  /// between them.
  private static func withoutAssets(_ format: ReportFormat, _ text: String) -> String {
    guard format.name == "html" else { return text }
    var text = text
    for (tag, end) in [
      ("<style>", "</style>"), ("<script>", "</script>"), ("Policy\" content=\"", "\">"),
      ("id=\"case-data-", "</script>"),
    ] {
      var parts = text.components(separatedBy: tag)
      for index in parts.indices.dropFirst() {
        parts[index] =
          "…" + end + parts[index].components(separatedBy: end).dropFirst().joined(separator: end)
      }
      text = parts.joined(separator: tag)
    }
    return text
  }

  @Test(arguments: ReportFormat.all.map(\.name))
  func live(format name: String) throws {
    let format = try #require(ReportFormat.named(name))
    try expectGolden(Self.rendered(format, .live()), "live.\(format.fileExtension)")
  }

  @Test(arguments: ReportFormat.all.map(\.name))
  func recorded(format name: String) throws {
    let format = try #require(ReportFormat.named(name))
    let text = try Self.rendered(format, .recorded())
    try expectGolden(text, "recorded.\(format.fileExtension)")
    #expect(text.lowercased().contains("recorded"))
  }

  @Test(arguments: ["terminal", "md", "html", "json", "csv"])
  func routed(format name: String) throws {
    let format = try #require(ReportFormat.named(name))
    let text = try Self.rendered(format, .routed())
    try expectGolden(text, "routed.\(format.fileExtension)")
    // The attempt that leaked is named in every format.
    #expect(text.contains("private-letter"))
  }

  @Test func routeStories() throws {
    let source = SampleRun.routed()
    var text = ""
    for name in ["broken", "weak", "forbidden", "private-letter"] {
      let story = CaseStory(
        run: source.run, caseID: name, content: nil, trials: source.trials.filter { $0.caseID == name },
        texts: [:])
      TerminalRenderer(ReportOptions()).render(story.document) { text += $0 }
    }
    try expectGolden(text, "route-stories.txt")
    #expect(text.contains("LEAK in attempt 2") && text.contains("Blocked"))
  }

  @Test func narrowColouredTerminal() throws {
    var options = ReportOptions()
    options.width = 60
    options.color = true
    try expectGolden(Self.rendered(.terminal, .live(), options), "narrow-coloured.txt")
  }

  @Test func asciiTerminal() throws {
    var options = ReportOptions()
    options.unicode = false
    options.details = false
    let text = try Self.rendered(.terminal, .live(), options)
    try expectGolden(text, "ascii.txt")
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test(arguments: [40, 60, 80, 120])
  func noLineIsTooWide(width: Int) throws {
    var options = ReportOptions()
    options.width = width
    for source in [SampleRun.live(), .recorded(), .routed()] {
      let text = try Self.rendered(.terminal, source, options)
      for line in text.split(separator: "\n") {
        #expect(DisplayWidth.of(line) <= width, "\(line)")
      }
    }
  }

  @Test func overview() throws {
    var text = ""
    TerminalRenderer(ReportOptions()).render(try RunOverview.document(SampleRun.live(), limit: 20)) {
      text += $0
    }
    try expectGolden(text, "overview.txt")
  }

  static func story(private isPrivate: Bool = false) -> CaseStory {
    let sample = SampleRun.live()
    var run = sample.run
    run.isPrivate = isPrivate
    // The case with two turns, as the cloud and the device had it.
    let trials = sample.trials.filter { $0.caseID == "case-08" && $0.key.repeatIndex == 0 }
    let content: JSONValue = [
      "turns": [
        [["text": "Where is the Eiffel tower?"]],
        [["text": "And 塔の高さ?"], ["image": "AAAA", "mediaType": "image/png"]],
      ],
      "history": [["role": "system", "content": [["text": "Be\u{1B}[31m short."]]]], "reference": "Paris",
      "variables": ["city": "Paris"],
    ]
    var texts: [TrialKey: [Int: AttemptTexts]] = [:]
    if !isPrivate {
      for trial in trials {
        for attempt in trial.attempts where attempt.errorClass == nil {
          texts[trial.key, default: [:]][attempt.number] = AttemptTexts(
            request: nil, answer: "It stands in Paris | <script>alert(1)</script>, answer \(attempt.number).",
            reasoning: attempt.usage?.reasoning == nil ? nil : "The user asks for a city.",
            toolCalls: attempt.turn == 1
              ? [ToolCall(id: "1", name: "height", arguments: ["of": "tower"])] : [],
            refusal: nil)
        }
      }
    }
    return CaseStory(
      run: run, caseID: "case-08", content: isPrivate ? nil : content, trials: trials, texts: texts)
  }

  @Test func caseStory() throws {
    var text = ""
    TerminalRenderer(ReportOptions()).render(Self.story().document) { text += $0 }
    try expectGolden(text, "case.txt")
    #expect(!text.contains("\u{1B}"))
    var markdown = ""
    MarkdownRenderer().render(Self.story().document) { markdown += $0 }
    try expectGolden(markdown, "case.md")
  }

  @Test func privateCaseStory() throws {
    var text = ""
    TerminalRenderer(ReportOptions()).render(Self.story(private: true).document) { text += $0 }
    try expectGolden(text, "case-private.txt")
    #expect(!text.contains("Eiffel"))
  }

  @Test func listOfRuns() throws {
    var recorded = SampleRun.recorded().run
    recorded.id = "20261130-081533-aaaa"
    var stopped = SampleRun.live().run
    stopped.status = .interrupted
    var text = ""
    TerminalRenderer(ReportOptions()).render(
      RunList.document([.init(run: recorded, finished: 24), .init(run: stopped, finished: 17)], more: 3)
    ) { text += $0 }
    TerminalRenderer(ReportOptions()).render(RunList.document([])) { text += $0 }
    try expectGolden(text, "list.txt")
  }
}
