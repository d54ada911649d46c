import EvalCore
import Testing

@testable import EvalGraders

@Suite struct ChoiceGraderTests {
  @Test(
    arguments: [
      ("B", "B"), ("b", "B"), ("(B)", "B"), ("**B**", "B"), ("\"B\".", "B"), ("B.", "B"), ("$B$", "B"),
      ("Answer: B", "B"), ("Answer: B.", "B"), ("**Answer:** (B)", "B"), ("**Answer: B**", "B"),
      ("answer: b", "B"),
      ("The answer is B.", "B"), ("The correct answer is (C) because A is wrong.", "C"), ("GRADE: C", "C"),
      ("The correct option is D", "D"), ("The answer is option B, Paris.", "B"), ("\\boxed{B}", "B"),
      ("So $\\boxed{\\text{C}}$.", "C"), ("B. Paris", "B"), ("B) Paris", "B"),
      ("(B) Paris is right; A and C are not.", "B"),
      ("B: because A is wrong", "B"), ("B - Paris", "B"), ("B\nBecause A is too small.", "B"),
      ("A) Paris\nB) Rome\n\nThe answer is B.", "B"), ("Let me think about A and C first.\n\nC", "C"),
      ("I think it must be C", "C"), ("A good guess would be D", "D"), ("A is right", "A"),
      ("It is not A, so C", "C"),
      ("GRADE: CI", nil), ("I am not sure", nil), ("C++ and C# are languages", nil), ("vitamin C-rich", nil),
      ("", nil),
      ("Answer: A. No, answer: B.", "A/B"), ("A or B", "A/B"), ("A) Paris\nB) Rome", "A/B"),
      ("(A) is wrong. (B) is right.", "A/B"), ("Banana", nil), ("option_B", nil),
      ("The answer is a city", nil),
    ] as [(String, String?)])
  func readsLetters(_ answer: String, _ expected: String?) throws {
    let reader = try ChoiceReader(options: ["A", "B", "C", "D", "E", "F", "G", "H"])
    switch reader.read(answer) {
    case .option(let option): #expect(option == expected)
    case .ambiguous(let options): #expect(options.joined(separator: "/") == expected)
    case .none: #expect(expected == nil)
    case .tooExpensive: Issue.record("too expensive")
    }
  }

  @Test(arguments: [
    Row(
      ["choice": "agree", "options": ["agree", "strongly agree", "disagree"]], "I strongly agree", "fail"),
    Row(
      ["choice": "strongly agree", "options": ["agree", "strongly agree", "disagree"]], "I Strongly Agree.",
      "pass"),
    Row(["choice": "positive", "options": ["positive", "negative"]], "Sentiment: Positive", "pass"),
    Row(["choice": "positive", "options": ["positive", "negative"]], "positively", "fail"),
    Row(
      ["choice": "negative", "options": ["positive", "negative"]], "It is not positive but negative", "pass"),
    Row(["choice": "3", "options": ["1", "2", "3"]], "Rating: 3", "pass"),
    Row(["choice": "3", "options": ["1", "2", "3"]], "3.5", "fail"),
    Row(["choice": 3, "options": ["1", "2", "3"]], "3", "pass"),
    Row(["choice": "c++", "options": ["C++", "C", "Rust"]], "I would use C++ here", "pass"),
    Row(["choice": ["A", "B"]], "B", "pass"),
    Row(["choice": "B", "pick": "last"], "Answer: A. Wait. Answer: B.", "pass"),
    Row(["choice": "A", "pick": "first"], "Answer: A. Wait. Answer: B.", "pass"),
    Row(["choice": true], "B", "pass", reference: "b"),
    Row(["choice": true], "B", "notApplicable", reference: "Z"),
    Row(["choice": true], "B", "notApplicable"),
    Row(["choice": "是", "options": ["是", "否"]], "是", "pass"),
  ])
  func choice(_ row: Row) async throws { try await row.verify() }

  @Test func anAmbiguousAnswerSaysSo() async throws {
    let ambiguous = try await verdict(["choice": "A"], "A or B")
    #expect(ambiguous.explanation == "expected 'A', the answer is ambiguous: it names 'A', 'B'")
  }

  @Test func wrongSettingsAreProblems() throws {
    #expect(try problem(["choice": "Z"]).advice == "list all of them as 'options'")
    #expect(try problem(["choice": "yess", "options": ["yes", "no"]]).advice == "did you mean 'yes'?")
    #expect(try problem(["choice": "A", "options": ["A", "a"]]).path == "options")
    #expect(try problem(["choice": "A", "options": ["A"]]).path == "options")
  }
}
