import EvalCore

/// Reads `GenerateContentResponse`: the chunks of a stream, the elements of an array, and whole bodies.
struct GeminiDecoder: ResponseDecoder {
  /// A part of the model's turn, as the next turn must give it back.
  private enum Part {
    /// Answer text that ends at a byte of the whole; pieces without a signature are one part.
    case text(end: Int, signature: JSONValue?)
    /// A call by its place.
    case call(Int, signature: JSONValue?)
    /// Anything else, in its wire form.
    case other(JSONValue)
  }

  /// The index of the candidate that is read; with several asked for, the first one seen.
  private var candidateIndex: Int64?
  private var parts: [Part] = []
  private var isSigned = false
  private var callCount = 0
  private var usage = GeminiUsage()

  mutating func event(_ value: JSONView, isError: Bool, into answer: inout Answer) {
    switch value.kind {
    case .object: read(value, isError: isError, into: &answer)
    case .array: for element in value.elements { event(element, isError: isError, into: &answer) }
    default: break
    }
  }

  /// A body that is a list is the array form of a stream.
  mutating func body(_ value: JSONView, into answer: inout Answer) {
    event(value, isError: false, into: &answer)
    let response = value.kind == .array ? value[0] : value
    if answer.error == nil, !answer.isTerminated, response?["candidates"]?[0] != nil {
      answer.end(raw: nil, .unknown)
    }
  }

  mutating func finish(into answer: inout Answer) {
    let isBare = answer.text.isEmpty && answer.reasoning.isEmpty && answer.tools.isEmpty
    if isBare, let report = usage.reportOfNothing { answer.usage.add(report) }
    if isSigned { answer.providerState = state(of: answer) }
  }

  private mutating func read(_ value: JSONView, isError: Bool, into answer: inout Answer) {
    if isError {
      answer.fail(value)
    } else if let error = ErrorBody.find(in: value) {
      answer.fail(error)
    }
    if answer.servedModel == nil || answer.responseID == nil {
      answer.identify(model: value["modelVersion"], id: value["responseId"])
    }
    if let feedback = value["promptFeedback"], let reason = feedback["blockReason"] {
      readBlock(reason, feedback["blockReasonMessage"], into: &answer)
    }
    if let candidates = value["candidates"] {
      for candidate in candidates.elements {
        let index = candidate["index"]?.int ?? 0
        if candidateIndex == nil { candidateIndex = index }
        if index == candidateIndex { readCandidate(candidate, into: &answer) }
      }
    }
    if let metadata = value["usageMetadata"], metadata.kind == .object {
      answer.usage.add(usage.report(metadata))
    }
  }

  private func readBlock(_ reason: JSONView, _ message: JSONView?, into answer: inout Answer) {
    guard let word = reason.string, !word.isEmpty, !word.hasSuffix("UNSPECIFIED") else { return }
    answer.end(raw: word, .contentFilter)
    if let words = message?.string, !words.isEmpty { answer.note("the prompt was blocked: \(words)") }
  }

  private mutating func readCandidate(_ candidate: JSONView, into answer: inout Answer) {
    if let parts = candidate["content"]?["parts"] {
      for part in parts.elements { readPart(part, into: &answer) }
    }
    guard let word = candidate["finishReason"]?.string, !word.isEmpty, !word.hasSuffix("UNSPECIFIED") else {
      return
    }
    answer.end(raw: word, Self.finish(word))
    if word != "STOP", let words = candidate["finishMessage"]?.string, !words.isEmpty {
      answer.note("\(word): \(words)")
    }
  }

  private static func finish(_ word: String) -> Finish {
    word == "OTHER" ? .contentFilter : FinishWords.finish(word)
  }
}

// MARK: - Parts

extension GeminiDecoder {
  private mutating func readPart(_ part: JSONView, into answer: inout Answer) {
    guard part.kind == .object else { return }
    let signature = part["thoughtSignature"].flatMap { $0.isEmptyString || $0.isNull ? nil : $0.value }
    if signature != nil { isSigned = true }
    if let text = part.given("text") {
      if part["thought"]?.bool == true {
        answer.addReasoning(text)
        if signature != nil { parts.append(.other(part.value)) }
      } else {
        answer.addText(text)
        keepText(upTo: answer.text.bytes.count, signature)
      }
    } else if let call = part["functionCall"], call.kind == .object {
      readCall(call, signature, into: &answer)
    } else {
      readOther(part, isSigned: signature != nil, into: &answer)
    }
  }

  private mutating func keepText(upTo end: Int, _ signature: JSONValue?) {
    if signature == nil, case .text(_, nil)? = parts.last {
      parts[parts.count - 1] = .text(end: end, signature: nil)
    } else {
      parts.append(.text(end: end, signature: signature))
    }
  }

  /// Calls come whole, and two of the same name are two.
  private mutating func readCall(_ call: JSONView, _ signature: JSONValue?, into answer: inout Answer) {
    let place = answer.addTool(
      .init(
        index: callCount, id: call["id"]?.string, name: call["name"]?.string, arguments: call["args"]))
    callCount += 1
    parts.append(.call(place, signature: signature))
  }

  /// Code that the server ran, an image that it drew: no text, and yet part of the turn.
  private mutating func readOther(_ part: JSONView, isSigned: Bool, into answer: inout Answer) {
    let kinds = part.members.compactMap(\.key.string).filter { !Self.marks.contains($0) }
    if isSigned || !kinds.isEmpty { parts.append(.other(part.value)) }
    for kind in kinds {
      answer.note("the answer holds a part of the kind '\(kind)', which is not read as text")
    }
  }

  /// Members of a part that say something about it.
  private static let marks: Set = ["thoughtSignature", "thought", "partMetadata", "videoMetadata"]

  /// The whole turn as it came, for a signature holds only beside the part that it signs.
  private func state(of answer: Answer) -> [JSONValue] {
    let calls = answer.tools.calls
    let text = answer.text.bytes
    var start = 0
    return parts.compactMap { part -> JSONValue? in
      var object: JSONObject = [:]
      switch part {
      case .other(let value): return value
      case .text(let end, let signature):
        object["text"] = .string(String(decoding: text[start..<end], as: UTF8.self))
        start = end
        object["thoughtSignature"] = signature
      case .call(let place, let signature):
        guard calls.indices.contains(place) else { return nil }
        var call: JSONObject = ["name": .string(calls[place].name)]
        call["id"] = calls[place].id.map { .string($0) }
        call["args"] = calls[place].objectArguments.map { .object($0) }
        object["functionCall"] = .object(call)
        object["thoughtSignature"] = signature
      }
      return object == [:] || object == ["text": ""] ? nil : .object(object)
    }
  }
}

// MARK: - Usage

/// `usageMetadata`, which each chunk repeats as it grows.
///
/// `total = prompt + toolUsePrompt + candidates + thoughts` (python-genai, types.py,
/// GenerateContentResponseUsageMetadata). A count that is left out is protobuf's zero, but only beside one that is there:
/// all of them left out means that nobody counted.
struct GeminiUsage {
  private var prompt: Int?
  private var toolPrompt: Int?
  private var candidates: Int?
  private var thoughts: Int?
  private var total: Int?
  private var input: Int?
  private var isOutputKnown = false

  /// Takes over what a report counts; one of nothing but zeros says nothing.
  private mutating func take(_ metadata: JSONView) {
    let names: [StaticString] = [
      "promptTokenCount", "toolUsePromptTokenCount", "candidatesTokenCount", "thoughtsTokenCount",
      "totalTokenCount",
    ]
    let counts = names.map { UsageReport.count(metadata[$0]) }
    guard counts.contains(where: { ($0 ?? 0) > 0 }) else { return }
    prompt = counts[0] ?? prompt
    toolPrompt = counts[1] ?? toolPrompt
    candidates = counts[2] ?? candidates
    thoughts = counts[3] ?? thoughts
    total = counts[4] ?? total
  }

  mutating func report(_ metadata: JSONView) -> UsageReport {
    take(metadata)
    var report = UsageReport()
    report.cachedInput = UsageReport.count(metadata["cachedContentTokenCount"])
    report.reasoning = thoughts
    report.input = Self.sum(prompt, toolPrompt ?? 0)
    if let candidates, let thoughts, thoughts > 0, total != nil, Self.sum(report.input, candidates) == total {
      // A server that counts the thoughts among the candidates (BerriAI/litellm, candidate count inclusive).
      report.output = candidates
    } else if candidates != nil || thoughts != nil {
      report.output = Self.sum(candidates ?? 0, thoughts ?? 0)
    } else if let total, let input = report.input, total > input {
      report.output = total - input
    }
    if report.input != nil { input = report.input }
    if report.output != nil { isOutputKnown = true }
    return report
  }

  /// For an answer without any output: 0 where the total says that there was none.
  var reportOfNothing: UsageReport? {
    guard let input, input == total, !isOutputKnown else { return nil }
    var report = UsageReport()
    report.input = input
    report.output = 0
    return report
  }

  /// `nil` without a first, or beyond an integer.
  private static func sum(_ first: Int?, _ second: Int) -> Int? {
    guard let (sum, isOver) = first?.addingReportingOverflow(second), !isOver else { return nil }
    return sum
  }
}
