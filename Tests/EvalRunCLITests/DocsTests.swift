import EvalCore
import EvalGraders
import EvalProviders
import EvalSuites
import Foundation
import Testing

/// Pages that lead nowhere, and promises that nothing holds.
@Suite struct DocsTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let pages = ["README.md", "Benchmarks/README.md"] + docs

  private static var docs: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path + "/Docs")) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted().map { "Docs/" + $0 }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  private static func all(_ pattern: String, in text: String) throws -> [String] {
    let expression = try NSRegularExpression(pattern: pattern, options: [.anchorsMatchLines])
    let whole = NSRange(text.startIndex..., in: text)
    return expression.matches(in: text, range: whole).compactMap {
      Range($0.range(at: 1), in: text).map { String(text[$0]) }
    }
  }

  /// As GitHub makes them from headings.
  private static func anchors(of page: String) throws -> Set<String> {
    let headings = try all("^#+ (.*)$", in: text(page))
    return Set(
      headings.map { heading in
        String(heading.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) })
          .replacingOccurrences(of: " ", with: "-")
      })
  }

  @Test(arguments: pages) func everyLinkLeadsSomewhere(page: String) throws {
    let folder = Self.root.appendingPathComponent(page).deletingLastPathComponent()
    for link in try Self.all(#"\]\(([^)\s]+)\)"#, in: Self.text(page)) where !link.hasPrefix("http") {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      var target = page
      if !parts[0].isEmpty {
        let file = folder.appendingPathComponent(parts[0]).standardized
        #expect(FileManager.default.fileExists(atPath: file.path), "\(link)")
        target = String(file.path.dropFirst(Self.root.path.count + 1))
      }
      if parts.count == 2 { #expect(try Self.anchors(of: target).contains(parts[1]), "\(link)") }
    }
  }

  @Test(arguments: pages) func everyTargetOfMakeIsThere(page: String) throws {
    let makefile = try Self.text("Makefile")
    for target in try Self.all(#"(?:^|`)make ([a-z][a-z-]*)"#, in: Self.text(page)) {
      #expect(makefile.contains("\n\(target): ") || makefile.contains("\n\(target):\n"), "make \(target)")
    }
  }

  @Test func everyFindingIsExplained() throws {
    let page = try Self.text("Docs/Metrics.md")
    let sources =
      FileManager.default.enumerator(atPath: Self.root.path + "/Sources")?.allObjects as? [String] ?? []
    var codes: Set<String> = []
    for path in sources where path.hasSuffix(".swift") {
      let text = try Self.text("Sources/" + path)
      codes.formUnion(try Self.all(#"Finding\(\s*code: (?:\w+ \? )?"([a-z0-9-]+)""#, in: text))
      codes.formUnion(try Self.all(#"Finding\(\s*code: \w+ \? "[a-z0-9-]+" : "([a-z0-9-]+)""#, in: text))
    }
    #expect(codes.count >= 20)
    for code in codes.sorted() { #expect(page.contains("`\(code)`"), "\(code)") }
  }

  /// `File: test` on the page is a test in that file.
  @Test func everyPitfallIsHeldByATestThatIsThere() throws {
    let tests =
      FileManager.default.enumerator(atPath: Self.root.path + "/Tests")?.allObjects as? [String] ?? []
    var files: [String: String] = [:]
    for path in tests where path.hasSuffix("Tests.swift") {
      let name = String(path.split(separator: "/").last?.dropLast(".swift".count) ?? "")
      files[name, default: ""] += try Self.text("Tests/" + path)
    }
    let page = try Self.text("Docs/Pitfalls.md")
    let rows = page.split(separator: "\n").filter {
      $0.hasPrefix("| ") && !$0.hasPrefix("| #") && !$0.contains("| held by |")
    }
    #expect(rows.count >= 60)
    for row in rows {
      let promises = try Self.all(#"`(\w+Tests: [^`]+)`"#, in: String(row))
      #expect(!promises.isEmpty, "\(row)")
      for promise in promises {
        let parts = promise.split(separator: ":", maxSplits: 1).map {
          $0.trimmingCharacters(in: .whitespaces)
        }
        let text = files[parts[0]] ?? ""
        #expect(text.contains("func \(parts[1])(") || text.contains("func `\(parts[1])`("), "\(promise)")
      }
    }
  }

  @Test func theSuiteOfTheReadmeIsRight() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("readme-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let readme = try Self.text("README.md")
    let start = try #require(readme.range(of: "```jsonc\n")).upperBound
    let end = try #require(readme.range(of: "```", range: start..<readme.endIndex)).lowerBound
    let suite = folder.appendingPathComponent("suite.json")
    try String(readme[start..<end]).write(to: suite, atomically: true, encoding: .utf8)
    let more = #"{"id": "spain", "input": "The capital of Spain?", "checks": [{"contains": "Madrid"}]}"#
    try more.write(to: folder.appendingPathComponent("more-cases.jsonl"), atomically: true, encoding: .utf8)
    let vocabulary = SuiteVocabulary(
      providers: ProviderRegistry.all, graders: GraderRegistry.all,
      needsReference: GraderRegistry.needsReference)
    let read = try SuiteReader(vocabulary: vocabulary, allowsCommands: false, environment: [:]).read(
      path: suite.path)
    #expect(read.findings.isEmpty && read.cases.summaries.count == 2)
  }
}
