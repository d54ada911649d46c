import EvalAnalysis
import EvalCore
import EvalSuites
import Foundation
import Testing

@testable import EvalRunCLI

/// Holds the published schema and the format's description against the code. Here and not with the suites' own
/// tests, because only the roof knows every provider and grader.
@Suite struct SuiteFormatDocsTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  private static let vocabulary = SuiteLoading.vocabulary

  /// `EVALRUN_GOLDEN=record` writes what the code says, and fails.
  private func golden(_ path: String, _ text: String) throws {
    let file = Self.root + "/" + path
    let written = try? String(contentsOfFile: file, encoding: .utf8)
    if ProcessInfo.processInfo.environment["EVALRUN_GOLDEN"] == "record", written != text {
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      Issue.record("recorded \(path)")
      return
    }
    #expect(written == text, "\(path) is not what the code says; record it with EVALRUN_GOLDEN=record")
  }

  @Test func theSchemaIsTheOneTheCodeMakes() throws {
    try golden(
      "Suites/evalrun.schema.json", SuiteSchema.json(vocabulary: Self.vocabulary).serialized(.pretty) + "\n")
  }

  @Test func theKeyTablesAreTheOnesTheCodeMakes() throws {
    let path = "Docs/SuiteFormat.md"
    var text = try String(contentsOfFile: Self.root + "/" + path, encoding: .utf8)
    for (name, table) in SuiteKeyTables.all where !["profileDefaults", "caseDefaults"].contains(name) {
      let mark = "<!-- keys: \(name) -->\n"
      let start = try #require(text.range(of: mark), "\(name) has no table")
      let end = try #require(text.range(of: "<!-- end -->", range: start.upperBound..<text.endIndex))
      text.replaceSubrange(start.upperBound..<end.lowerBound, with: table + "\n")
    }
    try golden(path, text)
  }

  @Test func theMeasuresOfGatesAreTheOnesTheCodeKnows() throws {
    let path = "Docs/Gates.md"
    var text = try String(contentsOfFile: Self.root + "/" + path, encoding: .utf8)
    let head = ["| measure | takes | better | against another | meaning |", "|---|---|---|---|---|"]
    let rows =
      head
      + MeasureRegistry.infos.map { info in
        let name = info.name == MeasureInfo.checkName ? "check.NAME" : info.name
        let unit = ["share": "0…1", "time": "time", "dollars": "dollars", "count": "count"][
          info.unit.rawValue]
        let pairing: String? =
          switch info.pairing {
          case .difference?: "difference"
          case .ratio?: "ratio"
          case nil: nil
          }
        return
          "| `\(name)` | \(info.takesLimit ? unit ?? "a second" : "—") | \(info.isLowerBetter ? "lower" : "higher") "
          + "| \(pairing ?? "—") | \(info.summary) |"
      }
    let start = try #require(text.range(of: "<!-- measures -->\n"))
    let end = try #require(text.range(of: "<!-- end -->", range: start.upperBound..<text.endIndex))
    text.replaceSubrange(start.upperBound..<end.lowerBound, with: rows.joined(separator: "\n") + "\n")
    try golden(path, text)
  }

  /// Every example of the description is read: whole suites as they are, parts within one, files where they are
  /// named.
  @Test func everyExampleIsReadWithoutAProblem() throws {
    let folder = NSTemporaryDirectory() + "suiteformat-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let text = try String(contentsOfFile: Self.root + "/Docs/SuiteFormat.md", encoding: .utf8)
    let blocks = Self.blocks(text)
    #expect(blocks.count >= 12)
    for block in blocks where block.info.hasSuffix(".jsonl") || block.info.hasSuffix(".csv") {
      let name = block.info.split(separator: " ").last.map(String.init) ?? ""
      try block.text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
    }
    let reader = SuiteReader(vocabulary: Self.vocabulary, allowsCommands: false, environment: [:])
    for block in blocks where block.info.hasPrefix("jsonc") {
      let suite = folder + "/suite.json"
      try Self.suite(block).write(toFile: suite, atomically: true, encoding: .utf8)
      do throws(Problems) {
        let read = try reader.read(path: suite)
        // Parts of a suite may leave out what only warns.
        if block.info == "jsonc" { #expect(read.findings.isEmpty, "line \(block.line)") }
        for index in read.cases.summaries.indices {
          let loaded = try? read.cases.load(index)
          #expect(loaded?.hash == read.cases.summaries[index].hash)
        }
      } catch {
        Issue.record("the example at line \(block.line): \(error.all)")
      }
    }
  }

  private struct Block {
    var info: String
    var text: String
    var line: Int
  }

  private static func blocks(_ text: String) -> [Block] {
    var blocks: [Block] = []
    var open: Block?
    for (number, line) in text.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("```"), let block = open {
        blocks.append(block)
        open = nil
      } else if line.hasPrefix("```") {
        open = Block(info: String(line.dropFirst(3)), text: "", line: number + 1)
      } else {
        open?.text += line + "\n"
      }
    }
    return blocks
  }

  private static func suite(_ block: Block) -> String {
    var parts = [
      "profile": #"{"endpoint": "http://127.0.0.1:1/v1", "model": "m", "price": "free"}"#,
      "case": #"{"input": "Hello"}"#, "checks": #"[{"contains": "x"}]"#, "run": "{}",
    ]
    let kind = String(block.info.dropFirst("jsonc ".count))
    guard parts[kind] != nil else { return block.text }
    parts[kind] = block.text
    return """
      {"version": 1, "profiles": {"m": \(parts["profile"]!)}, "cases": [\(parts["case"]!)],
       "checks": \(parts["checks"]!), "run": \(parts["run"]!)}
      """
  }
}
