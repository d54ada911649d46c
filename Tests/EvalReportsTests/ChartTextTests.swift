import Testing

@testable import EvalReports

@Suite struct ChartTextTests {
  @Test(arguments: [true, false]) func `Each kind is as it was looked at`(_ unicode: Bool) throws {
    var text = ""
    for chart in SampleCharts.all {
      text += chart.title + "\n" + SampleCharts.text(chart, unicode: unicode).joined(separator: "\n") + "\n\n"
    }
    try expectGolden(text, unicode ? "charts.txt" : "charts-ascii.txt")
    if !unicode { #expect(text.utf8.allSatisfy { $0 == 0x0A || $0 >= 0x20 && $0 < 0x7F }) }
  }

  @Test(arguments: SampleCharts.all, [40, 57, 80, 200]) func `A plot is small and fits`(
    _ chart: Chart, _ width: Int
  ) {
    for unicode in [true, false] {
      let lines = SampleCharts.text(chart, width: width, unicode: unicode)
      #expect(!lines.isEmpty && lines.count <= 17)
      for line in lines { #expect(DisplayWidth.of(line) <= min(width, ChartText.mostWidth), "\(line)") }
    }
  }

  @Test func `Without room there is the sentence alone`() {
    #expect(SampleCharts.text(SampleCharts.points, width: 39).isEmpty)
    var options = ReportOptions()
    options.width = 39
    var text = ""
    TerminalRenderer(options).render(ReportDocument(title: "R", blocks: [.chart(SampleCharts.bars)])) {
      text += $0
    }
    #expect(text == "R\n\nPass rate\non-device 60.0 %, cloud 100 %.\n")
  }

  @Test func `A bar is as long as its number`() {
    let lines = SampleCharts.text(SampleCharts.bars)
    let whole = lines[1].count { $0 == "█" }
    let part = Double(lines[0].count { $0 == "█" })
    // Of a whole bar six tenths, the rest in eighths of a cell.
    #expect(whole > 40 && abs(part - 0.6 * Double(whole)) <= 1)
    #expect(lines[0].hasSuffix(" 60.0 %") && lines[2].hasSuffix(" —"))
  }

  @Test func `Letters stand where their points are`() {
    // The one that is cheapest and worst lies lower left, the best upper right.
    let lines = SampleCharts.text(SampleCharts.points)
    func place(_ letter: Character) -> (row: Int, column: Int)? {
      for (row, line) in lines.dropFirst().prefix(8).enumerated() {
        if let column = Array(line).firstIndex(of: letter) { return (row, column) }
      }
      return nil
    }
    guard let device = place("a"), let cloud = place("b"), let careful = place("c") else {
      Issue.record("\(lines)")
      return
    }
    #expect(device.row > careful.row && careful.row >= cloud.row)
    #expect(device.column < careful.column && careful.column < cloud.column)
  }

  @Test func `Colours go with slots, and go away`() {
    let coloured = ChartText(
      SampleCharts.bars, width: 80, text: TerminalText(unicode: true), style: TerminalStyle(isOn: true)
    ).lines
    #expect(coloured[0].contains("\u{1B}[34m"))
    let plain = coloured.map { $0.replacing(/\u{1B}\[[0-9]+m/, with: "") }
    #expect(plain == SampleCharts.text(SampleCharts.bars))
  }
}
