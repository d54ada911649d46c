import EvalCore
import Testing

@testable import EvalGraders

/// Whatever an answer is, a grader judges it, and its value is a number in 0…1.
@Suite struct StrangeAnswerTests {
  private static let pieces = [
    "", " ", "\n", "\r\n", "\t", "\0", "-", "+", ".", ",", "'", "%", "$", "1", "0", "9", "e", "E", "x", "×",
    "10^", "{",
    "}", "[", "]", ":", "\"", "\\", "\\boxed{", "```", "~~~", "json", "A", "B", "I", "Answer:",
    "the answer is", "not ",
    "é", "e\u{301}", "\u{301}", "日", "👩‍👩‍👧", "\u{FEFF}", "\u{2028}", "−", "“", "’", "\u{202F}", "null", "true",
    "NaN", "1e999",
    "9223372036854775808", "1.7976931348623157e308", "$['a']", "?", "@", "a\u{200D}",
  ]

  private static let checks: [JSONValue] = [
    ["exact": "1", "normalizeWhitespace": true], ["contains": ["1", "e\u{301}"], "threshold": 0.5],
    ["contains": "👩", "ignoreCase": true], ["startsWith": "a", "ignoreCase": true], ["endsWith": "\u{301}"],
    ["regex": "(\\d+)|(\\w)\\b", "capture": 1, "equals": "1"],
    ["number": 1, "pick": "any", "percent": "fraction"],
    ["number": ["atMost": 5], "decimal": ","], ["choice": "A"],
    ["choice": "true", "options": ["true", "null", "日"]],
    ["json": true, "allowProse": true], ["jsonPath": "$..a", "count": 1, "allowProse": true],
    ["jsonPath": "$[?@ > 1 || search(@, '1')]", "includes": 1, "allowProse": true],
    ["jsonEquals": ["a": 1], "ignore": ["$..b", "$[*][0]"], "allowProse": true],
    [
      "jsonSchema": ["anyOf": [["multipleOf": 0.3], ["type": "array", "uniqueItems": true]]],
      "allowProse": true,
    ],
    [
      "fields": ["a": "set", "b": "text"], "expected": ["a": [1], "b": "x"], "threshold": 0.2,
      "allowProse": true,
    ],
    ["length": ["max": 3], "unit": "words"], ["length": ["max": 3], "unit": "sentences"],
    ["length": ["max": 3], "unit": "lines"], ["length": ["max": 9]],
    ["similarity": "1 e\u{301} A", "metric": "levenshtein"],
    ["similarity": "the answer", "metric": "rougeL"], ["similarity": "the answer", "metric": "tokenF1"],
    ["refusal": true, "phrases": true],
  ]

  @Test func everyAnswerIsJudged() async throws {
    var random = SeededRandom(seed: 3)
    var answers = StrangeAnswerTests.pieces
    for _ in 0..<100 {
      let count = Int(random.next() % 12)
      answers.append(
        (0..<count).map { _ in answers[Int(random.next() % UInt64(StrangeAnswerTests.pieces.count))] }
          .joined())
    }
    for check in StrangeAnswerTests.checks {
      let grader = try grader(check)
      for answer in answers {
        switch await grader.grade(subject(answer)).judgement {
        case .scored(let value, _):
          #expect((0...1).contains(value), "\(check.serialized()) on \(answer.debugDescription)")
        case .unscored(let reason, _):
          #expect(reason == .graderFailed, "\(check.serialized()) on \(answer.debugDescription)")
        }
      }
    }
  }

  @Test func strangePathsAndPatternsAreReadOrRefused() {
    var random = SeededRandom(seed: 4)
    let pieces =
      StrangeAnswerTests.pieces + [
        "$", "..", "*", "(", ")", "&&", "||", "==", "<", "length(", "@.a", "[0:", "-1", "\\p{L}", "\\s",
        "\\u{41}",
      ]
    for _ in 0..<600 {
      let text = (0..<Int(random.next() % 8)).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }
        .joined()
      if let path = try? JSONPath("$" + text) { _ = path.nodes(in: ["a": [1, "x", ["a": 2]]]) }
      _ = try? Pattern(text, dialect: .ecmaScript).firstMatch(in: "a1é")
      _ = try? Pattern(text, dialect: .iRegexpWhole).firstMatch(in: text)
    }
  }
}
