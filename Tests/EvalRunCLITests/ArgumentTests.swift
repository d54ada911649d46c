import EvalCore
import Testing

@testable import EvalEngine
@testable import EvalRunCLI

@Suite struct ArgumentTests {
  @Test func `Options, repeated options, short ones and '--' are read`() throws {
    let words = [
      "a.json", "--case", "x", "--case=y", "-q", "--limit", "3", "--max-cost", "0.5", "--timeout", "2m",
    ]
    let arguments = try Arguments(words, for: CommandTable.run)
    #expect(arguments.positional == ["a.json"])
    #expect(arguments.texts("case") == ["x", "y"] && arguments.has("quiet"))
    #expect(arguments.count("limit") == 3 && arguments.amount("max-cost") == 0.5)
    #expect(arguments.duration("timeout") == .seconds(120))
    #expect(try Arguments(["--", "--odd.json"], for: CommandTable.run).positional == ["--odd.json"])
  }

  @Test(arguments: [
    ["a.json", "--limt", "3"], ["a.json", "--limit"], ["a.json", "--limit", "0"], ["a.json", "--limit", "x"],
    ["a.json", "--max-cost", "-1"], ["a.json", "--max-cost", "nan"], ["a.json", "--quiet=yes"],
    ["a.json", "--timeout", "soon"], ["a.json", "b.json"], [], ["a.json", "--color", "sometimes"],
  ])
  func `Wrong command lines are refused`(words: [String]) {
    #expect(throws: CommandFailure.self) { try Arguments(words, for: CommandTable.run) }
  }

  @Test func `A near miss is suggested`() {
    let failure = #expect(throws: CommandFailure.self) {
      try Arguments(["a.json", "--concurency", "3"], for: CommandTable.run)
    }
    #expect(failure?.advice == "did you mean '--concurrency'?")
  }

  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("10s", .seconds(10)), ("1.5", .milliseconds(1500)),
    ("2m", .seconds(120)), ("1h", .seconds(3600)), ("0", .zero),
  ])
  func `Durations are read with their unit`(text: String, expected: Duration) {
    #expect(parseDuration(text) == expected)
  }

  @Test(arguments: ["", "s", "-1s", "1d", "infs", "nan", "1 s x"])
  func `What is no duration is none`(text: String) {
    #expect(parseDuration(text) == nil)
  }

  @Test func `The progress line fits, and says what is known`() {
    var snapshot = RunProgress.Snapshot()
    snapshot.planned = 200
    snapshot.alreadyDone = 20
    snapshot.done = 80
    snapshot.failed = 3
    snapshot.dollars = 0.0123
    let text = ProgressText(tokensPerSecond: 51.4, elapsed: 40, isUTF8: true)
    #expect(text.line(snapshot, width: 100).hasSuffix("100/200 · 3 failed · $0.0123 · 51 tok/s · 50s left"))
    for width in [20, 40, 80, 200] {
      #expect(text.line(snapshot, width: width).count < width)
      let plain = ProgressText(tokensPerSecond: nil, elapsed: 40, isUTF8: false).line(snapshot, width: width)
      #expect(plain.utf8.allSatisfy { $0 < 0x80 })
    }
    #expect(clock(45) == "45s" && clock(200) == "3m 20s" && clock(7500) == "2h 05m")
  }

  @Test func `Columns stand beside each other where they fit`() {
    let wide = SideBySide(columns: [("a", "one two"), ("b", "three")], width: 80).text
    #expect(wide.contains("one two") && wide.split(separator: "\n").count == 3)
    let narrow = SideBySide(columns: [("a", "one"), ("b", "two"), ("c", "three")], width: 60).text
    #expect(narrow == "a\none\n\nb\ntwo\n\nc\nthree\n")
  }
}
