import EvalCore

// What one check, one judge's call and one attempt say, without the long texts.
extension CaseDetails {
  static func write(_ score: ScoreRecord, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("check", score.check)
    if score.kind != score.check { writer.field("kind", score.kind) }
    if let turn = score.turn { writer.field("turn", turn + 1) }
    switch score.judgement {
    case .scored(let value, let passed):
      writer.key("value")
      writer.number(value, decimals: 4)
      if let passed { writer.field("passed", passed) }
      writer.field("reason", score.explanation ?? "")
    case .unscored(let reason, let words):
      writer.field("unscored", true)
      writer.field("reason", score.explanation ?? (words.isEmpty ? reason.words : words))
    }
    if !score.criteria.isEmpty {
      writer.array("criteria", score.criteria) { criterion, writer in
        writer.beginObject()
        writer.field("name", criterion.criterion)
        writer.key("value")
        writer.number(criterion.value, decimals: 4)
        if let passed = criterion.passed { writer.field("passed", passed) }
        if let spread = criterion.spread {
          writer.key("spread")
          writer.number(spread, decimals: 4)
        }
        writer.field("verdicts", criterion.verdicts)
        writer.endObject()
      }
    }
    writer.endObject()
  }

  static func write(_ call: JudgeCallRecord, to writer: inout JSONWriter) {
    writer.field("judge", call.judge)
    writer.field("check", call.place.check)
    writer.field("note", JudgeTable.note(call))
    switch call.reading {
    case .unread(let fault, let why): writer.field("unread", why.isEmpty ? fault.words : why)
    case .preference(let preference, let reason):
      writer.field("prefers", preferred(preference, call.place))
      if let reason { writer.field("reason", reason) }
    case .embedded:
      writer.array("marks", [call.place.check]) { check, writer in
        writer.beginObject()
        writer.field("criterion", check)
        writer.field("label", "embedded")
        writer.endObject()
      }
    case .marks(let marks):
      writer.array("marks", marks) { mark, writer in
        writer.beginObject()
        writer.field("criterion", mark.criterion)
        writer.field("label", mark.label)
        if let level = mark.level { writer.field("level", "\(level + 1) of \(mark.levels)") }
        if let reason = mark.reason { writer.field("reason", reason) }
        writer.endObject()
      }
    }
    if let opponent = call.place.opponent { writer.field("opponent", opponent) }
    writer.key("ms")
    writer.number(call.duration.map { Double($0) / 1_000_000 }, decimals: 1)
    writer.cost(call.cost)
  }

  /// The target whose answer is preferred: the trial's own was shown first in draw 0, second in draw 1.
  private static func preferred(_ preference: Preference, _ place: JudgePlace) -> String {
    guard preference != .tie, let opponent = place.opponent else { return preference.rawValue }
    return (preference == .first) == (place.draw == 0) ? place.target : opponent
  }

  static func write(_ attempt: AttemptRecord, to writer: inout JSONWriter) {
    writer.field("number", attempt.number)
    writer.field("profile", attempt.profile)
    if attempt.turn > 0 { writer.field("turn", attempt.turn + 1) }
    if attempt.step > 0 { writer.field("step", attempt.step + 1) }
    if attempt.cause != AttemptCause.first.label { writer.field("cause", attempt.cause) }
    writer.field("outcome", attempt.outcome)
    if let status = attempt.httpStatus, !attempt.isOK { writer.field("http", status) }
    writer.field("boundary", attempt.boundary?.rawValue)
    if attempt.provenance == .recorded { writer.field("recorded", true) }
    if let isCold = attempt.isCold { writer.field("cold", isCold) }
    writer.field("inFlight", attempt.inFlight)
    if let model = attempt.servedModel { writer.field("model", model) }
    if let finish = attempt.finish { writer.field("finish", finish.rawValue) }
    if let bytes = attempt.bytesSent { writer.field("bytes", bytes) }
    if let usage = attempt.usage {
      writer.key("usage")
      writer.beginObject()
      for (key, count) in [
        ("input", usage.input), ("cached", usage.cachedInput), ("output", usage.output),
        ("reasoning", usage.reasoning),
      ] {
        if let count { writer.field(key, count) }
      }
      writer.endObject()
    }
    writer.cost(attempt.cost)
  }
}

extension JSONWriter {
  /// Dollars, null where they are not known, and whether they may be more.
  mutating func cost(_ cost: Cost) {
    key("cost")
    number(cost.dollars, decimals: 9)
    if cost.isLowerBound { field("atLeast", true) }
  }
}

/// When things happened in a trial's attempts, in milliseconds.
struct AttemptMoments {
  /// The first schedule; `nil` when the attempts come from different clocks, and each counts from its own.
  private let origin: Int64?
  private let arrivals: Int

  init(_ trial: TrialRecord, arrivals: Int) {
    self.arrivals = arrivals
    let measured = trial.attempts.filter { $0.phase == .measured }
    let isOneSource = Set(measured.map(\.provenance)).count == 1
    let first = measured.first?.timeline
    origin = isOneSource ? first?.scheduled ?? first?.start : nil
  }

  func write(_ attempt: AttemptRecord, to writer: inout JSONWriter) {
    let timeline = attempt.timeline
    writer.key("at")
    writer.beginObject()
    if let origin = origin ?? timeline.scheduled ?? timeline.start {
      for (key, stamp) in [
        ("scheduled", timeline.scheduled), ("start", timeline.start), ("connected", timeline.connectionReady),
        ("firstByte", timeline.firstByte), ("firstToken", timeline.firstToken),
        ("firstText", timeline.firstContent), ("lastToken", timeline.lastToken),
        ("end", timeline.terminal ?? timeline.done),
      ] {
        guard let stamp else { continue }
        writer.key(key)
        writer.number(Double(stamp - origin) / 1_000_000, decimals: 3)
      }
      write(timeline.tokenReads, since: origin, to: &writer)
    }
    if attempt.wait > 0 {
      writer.key("waited")
      writer.number(Double(attempt.wait) / 1_000_000, decimals: 3)
    }
    writer.endObject()
  }

  /// Each read that brought tokens, or of many every so many-th.
  private func write(_ reads: [TokenRead], since origin: Int64, to writer: inout JSONWriter) {
    guard !reads.isEmpty else { return }
    let step = (reads.count + arrivals - 1) / arrivals
    writer.field("reads", reads.count)
    writer.key("arrivals")
    writer.beginArray()
    for index in stride(from: 0, to: reads.count, by: step) {
      writer.number(Double(reads[index].at - origin) / 1_000_000, decimals: 1)
    }
    writer.endArray()
  }
}
