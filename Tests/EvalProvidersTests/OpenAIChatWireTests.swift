import EvalTestSupport
import Testing

@testable import EvalProviders

struct OpenAIChatWireTests {
  @Test func allCasesAreThere() {
    #expect(WireCheck.names("openai-chat").count == 52)
  }

  @Test(arguments: WireCheck.names("openai-chat"), WireCheck.Cut.allCases)
  func isReadRight(name: String, cut: WireCheck.Cut) throws {
    try WireCheck(OpenAIChat()).inMemory(name, cut)
  }
}
