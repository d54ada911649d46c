import EvalCore
import Testing

@testable import EvalProviders

struct OpenAIChatRequestTests {
  private func encode(
    _ server: String = "generic", _ messages: [Message] = [Message(.user, "Hi")], instructions: String? = nil,
    _ change: (inout Profile) -> Void = { _ in }
  ) throws -> EncodedRequest {
    let traits = try #require(OpenAIChat.knownServers.first { $0.name == server })
    return OpenAIChat().encode(
      call(chatProfile(change: change), messages, instructions: instructions), traits)
  }

  private func chatProfile(change: (inout Profile) -> Void) -> Profile {
    var profile = Profile(name: "p", provider: "openai-chat", model: "m")
    change(&profile)
    return profile
  }

  private func member(_ key: String, _ request: EncodedRequest) -> String? {
    request.body[key]?.serialized(.compact)
  }

  @Test func theLeast() throws {
    let body = try encode().body
    #expect(
      JSONValue.object(body).serialized(.compact)
        == #"{"model":"m","messages":[{"role":"user","content":"Hi"}],"stream":true,"stream_options":{"include_usage":true}}"#
    )
  }

  @Test func everythingThatAProfileCanSay() throws {
    let request = try encode("openai", instructions: "Be brief.") { profile in
      profile.parameters = GenerationParameters(
        temperature: 0.5, topP: 0.9, seed: 7, stop: ["\n"], maxOutputTokens: 64, reasoning: "low")
      profile.tools = [
        ToolDefinition(name: "f", summary: "does f", parameters: ["type": "object"], strict: true)
      ]
      profile.toolChoice = .tool("f")
      profile.responseSchema = ["type": "object"]
    }
    let expected: JSONObject = [
      "model": "m",
      "messages": [["role": "system", "content": "Be brief."], ["role": "user", "content": "Hi"]],
      "temperature": 0.5, "top_p": 0.9, "max_completion_tokens": 64, "stop": ["\n"], "seed": 7,
      "reasoning_effort": "low",
      "tools": [
        [
          "type": "function",
          "function": [
            "name": "f", "description": "does f", "parameters": ["type": "object"], "strict": true,
          ],
        ]
      ],
      "tool_choice": ["type": "function", "function": ["name": "f"]],
      "response_format": [
        "type": "json_schema",
        "json_schema": ["name": "answer", "schema": ["type": "object"], "strict": true],
      ],
      "stream": true, "stream_options": ["include_usage": true, "include_obfuscation": false],
    ]
    #expect(request.body == expected)
    #expect(request.notes.isEmpty)
  }

  @Test func conversationWithToolsAndImages() throws {
    let image = ImageContent(mediaType: "image/png", base64: "AAAA", detail: "low")
    let request = try encode(
      "generic",
      [
        Message(role: .user, parts: [.text("What?"), .image(image)]),
        Message(
          role: .assistant, parts: [],
          toolCalls: [
            ToolCall(id: "c1", name: "f", arguments: ["x": 1]), ToolCall(id: nil, name: "g", arguments: [:]),
            ToolCall(id: nil, name: "h", arguments: "not json"),
          ]), Message(role: .tool, parts: [.text("h!")], toolName: "h"),
        Message(role: .tool, parts: [.text("1")], toolCallID: "c1", toolName: "f"),
        Message(role: .tool, parts: [.text("g!")], toolName: "g"), Message(.assistant, "So."),
        Message(.user, "Thanks"),
      ])
    let expected: JSONValue = [
      [
        "role": "user",
        "content": [
          ["type": "text", "text": "What?"],
          ["type": "image_url", "image_url": ["url": "data:image/png;base64,AAAA", "detail": "low"]],
        ],
      ],
      [
        "role": "assistant", "content": .null,
        "tool_calls": [
          ["id": "c1", "type": "function", "function": ["name": "f", "arguments": "{\"x\":1}"]],
          ["id": "call_1", "type": "function", "function": ["name": "g", "arguments": "{}"]],
          ["id": "call_2", "type": "function", "function": ["name": "h", "arguments": "not json"]],
        ],
      ],
      ["role": "tool", "tool_call_id": "call_2", "content": "h!"],
      ["role": "tool", "tool_call_id": "c1", "content": "1"],
      ["role": "tool", "tool_call_id": "call_1", "content": "g!"],
      ["role": "assistant", "content": "So."], ["role": "user", "content": "Thanks"],
    ]
    #expect(request.body["messages"] == expected)
  }

  /// What Gemini signs comes back with the call that it signed.
  @Test func providerStateGoesBack() throws {
    let (_, reply) = readChat([
      #"data: {"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"g","arguments":"{}"},"extra_content":{"google":{"thought_signature":"S"}}}]},"finish_reason":"stop"}]}"#
        + "\n\n"
    ])
    let message = Message(
      role: .assistant, parts: [], toolCalls: reply.toolCalls, providerState: reply.providerState)
    let request = try encode("gemini", [Message(.user, "Hi"), message])
    let calls = request.body["messages"]?[1]?["tool_calls"]
    #expect(calls?[0]?["extra_content"] == nil)
    #expect(calls?[1]?["extra_content"] == ["google": ["thought_signature": "S"]])
  }

  @Test(arguments: [
    ("openai", "max_completion_tokens"), ("azure", "max_completion_tokens"),
    ("groq", "max_completion_tokens"),
    ("generic", "max_tokens"), ("llama.cpp", "max_tokens"), ("vllm", "max_tokens"), ("mistral", "max_tokens"),
    ("deepseek", "max_tokens"),
  ])
  func limitField(server: String, field: String) throws {
    let request = try encode(server) { $0.parameters.maxOutputTokens = 9 }
    #expect(request.body[field] == 9)
    #expect(request.body.keys.filter { $0.contains("max") } == [field])
  }

  @Test func seedField() throws {
    #expect(try member("seed", encode { $0.parameters.seed = 3 }) == "3")
    #expect(try member("random_seed", encode("mistral") { $0.parameters.seed = 3 }) == "3")
    let without = try encode("deepseek") { $0.parameters.seed = 3 }
    #expect(without.body["seed"] == nil)
    #expect(without.notes.count == 1)
  }

  @Test(arguments: [
    ("openai", "high", "reasoning_effort", #""high""#),
    ("openrouter", "high", "reasoning", #"{"effort":"high"}"#),
    ("deepseek", "none", "thinking", #"{"type":"disabled"}"#),
    ("moonshot", "high", "thinking", #"{"type":"enabled"}"#),
    ("llama.cpp", "none", "chat_template_kwargs", #"{"enable_thinking":false}"#),
    ("vllm", "low", "reasoning_effort", #""low""#),
  ])
  func reasoningField(server: String, level: String, field: String, value: String) throws {
    let request = try encode(server) { $0.parameters.reasoning = level }
    #expect(member(field, request) == value)
  }

  @Test func whatAServerCannotSayIsNoted() throws {
    let apple = try encode("fm-serve") { $0.parameters.reasoning = "low" }
    #expect(apple.notes.count == 1)
    let deepseek = try encode("deepseek") { $0.responseSchema = [:] }
    #expect(member("response_format", deepseek) == #"{"type":"json_object"}"#)
    #expect(deepseek.notes.count == 1)
  }

  @Test func usageIsAskedForOnlyWhereItMustBe() throws {
    for server in ["openrouter", "mistral", "xai", "moonshot"] {
      #expect(try encode(server).body["stream_options"] == nil)
    }
    #expect(try encode { $0.stream = false }.body["stream_options"] == nil)
    #expect(try encode { $0.stream = false }.body["stream"] == false)
  }

  @Test func azureDeploymentURL() throws {
    let request = try encode("azure") { $0.options = ["apiVersion": "2024-10-21"] }
    #expect(request.basePath == "/openai/deployments/m")
    #expect(request.query.map { $0.0 + "=" + $0.1 } == ["api-version=2024-10-21"])
  }

  // MARK: Servers

  @Test(
    arguments: [
      ("https://api.openai.com/v1", nil, "openai"), ("https://eu.api.openai.com/v1", nil, "openai"),
      ("https://x.openai.azure.com", nil, "azure"), ("http://127.0.0.1:8080", nil, "llama.cpp"),
      ("http://localhost:11434/v1", nil, "ollama"), ("http://[::1]:1234/v1", nil, "lmstudio"),
      ("http://127.0.0.1:1976/v1", nil, "fm-serve"), ("http://10.0.0.5:8080/v1", nil, "generic"),
      ("https://api.openai.com.evil.example/v1", nil, "generic"),
      ("https://openrouter.ai/api/v1", nil, "openrouter"),
      ("https://api.mistral.ai/v1", nil, "mistral"), ("https://api.groq.com/openai/v1", nil, "groq"),
      ("https://api.x.ai/v1", nil, "xai"), ("https://api.deepseek.com", nil, "deepseek"),
      ("https://generativelanguage.googleapis.com/v1beta/openai/", nil, "gemini"),
      ("http://127.0.0.1:8080/v1", "vllm", "vllm"), (nil, nil, "openai"), (nil, "groq", "groq"),
    ] as [(String?, String?, String)])
  func serverIsGuessedFromTheEndpoint(endpoint: String?, server: String?, name: String) {
    var profile = Profile(name: "p", provider: "openai-chat", model: "m")
    profile.endpoint = endpoint
    profile.server = server
    #expect(ProviderRegistry.server(of: profile)?.name == name)
  }

  @Test func appleServesOneCallWithSmallWindows() {
    var profile = Profile(name: "p", provider: "openai-chat", model: "system")
    profile.server = "fm-serve"
    let traits = ProviderRegistry.server(of: profile)
    #expect(traits?.parallelCalls == 1)
    #expect(traits?.contextSizes == ["system": 4096, "pcc": 32768])
    #expect(traits?.zeroInputIsAbsent == true)
  }
}
