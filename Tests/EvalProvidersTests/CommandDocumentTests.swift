import EvalCore
import Foundation
import Testing

@testable import EvalProviders

/// `Docs/CommandProvider.md` says what the code does.
@Suite struct CommandDocumentTests {
  private let text: String

  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    text = try String(contentsOf: root.appending(path: "Docs/CommandProvider.md"), encoding: .utf8)
  }

  /// The words in back quotes in the first cells of a section's table.
  private func firstCells(_ heading: String) throws -> [String] {
    let start = try #require(text.range(of: "## \(heading)\n"))
    let section = text[start.upperBound...].components(separatedBy: "\n## ")[0]
    return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { line in
      line.split(separator: "|")[0].split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map {
        String($0.element)
      }
    }
  }

  @Test func everyOptionAndMember() throws {
    #expect(try firstCells("Options") == CommandOptions.specs.map(\.key))
    #expect(Set(try firstCells("The events")) == Set(CommandEvents.members))
    let full = call(
      Profile(name: "p", provider: "command", model: "m"), instructions: "x"
    )
    let members = try firstCells("The request")
    for key in CommandRequest.object(full).keys { #expect(members.contains(key), "\(key)") }
    for name in CommandOptions.variables(of: full.profile, instructions: nil, prompt: "").keys {
      #expect(text.contains("`{{\(name)}}`"), "\(name)")
    }
  }

  @Test func theExampleOfARequestIsOne() throws {
    let profile = Profile(name: "p", provider: "command", model: "")
    let line = JSONValue.object(CommandRequest.object(call(profile))).serialized(.compact)
    #expect(text.contains("\n\(line)\n"), "\(line)")
  }

  @Test func theExampleOfEventsIsAnAnswer() throws {
    let start = try #require(text.range(of: "```\n{\"model\": \"echo-1\"}"))
    let block = text[text.index(start.lowerBound, offsetBy: 4)...].components(separatedBy: "```")[0]
    var reading = CommandReading(output: .events, isStream: true)
    Array(block.utf8).withUnsafeBytes { _ = reading.body($0, at: 1, readSequence: 0) }
    let reply = CommandReply(end: .complete).reply(from: reading)
    #expect(reply.outcome == .ok && reply.text == "Hello there" && reply.notes.isEmpty)
    #expect(reply.usage == Usage(input: 2, output: 2) && reply.servedModel == "echo-1")
  }
}
