import EvalCore

/// What `accept` may read of an arm's answer.
enum AnswerSignals {
  static let all: [Signal] = [
    answer("characters", .count, "Characters of the answer."),
    answer("outputTokens", .count, "Tokens of the answer."),
    answer("finish", .words(Finish.allCases.map(\.rawValue)), "How the answer ended."),
    answer("check.", .amount, "The score, 0 to 1, of the case's check of that name."),
  ]

  private static func answer(_ name: String, _ domain: SignalDomain, _ summary: String) -> Signal {
    Signal(
      name: name, domain: domain, summary: summary, origin: "the answer",
      read: { context in
        context.facts.attempts.last?.answer[name + context.member].flatMap { domain.literal($0) }.map {
          Reading($0, .answer)
        }
      })
  }
}
