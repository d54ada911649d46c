import EvalCore
import Testing

@testable import EvalGraders

@Suite struct RegexGraderTests {
  @Test(arguments: [
    Row(["regex": "\\b\\d{4}-\\d{2}-\\d{2}\\b"], "on 2024-05-01.", "pass"),
    Row(["regex": "^\\d+$"], "12a", "fail"),
    Row(["regex": "paris"], "Paris", "fail"),
    Row(["regex": "paris", "flags": "i"], "Paris", "pass"),
    Row(["regex": "^b", "flags": "m"], "a\nb", "pass"),
    Row(["regex": "a.b"], "a\nb", "fail"),
    Row(["regex": "a.b", "flags": "s"], "a\nb", "pass"),
    Row(["regex": "a b # both", "flags": "x"], "ab", "pass"),
    Row(["regex": "^\\w+$"], "Größe", "pass"),
    Row(["regex": "answer: (\\d+)", "capture": 1, "equals": "42"], "answer: 42", "pass"),
    Row(["regex": "answer: (\\d+)", "capture": 1, "equals": 42], "answer: 42", "pass"),
    Row(["regex": "answer: (\\d+)", "capture": 1, "equals": "42"], "answer: 41", "fail"),
    Row(
      ["regex": "(?<city>[A-Z]\\w+)", "capture": "city", "equals": ["Rome", "Paris"]], "in Paris", "pass"),
    Row(["regex": "[a-z]+", "equals": "PARIS", "ignoreCase": true], "paris", "pass"),
    Row(["regex": "(a)|b", "capture": 1, "equals": "a"], "b", "fail"),
    Row(["regex": "(\\w+)$", "capture": 1, "equals": true], "it is Paris", "pass", reference: "Paris"),
    Row(["regex": "x*"], "", "pass"),
    Row(["regex": "^$"], "", "pass"),
  ])
  func regex(_ row: Row) async throws { try await row.verify() }

  /// Patterns that PCRE2's own match limit does not end, for it counts per starting place.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      ("(a+)+$", String(repeating: "a", count: 40) + "!"),
      ("(?:a|a)+[bc]", String(repeating: String(repeating: "a", count: 24) + "!", count: 400)),
      ("(?:a+)+[bc]", String(repeating: String(repeating: "a", count: 24) + "!", count: 400)),
      ("(a*)(a*)(a*)x?[bc]", String(repeating: "a", count: 8000)),
      ("^(([a-z])+.)+[A-Z]([a-z])+$", String(repeating: "a", count: 5000)),
    ])
  func anExpensivePatternIsUnscoredSoon(_ pattern: String, _ text: String) async throws {
    let judged = try await verdict(["regex": .string(pattern)], text)
    #expect(judged.judgement.word == "graderFailed", "\(pattern)")
    let negated = try await verdict(["not": ["regex": .string(pattern)]], text)
    #expect(negated.judgement.word == "graderFailed", "an error negated is still an error")
  }

  @Test func aPatternThatNeedsStackGetsIt() async throws {
    let text = String(repeating: "line of text\n", count: 5000) + "end"
    #expect(try await verdict(["regex": "^(.|\\n)*end$"], text).judgement.word == "pass")
  }

  @Test func wrongPatternsAreProblemsWithAPlace() throws {
    let open = try problem(["regex": "ab(cd"])
    #expect(open.path == "regex")
    #expect(open.message.contains("at character 5"))
    #expect(try problem(["regex": "é)x"]).message.contains("at character 1"))
    #expect(try problem(["regex": "a\\Cb"]).message.contains("\\C"))
    #expect(try problem(["regex": ""]).path == "regex")
    #expect(try problem(["regex": "a", "flags": "g"]).path == "flags")
    #expect(try problem(["regex": "a", "capture": 1, "equals": "a"]).path == "capture")
    #expect(try problem(["regex": "a", "capture": "x", "equals": "a"]).path == "capture")
    #expect(try problem(["regex": "(a)", "capture": 1]).path == "capture")
    #expect(
      try problem(["regex": "a", "ignoreCase": true]).advice
        == "write \"flags\": \"i\" to let the pattern ignore case")
  }

  @Test func matchesDoNotOverlapAndEmptyOnesAdvance() throws {
    let words = try Pattern("\\w*")
    #expect(words.matches(in: "ab é")?.map { $0.groups[0] } == ["ab", "", "é", ""])
    #expect(try Pattern("aa").matches(in: "aaaaa")?.count == 2)
  }
}
