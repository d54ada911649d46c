/// An attempt read back from the store, without its texts.
package struct AttemptRecord: Sendable, Hashable {
  package var turn: Int
  package var step: Int
  package var number: Int
  package var phase: Phase
  package var profile: String
  package var boundary: Boundary?
  package var cause: String
  /// `Outcome.label`.
  package var outcome: String
  package var errorClass: ErrorClass?
  package var errorMessage: String?
  package var httpStatus: Int?
  package var finish: Finish?
  package var rawFinish: String?
  package var provenance: Provenance
  package var isCold: Bool?
  package var httpVersion: String?
  package var inFlight: Int
  /// Nanoseconds.
  package var wait: Int64
  package var timeline: Timeline
  package var usage: Usage?
  package var cost: Cost
  package var servedModel: String?
  package var bytesSent: Int?
  package var decision: JSONValue?
  /// Whether the error said that the same call can help again.
  package var isRetryable = false
  /// How long the server asked to wait; `nil` when it did not say.
  package var retryAfterMilliseconds: Double?
  /// Whether text or a tool call had come before the end.
  package var hadOutput = false

  package init(
    turn: Int, step: Int, number: Int, phase: Phase, profile: String, boundary: Boundary?, cause: String,
    outcome: String, errorClass: ErrorClass?, provenance: Provenance, inFlight: Int, wait: Int64,
    timeline: Timeline, usage: Usage?, cost: Cost
  ) {
    self.turn = turn
    self.step = step
    self.number = number
    self.phase = phase
    self.profile = profile
    self.boundary = boundary
    self.cause = cause
    self.outcome = outcome
    self.errorClass = errorClass
    self.provenance = provenance
    self.inFlight = inFlight
    self.wait = wait
    self.timeline = timeline
    self.usage = usage
    self.cost = cost
  }

  /// True when its answer is whole and its latency counts.
  package var isOK: Bool { outcome == Outcome.ok.label }
}

/// A score read back from the store.
package struct ScoreRecord: Sendable, Hashable {
  package var check: String
  package var kind: String
  package var weight: Double
  package var turn: Int?
  package var judgement: Judgement
  package var explanation: String?
  /// The criteria of a rubric; empty for other graders.
  package var criteria: [CriterionScore] = []

  package init(
    check: String, kind: String, weight: Double, turn: Int?, judgement: Judgement, explanation: String?
  ) {
    self.check = check
    self.kind = kind
    self.weight = weight
    self.turn = turn
    self.judgement = judgement
    self.explanation = explanation
  }
}

/// A judge's call read back from the store.
package struct JudgeCallRecord: Sendable, Hashable {
  package var place: JudgePlace
  package var judge: String
  package var force: VerdictForce
  /// 1-based over the retries of one question.
  package var number: Int
  /// `Outcome.label`.
  package var outcome: String
  package var errorClass: ErrorClass?
  package var provenance: Provenance
  package var servedModel: String?
  /// Nanoseconds; `nil` when nothing says.
  package var duration: Int64?
  package var usage: Usage?
  package var cost: Cost
  package var reading: JudgeReading
  /// The judge's words where no verdict was read from them; `nil` in a private run.
  package var raw: String?
  /// The identity of the judge's profile; `nil` where nothing says.
  package var judgeHash: ContentHash?
  /// What the check asked as a whole; `nil` for comparisons and where nothing says.
  package var form: ContentHash?

  package init(
    place: JudgePlace, judge: String, force: VerdictForce, number: Int, outcome: String,
    errorClass: ErrorClass?,
    provenance: Provenance, duration: Int64?, usage: Usage?, cost: Cost, reading: JudgeReading
  ) {
    self.place = place
    self.judge = judge
    self.force = force
    self.number = number
    self.outcome = outcome
    self.errorClass = errorClass
    self.provenance = provenance
    self.duration = duration
    self.usage = usage
    self.cost = cost
    self.reading = reading
  }
}

/// A trial read back from the store: what analysis works on. It never sees live objects.
package struct TrialRecord: Sendable {
  package var key: TrialKey
  package var caseID: String
  package var tags: [String]
  package var cluster: String?
  package var mustPass: Bool
  package var target: String
  package var status: TrialStatus
  package var errorClass: ErrorClass?
  package var score: TrialScore
  /// Nanoseconds from the first schedule to the end, waits included; `nil` when it never ended.
  package var duration: Int64?
  package var attempts: [AttemptRecord]
  package var scores: [ScoreRecord]
  /// What judges were asked about this trial, in the order of the answers.
  package var judgeCalls: [JudgeCallRecord] = []
  /// How its checks came by vectors.
  package var embeddingUses: [EmbeddingUse] = []
  /// The numbers of the attempts whose answers were served, by turn; `nil` where the run did not write it down, and the
  /// last attempt was served.
  package var servedNumbers: [Int]?
  /// Why a route's trial ended, as `Trial.ending`.
  package var ending: JSONValue?
  /// What policies could read of the case.
  package var signals: JSONObject = [:]
  package var expects = Expectation.answer

  package init(
    key: TrialKey, caseID: String, tags: [String], cluster: String?, mustPass: Bool, target: String,
    status: TrialStatus, errorClass: ErrorClass?, score: TrialScore, duration: Int64?,
    attempts: [AttemptRecord], scores: [ScoreRecord]
  ) {
    self.key = key
    self.caseID = caseID
    self.tags = tags
    self.cluster = cluster
    self.mustPass = mustPass
    self.target = target
    self.status = status
    self.errorClass = errorClass
    self.score = score
    self.duration = duration
    self.attempts = attempts
    self.scores = scores
  }

  /// Whether the score set that it was read with graded it; the run's own grading covers every trial.
  package var isCovered: Bool { !(scores.isEmpty && score.unscored == .notApplicable) }

  /// The attempt whose answer ended the trial; `nil` when none was served.
  package var served: AttemptRecord? {
    guard let servedNumbers else { return attempts.last }
    guard status != .blocked, let number = servedNumbers.last else { return nil }
    return attempts.last { $0.number == number && $0.phase == .measured }
  }

  /// Whether an attempt's answer was served, in any turn.
  package func isServed(_ attempt: AttemptRecord) -> Bool {
    guard let servedNumbers else {
      return attempts.last { $0.turn == attempt.turn && $0.phase == .measured }?.number == attempt.number
    }
    return servedNumbers.contains(attempt.number)
  }
}

/// The texts of one attempt, for the reports that show them.
package struct AttemptTexts: Sendable {
  /// The messages as sent, as JSON; `nil` in a private run.
  package var request: JSONValue?
  package var answer: String?
  package var reasoning: String?
  package var toolCalls: [ToolCall]
  package var refusal: String?
  /// SHA-256, in hexadecimal digits, of what a judge saw, where that itself is not stored.
  package var storedDigest: String?

  /// What a judge saw: the answer, or the refusal where there is none.
  package var judgedText: String? {
    if let answer, !answer.isEmpty { return answer }
    return refusal ?? answer
  }

  /// SHA-256 of what a judge saw, in hexadecimal digits; `nil` when nothing is stored of it.
  package var judgedDigest: String? { judgedText.map(SHA256.hexOf) ?? storedDigest }

  package init(
    request: JSONValue?, answer: String?, reasoning: String?, toolCalls: [ToolCall], refusal: String?
  ) {
    self.request = request
    self.answer = answer
    self.reasoning = reasoning
    self.toolCalls = toolCalls
    self.refusal = refusal
  }
}

/// Gives the finished trials of a run one by one, so that memory stays flat.
package protocol TrialSource {
  var run: RunInfo { get }
  /// Visits every finished trial of the run in a stable order.
  func forEachTrial(_ body: (TrialRecord) throws -> Void) throws
}
