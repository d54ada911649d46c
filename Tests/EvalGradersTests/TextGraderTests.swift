import EvalCore
import Testing

@testable import EvalGraders

@Suite struct TextGraderTests {
  @Test(arguments: [
    Row(["exact": "Paris"], "Paris", "pass"),
    Row(["exact": "Paris"], " Paris\n", "pass"),
    Row(["exact": "Paris", "trim": false], " Paris\n", "fail"),
    Row(["exact": "Paris"], "paris", "fail"),
    Row(["exact": "Paris", "ignoreCase": true], "pARIS", "pass"),
    Row(["exact": "STRASSE", "ignoreCase": true], "strasse", "pass"),
    Row(["exact": "a b"], "a  b", "fail"),
    Row(["exact": "a b", "normalizeWhitespace": true], "a \n\t b ", "pass"),
    Row(["exact": "a b", "normalizeWhitespace": true, "trim": false], " a b", "fail"),
    Row(["exact": ["yes", "yeah"]], "yeah", "pass"),
    Row(["exact": ["yes", "yeah"]], "no", "fail"),
    Row(["exact": "é"], "e\u{301}", "pass"),
    Row(["exact": ""], "  ", "pass"),
    Row(["exact": 42], "42", "pass"),
    Row(["exact": 1.5], "1.5", "pass"),
    Row(["exact": false], "false", "pass"),
    Row(["exact": true], "Paris", "pass", reference: "Paris"),
    Row(["exact": .null], "Rome", "fail", reference: "Paris"),
    Row(["exact": true], "Rome", "pass", reference: ["Paris", "Rome"]),
    Row(["exact": true], "7", "pass", reference: 7),
    Row(["exact": true], "Paris", "notApplicable"),
    Row(["exact": true], "Paris", "notApplicable", reference: ["a": 1]),
  ])
  func exact(_ row: Row) async throws { try await row.verify() }

  @Test(arguments: [
    Row(["contains": "Paris"], "It is Paris.", "pass"),
    Row(["contains": "paris"], "It is Paris.", "fail"),
    Row(["contains": "paris", "ignoreCase": true], "It is PARIS.", "pass"),
    Row(["contains": ["Paris", "Seine"]], "Paris on the Seine", "pass"),
    Row(["contains": ["Paris", "Seine"]], "Paris", "fail"),
    Row(["contains": ["Paris", "Seine"], "mode": "any"], "the Seine", "pass"),
    Row(["contains": ["Paris", "Seine"], "mode": "any"], "Rome", "fail"),
    Row(["contains": ["Paris", "Seine"], "mode": "none"], "Rome", "pass"),
    Row(["contains": ["Paris", "Seine"], "mode": "none"], "Paris", "fail"),
    Row(["contains": ["a", "b", "c"], "threshold": 0.6], "a b", "pass"),
    Row(["contains": ["a", "b", "c"], "threshold": 0.7], "a b", "fail"),
    Row(["contains": "café"], "un cafe\u{301} noir", "pass"),
    Row(["contains": "cafe"], "un cafe\u{301} noir", "fail"),
    Row(["contains": "日本"], "東京は日本の首都", "pass"),
    Row(["contains": "👩"], "👩‍👩‍👧", "fail"),
    Row(["contains": "\n"], "a\r\nb", "pass"),
    Row(["contains": "\u{212A}"], "K", "pass"),
    Row(["contains": "don’t"], "I don’t know — “really”", "pass"),
    Row(["contains": true], "the Seine", "pass", reference: "Seine"),
    Row(["contains": "x"], "", "fail"),
  ])
  func contains(_ row: Row) async throws { try await row.verify() }

  @Test(arguments: [
    Row(["startsWith": "Yes"], "  Yes, it is", "pass"),
    Row(["startsWith": "Yes", "trim": false], "  Yes, it is", "fail"),
    Row(["startsWith": "yes", "ignoreCase": true], "YES", "pass"),
    Row(["startsWith": ["No", "Yes"]], "Yes", "pass"),
    Row(["startsWith": "Yes"], "Ye", "fail"),
    Row(["endsWith": "."], "Done.\n", "pass"),
    Row(["endsWith": [".", "!"]], "Done!", "pass"),
    Row(["endsWith": "."], "Done", "fail"),
    Row(["endsWith": "é"], "cafe\u{301}", "pass"),
  ])
  func affixes(_ row: Row) async throws { try await row.verify() }

  @Test func partialContainsHasAShareAsValue() async throws {
    let share = try await verdict(["contains": ["a", "b", "c", "d"], "threshold": 0.5], "a b c")
    #expect(share.judgement == .scored(value: 0.75, passed: true))
  }

  @Test func explanationsAreShortAndOnOneLine() async throws {
    let long = String(repeating: "word\n", count: 1000)
    let explanation = try #require(try await verdict(["contains": "Paris"], long).explanation)
    #expect(explanation.count < 200)
    #expect(!explanation.contains("\n"))
    #expect(explanation.hasPrefix("'Paris' is not in 'word word"))
  }

  @Test(arguments: ["", "ABCdef", "ÄÖÜ ẞ İ Σ", "“ЖЁ” — É", "😀 Ǆ Ⅷ", "e\u{301}E\u{301}", "日本A"])
  func foldingIsLowercasing(_ text: String) {
    #expect(Array(text.folded.unicodeScalars) == Array(text.lowercased().unicodeScalars))
  }

  @Test func shorteningKeepsWhatFits() {
    #expect(Quote.shortened(String(repeating: "é", count: 120)) == String(repeating: "é", count: 120))
    #expect(Quote.shortened(String(repeating: "é", count: 121)) == String(repeating: "é", count: 119) + "…")
    #expect(Quote.shortened("a\u{2028}b\u{85}c\u{1B}[0m") == "a b c [0m")
    #expect(Quote.shortened("") == "")
  }

  @Test func wrongSettingsAreProblems() throws {
    #expect(try problem(["exact": ["a": 1]]).advice == "compare objects with 'jsonEquals' or 'fields'")
    #expect(try problem(["exact": []]).path == "exact")
    #expect(try problem(["exact": "a", "trim": "yes"]).path == "trim")
    #expect(try problem(["exact": "a", "threshold": 0.5]).path == "threshold")
    #expect(try problem(["contains": "a", "mode": "al"]).advice == "did you mean 'all'?")
    #expect(try problem(["contains": "a", "mode": "any", "threshold": 0.5]).path == "threshold")
    #expect(try problem(["startsWith": true]).path == "startsWith")
    #expect(try problem(["contains": "a", "ignorCase": true]).advice == "did you mean 'ignoreCase'?")
  }
}
