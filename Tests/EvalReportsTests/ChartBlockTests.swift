import EvalCore
import Testing

@testable import EvalReports

/// A picture in formats that have none.
@Suite struct ChartBlockTests {
  static let document = ReportDocument(
    title: "Report",
    blocks: [
      .chart(
        Chart(
          id: "pass", title: "Pass *rate*",
          .bars(.init(axis: .init("pass rate", .share), parts: [.init("pass")], rows: [])),
          alternative: "cloud passes 90.0 % of 40 cases, <device> 61.0 %."))
    ])

  @Test func `Markdown has the sentence, and nothing of a stranger is markup`() {
    var text = ""
    MarkdownRenderer().render(Self.document) { text += $0 }
    let line = #"**Pass \*rate\***: cloud passes 90.0 % of 40 cases, &lt;device&gt; 61.0 %."#
    #expect(text.hasSuffix("\n\(line)\n"))
  }

  @Test func `A terminal has the sentence`() {
    var text = ""
    TerminalRenderer(ReportOptions()).render(Self.document) { text += $0 }
    #expect(text.contains("Pass *rate*\n"))
    #expect(text.hasSuffix("cloud passes 90.0 % of 40 cases, <device> 61.0 %.\n"))
  }
}
