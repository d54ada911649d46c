import EvalCore
import Testing

@testable import EvalProviders

struct GeminiRequestTests {
  private func profile(_ model: String, _ change: (inout Profile) -> Void) -> Profile {
    var profile = Profile(name: "p", provider: "gemini", model: model)
    change(&profile)
    return profile
  }

  private func encode(
    _ model: String = "gemini-3-flash", _ messages: [Message] = [Message(.user, "Hi")],
    instructions: String? = nil, _ change: (inout Profile) -> Void = { _ in }
  ) -> EncodedRequest {
    let dialect = Gemini()
    return dialect.encode(
      call(profile(model, change), messages, instructions: instructions), dialect.servers[0])
  }

  private func problems(_ model: String = "gemini-3-flash", _ change: (inout Profile) -> Void) throws
    -> [Problem]
  {
    let descriptor = try #require(ProviderRegistry.all.first { $0.name == "gemini" })
    return descriptor.validate(profile(model, change))
  }

  // MARK: URL

  @Test func methodAndForm() {
    let stream = encode()
    #expect(stream.path == "/models/gemini-3-flash:streamGenerateContent")
    #expect(stream.query.map { $0.0 + "=" + $0.1 } == ["alt=sse"])
    let array = encode { $0.options = ["streamFormat": "array"] }
    #expect(array.path == stream.path)
    #expect(array.query.isEmpty)
    let whole = encode { $0.stream = false }
    #expect(whole.path == "/models/gemini-3-flash:generateContent")
    #expect(whole.query.isEmpty)
    #expect(encode("tunedModels/mine").path.hasPrefix("/tunedModels/mine:"))
    #expect(encode("a b?").path.hasPrefix("/models/a%20b%3F:"))
  }

  @Test(
    arguments: [
      (nil, nil, "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent"),
      ("http://127.0.0.1:9/gemini/v1beta", nil, "http://127.0.0.1:9/gemini/v1beta/models/m:generateContent"),
      (
        "https://x-aiplatform.googleapis.com/v1/projects/p/locations/x/publishers/google/", "vertex",
        "https://x-aiplatform.googleapis.com/v1/projects/p/locations/x/publishers/google/models/m:generateContent"
      ),
    ] as [(String?, String?, String)])
  func wholeURL(endpoint: String?, server: String?, url: String) async throws {
    let exchange = ScriptedExchange([.json(200, "{}")])
    let profile = profile("m") {
      $0.endpoint = endpoint
      $0.server = server
      $0.stream = false
      $0.key = .environment("K")
    }
    let provider = try ProviderFactory(exchange: exchange, environment: ["K": "secret"]).make(profile)
    _ = await provider.send(call(profile))
    let request = try #require(exchange.requests.first)
    #expect(request.endpoint == url)
    let field = server == "vertex" ? ("Authorization", "Bearer secret") : ("x-goog-api-key", "secret")
    #expect(request.http.headers.contains { $0 == field })
  }

  // MARK: Body

  @Test func theLeast() {
    #expect(
      JSONValue.object(encode().body).serialized(.compact)
        == #"{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}"#)
  }

  @Test func everythingThatAProfileCanSay() {
    let request = encode("gemini-3-flash", instructions: "Be brief.") { profile in
      profile.parameters = GenerationParameters(
        temperature: 0.5, topP: 0.9, seed: 7, stop: ["\n"], maxOutputTokens: 64, reasoning: "low")
      profile.tools = [ToolDefinition(name: "f", summary: "does f", parameters: ["type": "object"])]
      profile.toolChoice = .tool("f")
      profile.responseSchema = ["type": "object"]
      profile.options = ["includeThoughts": true]
    }
    let expected: JSONObject = [
      "systemInstruction": ["parts": [["text": "Be brief."]]],
      "contents": [["role": "user", "parts": [["text": "Hi"]]]],
      "tools": [
        [
          "functionDeclarations": [
            ["name": "f", "description": "does f", "parametersJsonSchema": ["type": "object"]]
          ]
        ]
      ],
      "toolConfig": ["functionCallingConfig": ["mode": "ANY", "allowedFunctionNames": ["f"]]],
      "generationConfig": [
        "temperature": 0.5, "topP": 0.9, "maxOutputTokens": 64, "stopSequences": ["\n"], "seed": 7,
        "responseMimeType": "application/json", "responseJsonSchema": ["type": "object"],
        "thinkingConfig": ["thinkingLevel": "LOW", "includeThoughts": true],
      ],
    ]
    #expect(request.body == expected)
    #expect(request.notes.isEmpty)
  }

  @Test(
    arguments: [
      ("gemini-3-flash", "high", #"{"thinkingLevel":"HIGH"}"#),
      ("gemini-flash-latest", "minimal", #"{"thinkingLevel":"MINIMAL"}"#),
      ("gemini-2.5-flash", "high", #"{"thinkingBudget":24576}"#),
      ("models/gemini-2.5-pro", "low", #"{"thinkingBudget":1024}"#),
      ("gemini-2.5-flash", "none", #"{"thinkingBudget":0}"#),
      ("gemini-3-flash", "none", #"{"thinkingBudget":0}"#),
      ("gemini-3-flash", "-1", #"{"thinkingBudget":-1}"#),
      ("gemini-3-flash", "2048", #"{"thinkingBudget":2048}"#),
    ])
  func thinking(model: String, level: String, config: String) {
    let request = encode(model) { $0.parameters.reasoning = level }
    #expect(
      request.body["generationConfig"]?.serialized(.compact) == #"{"thinkingConfig":\#(config)}"#)
  }

  @Test(
    arguments: [
      (nil, false, nil), (.auto, false, "AUTO"), (ToolChoice.none, true, "NONE"), (.required, true, "ANY"),
      (nil, true, "VALIDATED"), (.auto, true, "VALIDATED"),
    ] as [(ToolChoice?, Bool, String?)])
  func toolChoice(choice: ToolChoice?, isStrict: Bool, mode: String?) {
    let request = encode { profile in
      profile.tools = [ToolDefinition(name: "f", summary: nil, parameters: [:], strict: isStrict)]
      profile.toolChoice = choice
    }
    #expect(request.body["toolConfig"]?["functionCallingConfig"]?["mode"]?.stringValue == mode)
  }

  @Test func conversationWithToolsAndImages() {
    let image = ImageContent(mediaType: "image/png", base64: "AAAA", detail: "low")
    let request = encode(
      "gemini-3-flash",
      [
        Message(.system, "First."), Message(role: .user, parts: [.text("What?"), .image(image)]),
        Message(
          role: .assistant, parts: [.text("Let me see.")],
          toolCalls: [
            ToolCall(id: "c1", name: "f", arguments: ["x": 1]), ToolCall(id: nil, name: "g", arguments: [:]),
            ToolCall(id: nil, name: "g", arguments: "not json"),
          ]),
        Message(role: .tool, parts: [.text("[1]")], toolName: "g"),
        Message(role: .tool, parts: [.text(#"{"y":2}"#), .image(image)], toolCallID: "c1", toolName: "f"),
        Message(role: .tool, parts: [.text("42")], toolName: "g"), Message(.assistant, "So."),
        Message(.system, "Late."), Message(.user, "Thanks"),
      ])
    let inline: JSONValue = ["inlineData": ["mimeType": "image/png", "data": "AAAA"]]
    let expected: JSONValue = [
      ["role": "user", "parts": [["text": "What?"], inline]],
      [
        "role": "model",
        "parts": [
          ["text": "Let me see."],
          [
            "functionCall": ["name": "f", "id": "c1", "args": ["x": 1]],
            "thoughtSignature": "skip_thought_signature_validator",
          ], ["functionCall": ["name": "g", "args": [:]]], ["functionCall": ["name": "g"]],
        ],
      ],
      [
        "role": "user",
        "parts": [
          ["functionResponse": ["name": "g", "response": ["output": [1]]]],
          ["functionResponse": ["name": "f", "id": "c1", "response": ["y": 2]]],
          ["functionResponse": ["name": "g", "response": ["output": "42"]]], inline,
        ],
      ],
      ["role": "model", "parts": [["text": "So."]]], ["role": "user", "parts": [["text": "Thanks"]]],
    ]
    #expect(request.body["contents"] == expected)
    #expect(request.body["systemInstruction"] == ["parts": [["text": "First."], ["text": "Late."]]])
    #expect(
      request.notes == [
        "Gemini takes no detail with an image; it was not sent",
        "Gemini takes the arguments of a call as an object only; those of 'g' were not sent",
        "a system message inside the conversation was put before it",
      ])
    let older = encode(
      "gemini-2.5-flash",
      [Message(role: .assistant, parts: [], toolCalls: [ToolCall(id: nil, name: "f", arguments: [:])])])
    #expect(older.body["contents"]?[0]?["parts"]?[0]?["thoughtSignature"] == nil)
  }

  // MARK: Signatures

  private let signed = [
    #"data: {"candidates":[{"content":{"parts":[{"text":"hm","thought":true,"thoughtSignature":"T"}]}}]}"#
      + "\n\n",
    #"data: {"candidates":[{"content":{"parts":[{"text":"Go "}]}}]}"# + "\n\n",
    #"data: {"candidates":[{"content":{"parts":[{"text":"wést."},{"functionCall":{"name":"f","id":"i","args":{"x":1}},"thoughtSignature":"S"},{"functionCall":{"name":"g"}}]}}]}"#
      + "\n\n",
    #"data: {"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"E"}]},"finishReason":"STOP"}]}"#
      + "\n\n",
  ]

  private let turn: JSONValue = [
    ["text": "hm", "thought": true, "thoughtSignature": "T"], ["text": "Go wést."],
    ["functionCall": ["name": "f", "id": "i", "args": ["x": 1]], "thoughtSignature": "S"],
    ["functionCall": ["name": "g", "args": [:]]], ["text": "", "thoughtSignature": "E"],
  ]

  @Test func aSignedTurnGoesBackAsItCame() throws {
    let (_, reply) = WireCheck(Gemini()).readTexts(signed)
    #expect(reply.reasoning == "hm")
    var message = Message(
      role: .assistant, parts: [.text(reply.text)], toolCalls: reply.toolCalls,
      providerState: reply.providerState)
    #expect(encode("gemini-3-flash", [message]).body["contents"]?[0]?["parts"] == turn)
    // A message that somebody has changed is no longer what was signed.
    message.parts = [.text("Go east.")]
    let parts = try #require(encode("gemini-3-flash", [message]).body["contents"]?[0]?["parts"]?.arrayValue)
    #expect(parts.first == ["text": "Go east."])
    #expect(!parts.contains { $0["thoughtSignature"] == "S" })
  }

  @Test func withoutSignaturesNothingIsKept() {
    let (_, reply) = WireCheck(Gemini()).readTexts([
      #"data: {"candidates":[{"content":{"parts":[{"text":"a"},{"functionCall":{"name":"f"}}]},"finishReason":"STOP"}]}"#
        + "\n\n"
    ])
    #expect(reply.providerState.isEmpty)
  }

  // MARK: Problems

  @Test func capabilities() throws {
    let descriptor = try #require(ProviderRegistry.all.first { $0.name == "gemini" })
    #expect(descriptor.capabilities == Set(Capability.allCases))
    #expect(descriptor.defaultKeyVariable == "GEMINI_API_KEY")
  }

  @Test func whatCannotBeSaidIsAProblem() throws {
    #expect(try problems { _ in }.isEmpty)
    #expect(try problems { $0.parameters.stop = ["1", "2", "3", "4", "5", "6"] }.map(\.path) == ["stop"])
    #expect(try problems { $0.parameters.seed = 1 << 31 }.map(\.path) == ["seed"])
    let level = try problems { $0.parameters.reasoning = "hihg" }
    #expect(level.map(\.path) == ["reasoning"])
    #expect(level.first?.advice?.contains("high") == true)
    let both: (inout Profile) -> Void = { profile in
      profile.tools = [ToolDefinition(name: "f", summary: nil, parameters: [:])]
      profile.responseSchema = [:]
    }
    #expect(try problems("gemini-2.5-flash", both).map(\.severity) == [.warning])
    #expect(try problems("gemini-3-flash", both).isEmpty)
  }

  @Test(
    arguments: [
      ("https://generativelanguage.googleapis.com/v1beta/openai/", Problem.Severity.error),
      ("https://generativelanguage.googleapis.com/v1beta/models/m:generateContent", .error),
      ("https://generativelanguage.googleapis.com/v1beta", nil),
    ] as [(String, Problem.Severity?)])
  func endpoints(endpoint: String, severity: Problem.Severity?) throws {
    let found = try problems { $0.endpoint = endpoint }
    #expect(found.first?.severity == severity)
    #expect(found.allSatisfy { $0.path == "endpoint" })
  }
}
