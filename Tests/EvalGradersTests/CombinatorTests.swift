import EvalCore
import Testing

@testable import EvalGraders

@Suite struct TurnsGraderTests {
  private func word(_ check: JSONValue, _ answers: [String]) async throws -> String {
    let earlier = answers.dropLast().map {
      TurnAnswer(text: $0, reasoning: "", toolCalls: [], finish: .stop, refusal: nil)
    }
    return try await verdict(check, subject(answers.last ?? "", earlier: Array(earlier))).judgement.word
  }

  @Test func everyTurnTakesTheWorstAndAnyTurnTheBest() async throws {
    let every: JSONValue = ["everyTurn": ["contains": "a"]]
    let any: JSONValue = ["anyTurn": ["contains": "a"]]
    #expect(try await word(every, ["a", "ab", "ca"]) == "pass")
    for answers in [["b", "a", "a"], ["a", "b", "a"], ["a", "a", "b"]] {
      #expect(try await word(every, answers) == "fail")
      #expect(try await word(any, answers) == "pass")
    }
    #expect(try await word(any, ["b", "b"]) == "fail")
    #expect(try await word(every, ["a"]) == "pass")
    let number: JSONValue = ["everyTurn": ["similarity": "kitten"]]
    #expect(try await word(number, ["kitten", "sitting"]) == "0.571")
    #expect(try await word(["anyTurn": ["similarity": "kitten"]], ["kitten", "sitting"]) == "1.0")
    #expect(
      try await word(["everyTurn": ["similarity": "kitten"], "threshold": 0.6], ["kitten", "sitting"])
        == "fail")
  }

  @Test func whatCannotBeJudgedStaysSoUnlessAnotherTurnDecides() async throws {
    let mixed: JSONValue = ["any": [["contains": "a"], ["length": ["max": 1], "unit": "tokens"]]]
    #expect(try await word(["everyTurn": mixed], ["a", "b"]) == "notReported")
    #expect(try await word(["anyTurn": mixed], ["a", "b"]) == "pass")
    #expect(try await word(["not": ["everyTurn": mixed]], ["a", "b"]) == "notReported")
    let all: JSONValue = ["all": [["contains": "a"], ["length": ["max": 1], "unit": "tokens"]]]
    #expect(try await word(["everyTurn": all], ["a", "b"]) == "fail")
  }

  @Test func theExplanationNamesTheTurn() async throws {
    let earlier = [TurnAnswer(text: "b", reasoning: "", toolCalls: [], finish: .stop, refusal: nil)]
    let judged = try await verdict(["everyTurn": ["contains": "a"]], subject("a", earlier: earlier))
    #expect(judged.explanation == "turn 1: 'a' is not in 'b'")
    #expect(try problem(["everyTurn": ["contain": "a"]]).path.hasPrefix("everyTurn"))
    #expect(GraderRegistry.needsReference(CheckSpec(kind: "anyTurn", argument: ["exact": true])))
    #expect(GraderRegistry.asksJudge(CheckSpec(kind: "everyTurn", argument: ["judge": "Is it so?"])))
  }
}

@Suite struct CombinatorTests {
  /// Unscored in every subject of these tests, whose usage is unknown.
  private static let broken: JSONValue = ["length": ["max": 1], "unit": "tokens"]
  private static let pass: JSONValue = ["contains": "a"]
  private static let fail: JSONValue = ["contains": "z"]
  /// 0.571 without a verdict.
  private static let number: JSONValue = ["similarity": "kitten"]

  @Test(arguments: [
    Row(["all": [pass, pass]], "a", "pass"),
    Row(["all": [pass, fail]], "a", "fail"),
    Row(["all": [broken, fail]], "a", "fail"),
    Row(["all": [broken, pass]], "a", "notReported"),
    Row(["any": [fail, pass]], "a", "pass"),
    Row(["any": [broken, pass]], "a", "pass"),
    Row(["any": [broken, fail]], "a", "notReported"),
    Row(["any": [fail, fail]], "a", "fail"),
    Row(["not": fail], "a", "pass"),
    Row(["not": pass], "a", "fail"),
    Row(["not": broken], "a", "notReported"),
    Row(["not": ["not": broken]], "a", "notReported"),
    Row(["not": ["all": [broken, pass]]], "a", "notReported"),
    Row(["not": ["any": [broken, fail]]], "a", "notReported"),
    Row(["all": [["not": broken], pass]], "a", "notReported"),
    Row(["all": [number]], "sitting", "0.571"),
    Row(["all": [number], "threshold": 0.5], "sitting", "pass"),
    Row(["all": [number, broken], "threshold": 0.6], "sitting", "fail"),
    Row(["all": [number, broken], "threshold": 0.5], "sitting", "notReported"),
    Row(["any": [number, broken], "threshold": 0.5], "sitting", "pass"),
    Row(["any": [number, broken], "threshold": 0.6], "sitting", "notReported"),
    Row(["not": number], "sitting", "0.429"),
    Row(["not": number, "threshold": 0.4], "sitting", "pass"),
    Row(["not": number, "threshold": 0.5], "sitting", "fail"),
    Row(["weighted": [pass, fail]], "a", "0.5"),
    Row(["weighted": [["contains": "a", "weight": 3], fail], "threshold": 0.75], "a", "pass"),
    Row(["weighted": [pass, broken]], "a", "notReported"),
    Row(["weighted": [pass, broken], "threshold": 0.1], "a", "notReported"),
    Row(["all": [["any": [fail, pass]], ["not": fail]]], "a", "pass"),
  ])
  func combines(_ row: Row) async throws { try await row.verify() }

  @Test func valuesAreTheLeastAndTheGreatest() async throws {
    let two: [JSONValue] = [
      ["similarity": "kitten", "threshold": 0.5], ["similarity": "sitting", "threshold": 0.5],
    ]
    #expect(try await verdict(["all": .array(two)], "sitting").judgement.value == 1 - 3.0 / 7)
    #expect(try await verdict(["any": .array(two)], "sitting").judgement.value == 1)
  }

  @Test func explanationsNameTheChecksThatDecided() async throws {
    let judged = try await verdict(["all": [["contains": "a"], ["contains": "z", "name": "has z"]]], "a")
    #expect(judged.explanation == "has z: 'z' is not in 'a'")
  }

  @Test func problemsHaveThePathOfTheNestedCheck() throws {
    #expect(
      try problem(["all": [["contains": "a"], ["any": [["regex": "("]]]]]).path == "all[1].any[0].regex")
    #expect(try problem(["not": ["contain": "a"]]).path == "not.contain")
    #expect(try problem(["not": ["contain": "a"]]).advice == "did you mean 'contains'?")
    #expect(try problem(["all": []]).path == "all")
    #expect(try problem(["all": ["contains"]]).path == "all[0]")
    #expect(try problem(["any": ["contains": "a"]]).path == "any")
    #expect(try problem(["weighted": [["contains": "a", "weight": 0]]]).path == "weighted[0].weight")
  }
}
