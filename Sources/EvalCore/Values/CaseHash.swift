extension Case {
  /// The identity of the content as it is now, taken anew.
  package var contentHash: ContentHash {
    Case.identity(
      variables: variables, history: history, turns: turns, reference: reference, signals: signals)
  }

  /// Whether a stored case had this very input, so that an answer to it is an answer to this one: the same turns, scripted
  /// tool results, history and variables. What the answer is held against, and what policies read, may have changed.
  package func hasInput(of stored: CaseRecord) -> Bool {
    if hash == stored.hash { return true }
    return Case.identity(
      variables: variables, history: history, turns: turns, reference: stored.content?["reference"],
      signals: stored.signals) == stored.hash
  }

  /// True when bytes of another file are part of the content.
  package var hasImages: Bool {
    (turns.map(\.content) + history.map(\.parts)).contains { parts in
      parts.contains { if case .image = $0 { true } else { false } }
    }
  }

  static func identity(
    variables: JSONObject, history: [Message], turns: [Turn], reference: JSONValue?, signals: JSONObject
  ) -> ContentHash {
    var object: JSONObject = ["turns": .array(turns.map(\.identity))]
    object["variables"] = variables.isEmpty ? nil : .object(variables)
    object["history"] = history.isEmpty ? nil : .array(history.map(\.json))
    object["reference"] = reference
    object["signals"] = signals.isEmpty ? nil : .object(signals)
    return ContentHash(of: .object(object), kind: "case")
  }

  /// The identity of the checks that look at this case, which a resumed run must share.
  package var checksHash: ContentHash {
    let perTurn = turns.map { JSONValue.array($0.checks.map(\.json)) }
    var object: JSONObject = ["case": .array(checks.map(\.json)), "turns": .array(perTurn)]
    object["expects"] = expects == .answer ? nil : .string(expects.rawValue)
    return ContentHash(of: .object(object), kind: "checks")
  }

  /// Every check that looks at this case, those of single turns included.
  package var allChecks: [CheckSpec] { checks + turns.flatMap(\.checks) }
}

extension Turn {
  var identity: JSONValue {
    var object: JSONObject = ["content": .array(content.map(\.json))]
    object["toolResults"] =
      toolResults.isEmpty
      ? nil
      : .array(
        toolResults.map { result in
          [
            "tool": .string(result.tool), "arguments": result.arguments ?? .null,
            "result": .string(result.result),
          ]
        })
    return .object(object)
  }
}

extension ContentPart {
  package var json: JSONValue {
    switch self {
    case .text(let text): .object(["text": .string(text)])
    case .image(let image):
      .object(["image": .string(image.base64), "mediaType": .string(image.mediaType)])
    }
  }
}

extension ToolCall {
  package var json: JSONValue {
    var object: JSONObject = ["name": .string(name), "arguments": arguments]
    object["id"] = id.map { .string($0) }
    return .object(object)
  }
}

extension Message {
  package var json: JSONValue {
    var object: JSONObject = ["role": .string(role.rawValue), "content": .array(parts.map(\.json))]
    object["toolCalls"] = toolCalls.isEmpty ? nil : .array(toolCalls.map(\.json))
    object["toolCallID"] = toolCallID.map { .string($0) }
    object["toolName"] = toolName.map { .string($0) }
    return .object(object)
  }
}
