import EvalCore
import Testing

@testable import EvalGraders

@Suite struct RegistryTests {
  @Test func namesAreUniqueAndNoOptionIsAKind() {
    let names = GraderRegistry.all.map(\.name)
    #expect(Set(names).count == names.count)
    let common = commonCheckOptions.map(\.key)
    for descriptor in GraderRegistry.all {
      let keys = descriptor.options.map(\.key)
      #expect(Set(keys).count == keys.count, "\(descriptor.name)")
      #expect(Set(keys).isDisjoint(with: names + common), "\(descriptor.name)")
    }
  }

  @Test func everyExampleMakesAGraderThatJudges() async throws {
    for descriptor in GraderRegistry.all {
      let made = try grader(descriptor.example, allowsCommands: true)
      if descriptor.name == "command" { continue }
      let answer = subject(
        "{\"name\": \"Paris\"}", reference: ["name": "Paris", "price": 1], latency: 1, firstToken: 1,
        cost: Cost(dollars: 0))
      guard case .scored = await made.grade(answer).judgement else {
        Issue.record("\(descriptor.name) does not judge")
        continue
      }
    }
  }

  /// Each descriptor's shapes are schemas, its example is accepted by them and a number of strange arguments is not.
  @Test func everyExampleFitsItsSchema() throws {
    for descriptor in GraderRegistry.all {
      let members = descriptor.options.map { ($0.key, $0.schema) } + [(descriptor.name, descriptor.argument)]
      var schema: JSONObject = [
        "type": "object", "additionalProperties": false, "required": [.string(descriptor.name)],
      ]
      schema["properties"] = .object(
        JSONObject(
          (members + commonCheckOptions.map { ($0.key, $0.schema) }).map { (key: $0.0, value: $0.1) }))
      schema["$defs"] = ["check": true]
      let compiled = try JSONSchema(.object(schema))
      #expect(compiled.validate(descriptor.example) == .valid, "\(descriptor.name)")
      #expect(compiled.validate([:]).isInvalid)
    }
  }

  @Test func anUnknownKindIsAProblemWithASuggestion() throws {
    let problem = try #require(throws: GraderProblem.self) {
      _ = try makeGrader(CheckSpec(kind: "contain", argument: "a"), allowsCommands: false, directory: "")
    }
    #expect(problem.advice == "did you mean 'contains'?")
  }

  @Test(
    arguments: [
      (["exact": true], true), (["embeddingSimilarity": true], true), (["exact": "a"], false),
      (["contains": .null], true), (["fields": true], true),
      (["fields": ["a": "exact"]], true), (["fields": ["a": "exact"], "expected": ["a": 1]], false),
      (["regex": "a", "equals": true], true), (["regex": "a"], false), (["json": true], false),
      (["refusal": true], false), (["not": ["exact": true]], true),
      (["all": [["contains": "a"], ["number": true]]], true),
      (["any": [["contains": "a"]]], false),
    ] as [(JSONValue, Bool)])
  func knowsWhichChecksNeedAReference(_ check: JSONValue, _ needs: Bool) throws {
    let spec = try CheckSpec.decode(check, graders: GraderRegistry.all)
    #expect(GraderRegistry.needsReference(spec) == needs)
  }

  /// One grader for many answers, in any order and at once: each judgement depends on its answer alone.
  @Test func gradersHoldNoStateBetweenAnswers() async throws {
    let checks: [JSONValue] = [
      ["exact": "7"], ["contains": ["7", "1"], "mode": "any"], ["regex": "^\\d*7$"],
      ["number": 7, "pick": "any"],
      ["choice": "B"], ["jsonPath": "$[0]"], ["jsonSchema": ["type": "integer", "multipleOf": 7]],
      ["similarity": "77", "threshold": 0.5], ["not": ["all": [["regex": "(a+)+$"], ["startsWith": "7"]]]],
      ["length": ["max": 2]], ["weighted": [["exact": "7"], ["json": true]]],
    ]
    var answers = (0..<60).map { "\($0)" } + ["", "B", "[7]", String(repeating: "a", count: 30) + "!"]
    let graders = try checks.map { try grader($0) }
    func judgements(_ answers: [String]) async -> [[String: String]] {
      var all: [[String: String]] = []
      for grader in graders {
        var words: [String: String] = [:]
        await withTaskGroup(of: (String, String).self) { group in
          for answer in answers {
            group.addTask { (answer, await grader.grade(subject(answer)).judgement.word) }
          }
          for await (answer, word) in group { words[answer] = word }
        }
        all.append(words)
      }
      return all
    }
    let first = await judgements(answers)
    var random = SeededRandom(seed: 5)
    for index in answers.indices.reversed() { answers.swapAt(index, Int(random.next() % UInt64(index + 1))) }
    #expect(await judgements(answers) == first)
    #expect(await judgements(answers.reversed()) == first)
    #expect(Set(first.flatMap(\.values)).isSuperset(of: ["pass", "fail"]))
  }
}
