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
