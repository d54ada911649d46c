import EvalTestSupport
import Testing

@testable import EvalProviders

@Suite(.timeLimit(.minutes(2)))
struct OpenAIResponsesWireTests {
  static let names = WireCheck.names("openai-responses")

  @Test func allCasesAreThere() { #expect(Self.names.count == 12) }

  @Test(arguments: names, WireCheck.Cut.allCases)
  func isReadRight(name: String, cut: WireCheck.Cut) throws {
    try WireCheck(OpenAIResponses()).inMemory(name, cut)
  }

  @Test func throughSocketsAsPlanned() async throws {
    try await WireCheck.throughSockets(OpenAIResponses(), Self.names, grain: .planned, speed: 1)
  }

  @Test func throughSocketsByteByByte() async throws {
    try await WireCheck.throughSockets(OpenAIResponses(), Self.names, grain: .singleBytes, speed: 0)
  }
}
