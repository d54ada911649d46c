package import EvalCore

/// Every signal there is. A new one is one file and one line here.
package enum SignalRegistry {
  static let all: [Signal] =
    [
      .tokensIn,
      .fits,
      .network,
      .lowPower,
      .thermal,
      .sensitivity,
      .consent,
      .task,
      .language,
      .needs,
      .latencyTarget,
    ] + Signal.budgets + [
      .pinned,
      .turn,
      .custom,
    ]

  /// What a case may state besides `custom`, for the reader of suites.
  package static let vocabulary: [SignalDescriptor] = all.compactMap(\.descriptor)

  /// The table of `Docs/Routing.md`.
  package static var table: String {
    rows(all, ["signal", "values", "tests", "from", "meaning"]) { signal in
      [
        "`\(signal.isFamily ? signal.name + "NAME" : signal.name)`", signal.domain.words,
        signal.domain.operators.map { "`\($0.rawValue)`" }.joined(separator: " "), signal.origin,
        signal.summary,
      ]
    }
  }

  /// The table of what `accept` reads.
  package static var answerTable: String {
    rows(AnswerSignals.all, ["signal", "values", "meaning"]) { signal in
      ["`\(signal.isFamily ? signal.name + "NAME" : signal.name)`", signal.domain.words, signal.summary]
    }
  }

  private static func rows(_ signals: [Signal], _ head: [String], _ cells: (Signal) -> [String]) -> String {
    let lines = [head, head.map { _ in "---" }] + signals.map(cells)
    return lines.map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }
}
