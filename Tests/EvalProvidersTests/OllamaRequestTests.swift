import EvalCore
import Testing

@testable import EvalProviders

struct OllamaRequestTests {
  private func profile(_ change: (inout Profile) -> Void) -> Profile {
    var profile = Profile(name: "p", provider: "ollama", model: "qwen3:8b")
    change(&profile)
    return profile
  }

  private func encode(
    _ messages: [Message] = [Message(.user, "Hi")], instructions: String? = nil,
    _ change: (inout Profile) -> Void = { _ in }
  ) -> EncodedRequest {
    let dialect = Ollama()
    return dialect.encode(call(profile(change), messages, instructions: instructions), dialect.servers[0])
  }

  private func problems(_ change: (inout Profile) -> Void) throws -> [Problem] {
    let descriptor = try #require(ProviderRegistry.all.first { $0.name == "ollama" })
    return descriptor.validate(profile(change))
  }

  @Test func theLeast() {
    #expect(
      JSONValue.object(encode().body).serialized(.compact)
        == #"{"model":"qwen3:8b","messages":[{"role":"user","content":"Hi"}],"stream":true,"truncate":false}"#
    )
    #expect(encode { $0.stream = false }.body["stream"] == false)
  }

  @Test func everythingThatAProfileCanSay() {
    let request = encode(instructions: "Be brief.") { profile in
      profile.parameters = GenerationParameters(
        temperature: 0.5, topP: 0.9, seed: 7, stop: ["\n"], maxOutputTokens: 64, reasoning: "low")
      profile.tools = [ToolDefinition(name: "f", summary: "does f", parameters: ["type": "object"])]
      profile.responseSchema = ["type": "object"]
      profile.contextSize = .tokens(8192)
    }
    let expected: JSONObject = [
      "model": "qwen3:8b",
      "messages": [["role": "system", "content": "Be brief."], ["role": "user", "content": "Hi"]],
      "stream": true,
      "tools": [
        [
          "type": "function",
          "function": ["name": "f", "description": "does f", "parameters": ["type": "object"]],
        ]
      ],
      "format": ["type": "object"], "think": "low",
      "options": [
        "temperature": 0.5, "top_p": 0.9, "num_predict": 64, "seed": 7, "stop": ["\n"], "num_ctx": 8192,
      ],
      "truncate": false,
    ]
    #expect(request.body == expected)
    #expect(request.notes.isEmpty)
    #expect(encode { $0.contextSize = .auto }.body["options"] == nil)
  }

  @Test(
    arguments: [("none", false), ("on", true), ("HIGH", "high"), ("max", "max")] as [(String, JSONValue)])
  func think(level: String, value: JSONValue) {
    #expect(encode { $0.parameters.reasoning = level }.body["think"] == value)
  }

  @Test func conversationWithToolsAndImages() {
    let image = ImageContent(mediaType: "image/png", base64: "AAAA", detail: "low")
    let request = encode([
      Message(role: .user, parts: [.text("What?"), .image(image)]),
      Message(
        role: .assistant, parts: [],
        toolCalls: [
          ToolCall(id: "c1", name: "f", arguments: ["x": 1]),
          ToolCall(id: nil, name: "g", arguments: "not json"),
        ], providerState: [["thinking": "Hm."]]),
      Message(role: .tool, parts: [.text("g!")], toolName: "g"),
      Message(role: .tool, parts: [.text("1"), .image(image)], toolCallID: "c1"),
      Message(.assistant, "So."), Message(.system, "Now."),
    ])
    let expected: JSONValue = [
      ["role": "user", "content": "What?", "images": ["AAAA"]],
      [
        "role": "assistant", "content": "", "thinking": "Hm.",
        "tool_calls": [
          ["id": "c1", "function": ["name": "f", "arguments": ["x": 1]]],
          ["function": ["name": "g", "arguments": [:]]],
        ],
      ],
      ["role": "tool", "content": "g!", "tool_name": "g"],
      ["role": "tool", "content": "1", "images": ["AAAA"], "tool_name": "f", "tool_call_id": "c1"],
      ["role": "assistant", "content": "So."], ["role": "system", "content": "Now."],
    ]
    #expect(request.body["messages"] == expected)
    #expect(
      request.notes == [
        "Ollama takes no detail with an image; it was not sent",
        "Ollama takes the arguments of a call as an object only; those of 'g' were not sent",
      ])
  }

  // MARK: Endpoint

  @Test(
    arguments: [
      (nil, "http://127.0.0.1:11434/api/chat"), ("http://h:1", "http://h:1/api/chat"),
      ("http://h:1/api/", "http://h:1/api/chat"), ("http://h:1/x", "http://h:1/x/api/chat"),
      ("http://h:1/api/chat", "http://h:1/api/chat"), ("https://ollama.com", "https://ollama.com/api/chat"),
    ] as [(String?, String)])
  func wholeURL(endpoint: String?, url: String) async throws {
    let exchange = ScriptedExchange([.json(200, "{}")])
    let profile = profile { $0.endpoint = endpoint }
    let factory = ProviderFactory(exchange: exchange, environment: ["OLLAMA_API_KEY": "secret"])
    _ = try await factory.make(profile).send(call(profile))
    let request = try #require(exchange.requests.first)
    #expect(request.endpoint == url)
    let isCloud = url.contains("ollama.com")
    #expect(request.http.headers.contains { $0 == ("Authorization", "Bearer secret") } == isCloud)
  }

  // MARK: Problems

  @Test func capabilities() throws {
    let descriptor = try #require(ProviderRegistry.all.first { $0.name == "ollama" })
    #expect(descriptor.capabilities == Set(Capability.allCases).subtracting([.tokenCount, .toolChoice]))
  }

  @Test func whatCannotBeSaidIsAProblem() throws {
    #expect(try problems { _ in }.isEmpty)
    let compatible = try problems { $0.endpoint = "http://127.0.0.1:11434/v1" }
    #expect(compatible.map(\.path) == ["endpoint"])
    #expect(compatible.first?.severity == .error)
    let level = try problems { $0.parameters.reasoning = "meduim" }
    #expect(level.map(\.severity) == [.warning])
    #expect(level.first?.advice?.contains("medium") == true)
    let strict = try problems { profile in
      profile.tools = [
        ToolDefinition(name: "f", summary: nil, parameters: [:]),
        ToolDefinition(name: "g", summary: nil, parameters: [:], strict: true),
      ]
    }
    #expect(strict.map(\.path) == ["tools[1].strict"])
    #expect(strict.first?.severity == .warning)
  }

  @Test func serverIsGuessedFromTheEndpoint() {
    for (endpoint, name) in [
      ("http://localhost:11434", "ollama"), ("https://ollama.com", "cloud"),
      ("http://10.0.0.5:11434", "generic"),
    ] {
      #expect(ProviderRegistry.server(of: profile { $0.endpoint = endpoint })?.name == name)
    }
  }
}
