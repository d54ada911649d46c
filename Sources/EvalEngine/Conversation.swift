import EvalCore

/// A case's messages as they grow turn by turn.
struct Conversation: Sendable {
  private(set) var messages: [Message]

  init(history: [Message]) { messages = history }

  mutating func say(_ content: [ContentPart]) { messages.append(Message(role: .user, parts: content)) }

  /// Adds the model's own answer, with what its provider wants back.
  mutating func answered(_ reply: ProviderReply) {
    messages.append(
      Message(
        role: .assistant, parts: reply.text.isEmpty ? [] : [.text(reply.text)], toolCalls: reply.toolCalls,
        providerState: reply.providerState))
  }

  /// Answers every tool call of the last message from the script.
  /// - Returns: false, and nothing is added, when the script has no result for one of them.
  mutating func answerTools(_ calls: [ToolCall], script: [ScriptedToolResult]) -> Bool {
    var results: [Message] = []
    for call in calls {
      guard let result = script.first(where: { $0.answers(call) }) else { return false }
      results.append(
        Message(role: .tool, parts: [.text(result.result)], toolCallID: call.id, toolName: call.name))
    }
    messages += results
    return true
  }
}

extension ScriptedToolResult {
  /// Whether this is the scripted result for a call: the same tool, and every argument it names has that value.
  func answers(_ call: ToolCall) -> Bool {
    guard tool == call.name else { return false }
    guard case .object(let wanted)? = arguments else { return true }
    return wanted.members.allSatisfy { call.arguments[$0.key]?.jsonEquals($0.value) == true }
  }
}
