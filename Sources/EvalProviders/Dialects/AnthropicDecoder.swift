import EvalCore

/// Reads Anthropic Messages events and whole `message` bodies.
struct AnthropicDecoder: ResponseDecoder {
  private var blocks = AnthropicBlocks()
  private var usage = AnthropicUsage()

  mutating func event(_ value: JSONView, isError: Bool, into answer: inout Answer) {
    if value.kind == .array {
      for element in value.elements { event(element, isError: isError, into: &answer) }
      return
    }
    guard value.kind == .object else {
      if isError, !value.isNull { answer.fail(value) }
      return
    }
    guard let type = value["type"] else { return readUnknown(value, isError, into: &answer) }
    if type.stringEquals("content_block_delta") {
      if let delta = value["delta"] { readDelta(delta, value["index"]?.int, into: &answer) }
    } else if type.stringEquals("content_block_start") {
      if let block = value["content_block"] { blocks.start(block, value["index"]?.int, into: &answer) }
    } else if type.stringEquals("message_delta") {
      if let report = value["usage"] { answer.usage.add(usage.take(report, hasOutput: true)) }
      if let delta = value["delta"] { readEnd(delta, into: &answer) }
    } else if type.stringEquals("message_start") {
      guard let message = value["message"] else { return }
      answer.identify(model: message["model"], id: message["id"])
      // Its output count is an opening figure of a few tokens, not a result.
      if let report = message["usage"] { answer.usage.add(usage.take(report, hasOutput: false)) }
    } else if type.stringEquals("message_stop") {
      answer.complete()
    } else if !type.stringEquals("content_block_stop"), !type.stringEquals("ping") {
      readUnknown(value, isError, into: &answer)
    }
  }

  mutating func body(_ value: JSONView, into answer: inout Answer) {
    if value.kind == .array, let first = value[0], first.kind == .object { return body(first, into: &answer) }
    if let error = ErrorBody.find(in: value) { return answer.fail(error) }
    guard let content = value["content"] else { return }
    answer.identify(model: value["model"], id: value["id"])
    if content.kind == .string { answer.addText(content) }
    for (index, block) in content.elements.enumerated() {
      blocks.start(block, Int64(index), into: &answer)
    }
    if let report = value["usage"] { answer.usage.add(usage.take(report, hasOutput: true)) }
    readEnd(value, into: &answer)
    if !answer.isTerminated { answer.end(raw: nil, .unknown) }
  }

  /// A thought comes back with its signature or not at all, and one that was cut off has none.
  mutating func finish(into answer: inout Answer) {
    guard answer.finish == .stop || answer.finish == .toolCalls, answer.error == nil,
      let content = blocks.toSendBack
    else { return }
    answer.providerState.append(["content": .array(content)])
  }
}

extension AnthropicDecoder {
  /// An error ends the stream: nothing follows it, whatever the server does with the connection.
  private func readUnknown(_ value: JSONView, _ isError: Bool, into answer: inout Answer) {
    if isError {
      answer.fail(value)
    } else if let error = ErrorBody.find(in: value) {
      answer.fail(error)
    } else {
      return
    }
    answer.complete()
  }

  private mutating func readDelta(_ delta: JSONView, _ index: Int64?, into answer: inout Answer) {
    guard let type = delta["type"] else { return }
    if type.stringEquals("text_delta") {
      guard let text = delta["text"] else { return }
      answer.addText(text)
      blocks.addText(text, index)
    } else if type.stringEquals("thinking_delta") {
      guard let text = delta["thinking"] else { return }
      answer.addReasoning(text)
      blocks.addText(text, index)
    } else if type.stringEquals("input_json_delta") {
      if let json = delta["partial_json"] { blocks.addInput(json, index, into: &answer) }
    } else if type.stringEquals("signature_delta"), let signature = delta["signature"] {
      blocks.sign(signature, index)
    }
  }

  /// The end as `message_delta` and a whole message say it.
  private func readEnd(_ value: JSONView, into answer: inout Answer) {
    guard let word = value["stop_reason"]?.string, !word.isEmpty else { return }
    let finish = FinishWords.finish(word)
    answer.end(raw: word, finish)
    if finish == .refusal, let words = value["stop_details"]?["explanation"] { answer.setRefusalNote(words) }
  }
}

/// Adds up Anthropic's counts: `input_tokens` leaves out what the cache took and gave.
struct AnthropicUsage {
  private var input: Int?
  private var cacheRead: Int?
  private var cacheWrite: Int?

  /// The report that a `usage` object makes together with those before it.
  ///
  /// `message_delta` may state the input side again with another split: it replaces, count by count. An input side of
  /// nothing but zeros says nothing; compatible servers send one at the start or at the end.
  mutating func take(_ usage: JSONView, hasOutput: Bool) -> UsageReport {
    let counts = [
      UsageReport.count(usage["input_tokens"]), UsageReport.count(usage["cache_read_input_tokens"]),
      UsageReport.count(usage["cache_creation_input_tokens"]) ?? Self.written(usage["cache_creation"]),
    ]
    if counts.contains(where: { ($0 ?? 0) > 0 }) {
      input = counts[0] ?? input
      cacheRead = counts[1] ?? cacheRead
      cacheWrite = counts[2] ?? cacheWrite
    }
    var report = UsageReport()
    let known = [input, cacheRead, cacheWrite].compactMap(\.self)
    report.input = known.isEmpty ? nil : known.reduce(0, +)
    report.cachedInput = cacheRead
    report.cacheWrite = cacheWrite
    guard hasOutput else { return report }
    report.output = UsageReport.count(usage["output_tokens"])
    report.reasoning = UsageReport.count(usage["output_tokens_details"]?["thinking_tokens"])
    return report
  }

  /// What was written to the cache by how long it keeps.
  private static func written(_ creation: JSONView?) -> Int? {
    guard let creation else { return nil }
    let counts = [
      UsageReport.count(creation["ephemeral_5m_input_tokens"]),
      UsageReport.count(creation["ephemeral_1h_input_tokens"]),
    ].compactMap(\.self)
    return counts.isEmpty ? nil : counts.reduce(0, +)
  }
}
