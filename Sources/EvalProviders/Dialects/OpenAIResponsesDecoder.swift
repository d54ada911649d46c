import EvalCore

/// Reads Responses events and whole `response` bodies.
///
/// The text of an answer comes up to four times: in deltas, when its part is done, when its item is done, and in the
/// terminal snapshot. The first that comes counts; relays leave out any of the others.
struct OpenAIResponsesDecoder: ResponseDecoder {
  private var items = ResponseItems()
  /// Items as the server finished them, for a terminal event without a snapshot.
  private var finished: [JSONValue] = []

  mutating func event(_ value: JSONView, isError: Bool, into answer: inout Answer) {
    if value.kind == .array {
      for element in value.elements { event(element, isError: isError, into: &answer) }
      return
    }
    guard value.kind == .object else {
      if isError, !value.isNull { answer.fail(value) }
      return
    }
    if let type = value["type"], type.kind == .string, readDelta(type, value, into: &answer) { return }
    let type = value["type"]?.string ?? ""
    if let response = value["response"], response.kind == .object {
      answer.identify(model: response["model"], id: response["id"])
      readTerminal(type, response, into: &answer)
    } else if isError {
      answer.fail(value)
    } else if let error = ErrorBody.find(in: value) {
      answer.fail(error)
    } else {
      readDone(type, value, into: &answer)
    }
  }

  mutating func body(_ value: JSONView, into answer: inout Answer) {
    if value.kind == .array, let first = value[0], first.kind == .object { return body(first, into: &answer) }
    if let error = ErrorBody.find(in: value) { return answer.fail(error) }
    // A relay may wrap the response as the terminal event does.
    let response = value.given("response") ?? value
    guard response["output"]?.kind == .array || response["status"]?.kind == .string else { return }
    answer.identify(model: response["model"], id: response["id"])
    readSnapshot(response, into: &answer)
    switch response["status"]?.string {
    case "queued"?, "in_progress"?: break
    default: readEnd(response, "", into: &answer)
    }
  }
}

// MARK: - Deltas

extension OpenAIResponsesDecoder {
  /// - Returns: false when the event is no delta of generated output.
  private mutating func readDelta(_ type: JSONView, _ event: JSONView, into answer: inout Answer) -> Bool {
    if type.stringEquals("response.output_text.delta") {
      let place = mark(.message, event)
      if let delta = event["delta"], place != nil { answer.addText(delta) }
    } else if type.stringEquals("response.function_call_arguments.delta")
      || type.stringEquals("response.custom_tool_call_input.delta")
    {
      addArguments(event["delta"], event, into: &answer)
    } else if type.stringEquals("response.reasoning_summary_text.delta") {
      addThought(event["delta"], .summary, event["summary_index"]?.int, event, into: &answer)
    } else if type.stringEquals("response.reasoning_text.delta") {
      addThought(event["delta"], .full, event["content_index"]?.int, event, into: &answer)
    } else if type.stringEquals("response.refusal.delta") {
      let place = mark(.message, event)
      if let delta = event["delta"], place != nil { answer.addRefusal(delta) }
    } else {
      return false
    }
    return true
  }

  /// Notes that a message's part has begun to come.
  ///
  /// - Returns: the item's place; `nil` when the delta is empty, which is nothing.
  private mutating func mark(_ kind: ResponseItems.Kind, _ event: JSONView) -> Int? {
    guard let delta = event["delta"], delta.kind == .string, !delta.isEmptyString else { return nil }
    let place = items.place(of: kind, in: event)
    items.list[place].content.insert(event["content_index"]?.int)
    return place
  }

  private mutating func addArguments(_ text: JSONView?, _ event: JSONView, into answer: inout Answer) {
    guard let text, text.kind == .string, !text.isEmptyString else { return }
    let place = items.place(of: .call, in: event)
    items.list[place].hasArguments = true
    answer.addTool(.init(index: place, id: nil, name: nil, arguments: text))
  }

  private mutating func addThought(
    _ text: JSONView?, _ thought: ResponseItems.Thought, _ part: Int64?, _ event: JSONView,
    into answer: inout Answer
  ) {
    guard let text, text.kind == .string, !text.isEmptyString else { return }
    let place = items.place(of: .reasoning, in: event)
    guard items.list[place].thought ?? thought == thought else { return }
    items.list[place].thought = thought
    if thought == .full {
      items.list[place].content.insert(part)
    } else {
      items.list[place].summary.insert(part)
    }
    answer.addReasoning(text)
  }
}

// MARK: - Parts and items that are done

extension OpenAIResponsesDecoder {
  private mutating func readDone(_ type: String, _ event: JSONView, into answer: inout Answer) {
    switch type {
    case "response.output_item.added":
      guard let item = event["item"], Self.kind(of: item) == .call else { return begin(event) }
      let place = items.place(ofItem: item, .call, in: event, isNew: true)
      nameCall(item, place, into: &answer)
    case "response.output_item.done":
      guard let item = event["item"], item.kind == .object else { return }
      let kind = Self.kind(of: item)
      let place = items.place(ofItem: item, kind, in: event, isNew: false)
      take(item, place, into: &answer)
      items.list[place].isDone = true
      finished.append(item.value)
    case "response.output_text.done", "response.refusal.done":
      takePart(event, items.place(of: .message, in: event), event["content_index"]?.int, into: &answer)
    case "response.content_part.done":
      guard let part = event["part"], part["type"]?.stringEquals("reasoning_text") != true else { return }
      takePart(part, items.place(of: .message, in: event), event["content_index"]?.int, into: &answer)
    case "response.function_call_arguments.done", "response.custom_tool_call_input.done":
      let place = items.place(of: .call, in: event)
      if !items.list[place].hasArguments {
        addArguments(event.given("arguments") ?? event["input"], event, into: &answer)
      }
    default: break
    }
  }

  private mutating func begin(_ event: JSONView) {
    guard let item = event["item"], item.kind == .object else { return }
    _ = items.place(ofItem: item, Self.kind(of: item), in: event, isNew: true)
  }

  /// What of a whole item has not come before.
  private mutating func take(_ item: JSONView, _ place: Int, into answer: inout Answer) {
    switch items.list[place].kind {
    case .message:
      guard let content = item["content"] else { return }
      if content.kind == .string {
        if !items.list[place].content.contains(0) { answer.addText(content) }
        return items.list[place].content.insert(nil)
      }
      for (number, part) in content.elements.enumerated() {
        takePart(part, place, Int64(number), into: &answer)
      }
    case .reasoning: takeThought(item, place, into: &answer)
    case .call:
      nameCall(item, place, into: &answer)
      guard !items.list[place].hasArguments, let arguments = item.given("arguments") ?? item["input"] else {
        return
      }
      items.list[place].hasArguments = true
      answer.addTool(.init(index: place, id: nil, name: nil, arguments: arguments))
    case .other: break
    }
  }

  /// A part of a message, or the event that ends one: the text stands under the same key in both.
  private mutating func takePart(_ part: JSONView, _ place: Int, _ number: Int64?, into answer: inout Answer)
  {
    guard !items.list[place].content.contains(number ?? 0) else { return }
    if let refusal = part.given("refusal") {
      answer.addRefusal(refusal)
    } else if let text = part["text"] {
      answer.addText(text)
    }
    items.list[place].content.insert(number)
  }

  private mutating func takeThought(_ item: JSONView, _ place: Int, into answer: inout Answer) {
    let content = item["content"]
    let thought = items.list[place].thought ?? ((content?.count ?? 0) > 0 ? .full : .summary)
    items.list[place].thought = thought
    guard let parts = thought == .full ? content : item["summary"] else { return }
    for (number, part) in parts.elements.enumerated() {
      let known = thought == .full ? items.list[place].content : items.list[place].summary
      if !known.contains(Int64(number)), let text = part["text"] { answer.addReasoning(text) }
    }
    items.list[place].content.insert(nil)
    items.list[place].summary.insert(nil)
  }

  private mutating func nameCall(_ item: JSONView, _ place: Int, into answer: inout Answer) {
    guard !items.list[place].hasName, let name = item["name"], !name.isEmptyString else { return }
    items.list[place].hasName = true
    let id = item["call_id"]?.string ?? item["id"]?.string
    answer.addTool(.init(index: place, id: id, name: name.string, arguments: nil))
  }

  private static func kind(of item: JSONView) -> ResponseItems.Kind {
    guard let type = item["type"] else { return item["content"] == nil ? .other : .message }
    if type.stringEquals("message") { return .message }
    if type.stringEquals("reasoning") { return .reasoning }
    if type.stringEquals("function_call") || type.stringEquals("custom_tool_call") { return .call }
    return .other
  }
}

// MARK: - The end

extension OpenAIResponsesDecoder {
  private mutating func readTerminal(_ type: String, _ response: JSONView, into answer: inout Answer) {
    switch type {
    case "response.completed", "response.incomplete", "response.failed", "response.cancelled",
      "response.done":
      readSnapshot(response, into: &answer)
      readEnd(response, type, into: &answer)
      answer.complete()
    default: break
    }
  }

  /// What of the whole output has not come before.
  private mutating func readSnapshot(_ response: JSONView, into answer: inout Answer) {
    guard let output = response["output"] else { return }
    let lacksText = answer.text.isEmpty && answer.refusal.isEmpty
    let lacksThought = answer.reasoning.isEmpty
    let lacksCalls = answer.tools.isEmpty
    let known = items.list.count
    for item in output.elements where item.kind == .object {
      let kind = Self.kind(of: item)
      if kind == .call,
        let place = items.call(
          named: item["call_id"]?.string, id: item["id"]?.string, before: known)
      {
        take(item, place, into: &answer)
        continue
      }
      let isWanted =
        switch kind {
        case .message: lacksText
        case .reasoning: lacksThought
        case .call: lacksCalls
        case .other: false
        }
      guard isWanted else { continue }
      take(item, items.place(ofItem: item, kind, in: item, isNew: true), into: &answer)
    }
  }

  private mutating func readEnd(_ response: JSONView, _ type: String, into answer: inout Answer) {
    if let usage = response["usage"], usage.kind == .object { answer.usage.add(Self.report(usage)) }
    let status = response["status"]?.string
    if let error = response["error"], error.kind == .object || error.kind == .string {
      answer.fail(error)
    } else if type == "response.failed" || status == "failed" {
      answer.fail(.string("the response failed; the server gave no reason"))
    } else if type == "response.cancelled" || status == "cancelled" {
      answer.fail(.string("the response was cancelled by the server"))
    }
    if answer.error != nil { return }
    if let reason = response["incomplete_details"]?["reason"]?.string, !reason.isEmpty {
      answer.end(raw: reason, FinishWords.finish(reason))
    } else if type == "response.incomplete" || status == "incomplete" {
      answer.end(raw: "incomplete", .unknown)
    } else {
      let word = type == "response.completed" ? "completed" : status
      answer.end(raw: word, word == nil ? .unknown : .stop)
      let snapshot = response["output"].map { $0.value.arrayValue ?? [] } ?? []
      ResponsesState(output: snapshot.isEmpty ? finished : snapshot).keep(in: &answer)
    }
  }

  private static func report(_ usage: JSONView) -> UsageReport {
    var report = UsageReport()
    let input = usage["input_tokens_details"]
    report.input = UsageReport.count(usage["input_tokens"])
    report.output = UsageReport.count(usage["output_tokens"])
    report.total = UsageReport.count(usage["total_tokens"])
    report.cachedInput = UsageReport.count(input?["cached_tokens"])
    report.cacheWrite = UsageReport.count(input?["cache_write_tokens"])
    report.reasoning = UsageReport.count(usage["output_tokens_details"]?["reasoning_tokens"])
    return report
  }
}
