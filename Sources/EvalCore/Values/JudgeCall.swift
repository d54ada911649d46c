/// What one call to a judge is about.
package struct JudgePlace: Sendable, Hashable {
  package enum Purpose: String, Sendable, Hashable, CaseIterable {
    /// Its verdict counts in a score.
    case score
    /// The same answer once more, to see whether the judge agrees with itself; counts in no score.
    case recheck
    /// Which of two answers is better.
    case compare
    /// No question: an embedder makes vectors of texts.
    case embed
  }

  /// The trial whose answer is judged; `nil` outside a run.
  package var trial: TrialKey?
  /// The target of that trial.
  package var target: String
  package var check: String
  /// The rubric's name; `nil` for a criterion that a check states itself.
  package var rubric: String?
  /// 0-based turn; `nil` for a check of the whole case.
  package var turn: Int?
  /// 0-based: which of the calls that the criteria are split into.
  package var part: Int
  /// 0-based: which of the draws of one judge.
  package var draw: Int
  package var purpose: Purpose
  /// True when the judge is asked again because its answer held no verdict.
  package var isRepair: Bool
  /// The other target of a comparison; `nil` for other purposes. `draw` is then 0 where the trial's own answer was shown
  /// first, and 1 where the opponent's was.
  package var opponent: String?

  package init(
    trial: TrialKey?, target: String, check: String, rubric: String? = nil, turn: Int? = nil, part: Int = 0,
    draw: Int = 0, purpose: Purpose = .score, isRepair: Bool = false, opponent: String? = nil
  ) {
    self.trial = trial
    self.target = target
    self.check = check
    self.rubric = rubric
    self.turn = turn
    self.part = part
    self.draw = draw
    self.purpose = purpose
    self.isRepair = isRepair
    self.opponent = opponent
  }
}

/// A judge's word on one criterion.
package struct CriterionMark: Sendable, Hashable {
  package var criterion: String
  /// Index into the criterion's levels, worst first; `nil` when the judge says that it cannot judge this.
  package var level: Int?
  /// How many levels the scale has.
  package var levels: Int
  package var label: String?
  package var reason: String?

  package init(criterion: String, level: Int?, levels: Int, label: String?, reason: String?) {
    self.criterion = criterion
    self.level = level
    self.levels = levels
    self.label = label
    self.reason = reason
  }
}

/// Which of two answers a judge prefers, by the place in which it saw them.
package enum Preference: String, Sendable, Hashable, CaseIterable { case first, second, tie }

/// Why a judge's answer gave no verdict.
package enum JudgeFault: String, Sendable, Hashable, CaseIterable {
  /// The call failed, after its retries.
  case callFailed
  /// The judge refused to answer at all.
  case refused
  /// The answer reached its limit of tokens or broke off: its last word is not known.
  case truncated
  /// There was no well-formed verdict in the answer.
  case noVerdict
  /// Asked to compare, the judge says that it cannot.
  case abstained
  /// An embedder's answer held no vector that can be used.
  case noEmbedding
  /// Nobody was asked: the case's content may not travel so far.
  case withheld
  /// The run was stopped.
  case cancelled
}

/// What was read from one answer of a judge.
package enum JudgeReading: Sendable, Hashable {
  /// A mark for each criterion that was asked for.
  case marks([CriterionMark])
  case preference(Preference, reason: String?)
  /// Vectors, which the reply holds.
  case embedded
  /// No verdict, with the reason in words.
  case unread(JudgeFault, String)

  package var fault: JudgeFault? { if case .unread(let fault, _) = self { fault } else { nil } }
}

/// How a judge was held to the form of its verdict.
package enum VerdictForce: String, Sendable, Hashable, CaseIterable {
  /// By a schema for the whole answer.
  case schema
  /// By a tool that it had to call.
  case tool
  /// By words alone.
  case none
}

/// One call to a judge, booked apart from everything that the subject of the run did.
package struct JudgeCall: Sendable {
  package var place: JudgePlace
  /// The judge's profile.
  package var judge: String
  /// The profile's identity, without what judging changes in it.
  package var judgeHash: ContentHash
  /// What the check asks as a whole; `nil` for comparisons.
  package var form: JudgedForm?
  package var force: VerdictForce
  /// As sent; `nil` leaves it to the provider.
  package var temperature: Double?
  /// As sent; `nil` leaves it to the provider.
  package var seed: Int64?
  /// 1-based over the retries of one question.
  package var number: Int
  /// Nanoseconds waited before this call because of the one before.
  package var wait: Int64
  package var reply: ProviderReply
  package var cost: Cost
  package var reading: JudgeReading

  package init(
    place: JudgePlace, judge: String, judgeHash: ContentHash, force: VerdictForce, temperature: Double?,
    seed: Int64?, number: Int, wait: Int64, reply: ProviderReply, cost: Cost, reading: JudgeReading
  ) {
    self.place = place
    self.judge = judge
    self.judgeHash = judgeHash
    self.force = force
    self.temperature = temperature
    self.seed = seed
    self.number = number
    self.wait = wait
    self.reply = reply
    self.cost = cost
    self.reading = reading
  }
}

/// A rubric's verdict on one criterion, over all judges and draws.
package struct CriterionScore: Sendable, Hashable {
  package var criterion: String
  /// In 0…1.
  package var value: Double
  /// The greatest verdict less the least, in 0…1; `nil` for a single verdict.
  package var spread: Double?
  /// How many verdicts the value rests on.
  package var verdicts: Int
  /// Whether the minimum is reached; `nil` without one.
  package var passed: Bool?

  package init(criterion: String, value: Double, spread: Double?, verdicts: Int, passed: Bool?) {
    self.criterion = criterion
    self.value = value
    self.spread = spread
    self.verdicts = verdicts
    self.passed = passed
  }
}
