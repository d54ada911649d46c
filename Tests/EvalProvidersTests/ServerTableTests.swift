import EvalCore
import Foundation
import Testing

@testable import EvalProviders

/// The tables of `Docs/Providers.md` for Responses and Anthropic Messages say what the code does.
struct ServerTableTests {
  /// The rows of a section, by the server in their first cell.
  private static func table(_ section: String) -> [String: [String]] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Docs/Providers.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let parts = text.components(separatedBy: "\n### ")
    let part = parts.first { $0.hasPrefix(section) }?.components(separatedBy: "\n## ")[0] ?? ""
    let lines = part.split(separator: "\n")
    let rows = lines.filter { $0.hasPrefix("| `") && !$0.hasPrefix("| `server`") }.map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    return Dictionary(rows.map { ($0[0], $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static let responses = table("`openai-responses`")
  private static let anthropic = table("`anthropic`")

  private func code(_ text: String?) -> String { text.map { "`\($0)`" } ?? "–" }

  private func choices(_ traits: ServerTraits) -> String {
    switch traits.toolChoices {
    case [.auto]: "`auto` only"
    case [.auto, .required]: "`auto`, `required`"
    case [.auto, .none, .required]: "all but a named tool"
    default: "all"
    }
  }

  private func compareCommon(_ row: [String], _ traits: ServerTraits) {
    #expect(row[1] == code(traits.defaultEndpoint))
    for port in traits.localPorts { #expect(row[2] == "local port \(port)") }
    #expect(traits.hosts.isEmpty || row[2].contains("host"))
    var key = code(traits.keyVariable)
    if case .header(let name) = traits.keyStyle { key += ", header `\(name)`" }
    #expect(row[3] == key)
  }

  @Test func allRowsAreServers() {
    #expect(Set(Self.responses.keys) == Set(OpenAIResponses.knownServers.map { "`\($0.name)`" }))
    #expect(Set(Self.anthropic.keys) == Set(Anthropic.knownServers.map { "`\($0.name)`" }))
  }

  @Test(arguments: OpenAIResponses.knownServers)
  func responses(traits: ServerTraits) throws {
    let row = try #require(Self.responses["`\(traits.name)`"])
    try #require(row.count == 8)
    compareCommon(row, traits)
    #expect(row[4] == (traits.takesChatSchema ? "`response_format`" : "`text.format`"))
    #expect(row[5] == (traits.encryptsReasoning ? "yes" : "no"))
    #expect(row[6] == choices(traits))
    let limits = [
      traits.leastOutputTokens.map { "at least \($0) tokens" },
      traits.highestTemperature.map { "temperature to \(Int($0))" },
    ]
    #expect(row[7] == limits.compactMap(\.self).joined(separator: "; "))
  }

  @Test(arguments: Anthropic.knownServers)
  func anthropic(traits: ServerTraits) throws {
    let row = try #require(Self.anthropic["`\(traits.name)`"])
    try #require(row.count == 7)
    compareCommon(row, traits)
    let level =
      switch traits.thinking {
      case .adaptive: "adaptive thinking with `output_config.effort`"
      case .effort: "`output_config.effort`"
      case .budget: "a thinking budget"
      }
    #expect(row[4] == level)
    #expect(row[5] == choices(traits))
    #expect(row[6].contains("a schema is refused") == traits.ignores.contains(.responseSchema))
    #expect(row[6].contains("temperature to 1") == (traits.highestTemperature == 1))
    #expect(row[6].contains("Anthropic's rules") == traits.hasAnthropicRules)
  }
}
