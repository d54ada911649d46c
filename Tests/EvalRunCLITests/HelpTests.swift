import EvalRunCLI
import Foundation
import Testing

@Suite struct HelpTests {
  @Test func `Docs/CommandReference.md is what the table says`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appendingPathComponent("Docs/CommandReference.md")
    let expected = Help(CommandTable.all).reference
    if ProcessInfo.processInfo.environment["EVALRUN_GOLDEN"] == "record" {
      try Data(expected.utf8).write(to: file)
      Issue.record("recorded Docs/CommandReference.md; run again without EVALRUN_GOLDEN")
      return
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == expected, "record with EVALRUN_GOLDEN=record")
  }

  @Test func `Every option is described, names are unique, and every page fits a wide terminal`() {
    for command in CommandTable.all {
      #expect(!command.summary.isEmpty)
      #expect(Set(command.options.map(\.name)).count == command.options.count)
      for line in Help(CommandTable.all).page(for: command).split(separator: "\n") {
        #expect(line.count <= 130, "\(line)")
      }
      for option in command.options { #expect(option.help.hasSuffix(".") || option.help.hasSuffix("given.")) }
    }
  }

  @Test func `--version and --help of every command work`() async throws {
    let tool = try Tool()
    defer { tool.remove() }
    #expect(try await tool.run(["--version"]).output == "evalrun \(evalrunVersion)\n")
    for command in CommandTable.all {
      let result = try await tool.run(command.name.split(separator: " ").map(String.init) + ["--help"])
      #expect(result.code == 0 && result.output.hasPrefix(command.summary))
    }
    #expect(try await tool.run(["--help"]).output.contains("exit codes:"))
  }
}
