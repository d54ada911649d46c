import Foundation
import Testing

/// The recorded example of routes: what its reader is told.
@Suite struct MealPlannerTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Suites/meal-planner")

  private func run(_ more: [String]) async throws -> (result: Tool.Result, tool: Tool) {
    let tool = try Tool()
    let suite = Self.folder.appendingPathComponent("suite.json").standardizedFileURL.path
    let result = try await tool.run(
      [suite, "--pace", "instant", "--db", "runs.db", "--output", "out"] + more)
    return (result, tool)
  }

  @Test func `The naive route leaks and fails the run, the others do not`() async throws {
    let (result, tool) = try await run([])
    defer { tool.remove() }
    #expect(result.code == 1, "\(result.errors)")
    let file = try #require(tool.files().first { $0.key.hasSuffix("report.json") })
    let json = try #require(try JSONSerialization.jsonObject(with: file.value) as? [String: Any])
    let targets = try #require(json["targets"] as? [[String: Any]])
    var leaks: [String: [String]] = [:]
    for target in targets where target["kind"] as? String == "route" {
      let route = try #require(target["route"] as? [String: Any])
      let found = try #require(route["leaks"] as? [[String: Any]])
      leaks[try #require(target["name"] as? String)] = found.compactMap { $0["case"] as? String }
      let trials = try #require(target["trials"] as? [String: Any])
      #expect(trials["finished"] as? Int == 20 && trials["failed"] as? Int == 0)
    }
    #expect(leaks["careful"] == [] && leaks["cautious"] == [])
    #expect(leaks["naive"] == ["long-consented", "long-diary", "long-family", "long-no-consent"])
    #expect(result.errors.contains("LEAKS: 4 attempts"))
  }

  @Test func `What a recording cannot say is said, and nothing is ranked`() async throws {
    // The second repeat was not recorded: no side reaches the floor of coverage.
    let (_, tool) = try await run(["--repeats", "2", "--no-fail"])
    defer { tool.remove() }
    let half = try await tool.run(["route", "replay", "latest", "--db", "runs.db", "--no-fail"])
    #expect(half.code == 0 && half.output.contains("below the coverage floor"), "\(half.errors)")
    #expect(!half.output.contains("By quality, then cost"))
  }

  @Test func `A private run does not say how long answers were, and a policy that asks is refused`()
    async throws
  {
    let (_, tool) = try await run(["--private", "--no-fail"])
    defer { tool.remove() }
    let result = try await tool.run(["route", "replay", "latest", "--db", "runs.db"])
    #expect(
      result.code == 2 && result.output.isEmpty && result.errors.contains("'accept' reads 'characters'"))
  }

  @Test func `Leaks are counted for routes alone, by a gate too`() async throws {
    let (_, tool) = try await run(["--no-fail"])
    defer { tool.remove() }
    let all = try await tool.run(["gate", "latest", "--db", "runs.db", "--gate", "leaks = 0"])
    #expect(all.code == 1 && all.output.contains("naive") && !all.output.contains("on-device  "))
    let arm = try await tool.run([
      "gate", "latest", "--db", "runs.db", "--gate", "leaks = 0 for cloud", "--no-fail",
    ])
    #expect(arm.output.contains("a profile alone is not routed"))
  }

  @Test func `The routes that are careful pass, by themselves, without their arms as targets`() async throws {
    let (result, tool) = try await run(["--target", "careful", "--target", "cautious", "--strict"])
    defer { tool.remove() }
    #expect(result.code == 0, "\(result.errors)")
    let story = try await tool.run(["show", "latest", "long-diary", "--db", "runs.db"])
    #expect(story.output.contains("Blocked"))
    let words = story.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("thirdParty is beyond device, the limit for secret content"))
  }
}
