import EvalCore
import Foundation
import Testing

@testable import EvalProviders

/// Each dialect's section of `Docs/Providers.md` names its servers and options as the code has them.
struct DialectDocumentTests {
  /// The lines from the dialect's heading to the next.
  private func section(_ name: String) throws -> [String] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Docs/Providers.md")
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("### `\(name)`") }, "no section for \(name)")
    return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("#") })
  }

  @Test(arguments: ["gemini", "ollama"])
  func serversAndOptions(name: String) throws {
    let lines = try section(name)
    let dialect = try #require(
      ([Gemini(), Ollama()] as [any Dialect]).first { $0.descriptor.name == name })
    for traits in dialect.servers {
      let row = try #require(lines.first { $0.hasPrefix("| `\(traits.name)` |") }, "\(traits.name)")
      #expect(row.contains(traits.defaultEndpoint.map { "| `\($0)` |" } ?? "| –"), "\(row)")
      for port in traits.localPorts { #expect(row.contains("local port \(port)")) }
      if let variable = traits.keyVariable { #expect(row.contains("`\(variable)`"), "\(row)") }
      if case .header(let header) = traits.keyStyle { #expect(row.contains("`\(header)`"), "\(row)") }
    }
    for option in dialect.descriptor.options {
      #expect(lines.contains { $0.hasPrefix("| `\(option.key)` |") }, "\(option.key)")
    }
  }
}
