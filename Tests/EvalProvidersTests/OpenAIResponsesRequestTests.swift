import EvalCore
import Testing

@testable import EvalProviders

struct OpenAIResponsesRequestTests {
  private func encode(
    _ server: String = "openai", _ messages: [Message] = [Message(.user, "Hi")],
    instructions: String? = nil, change: (inout Profile) -> Void = { _ in }
  ) throws -> EncodedRequest {
    let traits = try #require(OpenAIResponses.knownServers.first { $0.name == server })
    return OpenAIResponses().encode(
      call(dialectProfile("openai-responses", nil, change), messages, instructions: instructions), traits)
  }

  private func text(_ value: JSONValue?) -> String? { value?.serialized(.compact) }

  @Test func theLeast() throws {
    let request = try encode("generic")
    #expect(request.path == "/responses")
    #expect(
      text(.object(request.body))
        == #"{"model":"m","input":[{"role":"user","content":"Hi"}],"store":false,"stream":true}"#)
    #expect(request.notes.isEmpty)
  }

  @Test func everythingThatAProfileCanSay() throws {
    let request = try encode(instructions: "Be brief.") { profile in
      profile.parameters = GenerationParameters(
        temperature: 0.5, topP: 0.9, maxOutputTokens: 64, reasoning: "low")
      profile.tools = [
        ToolDefinition(name: "f", summary: "does f", parameters: ["type": "object"], strict: true)
      ]
      profile.toolChoice = .tool("f")
      profile.responseSchema = ["type": "object"]
    }
    let expected: JSONObject = [
      "model": "m", "instructions": "Be brief.", "input": [["role": "user", "content": "Hi"]],
      "temperature": 0.5, "top_p": 0.9, "max_output_tokens": 64, "reasoning": ["effort": "low"],
      "include": ["reasoning.encrypted_content"],
      "tools": [
        [
          "type": "function", "name": "f", "description": "does f", "parameters": ["type": "object"],
          "strict": true,
        ]
      ],
      "tool_choice": ["type": "function", "name": "f"],
      "text": [
        "format": [
          "type": "json_schema", "name": "answer", "schema": ["type": "object"], "strict": true,
        ]
      ],
      "store": false, "stream": true, "stream_options": ["include_obfuscation": false],
    ]
    #expect(request.body == expected)
    #expect(request.notes.isEmpty)
  }

  @Test func choices() throws {
    #expect(try encode { $0.toolChoice = .auto }.body["tool_choice"] == "auto")
    #expect(try encode { $0.toolChoice = ToolChoice.none }.body["tool_choice"] == "none")
    #expect(try encode { $0.toolChoice = .required }.body["tool_choice"] == "required")
  }

  /// A model that does not reason refuses to be asked for encrypted reasoning.
  @Test func encryptedReasoningIsAskedForWhereThereIsReasoning() throws {
    #expect(try encode().body["include"] == nil)
    #expect(try encode { $0.parameters.reasoning = "none" }.body["include"] == nil)
    #expect(try encode("llama.cpp") { $0.parameters.reasoning = "low" }.body["include"] == nil)
    #expect(try encode("azure") { $0.parameters.reasoning = "low" }.body["include"] != nil)
  }

  @Test func whereASchemaGoes() throws {
    let schema: (inout Profile) -> Void = { $0.responseSchema = ["type": "object"] }
    let request = try encode("llama.cpp", change: schema)
    #expect(request.body["text"] == nil)
    #expect(
      text(request.body["response_format"])
        == #"{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"},"strict":true}}"#
    )
    #expect(try encode("vllm", change: schema).body["text"] != nil)
  }

  @Test func conversationWithToolsAndImages() throws {
    let image = ImageContent(mediaType: "image/png", base64: "AAAA", detail: "low")
    let request = try encode(
      "generic",
      [
        Message(.system, "Be kind."), Message(role: .user, parts: [.text("What?"), .image(image)]),
        Message(
          role: .assistant, parts: [.text("Looking.")],
          toolCalls: [
            ToolCall(id: "c1", name: "f", arguments: ["x": 1]),
            ToolCall(id: nil, name: "g", arguments: "not json"),
          ]), Message(role: .tool, parts: [.text("g!")], toolName: "g"),
        Message(role: .tool, parts: [.text("1"), .image(image)], toolCallID: "c1", toolName: "f"),
        Message(.assistant, "So."), Message(.user, "Thanks"),
      ])
    let picture: JSONValue = [
      "type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "low",
    ]
    let expected: JSONValue = [
      ["role": "system", "content": "Be kind."],
      ["role": "user", "content": [["type": "input_text", "text": "What?"], picture]],
      [
        "type": "message", "role": "assistant",
        "content": [["type": "output_text", "text": "Looking."]],
      ],
      ["type": "function_call", "call_id": "c1", "name": "f", "arguments": "{\"x\":1}"],
      ["type": "function_call", "call_id": "call_1", "name": "g", "arguments": "not json"],
      ["type": "function_call_output", "call_id": "call_1", "output": "g!"],
      [
        "type": "function_call_output", "call_id": "c1",
        "output": [["type": "input_text", "text": "1"], picture],
      ],
      ["type": "message", "role": "assistant", "content": [["type": "output_text", "text": "So."]]],
      ["role": "user", "content": "Thanks"],
    ]
    #expect(request.body["input"] == expected)
  }

  /// Reasoning comes back encrypted and unchanged, with the items that belong to it.
  @Test func reasoningGoesBackUnchanged() throws {
    let reasoning = #"{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"AAAA"}"#
    let functionCall =
      #"{"id":"fc_1","type":"function_call","status":"completed","call_id":"c1","name":"f","arguments":"{}"}"#
    let (_, reply) = readStream(
      OpenAIResponses(),
      [
        #"{"type":"response.output_item.done","output_index":0,"item":\#(reasoning)}"#,
        #"{"type":"response.output_item.done","output_index":1,"item":\#(functionCall)}"#,
        #"{"type":"response.completed","response":{"status":"completed","output":[\#(reasoning),\#(functionCall)]}}"#,
      ])
    #expect(reply.toolCalls == [ToolCall(id: "c1", name: "f", arguments: [:])])
    let answer = Message(
      role: .assistant, parts: [.text("")], toolCalls: reply.toolCalls, providerState: reply.providerState)
    let request = try encode(
      "openai",
      [Message(.user, "Hi"), answer, Message(role: .tool, parts: [.text("1")], toolCallID: "c1")])
    #expect(
      text(request.body["input"])
        == #"[{"role":"user","content":"Hi"},\#(reasoning),\#(functionCall),"#
        + #"{"type":"function_call_output","call_id":"c1","output":"1"}]"#)
  }

  @Test func foreignStateIsLeftOut() throws {
    let foreign: JSONValue = ["content": [["type": "thinking"]]]
    let answer = Message(role: .assistant, parts: [.text("Yes")], providerState: [foreign])
    let request = try encode("openai", [Message(.user, "Hi"), answer])
    #expect(request.body["input"]?[1]?["content"]?[0]?["text"] == "Yes")
  }

  // MARK: What cannot be said

  private func problems(_ server: String = "openai", _ change: (inout Profile) -> Void) -> [String?] {
    problemPaths(
      dialectProfile("openai-responses") {
        $0.server = server
        change(&$0)
      })
  }

  @Test func whatAServerRefusesOrIgnoresIsAProblem() {
    #expect(problems { $0.parameters.maxOutputTokens = 15 } == ["maxOutputTokens"])
    #expect(problems { $0.parameters.maxOutputTokens = 16 }.isEmpty)
    #expect(problems("llama.cpp") { $0.parameters.maxOutputTokens = 1 }.isEmpty)
    #expect(problems { $0.parameters.temperature = 2.5 } == ["temperature"])
    #expect(problems("llama.cpp") { $0.toolChoice = .tool("f") } == ["toolChoice"])
    #expect(problems("ollama") { $0.toolChoice = ToolChoice.none } == ["toolChoice"])
    #expect(problems { $0.toolChoice = .tool("f") }.isEmpty)
  }

  @Test func capabilities() throws {
    let descriptor = try #require(ProviderRegistry.all.first { $0.name == "openai-responses" })
    #expect(descriptor.capabilities.isDisjoint(with: [.seed, .stop]))
    #expect(descriptor.capabilities.isSuperset(of: [.images, .responseSchema, .reasoning, .history]))
    let request = try encode {
      $0.parameters.seed = 1
      $0.parameters.stop = ["x"]
    }
    #expect(request.notes.count == 2)
    #expect(request.body["seed"] == nil && request.body["stop"] == nil)
  }

  @Test(
    arguments: [
      (nil, nil, "https://api.openai.com/v1/responses"),
      ("http://127.0.0.1:8080", nil, "http://127.0.0.1:8080/v1/responses"),
      (
        "https://x.openai.azure.com", nil, "https://x.openai.azure.com/openai/v1/responses"
      ),
    ] as [(String?, String?, String)])
  func url(endpoint: String?, server: String?, expected: String) async throws {
    let profile = dialectProfile("openai-responses", endpoint) {
      $0.server = server
      $0.key = .environment("KEY")
    }
    let exchange = ScriptedExchange([.json(200, "{}")])
    _ = try await ProviderFactory(exchange: exchange, environment: ["KEY": "k-1"]).make(profile).send(
      call(profile))
    #expect(exchange.requests.first?.endpoint == expected)
  }
}
