import EvalCore
import Testing

@testable import EvalGraders

@Suite struct FieldsGraderTests {
  static let order: JSONValue = [
    "name": "Ada Lovelace", "price": 12.5, "tags": ["a", "b"], "note": "a short note",
  ]

  @Test(arguments: [
    Row(
      ["fields": true],
      "{\"name\": \"Ada Lovelace\", \"price\": 12.50, \"tags\": [\"a\",\"b\"], \"note\": \"a short note\", \"x\": 1}",
      "pass", reference: order),
    Row(
      ["fields": true],
      "{\"name\": \"Ada\", \"price\": 12.5, \"tags\": [\"a\",\"b\"], \"note\": \"a short note\"}", "fail",
      reference: order),
    Row(
      ["fields": true, "threshold": 0.75],
      "{\"name\": \"Ada\", \"price\": 12.5, \"tags\": [\"a\",\"b\"], \"note\": \"a short note\"}", "pass",
      reference: order),
    Row(
      ["fields": true, "allowExtra": false, "threshold": 0.9],
      "{\"name\": \"Ada Lovelace\", \"price\": 12.5, \"tags\": [\"a\",\"b\"], \"note\": \"a short note\", \"x\": 1}",
      "fail", reference: order),
    Row(["fields": ["name": "ignoreCase"]], "{\"name\": \" ADA  lovelace\"}", "pass", reference: order),
    Row(
      ["fields": ["price": ["compare": "number", "tolerance": 0.1]]], "{\"price\": \"$12.55\"}", "pass",
      reference: order),
    Row(["fields": ["price": "number"]], "{\"price\": 12.55}", "fail", reference: order),
    Row(["fields": ["tags": "set"]], "{\"tags\": [\"b\", \"a\", \"a\"]}", "pass", reference: order),
    Row(
      ["fields": ["tags": ["compare": "set", "ignoreCase": true]]], "{\"tags\": [\"B\", \"A\"]}", "pass",
      reference: order),
    Row(["fields": ["tags": "set"]], "{\"tags\": \"a\"}", "fail", reference: order),
    Row(
      ["fields": ["note": ["compare": "text", "threshold": 0.5]]], "{\"note\": \"the note\"}", "pass",
      reference: order),
    Row(
      ["fields": ["note": ["compare": "text", "metric": "levenshtein", "threshold": 0.95]]],
      "{\"note\": \"the note\"}", "fail", reference: order),
    Row(
      ["fields": ["name": "present", "$.price": "exact"]], "{\"name\": \"x\", \"price\": 12.5}", "pass",
      reference: order),
    Row(["fields": ["name": "present"]], "{\"name\": null}", "fail", reference: order),
    Row(["fields": ["missing": "exact"]], "{}", "pass", reference: order),
    Row(["fields": ["missing": "exact"]], "{\"missing\": 1}", "fail", reference: order),
    Row(["fields": ["$.a.b": "exact"], "expected": ["a": ["b": 1]]], "{\"a\": {\"b\": 1}}", "pass"),
    Row(["fields": ["a": "exact"], "expected": ["a": 1]], "[1]", "fail"),
    Row(["fields": ["a": "exact"], "expected": ["a": 1]], "none", "fail"),
    Row(["fields": true], "{\"a\": 1}", "pass", reference: "{\"a\": 1}"),
    Row(["fields": true], "{}", "notApplicable"),
    Row(["fields": true], "{}", "notApplicable", reference: 3),
  ])
  func fields(_ row: Row) async throws { try await row.verify() }

  @Test func theValueIsTheWeightedShare() async throws {
    let check: JSONValue = [
      "fields": ["name": ["compare": "exact", "weight": 3], "tags": "set"], "threshold": 0.5,
    ]
    let judged = try await verdict(
      check, subject("{\"name\": \"x\", \"tags\": [\"a\", \"c\"]}", reference: FieldsGraderTests.order))
    #expect(judged.judgement == .scored(value: 0.125, passed: false))
    #expect(
      judged.explanation
        == "2 fields disagree: name: expected \"Ada Lovelace\", found \"x\"; tags: expected [\"a\",\"b\"], found [\"a\",\"c\"]"
    )
  }

  @Test func wrongSettingsAreProblems() throws {
    #expect(try problem(["fields": ["a": "exakt"]]).advice == "did you mean 'exact'?")
    #expect(
      try problem(["fields": ["a": ["compare": "exact", "tolerance": 1]]]).path == "fields.a.tolerance")
    #expect(try problem(["fields": ["a": ["weight": 0]]]).path == "fields.a.weight")
    #expect(try problem(["fields": ["a": ["wieght": 1]]]).advice == "did you mean 'weight'?")
    #expect(try problem(["fields": ["$..a": "exact"]]).path == "fields.$..a")
    #expect(try problem(["fields": [:]]).path == "fields")
    #expect(try problem(["fields": true, "expected": [:]]).path == "expected")
  }
}

@Suite struct ToolCallsGraderTests {
  private func call(_ name: String, _ arguments: JSONValue = [:]) -> ToolCall {
    ToolCall(id: nil, name: name, arguments: arguments)
  }

  private func word(_ check: JSONValue, _ calls: [ToolCall], earlier: [TurnAnswer] = []) async throws
    -> String
  {
    try await verdict(check, subject(toolCalls: calls, earlier: earlier)).judgement.word
  }

  @Test func theRightToolWithTheRightArguments() async throws {
    let exact: JSONValue = ["toolCalls": [["name": "weather", "arguments": ["city": "Paris", "days": 1]]]]
    #expect(try await word(exact, [call("weather", ["days": 1.0, "city": "Paris"])]) == "pass")
    #expect(try await word(exact, [call("weather", ["city": "Rome", "days": 1])]) == "fail")
    #expect(try await word(exact, [call("weather", ["city": "Paris", "days": 1, "unit": "C"])]) == "fail")
    #expect(try await word(exact, [call("forecast", ["city": "Paris", "days": 1])]) == "fail")
    #expect(try await word(exact, [call("weather", "{\"city\": ")]) == "fail")
    #expect(try await word(exact, []) == "fail")
    #expect(try await word(["toolCalls": ["weather"]], [call("weather", ["city": "Oslo"])]) == "pass")
    let text: JSONValue = ["toolCalls": [["name": "weather", "arguments": "{\"city\": \"Paris\"}"]]]
    #expect(try await word(text, [call("weather", ["city": "Paris"])]) == "pass")
  }

  @Test func partialArgumentsAndDefaults() async throws {
    let partial: JSONValue = [
      "toolCalls": [["name": "weather", "arguments": ["city": "Paris"]]], "match": "partial",
    ]
    #expect(try await word(partial, [call("weather", ["city": "Paris", "unit": "C"])]) == "pass")
    #expect(try await word(partial, [call("weather", ["unit": "C"])]) == "fail")
    let defaults: JSONValue = [
      "toolCalls": [["name": "weather", "arguments": ["city": "Paris"]]],
      "defaults": ["weather": ["unit": "C"]],
    ]
    #expect(try await word(defaults, [call("weather", ["city": "Paris", "unit": "C"])]) == "pass")
    #expect(try await word(defaults, [call("weather", ["city": "Paris"])]) == "pass")
    #expect(try await word(defaults, [call("weather", ["city": "Paris", "unit": "F"])]) == "fail")
  }

  @Test func declaredDefaultsAreTakenFromTheToolsOfTheProfile() async throws {
    let check: JSONValue = [
      "toolCalls": [["name": "weather", "arguments": ["city": "Paris"]]], "defaults": true,
    ]
    func word(_ arguments: JSONValue, _ parameters: JSONValue) async throws -> String {
      var judged = subject(toolCalls: [call("weather", arguments)])
      judged.tools = [
        ToolDefinition(name: "other", summary: nil, parameters: ["properties": ["unit": ["default": "F"]]]),
        ToolDefinition(name: "weather", summary: nil, parameters: parameters),
      ]
      return try await verdict(check, judged).judgement.word
    }
    let schema: JSONValue = [
      "type": "object",
      "properties": ["city": ["type": "string"], "unit": ["type": "string", "default": "C"]],
    ]
    #expect(try await word(["city": "Paris", "unit": "C"], schema) == "pass")
    #expect(try await word(["city": "Paris"], schema) == "pass")
    #expect(try await word(["city": "Paris", "unit": "F"], schema) == "fail")
    #expect(try await word(["city": "Paris", "unit": "C"], [:]) == "fail", "nothing is declared")
    #expect(try await word(["city": "Paris"], [:]) == "pass")
    let off: JSONValue = [
      "toolCalls": [["name": "weather", "arguments": ["city": "Paris"]]], "defaults": false,
    ]
    #expect(try await self.word(off, [call("weather", ["city": "Paris", "unit": "C"])]) == "fail")
    #expect(try problem(["toolCalls": ["a"], "defaults": "C"]).path == "defaults")
  }

  @Test func orderExtraAndForbiddenCalls() async throws {
    let two: JSONValue = ["toolCalls": ["search", "open"]]
    let ordered: JSONValue = ["toolCalls": ["search", "open"], "ordered": true]
    #expect(try await word(two, [call("open"), call("search")]) == "pass")
    #expect(try await word(ordered, [call("open"), call("search")]) == "fail")
    #expect(try await word(ordered, [call("search"), call("open")]) == "pass")
    #expect(try await word(two, [call("search"), call("open"), call("log")]) == "fail")
    let extra: JSONValue = [
      "toolCalls": ["search", "open"], "ordered": true, "allowExtra": true, "forbidden": ["delete"],
    ]
    #expect(try await word(extra, [call("search"), call("log"), call("open")]) == "pass")
    #expect(try await word(extra, [call("search"), call("delete"), call("open")]) == "fail")
    #expect(try await word(["toolCalls": []], []) == "pass")
    #expect(try await word(["toolCalls": []], [call("search")]) == "fail")
    #expect(
      try await word(["toolCalls": [], "allowExtra": true, "forbidden": ["rm"]], [call("search")]) == "pass")
  }

  @Test func aCallServesOneExpectationAndTheBestPairingCounts() async throws {
    // The first expectation takes either call, the second only the first one.
    let check: JSONValue = ["toolCalls": ["find", ["name": "find", "arguments": ["q": "a"]]]]
    #expect(try await word(check, [call("find", ["q": "a"]), call("find", ["q": "b"])]) == "pass")
    #expect(try await word(check, [call("find", ["q": "a"])]) == "fail")
  }

  @Test func theValueIsTheShareOfRightCalls() async throws {
    let judged = try await verdict(
      ["toolCalls": ["a", "b"], "threshold": 0.5], subject(toolCalls: [call("a"), call("c")]))
    #expect(judged.judgement == .scored(value: 0.5, passed: true))
    let forbidden = try await verdict(
      ["toolCalls": ["a"], "threshold": 0, "allowExtra": true, "forbidden": ["c"]],
      subject(toolCalls: [call("a"), call("c")]))
    #expect(forbidden.judgement == .scored(value: 0, passed: false))
  }

  @Test func conversationsLookAtAllTurns() async throws {
    let first = TurnAnswer(
      text: "", reasoning: "", toolCalls: [call("search")], finish: .toolCalls, refusal: nil)
    let check: JSONValue = ["toolCalls": ["search", "open"], "ordered": true, "scope": "conversation"]
    #expect(try await word(check, [call("open")], earlier: [first]) == "pass")
    #expect(try await word(["toolCalls": ["open"]], [call("open")], earlier: [first]) == "pass")
  }

  @Test func explanationsNameTheDifference() async throws {
    let judged = try await verdict(
      ["toolCalls": [["name": "weather", "arguments": ["city": "Paris"]]]],
      subject(toolCalls: [call("weather", ["city": "Rome"])]))
    #expect(
      judged.explanation
        == "weather({\"city\":\"Paris\"}) was not called: at $['city'] expected \"Paris\", found \"Rome\"; not expected: weather({\"city\":\"Rome\"})"
    )
  }

  @Test func wrongSettingsAreProblems() throws {
    #expect(try problem(["toolCalls": "weather"]).path == "toolCalls")
    #expect(try problem(["toolCalls": [["nam": "a"]]]).path == "toolCalls[0]")
    #expect(
      try problem(["toolCalls": [["name": "a", "argments": [:]]]]).advice == "did you mean 'arguments'?")
    #expect(try problem(["toolCalls": ["a"], "forbidden": ["a"]]).path == "forbidden")
    #expect(try problem(["toolCalls": [], "allowExtra": true]).path == "toolCalls")
    #expect(try problem(["toolCalls": ["a"], "defaults": ["a": 1]]).path == "defaults.a")
  }
}
