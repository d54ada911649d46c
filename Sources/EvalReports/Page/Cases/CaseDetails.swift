import EvalAnalysis
import EvalCore

/// Everything about one case as JSON for the page, put together trial by trial.
struct CaseDetails {
  private let input: ReportInput
  private let limits: CaseLimits
  private let audit: RunLeaks
  private var texts: TextAllowance
  private var writer = JSONWriter()
  /// Requests as sent, each once: most trials of a case send the same.
  private var requests: [String: Int] = [:]
  private var target: String?
  /// Trials of `target` that are written.
  private var repeats = 0
  /// Trials that are not in the page.
  private var left = 0

  /// - Parameter content: `CaseFacts.content`; `nil` when it is not stored, as in a private run.
  init(_ first: TrialRecord, content: JSONValue?, input: ReportInput, audit: RunLeaks, limits: CaseLimits) {
    self.input = input
    self.limits = limits
    self.audit = audit
    texts = TextAllowance(limits)
    writer.beginObject()
    writer.field("id", first.caseID)
    if let cluster = first.cluster { writer.field("cluster", cluster) }
    if first.expects != .answer { writer.field("expects", first.expects.rawValue) }
    write(content)
    writer.key("trials")
    writer.beginArray()
  }

  mutating func add(_ trial: TrialRecord) throws {
    if trial.target != target { (target, repeats) = (trial.target, 0) }
    repeats += 1
    // The first of each target is there whatever its size.
    guard repeats <= limits.repeats, repeats == 1 || writer.bytes.count < 2 * limits.caseBytes else {
      left += 1
      return
    }
    let words = try input.texts?(trial.key) ?? [:]
    write(trial, words)
  }

  /// The whole of it, fit for a page.
  mutating func finish() -> [UInt8] {
    writer.endArray()
    writer.field("left", left)
    writer.key("requests")
    writer.beginArray()
    for (request, _) in requests.sorted(by: { $0.value < $1.value }) { texts.write(request, to: &writer) }
    writer.endArray()
    writer.endObject()
    return InlineJSON.escaped(writer.bytes)
  }

  // MARK: Input

  private mutating func write(_ content: JSONValue?) {
    guard let content else { return }
    writer.key("input")
    writer.beginObject()
    writer.key("history")
    writer.beginArray()
    for message in content["history"]?.arrayValue ?? [] {
      writer.beginObject()
      writer.field("role", message["role"]?.stringValue ?? "message")
      texts.write("text", CaseStory.text(message["content"]), to: &writer)
      writer.endObject()
    }
    writer.endArray()
    writer.key("turns")
    writer.beginArray()
    for turn in content["turns"]?.arrayValue ?? [] { texts.write(CaseStory.text(turn), to: &writer) }
    writer.endArray()
    for key in ["reference", "variables", "signals"] {
      guard let value = content[key] else { continue }
      texts.write(key, value.stringValue ?? value.serialized(.pretty), to: &writer)
    }
    writer.endObject()
  }

  // MARK: Trials

  private mutating func write(_ trial: TrialRecord, _ words: [Int: AttemptTexts]) {
    writer.beginObject()
    writer.field("target", trial.target)
    writer.field("repeat", trial.key.repeatIndex + 1)
    writer.field("status", trial.status.rawValue)
    writer.field("verdict", CaseStory.verdict(trial))
    writer.key("passed")
    if let passed = trial.score.passed { writer.bool(passed) } else { writer.null() }
    writer.key("score")
    writer.number(trial.score.value, decimals: 4)
    writer.key("ms")
    writer.number(trial.waitedFor.map { Double($0) / 1_000_000 }, decimals: 3)
    let cost = Cost.sum(of: trial.attempts.filter { $0.phase == .measured }.map(\.cost))
    writer.cost(cost)
    writeStory(of: trial)
    writer.array("checks", trial.scores) { CaseDetails.write($0, to: &$1) }
    writeJudgeCalls(trial.judgeCalls)
    writer.key("attempts")
    writer.beginArray()
    let moments = AttemptMoments(trial, arrivals: limits.arrivals)
    for attempt in trial.attempts where attempt.phase == .measured {
      write(attempt, of: trial, moments, words[attempt.number])
    }
    writer.endArray()
    writer.endObject()
  }

  /// A route's trial in sentences, and the leaks among them.
  private mutating func writeStory(of trial: TrialRecord) {
    let blocks = RouteStory(run: input.source.run, trial: trial).blocks
    guard !blocks.isEmpty else { return }
    writer.key("story")
    writer.beginArray()
    for case .paragraph(let sentence) in blocks { texts.write(sentence, to: &writer) }
    writer.endArray()
    writer.key("leaks")
    writer.beginArray()
    for case .banner(let sentence) in blocks { texts.write(sentence, to: &writer) }
    writer.endArray()
  }

  private mutating func write(
    _ attempt: AttemptRecord, of trial: TrialRecord, _ moments: AttemptMoments, _ words: AttemptTexts?
  ) {
    writer.beginObject()
    CaseDetails.write(attempt, to: &writer)
    if trial.status != .failed, trial.isServed(attempt) { writer.field("served", true) }
    moments.write(attempt, to: &writer)
    texts.write("message", attempt.errorMessage, to: &writer)
    texts.write("decision", attempt.decision?.serialized(.pretty), to: &writer)
    if let words {
      texts.write("answer", words.answer, to: &writer)
      texts.write("reasoning", words.reasoning, to: &writer)
      texts.write("refusal", words.refusal, to: &writer)
      if !words.toolCalls.isEmpty { writeToolCalls(words.toolCalls) }
      if let request = words.request {
        let text = request.serialized(.pretty)
        let index = requests[text] ?? requests.count
        requests[text] = index
        writer.field("request", index)
      }
    }
    writer.endObject()
  }

  private mutating func writeToolCalls(_ calls: [ToolCall]) {
    writer.key("tools")
    writer.beginArray()
    for call in calls {
      writer.beginObject()
      writer.field("name", call.name)
      texts.write("arguments", call.arguments.serialized(.pretty), to: &writer)
      writer.endObject()
    }
    writer.endArray()
  }

  private mutating func writeJudgeCalls(_ calls: [JudgeCallRecord]) {
    guard !calls.isEmpty else { return }
    writer.key("judges")
    writer.beginArray()
    for call in calls {
      writer.beginObject()
      CaseDetails.write(call, to: &writer)
      texts.write("raw", call.raw, to: &writer)
      writer.endObject()
    }
    writer.endArray()
  }
}
