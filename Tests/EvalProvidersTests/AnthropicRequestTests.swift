import EvalCore
import Testing

@testable import EvalProviders

struct AnthropicRequestTests {
  private func encode(
    _ server: String = "anthropic", _ messages: [Message] = [Message(.user, "Hi")],
    instructions: String? = nil, _ change: (inout Profile) -> Void = { _ in }
  ) throws -> EncodedRequest {
    let traits = try #require(Anthropic.knownServers.first { $0.name == server })
    let profile = dialectProfile("anthropic") {
      $0.parameters.maxOutputTokens = 64
      change(&$0)
    }
    return Anthropic().encode(call(profile, messages, instructions: instructions), traits)
  }

  private func text(_ value: JSONValue?) -> String? { value?.serialized(.compact) }

  @Test func theLeast() throws {
    let request = try encode()
    #expect(request.path == "/v1/messages")
    #expect(request.headers.map { "\($0.0): \($0.1)" } == ["anthropic-version: 2023-06-01"])
    #expect(
      text(.object(request.body))
        == #"{"model":"m","max_tokens":64,"messages":[{"role":"user","content":"Hi"}],"stream":true}"#)
    #expect(request.notes.isEmpty)
  }

  @Test func everythingThatAProfileCanSay() throws {
    let request = try encode(instructions: "Be brief.") { profile in
      profile.stream = false
      profile.parameters = GenerationParameters(
        temperature: 0.5, topP: 0.9, stop: ["END"], maxOutputTokens: 64, reasoning: "low")
      profile.tools = [
        ToolDefinition(name: "f", summary: "does f", parameters: ["type": "object"], strict: true)
      ]
      profile.toolChoice = .tool("f")
      profile.responseSchema = ["type": "object"]
    }
    let expected: JSONObject = [
      "model": "m", "max_tokens": 64, "system": "Be brief.",
      "messages": [["role": "user", "content": "Hi"]], "temperature": 0.5, "top_p": 0.9,
      "stop_sequences": ["END"], "thinking": ["type": "adaptive"],
      "output_config": ["effort": "low", "format": ["type": "json_schema", "schema": ["type": "object"]]],
      "tools": [
        ["name": "f", "description": "does f", "input_schema": ["type": "object"], "strict": true]
      ],
      "tool_choice": ["type": "tool", "name": "f"], "stream": false,
    ]
    #expect(request.body == expected)
    #expect(request.notes.isEmpty)
  }

  @Test func theLimitIsRequired() throws {
    let request = try encode { $0.parameters.maxOutputTokens = nil }
    #expect(request.body["max_tokens"] == 4096)
    #expect(request.notes.count == 1 && request.notes[0].contains("4096"))
    let thinking = try encode {
      $0.parameters.maxOutputTokens = nil
      $0.parameters.reasoning = "2000"
    }
    #expect(thinking.body["max_tokens"] == 6096)
    let own = try encode {
      $0.parameters.maxOutputTokens = nil
      $0.extraBody = ["max_tokens": 9]
    }
    #expect(own.notes.isEmpty)
  }

  @Test(arguments: [
    ("anthropic", "none", "thinking", #"{"type":"disabled"}"#),
    ("anthropic", "high", "output_config", #"{"effort":"high"}"#),
    ("anthropic", "2048", "thinking", #"{"type":"enabled","budget_tokens":2048}"#),
    ("vllm", "low", "output_config", #"{"effort":"low"}"#),
    ("vllm", "none", "chat_template_kwargs", #"{"enable_thinking":false}"#),
    ("llama.cpp", "low", "thinking", #"{"type":"enabled","budget_tokens":1024}"#),
    ("llama.cpp", "77", "thinking", #"{"type":"enabled","budget_tokens":77}"#),
    ("llama.cpp", "none", "chat_template_kwargs", #"{"enable_thinking":false}"#),
  ])
  func reasoningLevel(server: String, level: String, field: String, value: String) throws {
    let request = try encode(server) { $0.parameters.reasoning = level }
    #expect(text(request.body[field]) == value)
    #expect(request.notes.isEmpty == (level != "low" || server == "vllm"))
  }

  @Test func choices() throws {
    func choice(_ choice: ToolChoice, tools: Bool = true) throws -> String? {
      try text(
        encode {
          $0.toolChoice = choice
          if tools { $0.tools = [ToolDefinition(name: "f", summary: nil, parameters: ["type": "object"])] }
        }.body["tool_choice"])
    }
    #expect(try choice(.auto) == #"{"type":"auto"}"#)
    #expect(try choice(.none) == #"{"type":"none"}"#)
    #expect(try choice(.required) == #"{"type":"any"}"#)
    #expect(try choice(.none, tools: false) == nil)
  }

  @Test func conversationWithToolsAndImages() throws {
    let image = ImageContent(mediaType: "image/png", base64: "AAAA", detail: "low")
    let request = try encode(
      "anthropic",
      [
        Message(role: .user, parts: [.text("What?"), .image(image)]),
        Message(
          role: .assistant, parts: [.text("Looking.")],
          toolCalls: [
            ToolCall(id: "functions.f:0", name: "f", arguments: ["x": 1]),
            ToolCall(id: nil, name: "g", arguments: "not json"),
          ]), Message(role: .tool, parts: [.text("g!"), .image(image)], toolName: "g"),
        Message(role: .tool, parts: [.text("1")], toolCallID: "functions.f:0", toolName: "f"),
        Message(.assistant, ""), Message(.system, "Now be rude."), Message(.user, "Thanks"),
      ], instructions: "Be brief.")
    let source: JSONValue = ["type": "base64", "media_type": "image/png", "data": "AAAA"]
    let expected: JSONValue = [
      [
        "role": "user",
        "content": [["type": "text", "text": "What?"], ["type": "image", "source": source]],
      ],
      [
        "role": "assistant",
        "content": [
          ["type": "text", "text": "Looking."],
          ["type": "tool_use", "id": "functions_f_0", "name": "f", "input": ["x": 1]],
          ["type": "tool_use", "id": "call_1", "name": "g", "input": ["arguments": "not json"]],
        ],
      ],
      [
        "role": "user",
        "content": [
          [
            "type": "tool_result", "tool_use_id": "call_1",
            "content": [["type": "text", "text": "g!"], ["type": "image", "source": source]],
          ], ["type": "tool_result", "tool_use_id": "functions_f_0", "content": "1"],
        ],
      ],
      ["role": "user", "content": "Thanks"],
    ]
    #expect(request.body["messages"] == expected)
    #expect(request.body["system"] == "Be brief.\n\nNow be rude.")
    #expect(request.notes.count == 3)
  }

  /// Results of two turns do not run together.
  @Test func resultsOfEachTurnAreOneMessage() throws {
    func turn(_ id: String) -> [Message] {
      [
        Message(role: .assistant, parts: [], toolCalls: [ToolCall(id: id, name: "f", arguments: [:])]),
        Message(role: .tool, parts: [.text(id)], toolCallID: id, toolName: "f"),
      ]
    }
    let messages = try encode("anthropic", [Message(.user, "Hi")] + turn("a") + turn("b")).body["messages"]
    #expect(messages?.arrayValue?.map { $0["role"] } == ["user", "assistant", "user", "assistant", "user"])
    #expect(messages?[4]?["content"]?.arrayValue?.count == 1)
  }

  /// Thoughts, signatures and redacted blocks come back as they were, in their order.
  @Test func thoughtsGoBackUnchanged() throws {
    let (_, reply) = readStream(
      Anthropic(),
      [
        #"{"type":"message_start","message":{"id":"i","model":"m","content":[],"usage":{"input_tokens":1}}}"#,
        #"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
        #"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm "}}"#,
        #"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"so."}}"#,
        #"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}"#,
        #"{"type":"content_block_stop","index":0}"#,
        #"{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"b3Bh"}}"#,
        #"{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}"#,
        #"{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}"#,
        #"{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"x\":1}"}}"#,
        #"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":5}}"#,
        #"{"type":"message_stop"}"#,
      ])
    #expect(reply.toolCalls == [ToolCall(id: "t", name: "f", arguments: ["x": 1])])
    let answer = Message(
      role: .assistant, parts: [.text(reply.text)], toolCalls: reply.toolCalls,
      providerState: reply.providerState)
    let request = try encode(
      "anthropic",
      [Message(.user, "Hi"), answer, Message(role: .tool, parts: [.text("1")], toolCallID: "t")])
    #expect(
      text(request.body["messages"]?[1]?["content"])
        == #"[{"type":"thinking","thinking":"Hm so.","signature":"c2ln"},"#
        + #"{"type":"redacted_thinking","data":"b3Bh"},"#
        + #"{"type":"tool_use","id":"t","name":"f","input":{"x":1}}]"#)
    #expect(request.body["messages"]?[2]?["content"]?[0]?["tool_use_id"] == "t")
  }

  /// What another dialect wants back is nothing to this one.
  @Test func foreignStateIsLeftOut() throws {
    let foreign: JSONValue = ["output": [["type": "reasoning"]]]
    let answer = Message(role: .assistant, parts: [.text("Yes")], providerState: [foreign])
    let request = try encode("anthropic", [Message(.user, "Hi"), answer])
    #expect(request.body["messages"]?[1] == ["role": "assistant", "content": "Yes"])
  }

  // MARK: What cannot be said

  private func problems(_ server: String = "anthropic", _ change: (inout Profile) -> Void) -> [String?] {
    problemPaths(
      dialectProfile("anthropic") {
        $0.server = server
        change(&$0)
      })
  }

  @Test func whatAnthropicRefusesIsAProblem() {
    #expect(problems { $0.parameters.temperature = 1.2 } == ["temperature"])
    #expect(problems { $0.parameters.stop = ["END", "\n"] } == ["stop"])
    #expect(
      problems {
        $0.parameters.reasoning = "low"
        $0.parameters.temperature = 0
        $0.toolChoice = .required
      } == ["temperature", "toolChoice"])
    #expect(problems { $0.parameters.reasoning = "1000" } == ["reasoning"])
    #expect(
      problems {
        $0.parameters.reasoning = "2000"
        $0.parameters.maxOutputTokens = 2000
      } == ["maxOutputTokens"])
    #expect(
      problems {
        $0.parameters.reasoning = "none"
        $0.parameters.temperature = 0
        $0.toolChoice = .required
      }.isEmpty)
  }

  @Test func whatAServerIgnoresIsAProblem() {
    let schema: (inout Profile) -> Void = { $0.responseSchema = ["type": "object"] }
    #expect(problems("llama.cpp", schema) == ["responseSchema"])
    #expect(problems("anthropic", schema).isEmpty)
    #expect(problems("llama.cpp") { $0.toolChoice = .tool("f") } == ["toolChoice"])
    #expect(problems("llama.cpp") { $0.toolChoice = .required }.isEmpty)
    #expect(problems("ollama") { $0.toolChoice = .required } == ["toolChoice"])
    #expect(problems("ollama") { $0.toolChoice = .auto }.isEmpty)
  }

  @Test func capabilities() throws {
    let descriptor = try #require(ProviderRegistry.all.first { $0.name == "anthropic" })
    #expect(!descriptor.capabilities.contains(.seed))
    #expect(descriptor.capabilities.isSuperset(of: [.stop, .images, .responseSchema, .reasoning]))
  }

  // MARK: On the way

  @Test(
    arguments: [
      (nil, "anthropic", "https://api.anthropic.com/v1/messages"),
      ("https://api.anthropic.com/v1", nil, "https://api.anthropic.com/v1/messages"),
      ("http://127.0.0.1:8080", nil, "http://127.0.0.1:8080/v1/messages"),
      ("http://127.0.0.1:8080/v1/messages", nil, "http://127.0.0.1:8080/v1/messages"),
      ("https://gateway.example/anthropic", nil, "https://gateway.example/anthropic/v1/messages"),
      (nil, "deepseek", "https://api.deepseek.com/anthropic/v1/messages"),
      ("https://openrouter.ai/api/v1", nil, "https://openrouter.ai/api/v1/messages"),
      (nil, "openrouter", "https://openrouter.ai/api/v1/messages"),
    ] as [(String?, String?, String)])
  func url(endpoint: String?, server: String?, expected: String) async throws {
    let profile = dialectProfile("anthropic", endpoint) {
      $0.server = server
      $0.key = .environment("KEY")
    }
    let exchange = ScriptedExchange([.json(200, "{}")])
    _ = try await ProviderFactory(exchange: exchange, environment: ["KEY": "k-1"]).make(profile).send(
      call(profile))
    #expect(exchange.requests.first?.endpoint == expected)
  }

  @Test func keyAndVersion() async throws {
    func headers(_ change: (inout Profile) -> Void) async throws -> [String: String] {
      let profile = dialectProfile("anthropic", nil, change)
      let exchange = ScriptedExchange([.json(200, "{}")])
      let environment = ["ANTHROPIC_API_KEY": "k-1", "OPENROUTER_API_KEY": "k-2"]
      _ = try await ProviderFactory(exchange: exchange, environment: environment).make(profile).send(
        call(profile))
      let fields = try #require(exchange.requests.first).http.headers
      return Dictionary(fields.map { ($0.0.lowercased(), $0.1) }, uniquingKeysWith: { _, _ in "twice" })
    }
    let home = try await headers { _ in }
    #expect(home["x-api-key"] == "k-1")
    #expect(home["anthropic-version"] == "2023-06-01")
    #expect(home["authorization"] == nil)
    #expect(try await headers { $0.server = "openrouter" }["authorization"] == "Bearer k-2")
    let newer = try await headers {
      $0.headers = [HeaderField(name: "Anthropic-Version", value: .literal("2099-01-01"))]
    }
    #expect(newer["anthropic-version"] == "2099-01-01")
  }
}
