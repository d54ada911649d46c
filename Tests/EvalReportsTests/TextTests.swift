import EvalAnalysis
import EvalCore
import Testing

@testable import EvalReports

/// Numbers, widths and escapes on their own.
@Suite struct TextTests {
  @Test(arguments: [
    (0.0, "0 ms"), (0.0123, "0.0123 ms"), (1.234, "1.23 ms"), (9.996, "10.0 ms"), (84.12, "84.1 ms"),
    (999.4, "999 ms"),
    (999.6, "1.00 s"), (1234, "1.23 s"), (61_000, "61.0 s"), (599_600, "9.99 min"), (3_600_000, "60.0 min"),
  ])
  func times(milliseconds: Double, text: String) {
    #expect(Quantity.milliseconds.text(milliseconds) == text)
  }

  @Test(arguments: [
    (0.0, "$0"), (0.000_012_34, "$0.0000123"), (0.0109, "$0.0109"), (0.5, "$0.500"), (1.5, "$1.50"),
    (1234.5, "$1,234.50"), (0.000_000_000_4, "$0.000000000"),
  ])
  func dollars(value: Double, text: String) {
    #expect(Quantity.dollars.text(value) == text)
  }

  @Test(arguments: [(0.0, "0 %"), (1.0, "100 %"), (0.9999, "99.9 %"), (0.0001, "0.1 %"), (0.8333, "83.3 %")])
  func shares(value: Double, text: String) {
    #expect(Quantity.share.text(value) == text)
  }

  @Test func rangesShareAUnit() {
    #expect(Quantity.milliseconds.text(950...1200) == "0.950–1.20 s")
    #expect(Quantity.dollars.text(0.001...0.002) == "$0.00100–0.00200")
    #expect(Quantity.share.text(0.5...1) == "50.0–100 %")
  }

  @Test func whatIsMissingIsADash() {
    #expect(Numbers.fixed(.nan, 2) == "—")
    let cell = ReportCell(Estimate(value: nil, n: 0, missing: 4, method: .t), .score)
    #expect(cell.text == "—" && cell.detail == "n=0 · 4 missing")
    #expect(ReportCell(Percentile(0.95, sorted: [1, 2, 3]), .milliseconds).detail == "needs n=72")
    #expect(ReportCell(Percentile(0.95, sorted: []), .milliseconds).text == "—")
    let failed = Percentile(0.95, sorted: (1...80).map(Double.init), failures: 20)
    #expect(ReportCell(failed, .milliseconds).text == ">timeout")
  }

  @Test func counts() {
    #expect(
      Numbers.count(1_234_567) == "1,234,567" && Numbers.count(-1000) == "-1,000" && Numbers.count(12) == "12"
    )
    #expect(
      Numbers.fixed(-0.004, 2) == "0.00" && Numbers.fixed(2.5, 0) == "3"
        && Numbers.fixed(1e300, 2) == "1e+300")
  }

  @Test func times() {
    #expect(UTCTime.text(0) == "1970-01-01 00:00:00 UTC")
    #expect(UTCTime.text(1_709_210_096.9) == "2024-02-29 12:34:56 UTC")
    #expect(UTCTime.text(-1) == "1969-12-31 23:59:59 UTC")
    #expect(UTCTime.text(.nan) == "—")
  }

  @Test(arguments: [
    ("abc", 3), ("塔の高さ", 8), ("한국어", 6), ("é", 1), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("🇫🇷", 2), ("❤️", 2), ("ｱ", 1),
    ("Ａ", 2), ("—", 1), ("", 0),
  ])
  func widths(text: String, width: Int) {
    #expect(DisplayWidth.of(text) == width)
  }

  @Test func wrapping() {
    #expect(TextLayout.wrap("one two three", to: 7) == ["one two", "three"])
    #expect(TextLayout.wrap("abcdefghij", to: 4) == ["abcd", "efgh", "ij"])
    #expect(TextLayout.wrap("塔の高さ", to: 5) == ["塔の", "高さ"])
    #expect(TextLayout.wrap("a\n\nb", to: 5) == ["a", "", "b"])
    #expect(TextLayout.wrap("塔", to: 1) == ["塔"])
    #expect(TextLayout.cut("abcdef", to: 4, mark: "…") == "abc…")
    #expect(TextLayout.pad("塔", to: 4, .right) == "  塔")
  }

  /// Where the rest of the word is measured again for each line, this takes hours.
  @Test(.timeLimit(.minutes(1))) func aWordOfMillionsIsWrappedInOnePass() {
    let word = String(repeating: "x", count: 4_000_000)
    let lines = TextLayout.wrap("a " + word + " b", to: 80)
    #expect(
      lines.count == 50_002 && lines.last == "b" && lines.dropFirst().dropLast().allSatisfy { $0.count == 80 }
    )
    #expect(TextLayout.wrap(String(repeating: "塔", count: 100_000), to: 81).count == 2500)
  }

  @Test func nothingControlsTheTerminal() {
    let text = TerminalText(unicode: true)
    #expect(text.clean("\u{1B}[31mred\u{7}\u{9B}") == "�[31mred��")
    #expect(text.clean("a\u{202E}b\u{2066}\tc\r\nd") == "a�b�  c\nd")
    #expect(text.line("a\nb") == "a b")
    let ascii = TerminalText(unicode: false)
    #expect(ascii.clean("≥ 3 — ✓ é 塔\u{1B}") == ">= 3 - + ? ??")
  }

  @Test func markdownIsPlainText() {
    #expect(
      MarkdownEscape.inline("a|b <script>&`*_[x](y)") == "a\\|b &lt;script&gt;&amp;\\`\\*\\_\\[x\\](y)")
    #expect(MarkdownEscape.inline("line\nbreak") == "line<br>break")
    #expect(MarkdownEscape.inline("@everyone #12") == "@<!-- -->everyone \\#<!-- -->12")
    #expect(
      MarkdownEscape.inline("see https://x.y and www.z.org")
        == "see https:<!-- -->//x.y and www<!-- -->.z.org")
    #expect(MarkdownEscape.inline("- item") == "\\- item")
    #expect(MarkdownEscape.inline("12. item") == "12\\. item" && MarkdownEscape.inline("60.0 %") == "60.0 %")
    var fenced = ""
    MarkdownEscape.fenced("a\n````\nb") { fenced += $0 }
    #expect(fenced == "`````text\na\n````\nb\n`````\n")
  }
}
