import EvalCore
import EvalTestSupport
import Testing

@testable import EvalProviders

struct TokenCountBodyTests {
  static let names = WireFixtures.names.filter { (try? WireCheck.expectation($0))?["tokenCount"] != nil }

  @Test(arguments: names)
  func everyServersForm(name: String) throws {
    let fixture = try WireFixtures.load(name)
    let feed = WireFeed(fixture.bytes, cuts: [fixture.bytes.count])
    let expected = try WireCheck.expectation(name)["tokenCount"]?.intValue
    #expect(TokenCountBody.read(try JSONValue.parse(feed.body))?.tokens == expected.map { Int($0) })
  }

  @Test func whatElseThereIs() throws {
    #expect(Self.names.count == 4)
    let vllm = try JSONValue.parse(#"{"count":4,"max_model_len":8192,"tokens":[1,22,333,4]}"#)
    #expect(TokenCountBody.read(vllm) == TokenCountBody(tokens: 4, contextSize: 8192))
    #expect(TokenCountBody.read(["tokens": [1, 2, 3]])?.tokens == 3)
    #expect(TokenCountBody.read(["error": "no"]) == nil)
    #expect(TokenCountBody.read(["count": -1]) == nil)
  }
}
