import EvalCore
import Testing

@testable import EvalAnalysis
@testable import EvalReports

/// The pictures of comparisons, replays and sweeps hold the numbers of their reports.
@Suite struct PictureTests {
  static func charts(_ blocks: [ReportBlock]) -> [Chart] {
    blocks.flatMap { block -> [Chart] in
      switch block {
      case .chart(let chart): [chart]
      case .section(_, let blocks): charts(blocks)
      default: []
      }
    }
  }

  static func plot(_ chart: Chart) throws -> Chart.Plot {
    guard case .plot(let plot) = chart.content else {
      Issue.record("no plot")
      throw JSONError(message: "no plot")
    }
    return plot
  }

  private struct JSONError: Error { var message: String }

  @Test func `Paired differences are those of the test, sorted`() throws {
    let comparison = try #require(ComparisonReportTests.targets().comparisons.first)
    let chart = try #require(ComparisonPictures.differences(comparison, id: "d"))
    let plot = try Self.plot(chart)
    let difference = try #require(comparison.difference(comparison.headline))
    let points = try #require(plot.series.first?.points)
    #expect(points.count == difference.cases + 1)
    let steps = points.dropLast().map(\.y)
    #expect(steps == steps.sorted())
    #expect(steps.count { $0 > 0 } == difference.risen && steps.count { $0 < 0 } == difference.fallen)
    let mean = steps.reduce(0, +) / Double(steps.count)
    #expect(abs(mean - (difference.change.value ?? .nan)) < 1e-12)
    #expect(plot.marks.contains { $0.place == .yBand(difference.change.interval ?? 0...0) })
    let text = ChangeText(difference.measure)
    for words in [
      "Of \(difference.cases) cases", "worse than", "in \(difference.fallen), better in \(difference.risen)",
      text.signed(mean), text.range(difference.change.interval ?? 0...0),
    ] { #expect(chart.alternative.contains(words), "\(words): \(chart.alternative)") }
  }

  @Test func `Won, tied and lost cases are all cases, and less time is won`() throws {
    let comparison = try #require(ComparisonReportTests.targets().comparisons.first)
    let chart = try #require(ComparisonPictures.wins(comparison, id: "w"))
    guard case .bars(let bars) = chart.content else {
      Issue.record("no bars")
      return
    }
    for row in bars.rows {
      let difference = try #require(comparison.differences.first { $0.measure.title == row.name })
      let counts = row.values.map { Int($0.value ?? -1) }
      #expect(counts.reduce(0, +) == difference.cases)
      let isHigherBetter = difference.measure.isHigherBetter
      #expect(counts[0] == (isHigherBetter ? difference.risen : difference.fallen))
      #expect(counts[2] == (isHigherBetter ? difference.fallen : difference.risen))
    }
    #expect(bars.rows.contains { $0.name == ComparisonMeasure.latency.title })
  }

  @Test func `Several comparisons have pictures of their own`() throws {
    let document = try ComparisonReport.document(ComparisonReportTests.runs())
    let ids = Self.charts(document.blocks).map(\.id)
    #expect(ids == ["paired-differences", "wins", "paired-differences-2", "wins-2"])
  }

  @Test func `A replay's picture has every compared side, the coin and the oracle`() throws {
    let report = SampleReplay.replay()
    let chart = try #require(Self.charts(report.document.blocks).first)
    let plot = try Self.plot(chart)
    for score in report.comparison.arms + report.comparison.policies {
      let name = score.isArm ? "\(score.name) alone" : score.name
      let series = try #require(plot.series.first { $0.name == name })
      #expect(series.points.map(\.x) == [score.cost.value] && series.points.map(\.y) == [score.quality.value])
      #expect(series.points.first?.yInterval == score.quality.interval)
      #expect((series.role == .chosen) == report.comparison.pareto.contains(score.name))
      #expect(chart.alternative.contains("\(name) \(Quantity.score.text(score.quality.value ?? .nan))"))
    }
    let coin = try #require(plot.series.first { $0.role == .reference })
    #expect(coin.points.map { CostQuality(cost: $0.x, quality: $0.y) } == report.comparison.zeroRouter)
    let oracle = try #require(plot.series.first { $0.name == "oracle" })
    #expect(oracle.points.first?.y == report.comparison.oracle?.quality.value)
  }

  @Test func `A side below the coverage floor is not drawn, and the picture says so`() throws {
    let report = SampleReplay.replay(floor: 0.999)
    let left = (report.comparison.arms + report.comparison.policies).filter { !$0.isCompared }
    #expect(!left.isEmpty)
    for chart in Self.charts(report.document.blocks) {
      for score in left {
        #expect(!(try Self.plot(chart)).series.contains { $0.name.hasPrefix(score.name) })
        #expect(chart.note?.contains("\(score.name)") == true)
      }
    }
  }

  @Test func `A sweep's picture has the frontier, the chosen policy and its limits`() async throws {
    let report = try await SampleReplay.sweep(limits: "cloudShare<=0.6, leaks=0")
    let chart = try #require(Self.charts(report.document.blocks).first)
    let plot = try Self.plot(chart)
    let frontier = try #require(plot.series.first { $0.name == "frontier" })
    let scores = report.choice.scores
    #expect(
      frontier.points.map(\.x)
        == report.frontier.points.map { scores[$0.policy][report.frontier.price] ?? .nan })
    let chosen = try #require(report.choice.chosen)
    let marked = try #require(plot.series.first { $0.role == .chosen }?.points.first)
    #expect(
      marked.x == scores[chosen][report.frontier.price] && marked.y == scores[chosen][report.frontier.gain])
    let heldOut = try #require(plot.series.first { $0.name == "on the other cases" }?.points.first)
    #expect(heldOut.y == report.choice.heldOut?[report.frontier.gain])
    #expect(chart.alternative.contains("\(report.frontier.points.count) of \(scores.count) policies"))
  }
}
