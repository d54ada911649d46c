/// A person's verdict on an answer beside the judges': what a judge's errors are known from. It holds no text.
package struct VerdictLabel: Sendable, Hashable {
  /// What was asked.
  package var form: ContentHash
  /// The profiles that judged, in the order of their hashes.
  package var judges: [ContentHash]
  package var key: TrialKey
  /// The target's name in the run that was labelled.
  package var target: String
  package var check: String
  /// 0-based.
  package var turn: Int
  /// SHA-256 of the answer, in hexadecimal digits.
  package var answerHash: String
  /// Whether the answer passes, as a person sees it.
  package var person: Bool
  package var judge: Bool
  /// Which group of answers it was drawn from, and how many that has; `nil` for one that nobody drew.
  package var stratum: Int?
  package var stratumAnswers: Int?
  /// The file of labels.
  package var source: String
  package var labelledBy: String?
  /// The run that was labelled.
  package var run: String
  /// Seconds since 1970.
  package var checkedAt: Double

  package init(
    form: ContentHash, judges: [ContentHash], key: TrialKey, target: String, check: String, turn: Int,
    answerHash: String, person: Bool, judge: Bool, source: String, run: String, checkedAt: Double
  ) {
    self.form = form
    self.judges = judges
    self.key = key
    self.target = target
    self.check = check
    self.turn = turn
    self.answerHash = answerHash
    self.person = person
    self.judge = judge
    self.source = source
    self.run = run
    self.checkedAt = checkedAt
  }

  /// What a judge is known by: what it is asked and which profiles answer.
  package var identity: JudgeIdentity { JudgeIdentity(form: form, judges: judges) }
}

/// A judge whose errors can be known: what is asked, by which rule and words, and the profiles that answer.
package struct JudgeIdentity: Sendable, Hashable {
  package var form: ContentHash
  /// In the order of their hashes, each once.
  package var judges: [ContentHash]

  package init(form: ContentHash, judges: [ContentHash]) {
    self.form = form
    self.judges = judges
  }
}
