import EvalAnalysis
import EvalCore
import Foundation
import Testing

@testable import EvalReports

/// Programs read the JSON report: it must parse, say what it is, and hold the summary's own numbers.
@Suite struct JSONReportTests {
  @Test func holdsTheSummary() throws {
    let summary = try RunSummary.make(from: SampleRun.live())
    let json = try JSONValue.parse(JSONReport.text(summary))
    #expect(json["format"]?.stringValue == "evalrun.report" && json["version"]?.intValue == 1)
    #expect(json["recorded"]?.boolValue == false)
    let targets = try #require(json["targets"]?.arrayValue)
    for (target, written) in zip(summary.targets, targets) {
      #expect(written["trials"]?["planned"]?.intValue == Int64(target.counts.planned))
      let strict = try #require(written["score"]?["strict"])
      let value = try #require(target.score.strict.value)
      #expect(abs(try #require(strict["value"]?.doubleValue) / value - 1) < 1e-11)
      let low = try #require(target.score.strict.interval?.lowerBound)
      #expect(abs(try #require(strict["interval"]?[0]?.doubleValue) / low - 1) < 1e-11)
      #expect(strict["n"]?.intValue == Int64(target.score.strict.n))
      #expect(strict["method"]?.stringValue == target.score.strict.method.rawValue)
      #expect(written["latency"]?.arrayValue?.count == target.latency.count)
    }
    #expect(json["findings"]?.arrayValue?.count == summary.findings.count)
  }

  /// Every key that is written stands in the document, and every key of the document is written.
  @Test func isDocumentedWhole() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Docs/ReportJSON.md")
    let words = try String(contentsOf: file, encoding: .utf8)
    let block = try #require(words.components(separatedBy: "```").dropFirst().first)
    let shapes = words.components(separatedBy: "\n").filter { $0.hasPrefix("| ") }.joined()
    let quoted = (block + shapes).components(separatedBy: "\"").enumerated().filter { $0.offset % 2 == 1 }
    let values: Set<String> = [
      "evalrun.report", "live|recorded", "warm|cold|unknown", "first|later", "case",
      "boundary|consent|afterStop",
    ]
    let documented = Set(quoted.map(\.element)).subtracting(values.subtracting(["case"]))
    var written: Set<String> = []
    func collect(_ value: JSONValue) {
      if let object = value.objectValue {
        for (key, member) in object.members {
          written.insert(key)
          // The run's own content is the suite's.
          if key != "settings", key != "content", key != "maxBoundary" { collect(member) }
        }
      }
      for element in value.arrayValue ?? [] { collect(element) }
    }
    collect(try JSONValue.parse(GoldenReportTests.rendered(.json, .live())))
    collect(try JSONValue.parse(GoldenReportTests.rendered(.json, .routed())))
    #expect(written.subtracting(documented) == [])
    #expect(documented.subtracting(written) == [])
  }

  @Test func missingIsNull() throws {
    let summary = try RunSummary.make(from: SampleRun.live())
    let json = try JSONValue.parse(JSONReport.text(summary))
    let unpriced = try #require(json["targets"]?[2]?["cost"])
    #expect(unpriced["knownDollars"]?.isNull == true)
    #expect(unpriced["dollarsPerTrial"]?["value"]?.isNull == true)
    let device = try #require(json["targets"]?[0])
    #expect(device["tokens"]?["cachedInput"]?["sum"]?.isNull == true)
    // Ten later turns are too few for a p95; what was seen is there, the percentile is not.
    let later = try #require(device["latency"]?.arrayValue?.last?["totalMilliseconds"]?["p95"])
    #expect(
      later["value"]?.isNull == true && later["observed"]?.doubleValue != nil
        && later["required"]?.intValue == 72)
  }

  @Test func aRecordingSaysSo() throws {
    let json = try JSONValue.parse(JSONReport.text(RunSummary.make(from: SampleRun.recorded())))
    #expect(json["recorded"]?.boolValue == true)
    let groups = json["targets"]?.arrayValue?.flatMap { $0["latency"]?.arrayValue ?? [] } ?? []
    #expect(!groups.isEmpty && groups.allSatisfy { $0["source"]?.stringValue == "recorded" })
    #expect(json["targets"]?[1]?["cost"]?["paidDollars"]?.doubleValue == 0)
  }
}
