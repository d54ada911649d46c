import EvalCore
import Foundation
import Testing

@testable import EvalSuites

/// Rubrics as the suite gives them, and what is said of those that judge badly.
@Suite struct RubricTests {
  private static let profiles = """
    {"a": {"endpoint": "http://h/v1", "model": "llama-3.2-1b", "price": "free"},
     "b": {"endpoint": "http://h/v1", "model": "qwen3-4b", "price": "free"},
     "judge": {"endpoint": "http://j/v1", "model": "gpt-4o", "price": "free", "target": false}}
    """

  private static func criterion(
    _ levels: String = #"["It is wrong.", "It is right."]"#, more: String = ""
  ) -> String {
    #"{"question": "Is it right?", "levels": \#(levels)\#(more)}"#
  }

  private static func text(
    criteria: String = #"{"right": \#(criterion())}"#, more: String = "",
    judge: String = #""judge": "judge", "#,
    profiles: String = profiles, checks: String = #"[{"rubric": "r"}]"#, suiteMore: String = ""
  ) -> String {
    suite(
      profiles: profiles, checks: checks,
      more: #""rubrics": {"r": {\#(judge)"criteria": \#(criteria)\#(more)}}\#(suiteMore)"#)
  }

  private func problems(_ text: String) -> [String] { Folder().problems(text, vocabulary: .judging) }

  @Test func everythingThatARubricSaysIsRead() throws {
    let suite = try Folder().read(
      Self.text(
        criteria: """
          {"right": {"question": "Is it right?", "levels": ["none", "little", "much", "all"], "weight": 2, "minimum": 3},
           "polite": {"question": "Is it polite?", "levels": {"no": "It is rude.", "yes": "It is polite."}, "mustPass": true}}
          """,
        more: """
          , "description": "A reply.", "draws": 3, "reduce": "majority", "criteriaPerCall": 1, "recheck": 0.5,
          "facts": ["The sky is blue."],
          "examples": [{"input": "Hi", "answer": "Ho", "scores": {"right": 2, "polite": "yes"}, "why": "So."}]
          """,
        judge: #""judge": ["judge", "a"], "#), vocabulary: .judging)
    let rubric = try #require(suite.rubrics.first)
    #expect(rubric.judges == ["judge", "a"] && rubric.draws == 3 && rubric.reducer == .majority)
    #expect(rubric.summary == "A reply." && rubric.recheck == 0.5 && rubric.facts == ["The sky is blue."])
    #expect(rubric.parts.map { $0.map(\.name) } == [["right"], ["polite"]])
    let right = rubric.criteria[0]
    #expect(right.levels.map(\.label) == ["1", "2", "3", "4"] && right.weight == 2 && right.minimum == 2)
    #expect(right.least == 2.0 / 3)
    #expect(rubric.criteria[1].levels.map(\.label) == ["no", "yes"] && rubric.criteria[1].least == 1)
    #expect(
      rubric.examples == [
        ScoredExample(input: "Hi", answer: "Ho", levels: ["right": 1, "polite": 1], reason: "So.")
      ])
    #expect(suite.judges.map(\.name) == ["a", "judge"])
    #expect(suite.targets.map(\.name) == ["a", "b"])
  }

  @Test func aJudgeThatOnlyJudgesIsNoTarget() throws {
    let text = suite(
      profiles: #"{"m": {"endpoint": "http://h/v1", "model": "x", "price": "free", "target": false}}"#)
    #expect(Folder().problems(text).contains { $0.contains("no profile is a target") })
  }

  @Test func theStandingJudgeServesRubricsAndChecksThatNameNone() throws {
    let suite = try Folder().read(
      Self.text(judge: "", suiteMore: #", "defaults": {"judge": "judge"}"#), vocabulary: .judging)
    #expect(suite.rubrics[0].judges == ["judge"] && suite.standingJudge == "judge")
    let alone = try Folder().read(
      EvalSuitesTests.suite(
        profiles: Self.profiles, checks: #"[{"all": [{"judge": "It is right."}]}]"#,
        more: #""defaults": {"judge": "judge"}"#), vocabulary: .judging)
    #expect(alone.judges.map(\.name) == ["judge"])
    let named = try Folder().read(
      EvalSuitesTests.suite(
        profiles: Self.profiles, checks: #"[{"judge": "It is right.", "by": ["judge"]}]"#),
      vocabulary: .judging)
    #expect(named.judges.map(\.name) == ["judge"] && named.standingJudge == nil)
  }

  @Test(arguments: [
    (#"{}"#, "", "expected at least one criterion by its name, found an empty object"),
    (#"{"right": {"levels": 2}}"#, "", "'question' is missing"),
    (#"{"right": \#(criterion("1"))}"#, "", "expected a whole number from 2 to 20, found 1"),
    (
      #"{"right": \#(criterion(#"["only one"]"#))}"#, "", "expected a scale of 2 to 20 levels, found an array"
    ),
    (#"{"right": \#(criterion(#"{"no": "a", "No": "b"}"#))}"#, "", "two levels are called 'No'"),
    (
      #"{"right": \#(criterion(#"{"no": "a", "cannot judge": "b"}"#))}"#, "",
      "'cannot judge' is what a judge writes that cannot decide"
    ),
    (#"{"right": \#(criterion(more: #", "minimum": 3"#))}"#, "", "expected a level of 'right', found 3"),
    (#"{"right": \#(criterion(more: #", "weight": 0"#))}"#, "", "expected a number above 0, found 0"),
    (#"{"right": \#(criterion(more: #", "wieght": 1"#))}"#, "", "'wieght' is not a key of a criterion"),
    (
      #"{"right": \#(criterion())}"#, #", "examples": [{"answer": "x", "scores": {"right": 3}}]"#,
      "expected a level of 'right', found 3"
    ),
    (
      #"{"right": \#(criterion())}"#, #", "examples": [{"answer": "x", "scores": {"rigth": 1}}]"#,
      "the rubric has no criterion 'rigth'"
    ),
    (#"{"right": \#(criterion())}"#, #", "reduce": "mode""#, "expected 'median', 'mean' or 'majority'"),
    (#"{"right": \#(criterion())}"#, #", "draws": 0"#, "expected a whole number from 1 to 25, found 0"),
  ])
  func whatIsWrongIsAnError(criteria: String, more: String, message: String) {
    let found = problems(Self.text(criteria: criteria, more: more))
    #expect(found.contains { $0.contains(message) }, "\(found)")
  }

  @Test func judgesMustBeThere() {
    func found(_ judge: String) -> [String] { problems(Self.text(judge: judge)) }
    #expect(found("").contains { $0.contains("the rubric 'r' has no judge") })
    #expect(
      found(#""judge": "jugde", "#).contains {
        $0.contains("there is no profile 'jugde' to judge (did you mean 'judge'?)")
      })
    #expect(
      found(#""judge": ["judge", "judge"], "#).contains { $0.contains("the judge 'judge' is named twice") })
  }

  @Test(arguments: [
    (#"{"right": \#(criterion("4"))}"#, "", "4 of the 4 levels of 'right' are not described"),
    (
      #"{"right": \#(criterion(#"["a", "b", "  ", "d"]"#))}"#, "",
      "1 of the 4 levels of 'right' are not described"
    ),
    (
      #"{"right": \#(criterion(#"["a", "b", "c"]"#))}"#, "",
      "the scale of 'right' has 3 levels, and judges flee"
    ),
    (
      #"{"right": \#(criterion(#"["a", "b", "A ", "d"]"#))}"#, "",
      "two levels of 'right' have the same description"
    ),
    (
      #"{"right": \#(criterion(#"["a", "b", "c", "d", "e", "f", "g", "h"]"#))}"#, "",
      "the scale of 'right' has 8 levels, more than a judge tells apart"
    ),
    (
      "{" + (0..<10).map { "\"c\($0)\": \(criterion())" }.joined(separator: ", ") + "}",
      #", "criteriaPerCall": 10"#,
      "one call of the rubric 'r' asks for 10 criteria"
    ),
    (#"{"right": \#(criterion())}"#, #", "draws": 3"#, "the judge 'judge' is asked 3 times at temperature 0"),
  ])
  func rubricsThatJudgeBadlyAreFindings(criteria: String, more: String, message: String) {
    let found = problems(Self.text(criteria: criteria, more: more))
    #expect(found.count == 1 && found[0].contains(message), "\(found)")
  }

  @Test func aGoodRubricIsNotFoundFault() {
    let found = problems(
      Self.text(
        criteria: "{" + (0..<10).map { "\"c\($0)\": \(Self.criterion())" }.joined(separator: ", ") + "}"))
    #expect(found.isEmpty, "\(found)")
  }

  @Test func aJudgeThatIsNotImpartialIsAFinding() {
    func found(_ judge: String, _ check: String? = nil) -> [String] {
      let profiles =
        Self.profiles.dropLast(1)
        + #", "kin": {"endpoint": "http://j/v1", "model": "Qwen/Qwen2.5-72B", "price": "free", "target": false}, "twin": {"endpoint": "http://h/v1", "model": "qwen3-4b", "price": "free", "target": false, "temperature": 1}}"#
      if let check {
        return problems(suite(profiles: String(profiles), checks: check))
      }
      return problems(Self.text(judge: #""judge": "\#(judge)", "#, profiles: String(profiles)))
    }
    #expect(found("judge").isEmpty)
    #expect(found("a").contains { $0.contains("the judge 'a' is a model under test") })
    #expect(found("twin").contains { $0.contains("the judge 'twin' is the model under test of 'b'") })
    #expect(found("kin").contains { $0.contains("the judge 'kin' is of the same family (Qwen) as 'b'") })
    #expect(found("", #"[{"judge": "It is right.", "by": "kin"}]"#).count == 1)
    #expect(found("", #"[{"not": {"judge": "It is right.", "by": "judge"}}]"#).isEmpty)
  }

  @Test func comparisonsAreReadAndHeldAgainstTheTargets() throws {
    func text(_ comparison: String, profiles: String = Self.profiles) -> String {
      suite(profiles: profiles, more: #""comparisons": {"better": \#(comparison)}"#)
    }
    let read = try Folder().read(
      text(#"{"question": "Which is right?", "targets": ["a", "b"], "judge": "judge", "facts": ["So."]}"#),
      vocabulary: .judging)
    #expect(
      read.comparisons == [
        PairComparison(
          name: "better", question: "Which is right?", targets: ["a", "b"], judges: ["judge"], facts: ["So."])
      ])
    #expect(read.judges.map(\.name) == ["judge"])
    #expect(read.comparisons[0].pairs(among: ["a", "b"]).map { "\($0.first) \($0.second)" } == ["a b"])
    #expect(PairComparison(name: "", question: "", judges: []).pairs(among: ["a", "b", "c"]).count == 3)
    for (comparison, message) in [
      (#"{"judge": "judge"}"#, "'question' is missing"),
      (#"{"question": "?"}"#, "the comparison 'better' has no judge"),
      (#"{"question": "?", "judge": "jugde"}"#, "there is no profile 'jugde' to judge"),
      (#"{"question": "?", "judge": "judge", "targets": ["a"]}"#, "expected at least two targets"),
      (
        #"{"question": "?", "judge": "judge", "targets": ["a", "judge"]}"#,
        "there is no target 'judge' to compare"
      ),
      (#"{"question": "?", "judge": "judge", "targets": ["a", "a"]}"#, "the target 'a' is named twice"),
      (#"{"question": "?", "judge": "a"}"#, "the judge 'a' is a model under test"),
    ] {
      let found = problems(text(comparison))
      #expect(found.contains { $0.contains(message) }, "\(found)")
    }
    let alone = #"{"a": {"endpoint": "http://h/v1", "model": "m", "price": "free"}}"#
    #expect(
      problems(text(#"{"question": "?", "judge": "a"}"#, profiles: alone)).contains {
        $0.contains("needs two targets")
      })
  }

  @Test func aRubricThatNoCheckUsesIsAFinding() {
    let found = problems(Self.text(checks: #"[{"contains": "x"}]"#))
    #expect(found.count == 1 && found[0].contains("no check uses the rubric 'r'"), "\(found)")
  }

  @Test(arguments: [
    ("gpt-4o-mini", "OpenAI"), ("openai/o3-mini", "OpenAI"),
    ("us.anthropic.claude-sonnet-4-v1:0", "Anthropic"),
    ("gemma3:4b", "Google"), ("meta-llama/Llama-3.1-8B", "Meta"), ("SmolLM2-135M-Instruct", "SmolLM"),
    ("my-own-model", nil), ("", nil),
  ])
  func knowsFamiliesByTheirNames(model: String, family: String?) {
    #expect(ModelFamily.of(model) == family)
  }

  @Test func whatIsJudgedByIsPartOfThePlan() throws {
    func hash(_ text: String) throws -> ContentHash {
      try Planner.plan(Folder().read(text, vocabulary: .judging), repeats: 1, seed: 1).hash
    }
    let one = try hash(Self.text())
    #expect(try hash(Self.text()) == one)
    #expect(try hash(Self.text(criteria: #"{"right": \#(Self.criterion(#"["a", "b"]"#))}"#)) != one)
    #expect(try hash(Self.text(more: #", "draws": 2"#)) != one)
    let other = Self.profiles.replacingOccurrences(of: "gpt-4o", with: "gpt-5")
    #expect(try hash(Self.text(profiles: other)) != one)
  }
}

extension SuiteVocabulary {
  /// With the kinds of checks that name rubrics and judges.
  static let judging = SuiteVocabulary(
    providers: [.chat, .plain], graders: [.contains, .all, .not, .rubric, .judge])
}

extension GraderDescriptor {
  static let rubric = GraderDescriptor(
    name: "rubric", summary: "by a rubric", argument: ["type": "string"], example: ["rubric": "r"]
  ) { spec, context throws(GraderProblem) in
    guard context.judging.rubrics[spec.argument.stringValue ?? ""] != nil else {
      throw GraderProblem("no such rubric", path: "rubric")
    }
    return NoGrader()
  }

  static let judge = GraderDescriptor(
    name: "judge", summary: "by a sentence", argument: ["type": "string"],
    options: [OptionSpec("by", [:], "who")],
    example: ["judge": "x"]
  ) { _, _ throws(GraderProblem) in NoGrader() }

  static let not = GraderDescriptor(
    name: "not", summary: "the opposite", argument: ["$ref": "#/$defs/check"],
    example: ["not": ["contains": "a"]]
  ) { spec, context throws(GraderProblem) in
    _ = try context.makeNested(CheckSpec.decode(spec.argument, graders: [.contains, .rubric, .judge]))
    return NoGrader()
  }
}
