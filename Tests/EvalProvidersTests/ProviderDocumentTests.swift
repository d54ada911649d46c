import EvalCore
import Foundation
import Testing

@testable import EvalProviders

/// `Docs/Providers.md` says what the code does.
struct ProviderDocumentTests {
  private static let document: [[String]] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Docs/Providers.md")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
  }()

  private func tableRow(_ name: String) -> [String]? { Self.document.first { $0[0] == "`\(name)`" } }

  @Test(arguments: OpenAIChat.knownServers)
  func serverTable(traits: ServerTraits) throws {
    let row = try #require(tableRow(traits.name), "\(traits.name) is not in the table")
    try #require(row.count == 9)
    func code(_ text: String?) -> String { text.map { "`\($0)`" } ?? "–" }
    #expect(row[1] == code(traits.defaultEndpoint))
    #expect(row[3].hasPrefix(code(traits.keyVariable)))
    if case .header(let header) = traits.keyStyle { #expect(row[3].contains("`\(header)`")) }
    #expect(row[4] == code(traits.limitField))
    #expect(row[5] == code(traits.seedField))
    #expect(row[7] == (traits.asksForUsage ? "asked for" : "always comes"))
    for port in traits.localPorts { #expect(row[2] == "local port \(port)") }
    #expect(traits.hosts.isEmpty || row[2].contains("host"))
    #expect(row[8].contains("not counted") == traits.zeroInputIsAbsent)
  }

  @Test(arguments: [OpenAIChat(), OpenAIResponses(), Anthropic(), Gemini(), Ollama()] as [any Dialect])
  func countingTable(dialect: any Dialect) throws {
    let provider = dialect.descriptor.name
    let rows = Self.document.filter { $0.count == 4 && $0[0] == "`\(provider)`" }
    for traits in dialect.servers {
      let row = rows.first { $0[1].contains("`\(traits.name)`") }
      guard let row else {
        #expect(
          traits.counts.isEmpty && traits.windows.isEmpty && traits.contextSizes.isEmpty, "\(traits.name)")
        continue
      }
      #expect(traits.counts.isEmpty == (row[2] == "–"), "\(traits.name)")
      for recipe in traits.counts { #expect(row[2].contains(recipe.path.text), "\(traits.name)") }
      let silent = traits.windows.isEmpty && traits.contextSizes.isEmpty
      #expect(silent == (row[3] == "–"), "\(traits.name)")
      for recipe in traits.windows {
        switch recipe {
        case .member(let path): #expect(row[3].contains(path.joined(separator: ".")), "\(traits.name)")
        case .get(let path), .post(let path, _): #expect(row[3].contains(path.text), "\(traits.name)")
        }
      }
    }
  }

  @Test(arguments: ErrorClass.allCases)
  func errorTable(kind: ErrorClass) throws {
    let row = try #require(Self.document.first { $0[0].contains("`\(kind.rawValue)`") }, "\(kind) is missing")
    if row[0].contains(",") {
      #expect(row[2].contains("all but `totalTimeout`") && kind.isRetryable == (kind != .totalTimeout))
    } else {
      #expect(row[2] == (kind.isRetryable ? "yes" : "no"), "\(kind)")
    }
  }

  @Test func applesNames() throws {
    let start = try #require(Self.document.firstIndex { $0[0].hasPrefix("`LanguageModelError`") })
    let names: [(String, ErrorClass)] = [
      ("contextSizeExceeded", .contextSizeExceeded), ("exceededContextWindowSize", .contextSizeExceeded),
      ("rateLimited", .rateLimited), ("guardrailViolation", .contentFiltered), ("refusal", .refusal),
      ("unsupportedCapability", .unsupportedCapability), ("unsupportedGuide", .unsupportedCapability),
      ("unsupportedGenerationGuide", .unsupportedCapability), ("timeout", .serverTimeout),
      ("unsupportedLanguageOrLocale", .unsupportedCapability), ("assetsUnavailable", .unavailable),
      ("unsupportedTranscriptContent", .unsupportedCapability), ("deviceNotEligible", .unavailable),
      ("appleIntelligenceNotEnabled", .unavailable), ("modelNotReady", .unavailable),
      ("systemNotReady", .unavailable), ("quotaLimitReached", .quotaExceeded),
      ("serviceUnavailable", .overloaded), ("networkFailure", .network),
      ("concurrentRequests", .invalidRequest),
      ("transcriptMutationWhileResponding", .invalidRequest), ("ParsingError", .malformedResponse),
      ("decodingFailure", .malformedResponse),
    ]
    let table = Self.document[start...].map { $0.joined(separator: " ") }
    for (name, kind) in names {
      #expect(ErrorWords.errorClass(of: name) == kind, "\(name)")
      #expect(
        table.contains { $0.contains(name) && $0.contains("`\(kind.rawValue)`") },
        "\(name) is not in the docs")
    }
    #expect(ErrorWords.errorClass(of: "somethingNew") == nil)
  }
}

extension SidePath {
  /// As the table of counting writes it.
  fileprivate var text: String {
    switch self {
    case .belowCall(let path), .belowBase(let path), .besideCall(let path), .root(let path): "`\(path)`"
    case .method(let name): name.map { "`:\($0)`" } ?? "the model's"
    }
  }
}
