import EvalCore

/// The calls of an assistant message that wait for their results, for dialects that pair the two by name.
struct OpenCalls {
  private var waiting: [ToolCall] = []

  mutating func begin(_ calls: [ToolCall]) { waiting = calls }

  /// The call that a `tool` message answers: the one with its identifier, else the first of its name, else the first;
  /// `nil` when none waits.
  mutating func call(answeredBy message: Message) -> ToolCall? {
    let place =
      waiting.firstIndex { $0.id != nil && $0.id == message.toolCallID }
      ?? waiting.firstIndex { message.toolName == nil || $0.name == message.toolName }
    return place.map { waiting.remove(at: $0) }
  }
}

extension ToolCall {
  /// The arguments for an API that takes an object and nothing else; `nil` when they are none.
  var objectArguments: JSONObject? { arguments.isNull ? [:] : arguments.objectValue }
}
