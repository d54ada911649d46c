import EvalCore
import Testing

@Suite struct StoredProfileTests {
  static let full: Profile = {
    var profile = Profile(name: "cloud", provider: "openai-chat", model: "m")
    profile.endpoint = "https://example.org/v1"
    profile.server = "vllm"
    profile.boundary = .thirdParty
    profile.contextSize = .tokens(4096)
    profile.trimHistory = .oldestTurns
    profile.instructions = "Answer in {{language}}."
    profile.parameters = GenerationParameters(
      temperature: 0.5, topP: 0.9, seed: 7, stop: ["\n"], maxOutputTokens: 64, reasoning: "low")
    profile.tools = [
      ToolDefinition(name: "find", summary: "Finds.", parameters: ["type": "object"], strict: true),
      ToolDefinition(name: "count", summary: nil, parameters: ["type": "object"]),
    ]
    profile.toolChoice = .tool("find")
    profile.responseSchema = ["type": "object"]
    profile.stream = false
    profile.extraBody = ["n": 1]
    profile.price = Price(input: 0.15, cachedInput: 0.075, cacheWrite: 0.3, output: 0.6, asOf: "2026-11-30")
    profile.options = ["apiVersion": "1"]
    return profile
  }()

  static let variants: [Profile] = {
    var bare = Profile(name: "bare", provider: "command", model: "m")
    bare.contextSize = .auto
    bare.price = .free
    var choices = [full, bare]
    for choice in [ToolChoice.auto, .none, .required] {
      bare.toolChoice = choice
      choices.append(bare)
    }
    return choices
  }()

  /// The hash covers every member that can change an answer or its accounting.
  @Test(arguments: variants.indices)
  func `A stored profile reads back with the same identity`(_ index: Int) throws {
    let profile = Self.variants[index]
    let text = JSONValue.object(profile.contentObject).serialized()
    let back = try #require(Profile(name: profile.name, stored: JSONValue.parse(text)))
    #expect(back.hash == profile.hash)
    #expect(back.contentObject == profile.contentObject)
  }

  @Test func `What is no profile is none, and private instructions are unknown`() {
    #expect(Profile(name: "x", stored: ["policy": "p"]) == nil)
    let hidden: JSONValue = [
      "provider": "command", "model": "m", "instructions": ["sha256": "ab", "bytes": 2],
    ]
    #expect(Profile(name: "x", stored: hidden)?.instructions == nil)
  }
}
