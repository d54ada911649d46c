import EvalCore

/// Reads `chat.completion.chunk` events and whole `chat.completion` bodies.
struct OpenAIChatDecoder: ResponseDecoder {
  /// The index of the choice that is read; with several asked for, the first one seen.
  private var choiceIndex: Int64?

  mutating func event(_ value: JSONView, isError: Bool, into answer: inout Answer) {
    if value.kind == .array {
      for element in value.elements { event(element, isError: isError, into: &answer) }
      return
    }
    guard value.kind == .object else {
      if isError, !value.isNull { answer.fail(value) }
      return
    }
    if isError {
      answer.fail(value)
    } else if let error = ErrorBody.find(in: value) {
      answer.fail(error)
    }
    readChoices(value, "delta", into: &answer)
    readUsage(value, into: &answer)
  }

  mutating func body(_ value: JSONView, into answer: inout Answer) {
    if let error = ErrorBody.find(in: value) {
      answer.fail(error)
    } else if value.kind == .array, let first = value[0], first.kind == .object {
      return body(first, into: &answer)
    }
    readChoices(value, "message", into: &answer)
    readUsage(value, into: &answer)
    if answer.error == nil, !answer.isTerminated, value["choices"]?[0] != nil {
      answer.end(raw: nil, .unknown)
    }
  }

  private mutating func readChoices(_ value: JSONView, _ key: StaticString, into answer: inout Answer) {
    if answer.servedModel == nil || answer.responseID == nil {
      answer.identify(model: value["model"], id: value["id"])
    }
    guard let choices = value["choices"] else { return }
    for choice in choices.elements {
      let index = choice["index"]?.int ?? 0
      if choiceIndex == nil { choiceIndex = index }
      if index == choiceIndex { readChoice(choice, key, into: &answer) }
    }
  }

  private func readChoice(_ choice: JSONView, _ key: StaticString, into answer: inout Answer) {
    if let delta = choice[key], delta.kind == .object {
      readDelta(delta, isWhole: key.utf8CodeUnitCount == 7, into: &answer)
    } else if let whole = choice["message"], whole.kind == .object {
      // One event with the whole answer; after deltas it only repeats them.
      if answer.text.isEmpty, answer.tools.isEmpty { readDelta(whole, isWhole: true, into: &answer) }
    } else if let text = choice["text"] {
      answer.addText(text)
    }
    if let reason = choice["finish_reason"], let word = reason.string, !word.isEmpty, word != "null" {
      answer.end(raw: word, FinishWords.finish(word))
    }
  }

  private func readDelta(_ delta: JSONView, isWhole: Bool, into answer: inout Answer) {
    readReasoning(delta, into: &answer)
    if let content = delta["content"] {
      if content.kind == .array {
        for part in content.elements { readPart(part, into: &answer) }
      } else if content.kind == .object {
        readPart(content, into: &answer)
      } else {
        answer.addText(content)
      }
    }
    if let refusal = delta["refusal"] { answer.addRefusal(refusal) }
    if let calls = delta["tool_calls"] {
      for call in calls.elements { readCall(call, isWhole: isWhole, into: &answer) }
    }
    if let call = delta["function_call"], call.kind == .object {
      answer.addTool(.init(index: -1, id: nil, name: call["name"]?.string, arguments: call["arguments"]))
    }
  }

  /// One field per delta, never two: relays repeat a thought under a second name.
  private func readReasoning(_ delta: JSONView, into answer: inout Answer) {
    if let text = delta["reasoning_content"], text.kind == .string, !text.isEmptyString {
      answer.addReasoning(text)
    } else if let text = delta["reasoning"], text.kind == .string, !text.isEmptyString {
      answer.addReasoning(text)
    } else if let details = delta["reasoning_details"] {
      for detail in details.elements {
        if let text = detail.given("text") ?? detail["summary"] { answer.addReasoning(text) }
      }
    }
  }

  /// A part of an array `content`, as Mistral sends it.
  private func readPart(_ part: JSONView, into answer: inout Answer) {
    if part.kind == .string { return answer.addText(part) }
    if let thinking = part.given("thinking") {
      if thinking.kind == .string { answer.addReasoning(thinking) }
      for piece in thinking.elements {
        if let text = piece["text"] { answer.addReasoning(text) }
      }
    } else if let refusal = part.given("refusal") {
      answer.addRefusal(refusal)
    } else if let text = part["text"] {
      if part["type"]?.stringEquals("reasoning") == true || part["type"]?.stringEquals("thinking") == true {
        answer.addReasoning(text)
      } else {
        answer.addText(text)
      }
    }
  }

  private func readCall(_ call: JSONView, isWhole: Bool, into answer: inout Answer) {
    guard call.kind == .object else { return }
    let function = call.given("function") ?? call["custom"]
    let place = answer.addTool(
      .init(
        index: call["index"]?.integer.map { Int($0) }, id: call["id"]?.string,
        name: function?["name"]?.string,
        arguments: function?.given("arguments") ?? function?["input"], isWhole: isWhole))
    // Gemini wants its signature back on the next turn.
    if let extra = call["extra_content"], extra.kind == .object {
      answer.providerState.append(["tool_call": .integer(Int64(place)), "extra_content": extra.value])
    }
  }
}

// MARK: - Usage

extension OpenAIChatDecoder {
  /// At the top, under `x_groq` (Groq) or in the choice (Moonshot); the later a place here, the more it counts.
  private func readUsage(_ value: JSONView, into answer: inout Answer) {
    if let usage = value["choices"]?[0]?["usage"], usage.kind == .object {
      answer.usage.add(Self.report(usage))
    }
    if let usage = value["x_groq"]?["usage"], usage.kind == .object { answer.usage.add(Self.report(usage)) }
    if let usage = value["usage"], usage.kind == .object { answer.usage.add(Self.report(usage)) }
  }

  private static func report(_ usage: JSONView) -> UsageReport {
    var report = UsageReport()
    let input = usage.given("prompt_tokens_details") ?? usage["input_tokens_details"]
    let output = usage.given("completion_tokens_details") ?? usage["output_tokens_details"]
    report.input = UsageReport.count(usage.given("prompt_tokens") ?? usage["input_tokens"])
    report.output = UsageReport.count(usage.given("completion_tokens") ?? usage["output_tokens"])
    report.total = UsageReport.count(usage["total_tokens"])
    let hits = UsageReport.count(usage["prompt_cache_hit_tokens"])
    if report.input == nil, let hits, let misses = UsageReport.count(usage["prompt_cache_miss_tokens"]) {
      report.input = hits + misses
    }
    // DeepSeek counts cache hits beside the details, Moonshot at the top, LiteLLM also under Anthropic's names.
    report.cachedInput =
      UsageReport.count(input?["cached_tokens"]) ?? hits ?? UsageReport.count(usage["cached_tokens"])
      ?? UsageReport.count(usage["cache_read_input_tokens"])
    report.cacheWrite =
      UsageReport.count(input?["cache_write_tokens"])
      ?? UsageReport.count(usage["cache_creation_input_tokens"])
    report.reasoning =
      UsageReport.count(output?["reasoning_tokens"]) ?? UsageReport.count(usage["reasoning_tokens"])
    return report
  }
}
