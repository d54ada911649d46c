/// Who speaks in a conversation.
package enum Role: String, Sendable, Hashable {
  case system, user, assistant, tool
}

/// An image that travels inside a message.
package struct ImageContent: Sendable, Hashable {
  /// An IANA media type such as `image/png`.
  package var mediaType: String
  /// The bytes in standard base64 without line breaks.
  package var base64: String
  /// The provider's `detail` hint (`low`, `high`, `auto`), `nil` when the suite gives none.
  package var detail: String?

  package init(mediaType: String, base64: String, detail: String? = nil) {
    self.mediaType = mediaType
    self.base64 = base64
    self.detail = detail
  }
}

/// One piece of a message.
package enum ContentPart: Sendable, Hashable {
  case text(String)
  case image(ImageContent)
}

/// A model's wish to call a tool.
package struct ToolCall: Sendable, Hashable {
  /// The provider's identifier, `nil` when it gave none.
  package var id: String?
  package var name: String
  /// Parsed JSON; the empty string reads as `{}`; text that is not JSON stays a string.
  package var arguments: JSONValue

  package init(id: String?, name: String, arguments: JSONValue) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }
}

/// One message of a conversation.
package struct Message: Sendable, Hashable {
  package var role: Role
  package var parts: [ContentPart]
  /// The calls of an assistant message, in order.
  package var toolCalls: [ToolCall]
  /// The call that a `tool` message answers; `nil` for other roles.
  package var toolCallID: String?
  /// The tool that a `tool` message speaks for; `nil` for other roles.
  package var toolName: String?
  /// What a provider wants back unchanged on the next turn (signed thinking blocks, thought signatures), in its
  /// own wire form; empty when there is nothing.
  package var providerState: [JSONValue]

  package init(
    role: Role, parts: [ContentPart], toolCalls: [ToolCall] = [], toolCallID: String? = nil,
    toolName: String? = nil, providerState: [JSONValue] = []
  ) {
    self.role = role
    self.parts = parts
    self.toolCalls = toolCalls
    self.toolCallID = toolCallID
    self.toolName = toolName
    self.providerState = providerState
  }

  /// A message of plain text.
  package init(_ role: Role, _ text: String) {
    self.init(role: role, parts: [.text(text)])
  }

  /// The text parts, joined with nothing between them.
  package var text: String {
    var joined = ""
    for case .text(let piece) in parts { joined += piece }
    return joined
  }
}

/// A tool that a profile offers to the model.
package struct ToolDefinition: Sendable, Hashable {
  package var name: String
  package var summary: String?
  /// A JSON Schema for the arguments.
  package var parameters: JSONValue
  /// Ask the provider to hold the arguments to the schema; `nil` leaves it to the provider.
  package var strict: Bool?

  package init(name: String, summary: String?, parameters: JSONValue, strict: Bool? = nil) {
    self.name = name
    self.summary = summary
    self.parameters = parameters
    self.strict = strict
  }
}

/// Whether the model must, may or must not call a tool.
package enum ToolChoice: Sendable, Hashable {
  case auto, none, required
  /// This tool and no other.
  case tool(String)
}
