import EvalAnalysis
import EvalCore

/// Sentences that reports of replays share.
enum ReplayWords {
  static func title(_ what: String, of run: RunInfo, scenario: [String]) -> String {
    let name = run.name ?? run.id
    let supposed = scenario.isEmpty ? "as recorded" : "what if \(scenario.joined(separator: "; "))"
    return "\(what) over run \(name), \(supposed)"
  }

  static func banner(_ scenario: [String]) -> String {
    let world =
      scenario.isEmpty
      ? "the world is the recorded one"
      : "the world is supposed, not recorded: \(scenario.joined(separator: "; "))"
    return "WHAT-IF: nothing was called; every number is worked out from recorded trials, and \(world)."
  }

  static func rule(_ rule: Leak.Rule) -> String {
    switch rule {
    case .boundary: "beyond the sensitivity"
    case .consent: "without consent"
    case .afterStop: "farther after a refusal"
    }
  }

  /// An interval in words that stay readable below 0; `nil` when there is no doubt at all.
  static func range(_ range: ClosedRange<Double>, _ quantity: Quantity) -> String? {
    if range.lowerBound == range.upperBound { return nil }
    guard range.lowerBound < 0 else { return quantity.text(range) }
    func signed(_ value: Double) -> String { (value < 0 ? "-" : "") + quantity.text(abs(value)) }
    return "\(signed(range.lowerBound)) to \(signed(range.upperBound))"
  }

  /// Some names, and that there are more.
  static func list(_ names: [String], of count: Int) -> String {
    names.joined(separator: ", ") + (names.count < count && !names.isEmpty ? ", …" : "")
  }

  /// What the recording is and cannot know.
  static func notes(_ recorded: RecordedRun) -> [String] {
    let run = recorded.run
    var notes = [
      "Run \(run.id) of \(run.suitePath) (\(run.suiteHash.short)), started \(UTCTime.text(run.startedAt)), "
        + "\(run.provenance == .recorded ? "itself a replay of recorded answers" : "live")."
    ]
    if run.privacy == nil {
      notes.append("The run did not write its privacy rules down: the standard ones are held.")
    }
    let counts = recorded.tokenSources
    let sources = RecordedRun.TokenSource.allCases.compactMap { source in
      counts[source].map { "\(Numbers.count($0)) \(words(source))" }
    }
    if !sources.isEmpty { notes.append("Input tokens: \(sources.joined(separator: ", ")).") }
    if run.isPrivate {
      notes.append(
        "The run is private: its texts are not stored. Tokens are what the arms' servers reported, where a live policy "
          + "would estimate; how long answers are, and whether two answers are the same, is not known.")
    }
    for profile in recorded.profiles where profile.contextSize == .auto {
      notes.append(
        "The window of \(profile.name) is asked of its server live; here it is unknown, and nothing is held against it."
      )
    }
    let unfinished = recorded.profiles.compactMap { profile in
      recorded.unfinished[profile.name].map { "\(profile.name) \(Numbers.count($0))" }
    }
    if !unfinished.isEmpty {
      notes.append("Trials that the run has not finished: \(unfinished.joined(separator: ", ")).")
    }
    return notes
  }

  private static func words(_ source: RecordedRun.TokenSource) -> String {
    switch source {
    case .counted: "counted by the arm's server for a route"
    case .estimated: "estimated"
    case .reported: "reported with the answer"
    case .unknown: "unknown"
    }
  }
}
