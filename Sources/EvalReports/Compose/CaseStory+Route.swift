import EvalAnalysis
import EvalCore

/// A route's trial as a story: why each arm was called, what happened, what it cost and what crossed which boundary.
struct RouteStory {
  let run: RunInfo
  let trial: TrialRecord

  /// Nothing for a profile alone.
  var blocks: [ReportBlock] {
    guard trial.ending != nil || trial.attempts.contains(where: { $0.decision != nil }) else { return [] }
    let leaks = RunLeaks(run).leaks(of: trial)
    var blocks: [ReportBlock] = []
    if let first = opening { blocks.append(.paragraph(first)) }
    for attempt in trial.attempts where attempt.phase == .measured {
      blocks.append(.paragraph(story(of: attempt)))
      for leak in leaks where leak.attempt == attempt.number {
        blocks.append(.banner("LEAK in attempt \(leak.attempt): \(leak.words)."))
      }
    }
    blocks += ends.map { .paragraph($0) }
    return blocks
  }

  /// What the policy knew as the trial began.
  private var opening: String? {
    guard let signals = decisions.first?["signals"]?.objectValue, !signals.isEmpty else { return nil }
    let words = signals.members.map { name, fact in
      let source = fact["source"]?.stringValue.map { $0 == "case" ? "" : " (\($0))" } ?? ""
      return "\(name) \(RouteStory.text(fact["value"]))\(source)"
    }
    return "The policy knew: \(words.joined(separator: ", "))."
  }

  private var decisions: [JSONValue] {
    trial.attempts.compactMap(\.decision) + endings.compactMap { $0["decision"] }
  }

  // MARK: Attempts

  private func story(of attempt: AttemptRecord) -> String {
    var sentences = [why(attempt)]
    if let others = others(attempt.decision) { sentences.append(others) }
    sentences.append(what(attempt))
    return "\(attempt.number). " + sentences.joined(separator: " ")
  }

  private func why(_ attempt: AttemptRecord) -> String {
    let place = attempt.turn > 0 ? " in turn \(attempt.turn + 1)" : ""
    if attempt.step > 0 {
      return "\(attempt.profile) was called again\(place) with what its tools answered."
    }
    let rule = RouteStory.rule(attempt.decision)
    switch AttemptCause(label: attempt.cause) {
    case .retry(let kind):
      return "\(attempt.profile) was called once more\(place) after \(kind.rawValue)\(rule)."
    case .fallback(let kind):
      let from = attempt.decision?["fallbackFrom"]?.stringValue.map { " of \($0)" } ?? ""
      return "\(attempt.profile) was called\(place) after \(kind.rawValue)\(from)\(rule)."
    case .escalation:
      return "\(attempt.profile) was called\(place) because the answer before was not good enough\(rule)."
    case .first, nil: return "\(attempt.profile) was called\(place)\(rule)."
    }
  }

  /// The candidates that were looked at besides the one that was called.
  private func others(_ decision: JSONValue?) -> String? {
    let arm = decision?["arm"]?.stringValue
    let candidates = (decision?["candidates"]?.arrayValue ?? []).filter { $0["arm"]?.stringValue != arm }
    guard !candidates.isEmpty else { return nil }
    let words = candidates.map { candidate in
      let name = candidate["arm"]?.stringValue ?? "?"
      let reasons = (candidate["rejected"]?.arrayValue ?? []).map(RouteStory.text)
      return reasons.isEmpty ? "\(name) (next in line)" : "\(name) (no: \(reasons.joined(separator: "; ")))"
    }
    return "Also looked at: \(words.joined(separator: ", "))."
  }

  private func what(_ attempt: AttemptRecord) -> String {
    let end = attempt.timeline.done ?? attempt.timeline.terminal
    let took = end.flatMap { end in attempt.timeline.start.map { end - $0 } }
    let time = took.map {
      " after \(Quantity.milliseconds.text(Double($0) / 1_000_000))"
    }
    let word = attempt.isOK ? "It answered" : "It ended as \(attempt.outcome)"
    let cost = attempt.cost.dollars.map {
      "cost \(attempt.cost.isLowerBound ? "at least " : "")\(Quantity.dollars.text($0))"
    }
    return "\(word)\(time ?? ""); \(crossing(attempt)); \(cost ?? "cost unknown")."
  }

  private func crossing(_ attempt: AttemptRecord) -> String {
    let boundary = attempt.boundary?.rawValue ?? "an unknown boundary, taken for thirdParty"
    guard let bytes = attempt.bytesSent else {
      return attempt.reach == .device ? "nothing left the device" : "content went to \(boundary)"
    }
    if bytes == 0 { return "nothing was sent" }
    let size = "\(Numbers.count(bytes)) bytes"
    return attempt.reach == .device ? "\(size) stayed on the device" : "\(size) went to \(boundary)"
  }

  // MARK: The end

  private var endings: [JSONValue] {
    guard let ending = trial.ending else { return [] }
    return (ending["earlier"]?.arrayValue ?? []) + [ending]
  }

  private var ends: [String] {
    endings.compactMap { ending in
      let reason = ending["reason"]?.stringValue ?? ending["decision"]?["reason"]?.stringValue
      let turn = ending["turn"]?.intValue ?? 0
      let place = endings.count > 1 ? " of turn \(turn + 1)" : ""
      if ending["step"] == "block" {
        let candidates = others(ending["decision"]).map { " " + $0 } ?? ""
        return
          "Blocked\(place)\(RouteStory.rule(ending["decision"])): \(reason ?? "nothing was allowed").\(candidates)"
      }
      let number = ending["attempt"]?.intValue.map(String.init) ?? "?"
      guard let reason else { return "Served\(place): attempt \(number)." }
      let candidates = others(ending["decision"]).map { " " + $0 } ?? ""
      return "Served\(place): attempt \(number), because \(reason).\(candidates)"
    }
  }

  // MARK: Words

  private static func rule(_ decision: JSONValue?) -> String {
    guard let rule = decision?["rule"], let index = rule["index"]?.intValue else { return "" }
    let name = rule["name"]?.stringValue.map { " '\($0)'" } ?? ""
    let policy = decision?["policy"]?.stringValue.map { " of policy \($0)" } ?? ""
    return " by rules[\(index)]\(name)\(policy)"
  }

  private static func text(_ value: JSONValue?) -> String {
    guard let value else { return "?" }
    return value.stringValue ?? value.serialized(.compact)
  }
}
