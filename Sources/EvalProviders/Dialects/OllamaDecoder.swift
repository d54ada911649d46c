import EvalCore

/// Reads the lines of `/api/chat`, and its answer in one piece, which is the same object once.
struct OllamaDecoder: ResponseDecoder {
  private var callCount = 0

  /// Below this, loading is the server's ordinary look at a model that is already there.
  private static let coldLoad: Int64 = 1_000_000_000

  mutating func event(_ value: JSONView, isError: Bool, into answer: inout Answer) {
    if value.kind == .array {
      for element in value.elements { event(element, isError: isError, into: &answer) }
      return
    }
    guard value.kind == .object else { return }
    if isError {
      answer.fail(value)
    } else if let error = ErrorBody.find(in: value) {
      answer.fail(error)
    }
    if answer.servedModel == nil { identify(value, into: &answer) }
    if let message = value["message"], message.kind == .object { readMessage(message, into: &answer) }
    readEnd(value, into: &answer)
  }

  mutating func body(_ value: JSONView, into answer: inout Answer) {
    event(value, isError: false, into: &answer)
    if answer.error == nil, !answer.isTerminated, value["message"]?.kind == .object {
      answer.end(raw: nil, .unknown)
    }
  }

  /// Templates of reasoning models want the thought back that led to a call.
  mutating func finish(into answer: inout Answer) {
    guard !answer.tools.isEmpty, !answer.reasoning.isEmpty else { return }
    answer.providerState = [["thinking": .string(answer.reasoning.text)]]
  }

  private func identify(_ value: JSONView, into answer: inout Answer) {
    answer.identify(model: value["model"], id: nil)
    if let host = value["remote_host"]?.string, !host.isEmpty {
      let model = value["remote_model"]?.string.map { " by '\($0)'" } ?? ""
      answer.note("the server passed the request on to \(host), where it was answered\(model)")
    }
  }

  private mutating func readMessage(_ message: JSONView, into answer: inout Answer) {
    if let thinking = message["thinking"] { answer.addReasoning(thinking) }
    if let content = message["content"] { answer.addText(content) }
    guard let calls = message["tool_calls"] else { return }
    for call in calls.elements {
      // Calls come whole; older servers give all of them the index 0.
      guard let function = call["function"], function.kind == .object else { continue }
      answer.addTool(
        .init(
          index: callCount, id: call["id"]?.string, name: function["name"]?.string,
          arguments: function["arguments"]))
      callCount += 1
    }
  }

  private func readEnd(_ value: JSONView, into answer: inout Answer) {
    let isDone = value["done"]?.bool == true
    let word = value["done_reason"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    guard isDone || word != nil else { return }
    answer.end(raw: word, Self.finish(word))
    readMetrics(value, into: &answer)
    if isDone { answer.complete() }
  }

  /// `load` and `unload` answer a request without messages: nothing was generated, and that was right.
  private static func finish(_ word: String?) -> Finish { word.map(FinishWords.finish) ?? .unknown }

  /// What the line leaves out is unknown, for Go leaves out zeros. `eval_count` has the thoughts in it and does not
  /// tell them apart. Times are nanoseconds.
  private func readMetrics(_ value: JSONView, into answer: inout Answer) {
    var report = UsageReport()
    report.input = UsageReport.count(value["prompt_eval_count"])
    report.cachedInput = UsageReport.count(value["prompt_eval_cached_count"])
    report.output = UsageReport.count(value["eval_count"])
    answer.usage.add(report)
    if let load = value["load_duration"]?.int, load >= Self.coldLoad {
      let tenths = load / 100_000_000
      answer.note("cold model: the server spent \(tenths / 10).\(tenths % 10) s loading it")
    }
  }
}
