import EvalTestSupport
import Testing

@testable import EvalProviders

@Suite(.timeLimit(.minutes(2)))
struct AnthropicWireTests {
  static let names = WireCheck.names("anthropic")

  @Test func allCasesAreThere() { #expect(Self.names.count == 15) }

  @Test(arguments: names, WireCheck.Cut.allCases)
  func isReadRight(name: String, cut: WireCheck.Cut) throws {
    try WireCheck(Anthropic()).inMemory(name, cut)
  }

  @Test func throughSocketsAsPlanned() async throws {
    try await WireCheck.throughSockets(Anthropic(), Self.names, grain: .planned, speed: 1)
  }

  @Test func throughSocketsByteByByte() async throws {
    try await WireCheck.throughSockets(Anthropic(), Self.names, grain: .singleBytes, speed: 0)
  }
}
