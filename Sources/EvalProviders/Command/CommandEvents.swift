import EvalCore

/// Reads the events that a program writes (`Docs/CommandProvider.md`, "The events"). An event may have several members.
enum CommandEvents {
  /// Every member that an event may have.
  static let members = [
    "text", "snapshot", "reasoning", "reasoningSnapshot", "refusal", "toolCall", "usage", "model", "id",
    "state", "note", "finish", "error",
  ]

  private static let output: Set<String> = [
    "text", "snapshot", "reasoning", "reasoningSnapshot", "refusal", "toolCall",
  ]

  /// - Returns: what makes the event unreadable: then a piece of the answer is lost. `nil` when all is well.
  static func read(_ event: JSONView, into answer: inout Answer) -> String? {
    guard event.kind == .object else { return "an event is no object" }
    for (key, value) in event.members where !value.isNull {
      let name = key.string ?? ""
      guard members.contains(name) else {
        answer.note("the program writes '\(shortened(name, to: 40))', which events do not have")
        continue
      }
      if let expected = fault(of: value, name) { return "the '\(name)' of an event is no \(expected)" }
      if answer.isTerminated, output.contains(name) {
        answer.note("the program writes '\(name)' after its finish; it is left out")
        continue
      }
      take(value, name, into: &answer)
    }
    return nil
  }

  private static func fault(of value: JSONView, _ name: String) -> String? {
    switch name {
    case "toolCall", "usage": value.kind == .object ? nil : "object"
    case "error": value.kind == .object || value.kind == .string ? nil : "object or text"
    case "state": nil
    default: value.kind == .string ? nil : "text"
    }
  }

  private static func take(_ value: JSONView, _ name: String, into answer: inout Answer) {
    switch name {
    case "text": answer.addText(value)
    case "snapshot": answer.addSnapshot(value)
    case "reasoning": answer.addReasoning(value)
    case "reasoningSnapshot": answer.addReasoningSnapshot(value)
    case "refusal": answer.addRefusal(value)
    case "toolCall":
      answer.addTool(
        .init(
          index: value["index"]?.int.map { Int($0) }, id: value["id"]?.string, name: value["name"]?.string,
          arguments: value["arguments"]))
    case "usage": answer.usage.add(report(value))
    case "model": answer.identify(model: value, id: nil)
    case "id": answer.identify(model: nil, id: value)
    case "state": answer.providerState.append(value.value)
    case "note": answer.note(shortened(value.string ?? "", to: 500))
    case "finish":
      let word = value.string ?? ""
      answer.end(raw: word, finish(word))
    default: answer.fail(value)
    }
  }

  private static func report(_ usage: JSONView) -> UsageReport {
    var report = UsageReport()
    report.input = UsageReport.count(usage["input"])
    report.cachedInput = UsageReport.count(usage["cachedInput"])
    report.cacheWrite = UsageReport.count(usage["cacheWrite"])
    report.output = UsageReport.count(usage["output"])
    report.reasoning = UsageReport.count(usage["reasoning"])
    return report
  }

  private static func finish(_ word: String) -> Finish {
    switch word {
    case "toolCalls": .toolCalls
    case "contentFilter": .contentFilter
    default: Finish(rawValue: word) ?? .unknown
    }
  }

  // MARK: Errors

  /// The error that a program reports: a text, or an object with `class`, `message` and more.
  static func error(_ value: JSONValue) -> ProviderError {
    if let text = value.stringValue { return ProviderError(.unknown, text) }
    let word = value["class"]?.stringValue
    let kind = word.flatMap(errorClass) ?? .unknown
    var error = ProviderError(
      kind, value["message"]?.stringValue ?? word ?? "the program gave no reason",
      code: value["code"]?.stringValue ?? (word == kind.rawValue ? nil : word),
      retryAfterMilliseconds: value["retryAfterMs"]?.doubleValue.flatMap {
        $0 >= 0 && $0.isFinite ? $0 : nil
      },
      retryable: value["retryable"]?.boolValue, inBand: true)
    error.promptTokens = count(value["promptTokens"])
    error.contextSize = count(value["contextSize"])
    return error
  }

  /// One of our own classes, or any name that providers use, Apple's among them.
  ///
  /// What is only ours to say stays unknown: a program that calls itself cancelled must not end a run.
  static func errorClass(of word: String) -> ErrorClass? {
    let kind = ErrorClass(rawValue: word) ?? ErrorWords.errorClass(of: word)
    return kind == .cancelled || kind == .notRecorded ? nil : kind
  }

  private static func count(_ value: JSONValue?) -> Int? {
    value?.intValue.flatMap { $0 >= 0 ? Int($0) : nil }
  }

  /// One line of at most `limit` characters.
  static func shortened(_ text: String, to limit: Int) -> String {
    let line = String(text.prefix(limit + 1).map { $0.isNewline ? " " : $0 })
    return line.count > limit ? line.prefix(limit - 1) + "…" : line
  }
}
