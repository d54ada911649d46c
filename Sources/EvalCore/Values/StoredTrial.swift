/// A finished trial with its answers, read back from the store to be graded anew.
package struct StoredTrial: Sendable {
  /// The store's own number for it.
  package var number: Int64
  package var key: TrialKey
  package var caseID: String
  package var target: String
  package var status: TrialStatus
  package var errorClass: ErrorClass?
  /// The measured attempts in their order, with texts; of each reply what a grader may look at.
  package var attempts: [Attempt]
  /// The numbers of the served attempts, by turn; `nil` where each turn's last one was served.
  package var servedNumbers: [Int]?
  /// The number of an attempt whose texts are not in the database, though it has an answer; `nil` when all are there.
  package var lostAnswer: Int?

  package init(
    number: Int64, key: TrialKey, caseID: String, target: String, status: TrialStatus,
    errorClass: ErrorClass?,
    attempts: [Attempt], servedNumbers: [Int]?
  ) {
    self.number = number
    self.key = key
    self.caseID = caseID
    self.target = target
    self.status = status
    self.errorClass = errorClass
    self.attempts = attempts
    self.servedNumbers = servedNumbers
  }
}

extension Attempt {
  /// An attempt read back to be graded: what else is known of it stays in the store.
  package init(turn: Int, step: Int, number: Int, profile: String, reply: ProviderReply, cost: Cost) {
    self.turn = turn
    self.step = step
    self.number = number
    phase = .measured
    self.profile = profile
    profileHash = ContentHash(of: .string(profile), kind: "profile")
    boundary = nil
    cause = .first
    wait = 0
    inFlight = 1
    self.reply = reply
    self.cost = cost
    decision = nil
  }
}
