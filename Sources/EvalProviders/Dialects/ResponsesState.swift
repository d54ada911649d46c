import EvalCore

/// What of an answer's items goes back on the next turn.
struct ResponsesState {
  var output: [JSONValue]

  /// Keeps the items when they hold more than text and calls: reasoning, a server's own tools, a message's phase.
  func keep(in answer: inout Answer) {
    guard output.contains(where: Self.holdsMore) else { return }
    guard output.allSatisfy(Self.canGoBack) else {
      if !answer.tools.isEmpty {
        answer.note(
          "the reasoning came without its encrypted content, so the next turn goes on without it; set 'reasoning'"
        )
      }
      return
    }
    answer.providerState.append(["output": .array(output)])
  }

  private static func holdsMore(_ item: JSONValue) -> Bool {
    switch item["type"]?.stringValue {
    case "function_call"?: false
    case "message"?, nil: item["phase"]?.stringValue != nil
    default: true
    }
  }

  /// A server that stores nothing knows a reasoning item only by what it holds.
  private static func canGoBack(_ item: JSONValue) -> Bool {
    guard item["type"]?.stringValue == "reasoning" else { return true }
    return item["encrypted_content"]?.stringValue?.isEmpty == false
      || item["content"]?.arrayValue?.isEmpty == false
  }
}
