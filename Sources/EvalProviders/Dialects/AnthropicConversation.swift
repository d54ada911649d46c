import EvalCore

/// Writes a conversation in Anthropic's words: a system text beside the messages, and results in user turns.
struct AnthropicConversation {
  private(set) var messages: [JSONValue] = []
  private(set) var notes: [String] = []
  private var systemTexts: [String]
  private var ids = ToolCallIDs()
  /// The results of one turn, which go into one message.
  private var results: [JSONValue] = []

  init(instructions: String?) { systemTexts = [instructions].compactMap(\.self) }

  var system: String? { systemTexts.isEmpty ? nil : systemTexts.joined(separator: "\n\n") }

  mutating func add(_ message: Message) {
    switch message.role {
    case .system:
      if !messages.isEmpty {
        note("Anthropic Messages has one system text, before the messages; a later one was moved there")
      }
      systemTexts.append(message.text)
    case .user: append("user", Self.content(blocks(message.parts)))
    case .assistant: addAnswer(message)
    case .tool:
      results.append([
        "type": "tool_result", "tool_use_id": .string(Self.legal(ids.id(answeredBy: message))),
        "content": Self.content(blocks(message.parts)),
      ])
      if results.count > 1 { messages.removeLast() }
      messages.append(["role": "user", "content": .array(results)])
    }
  }

  private mutating func append(_ role: String, _ content: JSONValue) {
    results = []
    messages.append(["role": .string(role), "content": content])
  }

  /// The blocks that the server itself sent, unchanged and in their order, where they hold what text and calls do not:
  /// a signed thought is refused when anything about it changes. Else blocks made from text and calls.
  private mutating func addAnswer(_ message: Message) {
    let callIDs = ids.begin(message.toolCalls)
    for state in message.providerState {
      if let blocks = state["content"]?.arrayValue { return append("assistant", .array(blocks)) }
    }
    var content = blocks(message.parts)
    for (call, id) in zip(message.toolCalls, callIDs) {
      content.append([
        "type": "tool_use", "id": .string(Self.legal(id)), "name": .string(call.name),
        "input": input(of: call),
      ])
    }
    // An empty answer is refused; nothing is lost with it.
    if !content.isEmpty { append("assistant", Self.content(content)) }
  }

  private mutating func input(of call: ToolCall) -> JSONValue {
    if call.arguments.objectValue != nil { return call.arguments }
    note("the arguments of '\(call.name)' are no object and were sent back inside one")
    return ["arguments": call.arguments]
  }

  /// Empty texts are refused and left out.
  private mutating func blocks(_ parts: [ContentPart]) -> [JSONValue] {
    var blocks: [JSONValue] = []
    for part in parts {
      switch part {
      case .text(let text):
        if !text.isEmpty { blocks.append(["type": "text", "text": .string(text)]) }
      case .image(let image):
        if image.detail != nil { note("Anthropic Messages takes no image detail; it was not sent") }
        blocks.append([
          "type": "image",
          "source": [
            "type": "base64", "media_type": .string(image.mediaType), "data": .string(image.base64),
          ],
        ])
      }
    }
    return blocks
  }

  /// Texts alone as one string, which every server reads; anything else as blocks.
  private static func content(_ blocks: [JSONValue]) -> JSONValue {
    var joined = ""
    for block in blocks {
      guard let text = block["text"]?.stringValue else { return .array(blocks) }
      joined += text
    }
    return .string(joined)
  }

  /// Identifiers of calls that another server made may hold what Anthropic refuses (`^[a-zA-Z0-9_-]+$`).
  private static func legal(_ id: String) -> String {
    let isLegal: (Character) -> Bool = {
      $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" || $0 == "-"
    }
    return String(id.map { isLegal($0) ? $0 : "_" })
  }

  private mutating func note(_ text: String) {
    if !notes.contains(text) { notes.append(text) }
  }
}
