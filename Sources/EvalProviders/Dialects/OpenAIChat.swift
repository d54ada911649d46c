import EvalCore

/// OpenAI Chat Completions, and the many servers that speak it (openai-openapi, CreateChatCompletionRequest).
struct OpenAIChat: Dialect {
  var servers: [ServerTraits] { Self.knownServers }
  var framing: StreamFraming { .sse }

  var descriptor: ProviderDescriptor {
    ProviderDescriptor(
      name: "openai-chat", summary: "OpenAI Chat Completions and servers compatible with it",
      defaultEndpoint: "https://api.openai.com/v1", defaultKeyVariable: "OPENAI_API_KEY",
      capabilities: Set(Capability.allCases).subtracting([.tokenCount]),
      options: [
        OptionSpec(
          "apiVersion", ["type": "string", "minLength": 1],
          "Azure only: the api-version of a deployment URL; the model is then the deployment's name")
      ],
      servers: servers.map(\.name))
  }

  func encode(_ call: ProviderCall, _ traits: ServerTraits) -> EncodedRequest {
    let profile = call.profile
    var request = EncodedRequest(path: "/chat/completions", body: [:])
    request.body["model"] = .string(profile.model)
    request.body["messages"] = .array(messages(call, traits))
    encodeParameters(profile.parameters, traits, &request)
    encodeTools(profile, &request)
    if let schema = profile.responseSchema {
      request.body["response_format"] = format(schema, traits, &request)
    }
    request.body["stream"] = .bool(profile.stream)
    if profile.stream, traits.asksForUsage {
      var options: JSONObject = ["include_usage": true]
      if traits.turnsObfuscationOff { options["include_obfuscation"] = false }
      request.body["stream_options"] = .object(options)
    }
    if let version = profile.options["apiVersion"]?.stringValue {
      request.basePath = "/openai/deployments/\(profile.model)"
      request.query.append(("api-version", version))
    }
    return request
  }

  func makeDecoder(streaming: Bool, _ traits: ServerTraits) -> any ResponseDecoder { OpenAIChatDecoder() }
}

// MARK: - Request

extension OpenAIChat {
  private func encodeParameters(
    _ parameters: GenerationParameters, _ traits: ServerTraits, _ request: inout EncodedRequest
  ) {
    request.body["temperature"] = parameters.temperature.map { .number($0) }
    request.body["top_p"] = parameters.topP.map { .number($0) }
    request.body[traits.limitField] = parameters.maxOutputTokens.map { .integer(Int64($0)) }
    if !parameters.stop.isEmpty { request.body["stop"] = .array(parameters.stop.map { .string($0) }) }
    if let seed = parameters.seed {
      if let field = traits.seedField {
        request.body[field] = .integer(seed)
      } else {
        request.notes.append("\(traits.name) takes no seed; it was not sent")
      }
    }
    if let level = parameters.reasoning { encodeReasoning(level, traits, &request) }
  }

  private func encodeReasoning(_ level: String, _ traits: ServerTraits, _ request: inout EncodedRequest) {
    switch traits.reasoning {
    case .effort: request.body["reasoning_effort"] = .string(level)
    case .object: request.body["reasoning"] = ["effort": .string(level)]
    case .thinkingType:
      request.body["thinking"] = ["type": level == "none" ? "disabled" : "enabled"]
      if level != "none", level != "enabled" {
        request.notes.append("\(traits.name) turns reasoning on or off only; '\(level)' was sent as on")
      }
    case .templateSwitch:
      if level == "none" {
        request.body["chat_template_kwargs"] = ["enable_thinking": false]
      } else {
        request.body["reasoning_effort"] = .string(level)
      }
    case .none: request.notes.append("\(traits.name) takes no reasoning level; it was not sent")
    }
  }

  private func encodeTools(_ profile: Profile, _ request: inout EncodedRequest) {
    if !profile.tools.isEmpty {
      request.body["tools"] = .array(
        profile.tools.map { tool in
          var function: JSONObject = ["name": .string(tool.name)]
          function["description"] = tool.summary.map { .string($0) }
          function["parameters"] = tool.parameters
          function["strict"] = tool.strict.map { .bool($0) }
          return ["type": "function", "function": .object(function)]
        })
    }
    switch profile.toolChoice {
    case nil: break
    case .auto?: request.body["tool_choice"] = "auto"
    case Optional.some(.none): request.body["tool_choice"] = "none"
    case .required?: request.body["tool_choice"] = "required"
    case .tool(let name)?:
      request.body["tool_choice"] = ["type": "function", "function": ["name": .string(name)]]
    }
  }

  private func format(
    _ schema: JSONValue, _ traits: ServerTraits, _ request: inout EncodedRequest
  ) -> JSONValue {
    guard traits.hasJSONSchema else {
      request.notes.append("\(traits.name) holds answers to JSON, not to a schema; the schema was not sent")
      return ["type": "json_object"]
    }
    return ["type": "json_schema", "json_schema": ["name": "answer", "schema": schema, "strict": true]]
  }

  private func messages(_ call: ProviderCall, _ traits: ServerTraits) -> [JSONValue] {
    var encoded: [JSONValue] = []
    if let instructions = call.instructions {
      encoded.append(["role": .string(traits.instructionsRole), "content": .string(instructions)])
    }
    var ids = ToolCallIDs()
    for message in call.messages {
      switch message.role {
      case .system:
        encoded.append(["role": .string(traits.instructionsRole), "content": .string(message.text)])
      case .user: encoded.append(["role": "user", "content": content(message.parts)])
      case .assistant: encoded.append(assistant(message, ids.begin(message.toolCalls)))
      case .tool:
        encoded.append([
          "role": "tool", "tool_call_id": .string(ids.id(answeredBy: message)),
          "content": content(message.parts),
        ])
      }
    }
    return encoded
  }

  /// A text as a string, which every server reads; anything with an image as parts.
  private func content(_ parts: [ContentPart]) -> JSONValue {
    let hasImage = parts.contains { if case .image = $0 { true } else { false } }
    guard hasImage else { return .string(Message(role: .user, parts: parts).text) }
    return .array(
      parts.map { part in
        switch part {
        case .text(let text): return ["type": "text", "text": .string(text)]
        case .image(let image):
          var url: JSONObject = ["url": .string("data:\(image.mediaType);base64,\(image.base64)")]
          url["detail"] = image.detail.map { .string($0) }
          return ["type": "image_url", "image_url": .object(url)]
        }
      })
  }

  private func assistant(_ message: Message, _ ids: [String]) -> JSONValue {
    let text = message.text
    var object: JSONObject = ["role": "assistant"]
    object["content"] = text.isEmpty && !message.toolCalls.isEmpty ? .null : .string(text)
    guard !message.toolCalls.isEmpty else { return .object(object) }
    var calls = zip(message.toolCalls, ids).map { call, id -> JSONObject in
      let arguments = call.arguments.stringValue ?? call.arguments.serialized(.compact)
      return [
        "id": .string(id), "type": "function",
        "function": ["name": .string(call.name), "arguments": .string(arguments)],
      ]
    }
    for state in message.providerState {
      guard let place = state["tool_call"]?.intValue, calls.indices.contains(Int(place)) else { continue }
      calls[Int(place)]["extra_content"] = state["extra_content"]
    }
    object["tool_calls"] = .array(calls.map { .object($0) })
    return .object(object)
  }
}

/// Gives the calls of a conversation identifiers where the provider gave none, and finds the one that a result answers.
struct ToolCallIDs {
  private var made = 0
  private var open: [(id: String, name: String)] = []

  /// The identifiers of an assistant message's calls, in order.
  mutating func begin(_ calls: [ToolCall]) -> [String] {
    open = calls.map { call in
      if let id = call.id { return (id, call.name) }
      made += 1
      return ("call_\(made)", call.name)
    }
    return open.map(\.id)
  }

  /// The identifier of the call that a `tool` message answers.
  mutating func id(answeredBy message: Message) -> String {
    let place = open.firstIndex { call in
      if let id = message.toolCallID { return call.id == id }
      return message.toolName == nil || call.name == message.toolName
    }
    if let place { return open.remove(at: place).id }
    return message.toolCallID ?? "call_0"
  }
}
