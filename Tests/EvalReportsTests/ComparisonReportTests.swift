import EvalAnalysis
import EvalCore
import Foundation
import Testing

@testable import EvalReports

/// Every format of sample comparisons against its golden file.
@Suite struct ComparisonReportTests {
  /// Two targets of one run.
  static func targets() throws -> ComparisonReportInput {
    let run = SampleRun.live()
    let sides = try ComparisonInput.read(
      run, label: run.run.id, targets: [SampleRun.device, SampleRun.cloud])
    return input([Comparison(reference: sides[0], candidate: sides[1])])
  }

  /// Two runs with much that was not held equal.
  static func runs() throws -> ComparisonReportInput {
    let before = SampleRun.live()
    var after = SampleRun.live()
    after.run.id = "20261201-080000-b7xq"
    after.run.suiteHash = SampleRun.hash("edited", "suite")
    after.run.toolVersion = "0.2.0"
    after.run.machine = "Darwin 25.0 arm64, 8 cores"
    after.run.status = .interrupted
    after.run.settings = ["concurrency": 8, "maxConcurrency": 8, "repeats": 2]
    var maker = Maker(seed: 99, run: after.run)
    after.trials = []
    for number in 3..<44 {
      for target in after.run.targets {
        after.trials.append(maker.trial(case: number, target: target, repeatIndex: 0))
      }
    }
    let place = after.run.targets.firstIndex { $0.name == SampleRun.cloud }!
    var content = after.run.targets[place].content.objectValue!
    content["price"] = ["input": 0.30, "output": 2.5]
    content["instructions"] = "Answer briefly and in the language of the question."
    content["parameters"] = ["temperature": 0.2]
    after.run.targets[place].content = .object(content)
    after.run.targets[place].hash = SampleRun.hash("cloud edited", "profile")
    let names = [SampleRun.cloud, SampleRun.device]
    let left = try ComparisonInput.read(before, label: "main", targets: names)
    let right = try ComparisonInput.read(after, label: after.run.id, targets: names)
    var comparisons = zip(left, right).map { Comparison(reference: $0, candidate: $1) }
    Comparison.correct(&comparisons)
    return input(comparisons)
  }

  static func input(_ comparisons: [Comparison]) -> ComparisonReportInput {
    ComparisonReportInput(
      comparisons: comparisons,
      answers: { _, flip in
        (
          "The tower stands in Paris\u{1B}[31m, case \(flip.caseID).",
          "The tower is in <b>Rome</b>, case \(flip.caseID)."
        )
      }, wanted: nil)
  }

  static func rendered(
    _ format: String, _ input: ComparisonReportInput, _ options: ReportOptions = ReportOptions()
  ) throws -> String {
    var text = ""
    try #require(ComparisonFormat.named(format)).render(input, options) { text += $0 }
    return text
  }

  @Test(arguments: [("terminal", "txt"), ("md", "md"), ("json", "json"), ("csv", "csv")])
  func twoTargets(format: String, suffix: String) throws {
    let text = try Self.rendered(format, Self.targets())
    try expectGolden(text, "compare-targets.\(suffix)")
    #expect(!text.contains("\u{1B}"))
  }

  @Test(arguments: [("terminal", "txt"), ("md", "md"), ("json", "json"), ("csv", "csv")])
  func twoRuns(format: String, suffix: String) throws {
    try expectGolden(Self.rendered(format, Self.runs()), "compare-runs.\(suffix)")
  }

  @Test func incomparabilityIsSaidFirst() throws {
    let text = try Self.rendered("terminal", Self.runs()).replacing("\n  ", with: " ")
    let first = try #require(text.range(of: "37 cases on both sides, 37 pairs"))
    for word in [
      "evalrun 0.1.0 and 0.2.0", "two machines", "calls in flight were not the same", "two prices",
    ] {
      let caution = try #require(text.range(of: word), "\(word)")
      // The prices are those of the second target.
      #expect(caution.lowerBound < first.lowerBound || word == "two prices", "\(word)")
    }
  }

  @Test func wantedDifference() throws {
    var input = try Self.targets()
    input.wanted = 0.03
    #expect(try Self.rendered("md", input).contains("3.0 points: n="))
  }

  @Test func nothingInCommon() throws {
    let run = SampleRun.live()
    var other = run
    for index in other.trials.indices {
      other.trials[index].key.caseHash = SampleRun.hash("other \(other.trials[index].caseID)", "case")
    }
    let comparison = Comparison(
      reference: try ComparisonInput.read(run, label: "a")[0],
      candidate: try ComparisonInput.read(other, label: "b")[0])
    let text = try Self.rendered("terminal", Self.input([comparison]))
    #expect(text.contains("no case in common"))
    #expect(!text.contains("Better"))
  }

  @Test(arguments: [40, 60, 80])
  func noLineIsTooWide(width: Int) throws {
    var options = ReportOptions()
    options.width = width
    for input in [try Self.targets(), try Self.runs()] {
      let text = try Self.rendered("terminal", input, options)
      for line in text.split(separator: "\n") {
        #expect(DisplayWidth.of(line) <= width, "\(line)")
      }
    }
  }

  /// Every key that is written stands in the document.
  @Test func jsonIsDocumented() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Docs/ReportJSON.md")
    let words = try String(contentsOf: file, encoding: .utf8)
    let rest = try #require(words.components(separatedBy: "## The comparison").last)
    let section = try #require(rest.components(separatedBy: "\n## ").first)
    let estimate: Set<String> = ["value", "interval", "n", "missing", "units", "method"]
    let documented = Set(
      section.components(separatedBy: "\"").enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
    var written: Set<String> = []
    func collect(_ value: JSONValue) {
      for (key, member) in value.objectValue?.members ?? [] {
        written.insert(key)
        if key != "targetChanges" { collect(member) }
      }
      for element in value.arrayValue ?? [] { collect(element) }
    }
    for input in [try Self.targets(), try Self.runs()] {
      collect(try JSONValue.parse(Self.rendered("json", input)))
    }
    #expect(written.subtracting(documented).subtracting(estimate) == [])
    #expect(
      documented.subtracting(written).subtracting(["evalrun.comparison", "path"]) == [])
  }

  @Test func jsonHoldsTheNumbers() throws {
    let input = try Self.targets()
    let json = try JSONValue.parse(Self.rendered("json", input))
    #expect(json["format"]?.stringValue == "evalrun.comparison")
    let written = try #require(json["comparisons"]?[0]?["differences"]?.arrayValue)
    #expect(written.count == input.comparisons[0].differences.count)
    for (difference, one) in zip(input.comparisons[0].differences, written) {
      #expect(one["measure"]?.stringValue == difference.measure.rawValue)
      let value = try #require(difference.change.value)
      #expect(abs(try #require(one["change"]?["value"]?.doubleValue) - value) < 1e-9)
    }
  }
}
