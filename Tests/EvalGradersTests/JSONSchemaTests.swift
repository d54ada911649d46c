import EvalCore
import Testing

@testable import EvalGraders

@Suite struct JSONSchemaTests {
  private func failures(_ schema: JSONValue, _ value: JSONValue) throws -> [String] {
    guard case .invalid(let failures) = try JSONSchema(schema).validate(value) else { return [] }
    return failures.map { "\($0.path) \($0.keyword): \($0.message)" }
  }

  private func problem(_ schema: JSONValue, formats: Bool = false) throws -> JSONSchema.Problem {
    try #require(throws: JSONSchema.Problem.self) { _ = try JSONSchema(schema, assertsFormats: formats) }
  }

  @Test func failuresSayWhereAndWhat() throws {
    let schema: JSONValue = [
      "type": "object", "required": ["name", "age"], "additionalProperties": false,
      "properties": [
        "name": ["type": "string", "minLength": 1], "age": ["type": "integer", "minimum": 0],
        "tags": ["type": "array", "items": ["enum": ["a", "b"]], "uniqueItems": true],
      ],
    ]
    #expect(
      try failures(schema, ["name": "", "age": -1]) == [
        "$['name'] minLength: expected at least 1 character, found 0",
        "$['age'] minimum: expected at least 0, found -1",
      ])
    #expect(
      try failures(schema, ["name": "x", "tags": ["a", "c", "a"]]) == [
        "$['tags'][1] enum: expected one of [\"a\",\"b\"], found \"c\"",
        "$['tags'] uniqueItems: the elements at 0 and 2 are the same: \"a\"",
        "$ required: missing 'age'",
      ])
    #expect(
      try failures(schema, ["name": "x", "age": 1, "extra": 1]) == [
        "$['extra'] false: nothing is allowed here, found 1"
      ])
    #expect(try failures(schema, [1]) == ["$ type: expected object, found array [1]"])
  }

  @Test func theClosestAlternativeIsNamed() throws {
    let schema: JSONValue = [
      "anyOf": [["type": "string"], ["type": "object", "properties": ["n": ["type": "integer"]]]]
    ]
    #expect(
      try failures(schema, ["n": "x"]) == [
        "$ anyOf: none of 2 alternatives fits; the closest fails at $['n']: expected integer, found string \"x\""
      ])
    #expect(
      try failures(["oneOf": [true, ["minimum": 1]]], 3) == [
        "$ oneOf: exactly one alternative may fit, those at 0, 1 do"
      ])
  }

  @Test(
    arguments: [
      (["type": "strng"], "type", "did you mean 'string'?"),
      (["properties": ["age": ["minimum": "3"]]], "properties.age.minimum", nil),
      (["properties": []], "properties", nil),
      (["items": [["type": "string"]]], "items", "since 2020-12 it is 'prefixItems'"),
      (
        ["dependencies": ["a": ["b"]]], "dependencies",
        "since 2019-09 it is 'dependentRequired' or 'dependentSchemas'"
      ),
      (["allOf": []], "allOf", nil), (["required": "a"], "required", nil),
      (["minLength": -1], "minLength", nil),
      (["multipleOf": 0], "multipleOf", nil), (["enum": "a"], "enum", nil),
      (["pattern": "a("], "pattern", nil),
      (["exclusiveMinimum": true], "exclusiveMinimum", nil), (["not": 3], "not", nil),
      (["$ref": "other.json"], "$ref", "put it under $defs: references to other documents are not followed"),
      (["$ref": "#/$defs/a"], "$ref", "put it under $defs: references to other documents are not followed"),
      (["$dynamicRef": "#a"], "$dynamicRef", "write the recursion with $ref"),
      (
        ["$schema": "http://json-schema.org/draft-04/schema#"], "$schema",
        "use https://json-schema.org/draft/2020-12/schema"
      ),
      (["$defs": ["a": ["$ref": "#/$defs/a"]], "$ref": "#/$defs/a"], "$defs.a", nil),
      (["allOf": [["$ref": "#"]]], "", nil),
    ] as [(JSONValue, String, String?)])
  func wrongSchemasAreProblems(_ schema: JSONValue, _ path: String, _ advice: String?) throws {
    let problem = try problem(schema)
    #expect(problem.path == path)
    if let advice { #expect(problem.advice == advice) }
    #expect(!problem.message.isEmpty)
  }

  @Test func patternsKeepTheirPlaces() throws {
    #expect(try problem(["pattern": "\\s\\s("]).message.contains("at character 5"))
    #expect(try failures(["pattern": "^[\\s-]+$"], "- \u{A0}\u{FEFF}").isEmpty)
    #expect(try failures(["pattern": "^\\p{Letter}\\u{1F600}$"], "é😀").isEmpty)
  }

  @Test func unknownFormatsAreRefusedOnlyWhereTheyAreAsserted() throws {
    #expect(try problem(["format": "emial"], formats: true).advice == "did you mean 'email'?")
    #expect(try JSONSchema(["format": "emial"]).validate("x") == .valid)
    #expect(try JSONSchema(["format": "email"]).validate("x") == .valid)
    #expect(try JSONSchema(["format": "email"], assertsFormats: true).validate("x").isInvalid)
  }

  @Test func whatIsNestedTooDeepIsUndecided() throws {
    let tree = try JSONSchema(["$defs": ["t": ["items": ["$ref": "#/$defs/t"]]], "$ref": "#/$defs/t"])
    func nested(_ depth: Int) throws -> JSONValue {
      try JSONValue.parse(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    }
    let shallow = try nested(100)
    #expect(tree.validate(shallow) == .valid)
    let deep = try nested(500)
    guard case .undecided = tree.validate(deep) else {
      Issue.record("500 levels were decided")
      return
    }
  }

  @Test func nestedAlternativesTakeNoExponentialTime() throws {
    // Each level tries both alternatives, and explains what failed: twice the work a level would never end.
    let schema = try JSONSchema([
      "$defs": [
        "t": ["anyOf": [["type": "object", "properties": ["a": ["$ref": "#/$defs/t"]]], ["type": "string"]]]
      ], "$ref": "#/$defs/t",
    ])
    var value: JSONValue = 1
    for _ in 0..<60 { value = ["a": value] }
    #expect(schema.validate(value).isInvalid)
  }

  @Test func expensivePatternsAreUndecided() async throws {
    let schema = try JSONSchema(["not": ["pattern": "^(a+)+$"]])
    guard case .undecided = schema.validate(.string(String(repeating: "a", count: 40) + "!")) else {
      Issue.record("the pattern was decided")
      return
    }
    let check: JSONValue = ["jsonSchema": ["pattern": "^(a+)+$"]]
    let judged = try await verdict(check, "\"\(String(repeating: "a", count: 40))!\"")
    #expect(judged.judgement.word == "graderFailed")
  }

  @Test(arguments: [
    Row(["jsonSchema": ["type": "object", "required": ["a"]]], "{\"a\": 1}", "pass"),
    Row(["jsonSchema": ["type": "object", "required": ["a"]]], "```json\n{\"a\": 1}\n```", "pass"),
    Row(["jsonSchema": ["type": "object"], "allowFence": false], "```json\n{\"a\": 1}\n```", "fail"),
    Row(["jsonSchema": ["type": "object", "required": ["a"]]], "{}", "fail"),
    Row(["jsonSchema": ["type": "object"]], "not JSON", "fail"),
    Row(["jsonSchema": ["format": "date"], "formats": true], "\"2023-02-29\"", "fail"),
    Row(["jsonSchema": ["format": "date"]], "\"2023-02-29\"", "pass"),
    Row(["jsonSchema": ["properties": ["n": ["multipleOf": 0.1]]]], "{\"n\": 0.3}", "pass"),
    Row(["jsonSchema": ["const": 9_007_199_254_740_993]], "9007199254740992", "fail"),
  ])
  func check(_ row: Row) async throws { try await row.verify() }

  @Test func wrongChecksAreProblems() throws {
    let wrong = try EvalGradersTests.problem(["jsonSchema": ["properties": ["a": ["type": "strin"]]]])
    #expect(wrong.path == "jsonSchema.properties.a.type")
    #expect(wrong.advice == "did you mean 'string'?")
    #expect(try EvalGradersTests.problem(["jsonSchema": true]).path == "jsonSchema")
    #expect(try EvalGradersTests.problem(["jsonSchema": ["file": "none.json"]]).path == "jsonSchema.file")
  }
}
