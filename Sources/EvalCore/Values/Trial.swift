/// Names a trial by content: a resumed run repeats nothing and two runs pair, whatever the order of their files.
package struct TrialKey: Sendable, Hashable {
  package var caseHash: ContentHash
  package var targetHash: ContentHash
  /// 0-based.
  package var repeatIndex: Int

  package init(caseHash: ContentHash, targetHash: ContentHash, repeatIndex: Int) {
    self.caseHash = caseHash
    self.targetHash = targetHash
    self.repeatIndex = repeatIndex
  }
}

/// How a trial ended.
package enum TrialStatus: String, Sendable, Hashable, CaseIterable {
  case ok, refused, empty, failed
  /// A policy ended it: nothing was allowed.
  case blocked
  /// Stopped by the person; a resumed run does it again.
  case cancelled
}

/// One case × target × repeat with its attempts and scores.
package struct Trial: Sendable {
  package var key: TrialKey
  package var caseID: String
  package var target: String
  package var status: TrialStatus
  /// The class of the last error when `status` is `failed`.
  package var errorClass: ErrorClass?
  package var attempts: [Attempt]
  /// The numbers of the attempts whose answers a route served, by turn; `nil` for a profile alone, whose last one it is.
  package var served: [Int]?
  /// Why a route's trial ended: its last step, with the policy's decision; `nil` for a profile alone.
  package var ending: JSONValue?
  package var scores: [Score]
  package var score: TrialScore
  /// Monotonic nanoseconds from the first attempt's schedule to the last one's end, waits included.
  package var duration: Int64?

  package init(
    key: TrialKey, caseID: String, target: String, status: TrialStatus, errorClass: ErrorClass?,
    attempts: [Attempt], scores: [Score], duration: Int64?
  ) {
    self.key = key
    self.caseID = caseID
    self.target = target
    self.status = status
    self.errorClass = errorClass
    self.attempts = attempts
    self.scores = scores
    score = TrialScore(scores)
    self.duration = duration
  }
}
