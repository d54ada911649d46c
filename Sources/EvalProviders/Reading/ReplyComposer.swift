import EvalCore

/// Makes the reply from a reading and the end of its transfer: the outcome rules in one place.
struct ReplyComposer {
  var end: TransferEnd
  /// Unix seconds of the client.
  var clientTime: Double

  func reply(from reading: StreamReading) -> ProviderReply {
    var reading = reading
    reading.finish(isClean: end == .complete || end == .stoppedBySink)
    let answer = reading.answer
    var reply = ProviderReply(outcome: outcome(of: reading), timeline: reading.timeline)
    reply.text = answer.text.text
    reply.reasoning = answer.reasoning.text
    reply.toolCalls = answer.tools.calls
    reply.embeddings = answer.embeddings
    reply.finish = answer.finishReason
    reply.rawFinish = answer.rawFinish
    if !answer.refusal.isEmpty { reply.refusal = answer.refusal.text }
    reply.usage = answer.usage.usage(zeroInputIsAbsent: answer.zeroInputIsAbsent)
    reply.servedModel = answer.servedModel
    reply.responseID = answer.responseID ?? reading.headers["x-request-id"] ?? reading.headers["request-id"]
    reply.providerState = answer.providerState
    reply.allowance = AllowanceReading(headers: reading.headers, clientTime: clientTime).allowance
    reply.notes = notes(of: reading, reply)
    return reply
  }

  private func outcome(of reading: StreamReading) -> Outcome {
    if let error = error(of: reading) { return .failed(error) }
    let answer = reading.answer
    switch answer.finishReason {
    case .refusal?, .contentFilter?: return .refused
    case .error?:
      let word = answer.rawFinish ?? "error"
      let kind = ErrorWords.errorClass(of: word) ?? .serverError
      // A model that fumbled a call may do it right the next time.
      return .failed(
        ProviderError(
          kind, "the server ended the answer with '\(word)'", status: reading.status, code: word,
          retryable: kind == .malformedResponse ? true : nil, inBand: true))
    default: break
    }
    let isEmpty =
      answer.text.isEmpty && answer.reasoning.isEmpty && answer.refusal.isEmpty && answer.tools.isEmpty
      && answer.embeddings.isEmpty
    return isEmpty ? .empty : .ok
  }

  /// In order: the status, an error inside the answer, a piece that could not be read, the end marker, which the
  /// transport's end cannot take back, and only then the transport (`Docs/Providers.md`, "How an answer ends").
  private func error(of reading: StreamReading) -> ProviderError? {
    let answer = reading.answer
    guard let status = reading.status else {
      return end.error(sawBody: false) ?? ProviderError(.network, "the server closed without an answer")
    }
    let errors = ErrorReading(status: status, headers: reading.headers, clientTime: clientTime)
    if reading.shape == .error { return errors.httpError(reading.collected) }
    if let error = answer.error { return errors.inBandError(error) }
    if end == .cancelled, !answer.isTerminated { return end.error(sawBody: true) }
    if let event = reading.malformedEvent, answer.isTerminated || end == .complete {
      return ProviderError(.malformedResponse, "an event is no JSON: \(event)", status: status, inBand: true)
    }
    if answer.isTerminated { return nil }
    if let error = end.error(sawBody: reading.bodyBytes > 0) { return error.with(status: status) }
    return unfinished(reading, status)
  }

  /// A response that came in whole and yet is no whole answer.
  private func unfinished(_ reading: StreamReading, _ status: Int) -> ProviderError {
    if reading.isOverflown {
      return ProviderError(.malformedResponse, "the response is larger than any answer", status: status)
    }
    switch reading.shape {
    case .html:
      let page = ErrorReading.plainText(reading.collected) ?? "a web page"
      return ProviderError(.malformedResponse, "the server sent \(page)", status: status)
    case .whole, .undecided:
      if reading.collected.allSatisfy(JSONBlank.contains) { break }
      let start = String(decoding: reading.collected.prefix(200), as: UTF8.self)
      return ProviderError(.malformedResponse, "the body is no answer: \(start)", status: status)
    default: break
    }
    if let start = reading.strayStart {
      let words = ErrorReading.plainText(Array(start.utf8)) ?? start
      return ProviderError(.malformedResponse, "the body is no event stream: \(words)", status: status)
    }
    let what = reading.eventCount == 0 ? "the answer is empty" : "the answer stops without its end marker"
    return ProviderError(.truncated, what, status: status)
  }

  private func notes(of reading: StreamReading, _ reply: ProviderReply) -> [String] {
    var notes = reading.answer.notes
    if let usage = reply.usage, usage.isInconsistent { notes.append("the reported usage does not add up") }
    if reading.answer.isTerminated, let error = end.error(sawBody: true) {
      notes.append("after the end of the answer: \(error.message)")
    }
    return notes
  }
}

extension ProviderError {
  func with(status: Int) -> ProviderError {
    var error = self
    error.status = status
    return error
  }
}
