import EvalCore
import Testing

@testable import EvalGraders

@Suite struct JSONGraderTests {
  private static let prose = "Here it is:\n```json\n{\"a\": 1}\n```\nI hope that helps."

  @Test(arguments: [
    Row(["json": true], "{\"a\": [1, 2]}", "pass"),
    Row(["json": true], " 3 ", "pass"),
    Row(["json": true], "```json\n{\"a\": 1}\n```", "pass"),
    Row(["json": true], "```\r\n[1,\r\n2]\r\n```\n", "pass"),
    Row(["json": true, "allowFence": false], "```json\n{}\n```", "fail"),
    Row(["json": true], "```json\n{\"a\": 1}", "fail"),
    Row(["json": true], "```json\n{}\n```\n```json\n{}\n```", "fail"),
    Row(["json": true], prose, "fail"),
    Row(["json": true, "allowProse": true], prose, "pass"),
    Row(["json": "object", "allowProse": true], "The set {x} is {\"a\": \"}\"} I think", "pass"),
    Row(["json": true, "allowProse": true], "no JSON at all {", "fail"),
    Row(["json": true, "allowProse": true], "```\n{}\n```\nor\n```\n[]\n```", "fail"),
    Row(["json": true], "{\"a\": 1,}", "fail"),
    Row(["json": true], "{'a': 1}", "fail"),
    Row(["json": true], "", "fail"),
    Row(["json": true], "NaN", "fail"),
    Row(["json": "array"], "{}", "fail"),
    Row(["json": "null"], "null", "pass"),
    Row(["json": "boolean"], "true", "pass"),
  ])
  func json(_ row: Row) async throws { try await row.verify() }

  @Test(arguments: [
    Row(["jsonPath": "$.city"], "{\"city\": null}", "pass"),
    Row(["jsonPath": "$.city"], "{}", "fail"),
    Row(["jsonPath": "$.city", "exists": false], "{}", "pass"),
    Row(["jsonPath": "$.city", "exists": false], "{\"city\": 1}", "fail"),
    Row(["jsonPath": "$.city", "equals": "Paris"], "{\"city\": \"Paris\"}", "pass"),
    Row(["jsonPath": "$.city", "equals": "paris"], "{\"city\": \"Paris\"}", "fail"),
    Row(["jsonPath": "$.city", "equals": "paris", "ignoreCase": true], "{\"city\": \"Paris\"}", "pass"),
    Row(["jsonPath": "$.n", "equals": 3], "{\"n\": 3.0}", "pass"),
    Row(["jsonPath": "$.n", "equals": 3, "tolerance": 0.1], "{\"n\": 3.05}", "pass"),
    Row(["jsonPath": "$.n", "equals": "3"], "{\"n\": 3}", "fail"),
    Row(["jsonPath": "$.n", "equals": .null], "{\"n\": null}", "pass"),
    Row(["jsonPath": "$.o", "equals": ["b": 1, "a": [2]]], "{\"o\": {\"a\": [2], \"b\": 1}}", "pass"),
    Row(["jsonPath": "$[*].n", "equals": 2], "[{\"n\": 1}, {\"n\": 2}]", "pass"),
    Row(["jsonPath": "$[*].n", "equals": 2, "nodes": "all"], "[{\"n\": 1}, {\"n\": 2}]", "fail"),
    Row(["jsonPath": "$[*].n", "equals": 2, "nodes": "all"], "[]", "fail"),
    Row(["jsonPath": "$.tags", "includes": "a"], "{\"tags\": [\"b\", \"a\"]}", "pass"),
    Row(["jsonPath": "$.text", "includes": "aris"], "{\"text\": \"Paris\"}", "pass"),
    Row(["jsonPath": "$.o", "includes": "name"], "{\"o\": {\"name\": 1}}", "pass"),
    Row(["jsonPath": "$.n", "includes": 1], "{\"n\": 1}", "fail"),
    Row(
      ["jsonPath": "$[?@.price < 10]", "count": 2], "[{\"price\": 3}, {\"price\": 30}, {\"price\": 9}]",
      "pass"),
    Row(["jsonPath": "$..id", "count": 1], "[{\"id\": 3}, {\"id\": 30}]", "fail"),
    Row(["jsonPath": "$.a"], "not JSON", "fail"),
  ])
  func jsonPath(_ row: Row) async throws { try await row.verify() }

  @Test(arguments: [
    Row(["jsonEquals": ["a": 1, "b": [1, 2]]], "{\"b\": [1, 2.0], \"a\": 1}", "pass"),
    Row(["jsonEquals": ["a": 1]], "{\"a\": 1, \"b\": 2}", "fail"),
    Row(["jsonEquals": ["a": 1], "subset": true], "{\"a\": 1, \"b\": 2}", "pass"),
    Row(["jsonEquals": [["a": 1]], "subset": true], "[{\"a\": 1, \"b\": 2}]", "pass"),
    Row(["jsonEquals": [1], "subset": true], "[1, 2]", "fail"),
    Row(["jsonEquals": ["a": "é"]], "{\"a\": \"e\u{301}\"}", "pass"),
    Row(["jsonEquals": ["a": 1.0], "tolerance": 0.01], "{\"a\": 1.005}", "pass"),
    Row(["jsonEquals": ["a": 100], "relativeTolerance": 0.01], "{\"a\": 101.5}", "fail"),
    Row(["jsonEquals": ["a": 1, "t": 0], "ignore": ["$.t"]], "{\"a\": 1, \"t\": 99}", "pass"),
    Row(["jsonEquals": ["a": 1], "ignore": ["$..id", "$.list[1]"]], "{\"a\": 1, \"id\": 2}", "pass"),
    Row(["jsonEquals": [1, 4], "ignore": ["$[1:3]"]], "[1, 2, 3, 4]", "fail"),
    Row(["jsonEquals": [1, 0, 0, 4], "ignore": ["$[1, 2, 1]"]], "[1, 2, 3, 4]", "pass"),
    Row(["jsonEquals": "Paris"], "\"Paris\"", "pass"),
    Row(["jsonEquals": "Paris"], "Paris", "fail"),
    Row(["jsonEquals": true], "{\"a\": 1}", "pass", reference: ["a": 1]),
    Row(["jsonEquals": true], "{\"a\": 1}", "pass", reference: "{\"a\": 1}"),
    Row(["jsonEquals": true], "{\"a\": 1}", "notApplicable"),
    Row(["jsonEquals": [1]], "nothing", "fail"),
  ])
  func jsonEquals(_ row: Row) async throws { try await row.verify() }

  @Test func differencesSayWhere() async throws {
    let judged = try await verdict(["jsonEquals": ["a": [["b": 1]]]], "{\"a\": [{\"b\": 2}]}")
    #expect(judged.explanation == "at $['a'][0]['b']: expected 1, found 2")
    let missing = try await verdict(["jsonEquals": ["it's": 1]], "{}")
    #expect(missing.explanation == "at $['it\\'s']: expected 1, found nothing")
  }

  @Test func aPathThatSelectsTooMuchIsUnscored() async throws {
    let wide = JSONValue.array(
      [JSONValue](repeating: .array([JSONValue](repeating: 1, count: 100)), count: 100))
    let judged = try await verdict(["jsonPath": "$..*[?count($..*) > 1]"], wide.serialized())
    #expect(judged.judgement.word == "graderFailed")
    let regex = try await verdict(
      ["jsonPath": "$[?search(@, '^(a+)+$')]"], "[\"\(String(repeating: "a", count: 40))!\"]")
    #expect(regex.judgement.word == "graderFailed")
  }

  @Test func wrongSettingsAreProblems() throws {
    #expect(try problem(["json": false]).advice == "write {\"not\": {\"json\": true}} for the opposite")
    #expect(try problem(["json": "objet"]).advice == "did you mean 'object'?")
    #expect(try problem(["json": true, "allowProse": true, "allowFence": false]).path == "allowFence")
    #expect(try problem(["jsonPath": "city"]).advice == "a JSONPath begins with $, for instance $.city")
    #expect(try problem(["jsonPath": "$.a["]).message.contains("at character 4"))
    #expect(try problem(["jsonPath": "$[?@.a == nope(1)]"]).message.contains("no function 'nope'"))
    #expect(try problem(["jsonPath": "$[?@.* == 1]"]).message.contains("one node"))
    #expect(try problem(["jsonPath": "$.a", "count": -1]).path == "count")
    #expect(try problem(["jsonPath": "$.a", "exists": false, "equals": 1]).path == "exists")
    #expect(try problem(["jsonPath": "$.a", "nodes": "all"]).path == "nodes")
    #expect(try problem(["jsonEquals": 1, "ignore": ["a"]]).path == "ignore[0]")
  }
}

@Suite struct JSONPathTests {
  /// The examples of RFC 9535, table 2 and §2.3.
  @Test(arguments: [
    ("$.store.book[*].author", 4), ("$..author", 4), ("$.store.*", 2), ("$.store..price", 5),
    ("$..book[2]", 1),
    ("$..book[2].author", 1), ("$..book[2].publisher", 0), ("$..book[-1]", 1), ("$..book[0,1]", 2),
    ("$..book[:2]", 2), ("$..book[?@.isbn]", 2), ("$..book[?@.price<10]", 2), ("$..*", 27), ("$", 1),
    ("$..book[::-1]", 4), ("$..book[5:1:-2]", 1), ("$..book[?@.price == $..book[0].price]", -1),
    ("$..book[?length(@.title) > 15 && @.category != 'reference']", 1),
    ("$..book[?match(@.title, 'S.*')]", 2), ("$..book[?search(@.author, 'R|W')]", 3),
    ("$..book[?!(@.isbn || @.price > 10)]", 1), ("$.store[?count(@.*) == 4].color", -1),
  ])
  func selects(_ path: String, _ count: Int) throws {
    let store = try JSONValue.parse(
      """
      {"store": {"book": [
        {"category": "reference", "author": "Nigel Rees", "title": "Sayings of the Century", "price": 8.95},
        {"category": "fiction", "author": "Evelyn Waugh", "title": "Sword of Honour", "price": 12.99},
        {"category": "fiction", "author": "Herman Melville", "title": "Moby Dick", "isbn": "0-553", "price": 8.99},
        {"category": "fiction", "author": "J. R. R. Tolkien", "title": "The Lord of the Rings", "isbn": "0-395",
         "price": 22.99}],
        "bicycle": {"color": "red", "price": 399}}}
      """)
    guard count >= 0 else {
      // Not singular, or nothing: checked for being refused or empty.
      #expect((try? JSONPath(path))?.nodes(in: store)?.isEmpty ?? true)
      return
    }
    #expect(try JSONPath(path).nodes(in: store)?.count == count)
  }

  @Test(arguments: [
    "", "a", "$.", "$..", "$a", " $", "$ ", "$.a b", "$['a", "$[a]", "$[01]", "$[-0]", "$[1.5]",
    "$[9007199254740992]",
    "$[?]", "$[?@.a=1]", "$[?@.a==]", "$[?1]", "$[?@.a==1 &&]", "$[?!@.a==1]", "$[?(@.a]", "$[?length(@)]",
    "$[?count(1)>1]", "$[?length(@.*)>1]", "$[?match(@.a)]", "$[?match(@.a,'b')==true]", "$[?@[0,1]==1]",
    "$[?true]",
    "$['\\x']", "$['\\ud800']", "$[\"a\\'b\"]", "$[?@.a == 01]", "$[?length (@.a)>1]", "$.1a", "$[,]",
    "$[1,]",
    "$[?(@.a) == 1]", "$[?@.a == 1e]", "$.'a'", "$..[", "$[?truex == @.a]",
  ])
  func refuses(_ path: String) {
    #expect(throws: JSONPath.SyntaxError.self) { _ = try JSONPath(path) }
  }

  @Test func namesKeepTheirScalars() throws {
    let value: JSONValue = ["e\u{301}": 1, "é": 2, "\u{1F600}": 3, "a'b\"\\\n": 4]
    #expect(try JSONPath("$.é").nodes(in: value)?.map(\.value) == [2])
    #expect(try JSONPath("$['e\\u0301']").nodes(in: value)?.map(\.value) == [1])
    #expect(try JSONPath("$[\"\\uD83D\\uDE00\"]").nodes(in: value)?.map(\.value) == [3])
    let last = try #require(try JSONPath("$['a\\'b\"\\\\\\n']").nodes(in: value)?.first)
    #expect(JSONPathStep.normalized(last.path) == "$['a\\'b\"\\\\\\n']")
  }
}
