import EvalCore
import Testing

@testable import EvalAnalysis
@testable import EvalReports

@Suite struct ReplayReportTests {
  static func text(_ report: ReplayReport, _ format: String) -> String {
    var text = ""
    report.render(format, ReportOptions()) { text += $0 }
    return text
  }

  static func text(_ report: SweepReport, _ format: String) -> String {
    var text = ""
    report.render(format, ReportOptions()) { text += $0 }
    return text
  }

  static let formats = [("terminal", "txt"), ("md", "md"), ("json", "json"), ("csv", "csv")]

  @Test(arguments: formats) func `A replay in every format`(_ format: String, _ ending: String) throws {
    try expectGolden(Self.text(SampleReplay.replay(), format), "replay.\(ending)")
  }

  @Test(arguments: formats) func `A sweep in every format`(_ format: String, _ ending: String) async throws {
    let report = try await SampleReplay.sweep(limits: "cloudShare<=0.6, leaks=0")
    try expectGolden(Self.text(report, format), "sweep.\(ending)")
  }

  @Test(arguments: formats) func `What is supposed stands in the title and in every format`(
    _ format: String, _: String
  ) {
    let scenario = Scenario(
      injection: .init(rates: [.network: 0.1], seed: 7), signals: ["network": "offline"])
    let text = Self.text(SampleReplay.replay(scenario), format)
    #expect(text.contains("network=0.1, seed=7"))
    #expect(text.contains("network is"))
    let first = text.prefix { $0 != "\n" }
    if format == "terminal" || format == "md" { #expect(first.contains("what if errors injected")) }
    if format != "csv" { #expect(text.lowercased().contains("what-if") || text.contains("\"whatIf\": true")) }
  }

  @Test func `Leaks come first`() throws {
    let blocks = SampleReplay.replay().document.blocks
    guard case .banner(let words)? = blocks.first else {
      Issue.record("no banner")
      return
    }
    #expect(words.hasPrefix("LEAKS: naive 10"), "\(words)")
  }

  @Test func `Below the coverage floor nothing is ranked, and the report says so`() {
    let report = SampleReplay.replay(floor: 0.999)
    #expect(report.comparison.ranking == nil || report.comparison.ranking?.contains("on-device") == false)
    let text = Self.text(report, "md")
    #expect(text.contains("not ranked: on-device") || text.contains("No ranking"), "\(text)")
    #expect(text.contains("below the coverage floor"))
  }

  @Test func `A wish that nothing grants is said, with no chosen policy`() async throws {
    let report = try await SampleReplay.sweep(limits: "quality>=1, cloudShare<=0.1")
    #expect(report.choice.chosen == nil && report.leaks == 0)
    let text = Self.text(report, "terminal")
    #expect(text.contains("No policy was chosen"), "\(text)")
    #expect(Self.text(report, "json").contains("\"chosen\": null"))
  }

  /// Worked by hand: of the points (price, gain), those that no cheaper one matches.
  @Test func `The frontier leaves out what a cheaper policy matches, and counts equals`() {
    func score(_ cost: Double?, _ quality: Double, _ share: Double = 0) -> SweepScore {
      var score = SweepScore()
      score.quality = quality
      score.costPerCase = cost
      score.cloudShare = share
      return score
    }
    var below = score(0, 1)
    below.isCompared = false
    let scores = [
      score(1, 0.5), score(2, 0.5), score(2, 0.8), score(2, 0.8), score(3, 0.7), score(3, 0.9), below,
    ]
    let frontier = SweepFrontier(scores, gain: .quality)
    #expect(frontier.price == .costPerCase)
    #expect(frontier.points.map(\.policy) == [0, 2, 5])
    #expect(frontier.points.map(\.alike) == [1, 2, 1])
    // Costs that are unknown or all the same tell nothing.
    let free = [score(0, 0.5, 0.2), score(0, 0.4, 0.3), score(0, 0.6, 0.4)]
    let byShare = SweepFrontier(free, gain: .quality)
    #expect(byShare.price == .cloudShare && byShare.points.map(\.policy) == [0, 2])
    #expect(SweepFrontier([score(nil, 1, 0)], gain: .quality).price == .cloudShare)
    // Less is better on both sides.
    let cheap = SweepFrontier([score(1, 0.5), score(2, 0.9), score(3, 0.8)], gain: .costPerCase)
    #expect(cheap.price == .quality && Set(cheap.points.map(\.policy)) == [0, 1])
  }

  @Test func `A curve needs two arms, a gap and two shares`() async throws {
    let report = try await SampleReplay.sweep(limits: "")
    guard case .curve(let curve) = report.curve else {
      Issue.record("no curve")
      return
    }
    // The threshold sends the hard cases far, so it is worth more than a coin.
    #expect(curve.apgr > 0.5)
    let one = try await SampleReplay.sweep(limits: "", limit: 3...3)
    #expect(
      one.curve
        == .undefined("all policies send the same share to the strong arm: that is a point, not a curve"))
  }
}
