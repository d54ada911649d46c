import EvalCore

extension TrialCourse {
  /// A trial that is over, as it was when it was first graded.
  ///
  /// - Parameter subject: the case whose checks are put to it; its input is the one that was answered.
  init(_ stored: StoredTrial, as subject: Case) {
    self.init(subject: subject, key: stored.key, begin: 0)
    attempts = stored.attempts
    status = stored.status
    errorClass = stored.errorClass
    served = TrialCourse.served(stored)
    if let lost = stored.lostAnswer, let turn = served.firstIndex(where: { $0.number == lost }) {
      served.removeSubrange(turn...)
      isAnswerLost = true
    }
  }

  /// The served attempt of each turn. A run that did not write it down served each turn's last one.
  private static func served(_ stored: StoredTrial) -> [Attempt] {
    if let numbers = stored.servedNumbers {
      return numbers.compactMap { number in stored.attempts.last { $0.number == number } }
    }
    var served: [Attempt] = []
    for attempt in stored.attempts {
      if served.last?.turn == attempt.turn { served.removeLast() }
      served.append(attempt)
    }
    if stored.status == .blocked { _ = served.popLast() }
    return served
  }
}
