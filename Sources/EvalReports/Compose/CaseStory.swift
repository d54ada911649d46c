package import EvalCore

/// Everything about one case of a run.
package struct CaseStory: Sendable {
  package var run: RunInfo
  package var caseID: String
  /// `CaseFacts.content`; `nil` when it is not stored, as in a private run.
  package var content: JSONValue?
  /// The case's trials, by target and repeat.
  package var trials: [TrialRecord]
  /// The texts of each trial's attempts, by attempt number; a trial may be missing.
  package var texts: [TrialKey: [Int: AttemptTexts]]

  package init(
    run: RunInfo, caseID: String, content: JSONValue?, trials: [TrialRecord],
    texts: [TrialKey: [Int: AttemptTexts]]
  ) {
    self.run = run
    self.caseID = caseID
    self.content = content
    self.trials = trials
    self.texts = texts
  }

  /// Input, each target's answers, checks with reasons, and every attempt.
  package var document: ReportDocument {
    var blocks: [ReportBlock] = []
    if let banner = RunReport.banner(run) { blocks.append(.banner(banner)) }
    if let first = trials.first, let facts = CaseStory.facts(first) { blocks.append(.paragraph(facts)) }
    blocks += input
    for trial in trials { blocks.append(.section(title: title(trial), story(of: trial))) }
    if trials.isEmpty { blocks.append(.paragraph("No trial of this case is finished.")) }
    return ReportDocument(title: "Case \(caseID) of run \(run.name ?? run.id)", blocks: blocks)
  }

  private static func facts(_ trial: TrialRecord) -> String? {
    var parts: [String] = []
    if !trial.tags.isEmpty { parts.append("tags: \(trial.tags.joined(separator: ", "))") }
    if let cluster = trial.cluster { parts.append("cluster: \(cluster)") }
    if trial.mustPass { parts.append("must pass") }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  // MARK: Input

  private var input: [ReportBlock] {
    guard let content else {
      let why = run.isPrivate ? "a private run keeps no texts" : "it is not in the database"
      return [.paragraph("The input is not shown: \(why).")]
    }
    var blocks: [ReportBlock] = []
    for message in content["history"]?.arrayValue ?? [] {
      blocks.append(
        .verbatim(
          label: "Before: \(message["role"]?.stringValue ?? "message")",
          text: CaseStory.text(message["content"])))
    }
    let turns = content["turns"]?.arrayValue ?? []
    for (index, turn) in turns.enumerated() {
      blocks.append(
        .verbatim(
          label: turns.count > 1 ? "Input, turn \(index + 1)" : "Input", text: CaseStory.text(turn)))
    }
    for (key, label) in [("reference", "Reference"), ("variables", "Variables"), ("signals", "Signals")] {
      guard let value = content[key] else { continue }
      blocks.append(.verbatim(label: label, text: value.stringValue ?? value.serialized(.pretty)))
    }
    return blocks
  }

  /// The text parts of a message; a picture by its type and size.
  static func text(_ parts: JSONValue?) -> String {
    let pieces = (parts?.arrayValue ?? []).map { part -> String in
      if let text = part["text"]?.stringValue { return text }
      if let image = part["image"]?.stringValue {
        let type = part["mediaType"]?.stringValue ?? "image"
        return "[\(type), about \(Numbers.count(image.utf8.count * 3 / 4)) bytes]"
      }
      return part.serialized()
    }
    return pieces.joined(separator: "\n")
  }

  /// What was said up to a turn, answers left out: a single message as it is, several with who spoke.
  static func conversation(_ content: JSONValue, upTo turn: Int) -> String {
    let turns = (content["turns"]?.arrayValue ?? []).prefix(turn + 1).map { ("user", text($0)) }
    let history = (content["history"]?.arrayValue ?? []).map {
      ($0["role"]?.stringValue ?? "message", text($0["content"]))
    }
    let all = history + turns
    return all.count == 1 ? all[0].1 : all.map { "\($0.0): \($0.1)" }.joined(separator: "\n")
  }

  // MARK: Trials

  private func title(_ trial: TrialRecord) -> String {
    var title = trial.target
    if run.repeats > 1 { title += ", repeat \(trial.key.repeatIndex + 1) of \(run.repeats)" }
    return "\(title): \(CaseStory.verdict(trial))"
  }

  static func verdict(_ trial: TrialRecord) -> String {
    var words = trial.status.rawValue
    if trial.status == .failed, let kind = trial.errorClass { words += " (\(kind.rawValue))" }
    if let passed = trial.score.passed { words += passed ? ", passed" : ", not passed" }
    if let value = trial.score.value { return words + ", score \(Quantity.score.text(value))" }
    if let reason = trial.score.unscored { words += ", no score: \(reason.words)" }
    return words
  }

  private func story(of trial: TrialRecord) -> [ReportBlock] {
    var blocks = RouteStory(run: run, trial: trial).blocks + answers(of: trial)
    if !trial.scores.isEmpty { blocks.append(.table(CaseStory.checks(trial))) }
    blocks += JudgeTable.blocks(trial)
    if !trial.attempts.isEmpty { blocks.append(.table(AttemptTable(trial).table)) }
    for attempt in trial.attempts {
      guard let message = attempt.errorMessage else { continue }
      blocks.append(.verbatim(label: "Error of attempt \(attempt.number)", text: message))
    }
    return blocks
  }

  /// What was served for each turn; of a failed attempt what came before it broke.
  private func answers(of trial: TrialRecord) -> [ReportBlock] {
    let turns = Set(trial.attempts.map(\.turn)).count
    var blocks: [ReportBlock] = []
    for (index, attempt) in trial.attempts.enumerated() {
      let next = index + 1 < trial.attempts.count ? trial.attempts[index + 1] : nil
      guard next?.turn != attempt.turn || next?.step != attempt.step else { continue }
      let place = turns > 1 ? ", turn \(attempt.turn + 1)" : ""
      guard let texts = texts[trial.key]?[attempt.number] else {
        if run.isPrivate { blocks.append(.paragraph("Answer\(place): not stored, the run is private.")) }
        continue
      }
      blocks += CaseStory.words(texts, place: place, isOK: attempt.isOK)
    }
    return blocks
  }

  private static func words(_ texts: AttemptTexts, place: String, isOK: Bool) -> [ReportBlock] {
    var blocks: [ReportBlock] = []
    func add(_ label: String, _ text: String?) {
      guard let text, !text.isEmpty else { return }
      blocks.append(.verbatim(label: label + place, text: text))
    }
    add("Reasoning", texts.reasoning)
    add(isOK ? "Answer" : "Answer before it broke", texts.answer)
    add("Refusal", texts.refusal)
    for call in texts.toolCalls { add("Tool call \(call.name)", call.arguments.serialized()) }
    return blocks
  }

  private static func checks(_ trial: TrialRecord) -> ReportTable {
    var table = ReportTable(
      columns: [.init("check", .left), .init("result", .left), .init("score"), .init("reason", .left)])
    for score in trial.scores {
      let kind = score.kind == score.check ? nil : score.kind
      let place = score.turn.map { "turn \($0 + 1)" }
      let note = [kind, place].compactMap(\.self).joined(separator: ", ")
      let label = ReportCell(score.check, note: note.isEmpty ? nil : note)
      switch score.judgement {
      case .scored(let value, let passed):
        let result = passed.map { ReportCell($0 ? "✓" : "✗", tone: $0 ? .good : .bad) } ?? .missing
        table.rows.append([
          label, result, ReportCell(Quantity.score.text(value)), ReportCell(score.explanation ?? ""),
        ])
      case .unscored(let reason, let words):
        table.rows.append([
          label, ReportCell("?", tone: .warning), .missing,
          ReportCell(score.explanation ?? (words.isEmpty ? reason.words : words)),
        ])
      }
    }
    return table
  }
}

/// The attempts of a trial one under the other, with when each was due and what its time went into.
private struct AttemptTable {
  private(set) var table = ReportTable(
    columns: [
      .init("attempt", .left), .init("outcome", .left), .init("at"), .init("first token"), .init("total"),
      .init("tokens"), .init("cost"),
    ])

  init(_ trial: TrialRecord) {
    // When an attempt was due is only known against others of the same source.
    let origin = trial.attempts.first?.timeline.scheduled ?? trial.attempts.first?.timeline.start
    let isOneSource = Set(trial.attempts.map(\.provenance)).count == 1
    for attempt in trial.attempts {
      table.rows.append(AttemptTable.row(attempt, origin: isOneSource ? origin : nil))
    }
  }

  private static func row(_ attempt: AttemptRecord, origin: Int64?) -> [ReportCell] {
    let timeline = attempt.timeline
    let due = (timeline.scheduled ?? timeline.start).flatMap { due in origin.map { due - $0 } }
    var at = time(due.flatMap { $0 >= 0 ? $0 : nil })
    at.note = notes([("waited", attempt.wait > 0 ? attempt.wait : nil), ("queue", long(timeline.queue))])
    let (token, content) = (timeline.timeToFirstToken, timeline.timeToFirstContent)
    var first = time(token)
    first.note = notes([
      ("connect", attempt.isCold == true && attempt.provenance == .live ? timeline.connectTime : nil),
      ("text", content == token ? nil : content),
    ])
    let end = timeline.done.flatMap { done in timeline.start.map { done - $0 } }
    return [
      ReportCell("\(attempt.number) \(attempt.profile)", note: label(attempt)),
      ReportCell(
        attempt.outcome, note: outcomeNote(attempt), tone: attempt.isOK ? .plain : .bad),
      at, first, time(timeline.total ?? end), tokens(attempt.usage), cost(attempt.cost),
    ]
  }

  /// How far it travelled, and the status of an answer that is not one.
  private static func outcomeNote(_ attempt: AttemptRecord) -> String? {
    let status = attempt.isOK ? nil : attempt.httpStatus.map { "HTTP \($0)" }
    let parts = [status, attempt.boundary?.rawValue].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  /// Below a millisecond it explains nothing.
  private static func long(_ nanoseconds: Int64?) -> Int64? {
    nanoseconds.flatMap { $0 >= 1_000_000 ? $0 : nil }
  }

  private static func notes(_ parts: [(word: String, nanoseconds: Int64?)]) -> String? {
    let words = parts.compactMap { part in
      part.nanoseconds.map { "\(part.word) \(Quantity.milliseconds.text(Double($0) / 1_000_000))" }
    }
    return words.isEmpty ? nil : words.joined(separator: " · ")
  }

  private static func label(_ attempt: AttemptRecord) -> String? {
    var parts: [String] = []
    if attempt.turn > 0 || attempt.step > 0 { parts.append("turn \(attempt.turn + 1)") }
    if attempt.step > 0 { parts.append("step \(attempt.step + 1)") }
    if attempt.cause != AttemptCause.first.label {
      parts.append(attempt.cause.split(separator: ":").joined(separator: " after "))
    }
    if attempt.provenance == .recorded {
      parts.append("recorded")
    } else if let isCold = attempt.isCold {
      parts.append(isCold ? "cold" : "warm")
    }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }

  private static func time(_ nanoseconds: Int64?) -> ReportCell {
    nanoseconds.map { ReportCell(Quantity.milliseconds.text(Double($0) / 1_000_000)) } ?? .missing
  }

  private static func tokens(_ usage: Usage?) -> ReportCell {
    guard let usage else { return .missing }
    func text(_ count: Int?) -> String { count.map(Numbers.count) ?? Numbers.missing }
    let cached = usage.cachedInput.flatMap { $0 > 0 ? "\(Numbers.count($0)) cached" : nil }
    return ReportCell("\(text(usage.input)) → \(text(usage.output))", note: cached)
  }

  private static func cost(_ cost: Cost) -> ReportCell {
    guard let dollars = cost.dollars else { return ReportCell("unknown", tone: .quiet) }
    return ReportCell((cost.isLowerBound ? "≥ " : "") + Quantity.dollars.text(dollars))
  }
}
