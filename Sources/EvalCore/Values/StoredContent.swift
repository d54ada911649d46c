// Reads back what `json` of these values wrote, as a run stores it.

extension ContentPart {
  package init?(stored: JSONValue) {
    if let text = stored["text"]?.stringValue {
      self = .text(text)
    } else if let image = stored["image"]?.stringValue, let type = stored["mediaType"]?.stringValue {
      self = .image(ImageContent(mediaType: type, base64: image))
    } else {
      return nil
    }
  }
}

extension ToolCall {
  package init(stored: JSONValue) {
    self.init(
      id: stored["id"]?.stringValue, name: stored["name"]?.stringValue ?? "",
      arguments: stored["arguments"] ?? .null)
  }
}

extension Message {
  package init?(stored: JSONValue) {
    guard let role = stored["role"]?.stringValue.flatMap(Role.init) else { return nil }
    self.init(
      role: role, parts: stored["content"]?.arrayValue?.compactMap(ContentPart.init(stored:)) ?? [],
      toolCalls: stored["toolCalls"]?.arrayValue?.map(ToolCall.init(stored:)) ?? [],
      toolCallID: stored["toolCallID"]?.stringValue, toolName: stored["toolName"]?.stringValue)
  }
}

extension RequestSnapshot {
  package init(stored: JSONValue) {
    self.init(
      instructions: stored["instructions"]?.stringValue,
      messages: stored["messages"]?.arrayValue?.compactMap(Message.init(stored:)) ?? [])
  }
}
