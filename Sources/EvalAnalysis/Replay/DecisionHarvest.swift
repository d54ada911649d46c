import EvalCore

/// What the routes of a run have written down that a replay can use: counted tokens, and how long decisions took.
struct DecisionHarvest {
  private struct Place: Hashable {
    var number: Int
    var arm: String
    var turn: Int
  }

  private var counts: [Place: Int] = [:]
  private var nanoseconds: [Int64] = []

  /// Takes the decisions of one trial of a route.
  mutating func add(_ trial: TrialRecord, case number: Int) {
    for attempt in trial.attempts {
      if let decision = attempt.decision { add(decision, number, attempt.turn) }
    }
    // A trial that was blocked has made no call.
    for ending in (trial.ending?["earlier"]?.arrayValue ?? []) + [trial.ending].compactMap(\.self) {
      guard let decision = ending["decision"] else { continue }
      add(decision, number, ending["turn"]?.intValue.map { Int($0) } ?? 0)
    }
  }

  private mutating func add(_ decision: JSONValue, _ number: Int, _ turn: Int) {
    if let time = decision["nanoseconds"]?.intValue { nanoseconds.append(time) }
    for candidate in decision["candidates"]?.arrayValue ?? []
    where candidate["tokensFrom"]?.stringValue == "counted" {
      note(candidate["arm"]?.stringValue, candidate["tokensIn"], number, turn)
    }
    for (name, signal) in decision["signals"]?.objectValue?.members ?? []
    where name.hasPrefix(DecisionHarvest.tokens) && signal["source"]?.stringValue == "counted" {
      note(String(name.dropFirst(DecisionHarvest.tokens.count)), signal["value"], number, turn)
    }
  }

  private static let tokens = "tokensIn."

  private mutating func note(_ arm: String?, _ tokens: JSONValue?, _ number: Int, _ turn: Int) {
    guard let arm, let count = tokens?.intValue else { return }
    counts[Place(number: number, arm: arm, turn: turn)] = Int(count)
  }

  /// Input tokens by an arm's own counter; `nil` when no route had it count.
  ///
  /// Of a later turn another conversation may have been counted, so only the first turn's counts hold for every policy.
  func count(case number: Int, arm: String, turn: Int) -> Int? {
    turn == 0 ? counts[Place(number: number, arm: arm, turn: turn)] : nil
  }

  /// `nil` when no decision was recorded.
  var medianNanoseconds: Int64? {
    guard !nanoseconds.isEmpty else { return nil }
    let sorted = nanoseconds.sorted()
    return sorted[Percentile.rank(0.5, of: sorted.count) - 1]
  }
}
