import EvalCore

/// The request that a program reads (`Docs/CommandProvider.md`, "The request").
enum CommandRequest {
  static func object(_ call: ProviderCall) -> JSONObject {
    let profile = call.profile
    var object: JSONObject = ["version": 1, "model": .string(profile.model)]
    object["instructions"] = call.instructions.map { .string($0) }
    object["prompt"] = .string(call.messages.last { $0.role == .user }?.text ?? "")
    object["messages"] = .array(call.messages.map(message))
    object["stream"] = .bool(profile.stream)
    object["parameters"] = profile.parameters == GenerationParameters() ? nil : profile.parameters.json
    object["tools"] = profile.tools.isEmpty ? nil : .array(profile.tools.map(\.json))
    object["toolChoice"] = profile.toolChoice.map(\.json)
    object["responseSchema"] = profile.responseSchema
    return object.merging(profile.extraBody)
  }

  private static func message(_ message: Message) -> JSONValue {
    var object: JSONObject = ["role": .string(message.role.rawValue), "text": .string(message.text)]
    if message.parts.contains(where: { if case .image = $0 { true } else { false } }) {
      object["parts"] = .array(message.parts.map(part))
    }
    if !message.toolCalls.isEmpty { object["toolCalls"] = .array(message.toolCalls.map(toolCall)) }
    object["toolCallID"] = message.toolCallID.map { .string($0) }
    object["toolName"] = message.toolName.map { .string($0) }
    if !message.providerState.isEmpty { object["state"] = .array(message.providerState) }
    return .object(object)
  }

  private static func part(_ part: ContentPart) -> JSONValue {
    switch part {
    case .text(let text): return ["text": .string(text)]
    case .image(let image):
      var object: JSONObject = ["mediaType": .string(image.mediaType), "base64": .string(image.base64)]
      object["detail"] = image.detail.map { .string($0) }
      return ["image": .object(object)]
    }
  }

  private static func toolCall(_ call: ToolCall) -> JSONValue {
    var object: JSONObject = ["name": .string(call.name), "arguments": call.arguments]
    object["id"] = call.id.map { .string($0) }
    return .object(object)
  }

  /// The prompt of a call that is nothing but a prompt; `nil` for a conversation or one with an image.
  static func plainPrompt(_ call: ProviderCall) -> String? {
    guard call.messages.count == 1, call.messages[0].role == .user else { return nil }
    let hasOther = call.messages[0].parts.contains { if case .text = $0 { false } else { true } }
    return hasOther ? nil : call.messages[0].text
  }
}
