import EvalCore

extension ReplayCell {
  /// A finished trial of a profile as a cell.
  ///
  /// - Parameters:
  ///   - texts: the texts of its attempts by number; `nil` when they are not needed or not stored.
  ///   - retries: the run's, which say how long a retry is waited for.
  init(_ trial: TrialRecord, texts: [Int: AttemptTexts]?, retries: RetrySettings) {
    var turns: [ReplayTurn] = []
    let measured = trial.attempts.filter { $0.phase == .measured }
    let lastTurn = measured.last?.turn
    for (index, attempt) in measured.enumerated() {
      let isServed = index == measured.count - 1 || measured[index + 1].turn != attempt.turn
      let scores = trial.scores.filter { score in
        isServed && (score.turn == attempt.turn || score.turn == nil && attempt.turn == lastTurn)
      }
      let replay = ReplayAttempt(attempt, scores: scores, texts: texts?[attempt.number], retries: retries)
      // Turns come one after another; one without an attempt is not there.
      if attempt.turn < turns.count {
        turns[attempt.turn].attempts.append(replay)
      } else if attempt.turn == turns.count {
        turns.append(ReplayTurn(attempts: [replay], quality: ReplayCell.quality(trial, turn: attempt.turn)))
      }
    }
    if let texts {
      for turn in turns.indices {
        turns[turn].answerHash = ReplayCell.answerHash(
          measured.filter { $0.turn == turn && $0.isOK }.compactMap { texts[$0.number] })
      }
    }
    self.init(
      turns: turns, status: trial.status, quality: trial.score.value,
      isUnjudged: trial.score.value == nil && trial.status == .ok)
  }

  private static func quality(_ trial: TrialRecord, turn: Int) -> Double? {
    var (sum, weights) = (0.0, 0.0)
    for score in trial.scores where score.turn == turn {
      guard case .scored(let value, _) = score.judgement else { return nil }
      sum += value * score.weight
      weights += score.weight
    }
    return weights > 0 ? sum / weights : nil
  }

  /// What the answers of a turn leave in the conversation: their words and tool calls, whose results the case scripts.
  private static func answerHash(_ texts: [AttemptTexts]) -> UInt64? {
    guard !texts.isEmpty else { return nil }
    var steps: [JSONValue] = []
    for text in texts {
      guard let answer = text.answer else { return nil }
      steps.append([
        "answer": .string(answer), "refusal": text.refusal.map { .string($0) } ?? .null,
        "calls": .array(
          text.toolCalls.map { ["name": .string($0.name), "arguments": $0.arguments] }),
      ])
    }
    return ContentHash(of: .array(steps), kind: "answer").firstWord
  }
}

extension ReplayAttempt {
  /// - Parameter scores: of the checks that looked at this answer.
  init(
    _ attempt: AttemptRecord, scores: [ScoreRecord], texts: AttemptTexts?, retries: RetrySettings
  ) {
    let isInTime =
      attempt.retryAfterMilliseconds.map { $0 <= retries.maxRetryAfter.seconds * 1000 } ?? true
    self.init(
      end: RoutedAttempt.End(attempt), step: attempt.step, isRetryable: attempt.isRetryable && isInTime,
      hasVisibleOutput: attempt.step > 0 || attempt.hadOutput, cost: attempt.cost,
      latency: attempt.timeline.total, timeToFirstToken: attempt.timeline.timeToFirstToken,
      wait: attempt.wait, usage: attempt.usage, bytesSent: attempt.bytesSent)
    if case .failed = end { return }
    answer["characters"] = texts?.answer.map { .integer(Int64($0.count)) }
    answer["outputTokens"] = attempt.usage?.output.map { .integer(Int64($0)) }
    answer["finish"] = attempt.finish.map { .string($0.rawValue) }
    for score in scores {
      if case .scored(let value, _) = score.judgement { answer["check.\(score.check)"] = .number(value) }
    }
  }
}

extension RoutedAttempt.End {
  init(_ attempt: AttemptRecord) {
    switch attempt.outcome {
    case Outcome.ok.label: self = .ok
    case Outcome.refused.label: self = .refused
    case Outcome.empty.label: self = .empty
    default: self = .failed(attempt.errorClass ?? .unknown)
    }
  }
}
