import EvalCore
import Testing

@testable import EvalProviders

struct ToolCallAssemblyTests {
  /// Each fragment as `{"index", "id", "name", "arguments"}`.
  private func calls(_ fragments: [JSONValue]) throws -> [ToolCall] {
    var assembly = ToolCallAssembly()
    for fragment in fragments {
      let document = try JSONDocument(parsing: fragment.bytes(.compact))
      let view = document.root
      assembly.add(
        .init(
          index: view["index"]?.int.map { Int($0) }, id: view["id"]?.string, name: view["name"]?.string,
          arguments: view["arguments"]))
    }
    return assembly.calls
  }

  private func call(_ id: String?, _ name: String, _ arguments: JSONValue) -> ToolCall {
    ToolCall(id: id, name: name, arguments: arguments)
  }

  @Test func repeatedNameAndIDAreNotDoubled() throws {
    let found = try calls([
      ["index": 0, "id": "a", "name": "f", "arguments": "{\"x\""],
      ["index": 0, "id": "a", "name": "f", "arguments": ":1}"],
    ])
    #expect(found == [call("a", "f", ["x": 1])])
  }

  @Test func nullOrEmptyIDAndNameGoOn() throws {
    let found = try calls([
      ["index": 0, "id": "a", "name": "f", "arguments": ""],
      ["index": 0, "id": "", "name": .null, "arguments": "{}"],
    ])
    #expect(found == [call("a", "f", [:])])
  }

  @Test func allZeroIndexWithoutIDsIsToldByWholeArguments() throws {
    let found = try calls([
      ["index": 0, "name": "f", "arguments": "{\"q\":1}"],
      ["index": 0, "name": "f", "arguments": "{\"q\":2}"],
    ])
    #expect(found == [call(nil, "f", ["q": 1]), call(nil, "f", ["q": 2])])
  }

  @Test func anIDMadeUpForEachFragmentGoesOn() throws {
    let found = try calls([
      ["index": 0, "id": "r1", "name": "f", "arguments": "{\"q\":"],
      ["index": 0, "id": "r2", "arguments": "1}"],
    ])
    #expect(found == [call("r1", "f", ["q": 1])])
  }

  @Test func anIDAloneAnnouncesACall() throws {
    let found = try calls([
      ["index": 0, "id": "a", "name": "f", "arguments": "{}"], ["index": 0, "id": "b"],
      ["index": 0, "name": "g", "arguments": "{\"x\":1}"],
    ])
    #expect(found == [call("a", "f", [:]), call("b", "g", ["x": 1])])
  }

  @Test func callsWithoutIndexAndIDStandAlone() throws {
    let found = try calls([
      ["name": "f", "arguments": "{}"], ["name": "f", "arguments": "{}"], ["name": "g"],
    ])
    #expect(found.map(\.name) == ["f", "f", "g"])
  }

  @Test func nameInPieces() throws {
    let found = try calls([
      ["index": 0, "id": "a", "name": "get_"], ["index": 0, "name": "tide"], ["index": 0, "arguments": "{}"],
    ])
    #expect(found == [call("a", "get_tide", [:])])
  }

  @Test func argumentsAsObjectAndArgumentsThatAreNoJSON() throws {
    let found = try calls([
      ["index": 0, "id": "a", "name": "f", "arguments": ["x": [1, .null]]],
      ["index": 1, "id": "b", "name": "g", "arguments": "x = 1"],
    ])
    #expect(found == [call("a", "f", ["x": [1, .null]]), call("b", "g", "x = 1")])
  }

  @Test func anIDAndNothingElseIsNoOutput() throws {
    var assembly = ToolCallAssembly()
    #expect(assembly.add(.init(index: 0, id: "a", name: "", arguments: nil)).bearsToken == false)
    #expect(assembly.isEmpty)
    #expect(assembly.add(.init(index: 0, id: nil, name: "f", arguments: nil)).bearsToken)
  }
}
