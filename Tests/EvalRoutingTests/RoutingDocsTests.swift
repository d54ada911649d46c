import EvalCore
import Foundation
import Testing

@testable import EvalRouting

/// Holds `Docs/Routing.md` against the code.
struct RoutingDocsTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Docs/Routing.md")

  @Test func theTablesAreTheOnesTheCodeMakes() throws {
    let written = try String(contentsOf: Self.file, encoding: .utf8)
    var text = written
    for (name, table) in RoutingTables.all {
      let mark = "<!-- table: \(name) -->"
      let start = try #require(text.range(of: mark), "\(name) has no place")
      let end = try #require(text.range(of: "<!-- end -->", range: start.upperBound..<text.endIndex))
      let isBlock = table.contains("\n")
      text.replaceSubrange(start.upperBound..<end.lowerBound, with: isBlock ? "\n\(table)" : table)
    }
    if ProcessInfo.processInfo.environment["EVALRUN_GOLDEN"] == "record", text != written {
      try Data(text.utf8).write(to: Self.file)
      Issue.record("recorded Docs/Routing.md; run again without EVALRUN_GOLDEN")
      return
    }
    #expect(text == written, "record with EVALRUN_GOLDEN=record")
  }

  @Test func everyPolicyAndProbeOfThePageIsRight() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    var policy: RoutePolicy?
    var probes = 0
    for block in text.components(separatedBy: "\n```").dropFirst() {
      if block.hasPrefix("jsonc\n") {
        let source = SourceText(name: "Routing.md", bytes: Array(block.dropFirst(6).utf8))
        let found = PolicyReader().read(source)
        #expect(found.problems.isEmpty, "\(found.problems)")
        policy = found.policy
      } else if block.hasPrefix("json\n"), block.contains("\"signals\": {\"sensitivity\"") {
        let policy = try #require(policy)
        let found = ProbeReader(policy).read(
          SourceText(name: "Routing.md", bytes: Array(block.dropFirst(5).utf8)))
        #expect(found.problems.isEmpty, "\(found.problems)")
        for probe in found.probes { #expect(ProbeRun(policy).result(of: probe).misses.isEmpty) }
        probes += found.probes.count
      }
    }
    #expect(policy != nil && probes == 1)
  }

  @Test func everySignalHasAPlaceInACaseOrIsFoundOut() {
    let stated: Set<String> = Set(SignalRegistry.vocabulary.map(\.name))
    #expect(stated.count == SignalRegistry.vocabulary.count)
    #expect(Set(SignalRegistry.all.map(\.name)).count == SignalRegistry.all.count)
    for descriptor in SignalRegistry.vocabulary { #expect(descriptor.fault(.object(["nonsense": 1])) != nil) }
  }
}
