import Foundation
import Testing

/// The demo must work on a machine with neither key nor network; a change that asks its models something else has to
/// come with a new recording (`make record`).
@Suite(.timeLimit(.minutes(2))) struct QuickstartTests {
  private static let suites = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Suites")

  @Test(arguments: [
    ["quickstart.json"],
    // The suite that the recording was made with.
    ["local-models.json", "--replay", "quickstart.recording.jsonl", "--pace", "instant"],
  ]) func everyRequestIsAnsweredFromTheRecording(arguments: [String]) async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let places = arguments.map { argument in
      argument.contains(".json") ? Self.suites.appending(path: argument).path : argument
    }
    let result = try await tool.run(places + ["--max-errors", "1"])
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("48 of 48 trials finished"), "\(result.output.prefix(2000))")
    #expect(result.output.contains("Recorded, not live"))
    #expect(!result.output.contains("notRecorded") && !result.errors.contains("notRecorded"))
  }

  /// A report in the place of a pipe or a device would take it from everybody; one in the place of a link, its target.
  @Test func whatIsNoFileIsWrittenToAndNotReplaced() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let suite = Self.suites.appending(path: "quickstart.json").path
    #expect(try await tool.run([suite, "--limit", "2", "--no-reports", "-q"]).code == 0)
    let result = try await tool.shell(
      """
      touch real.md && ln -s real.md link.md && mkfifo pipe && { cat pipe >got & } && \
      evalrun report latest --format md -o link.md && evalrun report latest --format md -o pipe && \
      test -L link.md && test -s real.md && test -p pipe && wait && cmp got real.md
      """)
    #expect(result.code == 0, "\(result.errors)")
  }

  @Test func anotherSettingIsNotAnsweredByIt() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    let text = try String(contentsOf: Self.suites.appending(path: "quickstart.json"), encoding: .utf8)
    let cases = Self.suites.appending(path: "tasks.jsonl").path
    let recording = Self.suites.appending(path: "quickstart.recording.jsonl").path
    try tool.write(
      "s.json",
      text.replacing("\"temperature\": 0", with: "\"temperature\": 0.5").replacing("tasks.jsonl", with: cases)
        .replacing("quickstart.recording.jsonl", with: recording))
    let result = try await tool.run(["s.json", "--limit", "3"])
    #expect(result.code == 4, "\(result.errors)")
    let shown = try await tool.run(["show", "latest"])
    #expect(shown.output.contains("notRecorded") || result.output.contains("notRecorded"), "\(shown)")
  }
}
