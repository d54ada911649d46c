import EvalCore

/// Makes the reply from what a program wrote and how it ended (`Docs/CommandProvider.md`, "How a call ends").
struct CommandReply {
  var end: TransferEnd

  func reply(from reading: CommandReading) -> ProviderReply {
    var reading = reading
    reading.finish(isClean: end == .complete || end == .stoppedBySink)
    let answer = reading.answer
    var reply = ProviderReply(outcome: outcome(of: reading), timeline: reading.timeline)
    reply.text = answer.text.text
    reply.reasoning = answer.reasoning.text
    reply.toolCalls = answer.tools.calls
    reply.finish = answer.finishReason
    reply.rawFinish = answer.rawFinish
    if !answer.refusal.isEmpty { reply.refusal = answer.refusal.text }
    reply.usage = answer.usage.usage()
    reply.servedModel = answer.servedModel
    reply.responseID = answer.responseID
    reply.providerState = answer.providerState
    reply.notes = answer.notes
    if let usage = reply.usage, usage.isInconsistent {
      reply.notes.append("the reported usage does not add up")
    }
    if answer.isTerminated, let error = end.error(sawBody: true) {
      reply.notes.append("after the end of the answer: \(error.message)")
    }
    return reply
  }

  private func outcome(of reading: CommandReading) -> Outcome {
    if let error = error(of: reading) { return .failed(error) }
    let answer = reading.answer
    switch answer.finishReason {
    case .refusal?, .contentFilter?: return .refused
    case .error?:
      return .failed(
        ProviderError(.unknown, "the program ended the answer with 'error'", code: "error", inBand: true))
    default: break
    }
    let isEmpty =
      answer.text.isEmpty && answer.reasoning.isEmpty && answer.refusal.isEmpty && answer.tools.isEmpty
    return isEmpty ? .empty : .ok
  }

  /// In order: the program's own word, a line that could not be read, the end of the answer, which the program's end
  /// cannot take back, and only then the program's end.
  private func error(of reading: CommandReading) -> ProviderError? {
    let answer = reading.answer
    if let value = answer.error { return CommandEvents.error(value) }
    if end == .cancelled, !answer.isTerminated { return end.error(sawBody: true) }
    if reading.isOverflown {
      return ProviderError(.malformedResponse, "the program writes more than any answer holds")
    }
    if let fault = reading.fault { return ProviderError(.malformedResponse, fault) }
    if answer.isTerminated { return nil }
    if let error = end.error(sawBody: reading.byteCount > 0) { return error }
    let what = reading.byteCount == 0 ? "the program wrote nothing" : "the program ended without 'finish'"
    return ProviderError(.truncated, what)
  }
}
