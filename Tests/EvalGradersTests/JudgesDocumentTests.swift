import EvalCore
import Foundation
import Testing

@testable import EvalGraders

/// Holds `Docs/Judges.md` against the words that judges get.
@Suite struct JudgesDocumentTests {
  private static let page: String = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return (try? String(contentsOf: root.appendingPathComponent("Docs/Judges.md"), encoding: .utf8)) ?? ""
  }()

  @Test func thePageShowsTheWordsAndTheirVersion() {
    #expect(Self.page.contains("```text\n\(JudgePrompt.instructions)\n```"))
    #expect(Self.page.contains("```text\n\(JudgePrompt.comparing)\n```"))
    #expect(Self.page.contains("```text\n\(JudgePrompt.repair)\n```"))
    #expect(Self.page.contains("The system text, version \(JudgePrompt.version):"))
  }

  /// Changing a word without a new version would give two wordings one name.
  @Test func aNewWordingIsANewVersion() {
    let known = [1: "ce0dc5905a23"]
    #expect(known[JudgePrompt.version] == JudgePrompt.hash.short)
  }
}
