import EvalCore

/// A message while it is read.
struct MessageDraft: Draft {
  var role: Role = .user
  var content: [ContentPart] = []
  var toolCalls: [ToolCallDraft] = []
  var toolCallID: String?
  var tool: String?
}

/// A tool call while it is read.
struct ToolCallDraft: Draft {
  var id: String?
  var name = ""
  var arguments: JSONValue = [:]
}

extension Role {
  /// For schema and messages, in the order people expect.
  static let names = [Role.system, .user, .assistant, .tool].map(\.rawValue)
}

extension Shape where Value == Role {
  static var role: Shape {
    Shape(["enum": .array(Role.names.map { .string($0) })]) { view, reader in
      if let role = view.string.flatMap(Role.init) { return role }
      reader.wrong(
        view, expected: Shape<String>.list(Role.names),
        advice: view.string.flatMap { suggestion(for: $0, among: Role.names) })
      return nil
    }
  }
}

extension ObjectTable where Into == MessageDraft {
  static let message = ObjectTable(
    "message", "a message",
    [
      Key("role", \.role, .role, "Who speaks.").required(),
      Key("content", \.content, .content, "What is said: a text, or parts of text and images."),
      Key(
        "toolCalls", \.toolCalls, .array(of: ObjectTable<ToolCallDraft>.toolCall.shape),
        "The tools an assistant calls."),
      Key("toolCallID", \.toolCallID, .name, "The call that a tool's message answers."),
      Key("tool", \.tool, .name, "The tool that a tool's message speaks for."),
    ])
}

extension ObjectTable where Into == ToolCallDraft {
  static let toolCall = ObjectTable(
    "toolCall", "a tool call",
    [
      Key("id", \.id, .name, "The call's name; made up unless given."),
      Key("name", \.name, .name, "The tool's name.").required(),
      Key("arguments", \.arguments, .renderedJSON, "The arguments, an object; none unless given."),
    ])
}

extension Shape where Value == [MessageDraft] {
  /// One draft for each message, wrong ones empty, so that drafts and values pair.
  static var messages: Shape {
    let message = ObjectTable.message.shape
    let total = Shape<MessageDraft>(message.schema) { view, reader in
      message.read(view, reader) ?? MessageDraft()
    }
    return .array(of: total, least: 1)
  }
}

/// Turns a case's messages into history and the turn that is asked, and holds tool results against their calls.
struct Conversation {
  private let reader: Reader
  private var messages: [Message] = []
  /// Calls without a result so far.
  private var open: [(id: String, tool: String, view: JSONView)] = []
  private var callCount = 0

  static func split(_ drafts: [MessageDraft], _ view: JSONView, _ reader: Reader) -> ([Message], [Turn]) {
    let views = Array(view.elements)
    guard let last = drafts.last, let lastView = views.last else { return ([], []) }
    guard last.role == .user else {
      reader.error(
        "the last message is not the user's", at: lastView,
        advice: "end with what the user says; the model answers it")
      return ([], [])
    }
    var conversation = Conversation(reader: reader)
    for (draft, view) in zip(drafts, views) { conversation.take(draft, view) }
    conversation.noteOpenCalls()
    return (conversation.messages.dropLast(), [Turn(content: last.content)])
  }

  private init(reader: Reader) { self.reader = reader }

  private mutating func take(_ draft: MessageDraft, _ view: JSONView) {
    if draft.role != .tool { noteOpenCalls() }
    if draft.role != .assistant, let place = view["toolCalls"] {
      reader.error("only an assistant calls tools", at: place, advice: "remove it")
    }
    for key in ["toolCallID", "tool"] where draft.role != .tool {
      if let place = view[key] {
        reader.error("'\(key)' is for a tool's message", at: place, advice: "remove it")
      }
    }
    if draft.content.isEmpty, draft.toolCalls.isEmpty, view["content"] == nil {
      reader.error("the message says nothing", at: view, advice: "give 'content'")
    }
    var message = Message(role: draft.role, parts: draft.content)
    switch draft.role {
    case .assistant: message.toolCalls = calls(draft, view)
    case .tool: answer(draft, view, &message)
    case .system, .user: break
    }
    messages.append(message)
  }

  private mutating func calls(_ draft: MessageDraft, _ view: JSONView) -> [ToolCall] {
    let views = view["toolCalls"].map { Array($0.elements) } ?? []
    return draft.toolCalls.enumerated().map { index, call in
      callCount += 1
      let place = index < views.count ? views[index] : view
      let id = call.id ?? "call_\(callCount)"
      if open.contains(where: { $0.id == id }) {
        reader.error("two calls are called '\(id)'", at: place, advice: "rename one")
      }
      if call.arguments.objectValue == nil {
        reader.error("a call's arguments are an object", at: place["arguments"] ?? place)
      }
      open.append((id, call.name, place))
      return ToolCall(id: id, name: call.name, arguments: call.arguments)
    }
  }

  /// A result answers the call it names, else the first open one of its tool.
  private mutating func answer(_ draft: MessageDraft, _ view: JSONView, _ message: inout Message) {
    let index = open.firstIndex { call in
      draft.toolCallID.map { $0 == call.id } ?? draft.tool.map { $0 == call.tool } ?? true
    }
    guard let index else {
      let wanted = draft.toolCallID ?? draft.tool
      let names = draft.toolCallID == nil ? open.map(\.tool) : open.map(\.id)
      reader.error(
        "this tool result answers no call", at: view["toolCallID"] ?? view["tool"] ?? view,
        advice: wanted.flatMap { suggestion(for: $0, among: names) }
          ?? "an assistant message before it must have the call in 'toolCalls'")
      return
    }
    let call = open.remove(at: index)
    if let tool = draft.tool, tool != call.tool {
      reader.error("the call '\(call.id)' is of the tool '\(call.tool)'", at: view["tool"] ?? view)
    }
    message.toolCallID = call.id
    message.toolName = call.tool
  }

  private mutating func noteOpenCalls() {
    for call in open {
      reader.error(
        "the call of '\(call.tool)' has no result", at: call.view,
        advice: "add a message of the role 'tool' after it")
    }
    open = []
  }
}
