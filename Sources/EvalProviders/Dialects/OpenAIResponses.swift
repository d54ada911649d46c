import EvalCore

/// OpenAI Responses, used without the server's memory: every request holds the whole conversation
/// (openai-openapi, CreateResponse).
struct OpenAIResponses: Dialect {
  var servers: [ServerTraits] { Self.knownServers }
  var framing: StreamFraming { .sse }

  var descriptor: ProviderDescriptor {
    ProviderDescriptor(
      name: "openai-responses", summary: "OpenAI Responses and servers compatible with it",
      defaultEndpoint: "https://api.openai.com/v1", defaultKeyVariable: "OPENAI_API_KEY",
      // The API has neither stop sequences nor a seed.
      capabilities: Set(Capability.allCases).subtracting([.stop, .seed, .tokenCount]),
      servers: servers.map(\.name),
      validate: { profile in
        (try? HTTPSetup(dialect: OpenAIResponses()).server(of: profile))?.traits.problems(with: profile) ?? []
      })
  }

  func encode(_ call: ProviderCall, _ traits: ServerTraits) -> EncodedRequest {
    let profile = call.profile
    var request = EncodedRequest(path: "/responses", body: [:])
    request.body["model"] = .string(profile.model)
    request.body["instructions"] = call.instructions.map { .string($0) }
    request.body["input"] = .array(ResponsesInput.items(of: call.messages, traits))
    encodeParameters(profile.parameters, traits, &request)
    encodeTools(profile, &request)
    if let schema = profile.responseSchema { encodeSchema(schema, traits, &request) }
    // What is asked here is nobody's to keep, and a server that keeps nothing is the same for every trial.
    request.body["store"] = false
    request.body["stream"] = .bool(profile.stream)
    if profile.stream, traits.turnsObfuscationOff {
      request.body["stream_options"] = ["include_obfuscation": false]
    }
    return request
  }

  func makeDecoder(streaming: Bool, _ traits: ServerTraits) -> any ResponseDecoder {
    OpenAIResponsesDecoder()
  }
}

// MARK: - Request

extension OpenAIResponses {
  private func encodeParameters(
    _ parameters: GenerationParameters, _ traits: ServerTraits, _ request: inout EncodedRequest
  ) {
    request.body["temperature"] = parameters.temperature.map { .number($0) }
    request.body["top_p"] = parameters.topP.map { .number($0) }
    request.body["max_output_tokens"] = parameters.maxOutputTokens.map { .integer(Int64($0)) }
    if let level = parameters.reasoning {
      request.body["reasoning"] = ["effort": .string(level)]
      // Only where reasoning is asked for: a model without it refuses the request (pydantic/pydantic-ai#2865).
      if level != "none", traits.encryptsReasoning {
        request.body["include"] = ["reasoning.encrypted_content"]
      }
    }
    if !parameters.stop.isEmpty { request.notes.append("Responses takes no stop sequences; none was sent") }
    if parameters.seed != nil { request.notes.append("Responses takes no seed; it was not sent") }
  }

  private func encodeTools(_ profile: Profile, _ request: inout EncodedRequest) {
    if !profile.tools.isEmpty {
      request.body["tools"] = .array(
        profile.tools.map { tool in
          var function: JSONObject = ["type": "function", "name": .string(tool.name)]
          function["description"] = tool.summary.map { .string($0) }
          function["parameters"] = tool.parameters
          function["strict"] = tool.strict.map { .bool($0) }
          return .object(function)
        })
    }
    switch profile.toolChoice {
    case nil: break
    case .auto?: request.body["tool_choice"] = "auto"
    case Optional.some(.none): request.body["tool_choice"] = "none"
    case .required?: request.body["tool_choice"] = "required"
    case .tool(let name)?: request.body["tool_choice"] = ["type": "function", "name": .string(name)]
    }
  }

  private func encodeSchema(_ schema: JSONValue, _ traits: ServerTraits, _ request: inout EncodedRequest) {
    if traits.takesChatSchema {
      request.body["response_format"] = [
        "type": "json_schema", "json_schema": ["name": "answer", "schema": schema, "strict": true],
      ]
    } else {
      request.body["text"] = [
        "format": ["type": "json_schema", "name": "answer", "schema": schema, "strict": true]
      ]
    }
  }
}

/// Writes a conversation as Responses' input items.
enum ResponsesInput {
  static func items(of messages: [Message], _ traits: ServerTraits) -> [JSONValue] {
    var items: [JSONValue] = []
    var ids = ToolCallIDs()
    for message in messages {
      switch message.role {
      case .system:
        items.append(["role": .string(traits.instructionsRole), "content": .string(message.text)])
      case .user: items.append(["role": "user", "content": content(message.parts)])
      case .assistant: items += answer(message, ids.begin(message.toolCalls))
      case .tool:
        items.append([
          "type": "function_call_output", "call_id": .string(ids.id(answeredBy: message)),
          "output": content(message.parts),
        ])
      }
    }
    return items
  }

  /// A text as a string, anything with an image as parts.
  private static func content(_ parts: [ContentPart]) -> JSONValue {
    let hasImage = parts.contains { if case .image = $0 { true } else { false } }
    guard hasImage else { return .string(Message(role: .user, parts: parts).text) }
    return .array(
      parts.map { part in
        switch part {
        case .text(let text): return ["type": "input_text", "text": .string(text)]
        case .image(let image):
          return [
            "type": "input_image", "image_url": .string("data:\(image.mediaType);base64,\(image.base64)"),
            "detail": .string(image.detail ?? "auto"),
          ]
        }
      })
  }

  /// The items that the server itself sent, unchanged and in their order, where they hold what text and calls do not;
  /// else items made from text and calls.
  private static func answer(_ message: Message, _ ids: [String]) -> [JSONValue] {
    for state in message.providerState {
      if let items = state["output"]?.arrayValue { return items }
    }
    var items: [JSONValue] = []
    let text = message.text
    if !text.isEmpty || message.toolCalls.isEmpty {
      items.append([
        "type": "message", "role": "assistant", "content": [["type": "output_text", "text": .string(text)]],
      ])
    }
    for (call, id) in zip(message.toolCalls, ids) {
      let arguments = call.arguments.stringValue ?? call.arguments.serialized(.compact)
      items.append([
        "type": "function_call", "call_id": .string(id), "name": .string(call.name),
        "arguments": .string(arguments),
      ])
    }
    return items
  }
}
