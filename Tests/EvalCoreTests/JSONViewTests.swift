import EvalCore
import Testing

@Suite struct JSONViewTests {
  @Test func walksAText() throws {
    let text =
      #"{"id":"x","choices":[{"index":0,"delta":{"content":"Hi"},"stop":null},{"index":1}],"ok":true}"#
    let root = try JSONDocument(parsing: Array(text.utf8)).root
    #expect(root.kind == .object && root.count == 3)
    #expect(root["choices"]?[0]?["delta"]?["content"]?.string == "Hi")
    #expect(root["choices"]?[1]?["index"]?.int == 1)
    #expect(root["choices"]?[0]?["stop"]?.isNull == true)
    #expect(root["choices"]?.kind == .array && root["choices"]?.count == 2)
    #expect(root["ok"]?.bool == true && root["ok"]?.kind == .bool && root["id"]?.bool == nil)
    #expect(root["choices"]?[2] == nil && root["choices"]?[-1] == nil && root[0] == nil)
    #expect(
      root["index"] == nil && root["choices"]?["index"] == nil && root["id"]?["x"] == nil && root[""] == nil)
    for (key, value) in [("id", "string"), ("ok", "bool"), ("choices", "array")] {
      #expect(root[key].map { "\($0.kind)" } == value)
    }
    #expect(root.members.map { $0.key.string } == ["id", "choices", "ok"])
    #expect(root["choices"]?.elements.map { $0.count } == [3, 1])
    #expect(Array(root.elements).isEmpty && root["choices"].map { Array($0.members).isEmpty } == true)
    #expect(root["id"]?.count == 0)
  }

  @Test func rangesAreTheTextOfEachValue() throws {
    let text = " { \"a\" : [ 1.5e3 , \"x\\n\" ] , // c\n \"b\":{ },\"c\":null }  "
    let root = try JSONDocument(parsing: Array(text.utf8), dialect: .relaxed).root
    func source(_ view: JSONView?) -> String? {
      view.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) }
    }
    #expect(source(root) == text.dropFirst().dropLast(2).description)
    #expect(source(root["a"]) == #"[ 1.5e3 , "x\n" ]"#)
    #expect(source(root["a"]?[0]) == "1.5e3" && source(root["a"]?[1]) == #""x\n""#)
    #expect(source(root["b"]) == "{ }" && source(root["c"]) == "null")
    #expect(root.members.map { source($0.key) } == ["\"a\"", "\"b\"", "\"c\""])
  }

  @Test func positionsIncludeTheByteOrderMark() throws {
    let root = try JSONDocument(parsing: [0xEF, 0xBB, 0xBF] + Array("[7]".utf8), dialect: .relaxed).root
    #expect(root.range == 3..<6 && root[0]?.range == 4..<5)
  }

  @Test func duplicateKeysShowAndTheLastCounts() throws {
    let root = try JSONDocument(parsing: Array(#"{"a":1,"b":2,"\u0061":3}"#.utf8)).root
    #expect(root["a"]?.int == 3)
    #expect(root["a" as String]?.int == 3)
    #expect(root.members.map { $0.key.string } == ["a", "b", "a"] && root.count == 3)
    #expect(root.value == ["a": 3, "b": 2])
  }

  @Test func keysMatchByTheirScalars() throws {
    let root = try JSONDocument(parsing: Array("{\"\u{E9}\":1,\"e\u{301}\":2,\"\":3,\"\\n\":4}".utf8)).root
    #expect(root["\u{E9}"]?.int == 1 && root["e\u{301}"]?.int == 2)
    #expect(root[""]?.int == 3 && root["" as String]?.int == 3 && root["\n"]?.int == 4)
    #expect(root.value.objectValue?.count == 4)
  }

  @Test func aDocumentIsReusable() throws {
    let document = JSONDocument()
    #expect(document.root.isNull)
    for length in [0, 10, 5_000, 3, 200_000, 1] {
      let text = "[" + (0..<length).map { "\"\($0)\"" }.joined(separator: ",") + "]"
      try document.parse(Array(text.utf8))
      #expect(document.root.count == length)
      #expect(document.root.elements.map { $0.string } == (0..<length).map { "\($0)" })
    }
    #expect(throws: JSONSyntaxError.self) { try document.parse(Array("[1".utf8)) }
    #expect(document.root.isNull && document.root.range == 0..<0)
    try document.parse(UnsafeRawBufferPointer(start: nil, count: 0).isEmpty ? Array("2".utf8) : [])
    #expect(document.root.int == 2)
    #expect(throws: JSONSyntaxError(offset: 0, message: "unexpected end of text")) {
      try document.parse(UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }

  @Test func aViewKeepsItsDocumentAlive() throws {
    let view = try JSONDocument(parsing: Array(#"{"a":["kept"]}"#.utf8)).root["a"]?[0]
    #expect(view?.string == "kept")
  }

  @Test func aViewOfAFormerTextTraps() async {
    await #expect(processExitsWith: .failure) {
      let document = JSONDocument()
      try document.parse(Array("[1]".utf8))
      let stale = document.root
      try document.parse(Array("[2]".utf8))
      _ = stale.count
    }
  }
}
