import EvalCore
import Foundation
import Testing

@testable import EvalGraders

/// Runs the examples of `Docs/Checks.md`, and holds its sections against the registry.
@Suite struct ChecksDocumentTests {
  private static let text: String = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return (try? String(contentsOf: root.appendingPathComponent("Docs/Checks.md"), encoding: .utf8)) ?? ""
  }()

  /// A JSON block with the table after it.
  struct Example: Sendable, CustomTestStringConvertible {
    var check: String
    var header: [String] = []
    var rows: [[String]] = []
    var testDescription: String { check }
  }

  static let examples: [Example] = {
    var examples: [Example] = []
    var block: [Substring]?
    var isJSON = false
    // Only a table of results belongs to the example before it.
    var isTable = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let finished = block {
          if isJSON { examples.append(Example(check: finished.joined(separator: "\n"))) }
          block = nil
        } else {
          block = []
          isJSON = line == "```json"
        }
      } else if block != nil {
        block?.append(line)
      } else if line.hasPrefix("|") {
        if line.hasSuffix("| result |") { isTable = true }
        if isTable, !examples.isEmpty { add(cells(line), to: &examples[examples.count - 1]) }
      } else {
        isTable = false
      }
    }
    return examples
  }()

  private static func add(_ cells: [String], to example: inout Example) {
    if example.header.isEmpty {
      example.header = cells
    } else if !cells.allSatisfy({ $0.allSatisfy { $0 == "-" } }) {
      example.rows.append(cells)
    }
  }

  private static func cells(_ line: Substring) -> [String] {
    line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map { cell in
      var text = cell.trimmed
      for fence in ["```` ", "`"] where text.hasPrefix(fence) {
        text = String(text.dropFirst(fence.count).dropLast(fence.count))
        break
      }
      return text.replacingOccurrences(of: "\\n", with: "\n")
    }
  }

  @Test(arguments: examples)
  func exampleIsTrue(_ example: Example) async throws {
    let check = try JSONValue.parse(example.check)
    let grader = try grader(check, allowsCommands: true)
    for row in example.rows {
      try #require(row.count == example.header.count, "\(row)")
      let cells = Dictionary(uniqueKeysWithValues: zip(example.header, row))
      let judgement = await grader.grade(try subject(cells)).judgement
      #expect(words(judgement, like: cells["result"] ?? "") == cells["result"], "\(example.check) on \(row)")
    }
  }

  private func subject(_ cells: [String: String]) throws -> Subject {
    func filled(_ key: String) -> String? { cells[key].flatMap { $0.isEmpty ? nil : $0 } }
    func time(_ key: String) -> Int64? {
      filled(key).flatMap { Int64($0.dropLast(3)) }.map { $0 * 1_000_000 }
    }
    let known = [
      "answer", "reference", "finish", "latency", "firstToken", "provenance", "cost", "calls", "refusal",
      "result", "earlier",
    ]
    #expect(Set(cells.keys).isSubset(of: known))
    return EvalGradersTests.subject(
      cells["answer"] ?? "", reference: try filled("reference").map { try JSONValue.parse($0) },
      toolCalls: try calls(filled("calls") ?? ""), finish: filled("finish").flatMap(Finish.init),
      refusal: filled("refusal"), provenance: filled("provenance").flatMap(Provenance.init) ?? .live,
      latency: time("latency"), firstToken: time("firstToken"),
      cost: Cost(dollars: filled("cost").flatMap(Double.init)),
      earlier: filled("earlier").map {
        [TurnAnswer(text: $0, reasoning: "", toolCalls: [], finish: .stop, refusal: nil)]
      } ?? [])
  }

  private func calls(_ text: String) throws -> [ToolCall] {
    try text.split(separator: ";").map { call in
      let parts = call.trimmed.split(separator: " ", maxSplits: 1)
      return ToolCall(id: nil, name: String(parts[0]), arguments: try JSONValue.parse(String(parts[1])))
    }
  }

  /// `pass`, `0.5 fail`, `0.571` or a reason, with a value where the document gives one.
  private func words(_ judgement: Judgement, like wanted: String) -> String {
    guard case .scored(let value, let passed) = judgement else { return judgement.word }
    let number = Quote.share(value)
    guard let passed else { return number }
    return wanted.contains(" ") ? "\(number) \(passed ? "pass" : "fail")" : passed ? "pass" : "fail"
  }

  @Test func everyCheckHasASectionWithItsOptionsAndExamples() throws {
    var sections: [(title: Substring, body: Substring)] = []
    for part in ChecksDocumentTests.text.components(separatedBy: "\n### ").dropFirst() {
      let whole = part[...]
      let end = whole.firstIndex(of: "\n") ?? whole.endIndex
      sections.append((whole[..<end], whole[end...]))
    }
    for descriptor in GraderRegistry.all {
      let section = try #require(
        sections.first { $0.title.contains("`\(descriptor.name)`") }, "\(descriptor.name) has no section")
      for option in descriptor.options {
        #expect(
          section.body.contains("`\(option.key)`"), "\(descriptor.name) does not describe \(option.key)")
      }
      let own = ChecksDocumentTests.examples.filter {
        (try? JSONValue.parse($0.check))?[descriptor.name] != nil
      }
      #expect(!own.isEmpty, "\(descriptor.name) has no example")
      if descriptor.name == "command" { continue }
      let results = own.flatMap(\.rows).compactMap(\.last)
      #expect(
        results.contains { $0.hasSuffix("pass") } && results.contains { $0.hasSuffix("fail") },
        "\(descriptor.name)")
    }
  }
}
