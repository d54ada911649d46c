/// What a person is asked of one answer, and what the person said.
package struct AnswerLabel: Sendable, Hashable {
  package var caseID: String
  /// `nil` in a file written by hand.
  package var caseHash: ContentHash?
  /// The target's name, in files written by hand: a drawn file does not tell it.
  package var target: String?
  package var targetHash: ContentHash?
  /// 0-based; `nil` when the file does not say.
  package var repeatIndex: Int?
  /// 0-based; `nil` when the file does not say.
  package var turn: Int?
  package var check: String
  /// `nil` for the verdict of the check as a whole.
  package var criterion: String?
  /// SHA-256 of the answer in hexadecimal digits; `nil` in a file written by hand.
  package var answerHash: String?
  /// Which of the head's strata the answer was drawn from.
  package var stratum: Int?
  /// As the person wrote it; `nil` while nobody has.
  package var label: String?
  /// What the person sees; empty in a file written by hand.
  package var shown = Shown()
  /// Where the label stands, for messages.
  package var location: SourceLocation?

  /// What a person must see to label.
  package struct Shown: Sendable, Hashable {
    package var question: String?
    /// Labels with what each means, from worst to best.
    package var levels: [RubricLevel] = []
    package var input: String?
    package var reference: String?
    package var answer: String?

    package init() {}
  }

  package init(caseID: String, check: String, criterion: String? = nil) {
    self.caseID = caseID
    self.check = check
    self.criterion = criterion
  }
}

/// Labels with how their answers were drawn.
package struct LabelFile: Sendable {
  package struct Stratum: Sendable, Hashable {
    /// Answers that are there.
    package var answers: Int
    package var drawn: Int

    package init(answers: Int, drawn: Int) {
      self.answers = answers
      self.drawn = drawn
    }
  }

  package var path: String
  /// The run that answers were drawn from; `nil` in a file written by hand.
  package var run: String?
  package var suite: String?
  /// Of the draw and its order.
  package var seed: UInt64?
  package var labelledBy: String?
  /// How the person came to the labels, in the person's words.
  package var note: String?
  /// Empty when the answers were not drawn.
  package var strata: [Stratum] = []
  package var labels: [AnswerLabel] = []

  package init(path: String) { self.path = path }

  package var open: Int { labels.count { $0.label == nil } }
}

extension LabelFile {
  /// The words that stand for a pass or a fail.
  package static let verdicts: [(word: String, passes: Bool)] = [
    ("pass", true), ("fail", false), ("yes", true), ("no", false), ("true", true), ("false", false),
  ]

  package static func verdict(_ word: String) -> Bool? {
    let lowered = word.lowercased()
    return verdicts.first { $0.word == lowered }?.passes
  }
}
