package import EvalCore
import Synchronization

/// Where a run stands, for the progress line: read from any thread while it goes on.
package final class RunProgress: Sendable {
  /// The figures at one moment.
  package struct Snapshot: Sendable, Hashable {
    package var planned = 0
    /// Trials done in this process.
    package var done = 0
    /// Trials found done when the run was continued.
    package var alreadyDone = 0
    /// Trials whose call failed, of `done`.
    package var failed = 0
    /// Trials with a check that failed, of `done`.
    package var notPassed = 0
    /// US dollars of live calls whose cost is known.
    package var dollars = 0.0
    /// Calls that cost something, as far as that is known.
    package var charged = 0
    /// Calls of unknown cost.
    package var unpriced = 0
    /// Answers of unknown cost: their price is stated, but nothing says how many tokens they took.
    package var unpricedAnswers = 0
    /// Calls of any kind that ended well.
    package var successfulCalls = 0
    package var calls = 0
    package var retries = 0
    package var inFlight = 0
    /// Calls to judges, with their own ledger.
    package var judges = Judges()

    /// What judges did and cost.
    package struct Judges: Sendable, Hashable {
      package var calls = 0
      /// Trials whose answers are being judged.
      package var trials = 0
      /// Stored trials that judges were asked about, of those that are graded anew; 0 while a run calls its subjects.
      package var judged = 0
      /// US dollars of live calls whose cost is known.
      package var dollars = 0.0
      /// Calls of unknown cost.
      package var unpriced = 0
      /// Of these, those that were answered.
      package var unpricedAnswers = 0
    }

    /// US dollars of all live calls whose cost is known, those of judges included.
    package var spent: Double { dollars + judges.dollars }
    package var remaining: Int { max(0, planned - alreadyDone - done) }
  }

  private let shared = Mutex(Snapshot())
  /// Token-bearing events, counted while answers stream.
  package let counters = LiveCounters()

  package init() {}

  package var snapshot: Snapshot { shared.withLock { $0 } }

  func plan(_ planned: Int, alreadyDone: Int) {
    shared.withLock {
      $0.planned = planned
      $0.alreadyDone = alreadyDone
    }
  }

  /// - Returns: calls in flight, this one included.
  func startCall() -> Int {
    shared.withLock {
      $0.inFlight += 1
      return $0.inFlight
    }
  }

  func end(_ attempt: Attempt) {
    shared.withLock {
      $0.inFlight -= 1
      $0.calls += 1
      if case .retry = attempt.cause { $0.retries += 1 }
      if attempt.reply.outcome.error == nil { $0.successfulCalls += 1 }
      guard attempt.reply.provenance == .live else { return }
      if let dollars = attempt.cost.dollars {
        $0.dollars += dollars
        if dollars > 0 { $0.charged += 1 }
      } else {
        $0.unpriced += 1
        if attempt.reply.outcome.error == nil { $0.unpricedAnswers += 1 }
      }
    }
  }

  /// Counts a trial whose answers go to judges now.
  func startJudging() { shared.withLock { $0.judges.trials += 1 } }

  func endJudging() { shared.withLock { $0.judges.trials -= 1 } }

  func end(_ call: JudgeCall) {
    shared.withLock {
      $0.judges.calls += 1
      guard call.reply.provenance == .live else { return }
      if let dollars = call.cost.dollars {
        $0.judges.dollars += dollars
      } else {
        $0.judges.unpriced += 1
        if call.reply.outcome.error == nil { $0.judges.unpricedAnswers += 1 }
      }
    }
  }

  /// Counts a stored trial that was graded anew.
  /// - Parameter wasJudged: a judge was asked about it.
  func endGrading(wasJudged: Bool) {
    shared.withLock {
      $0.done += 1
      if wasJudged { $0.judges.judged += 1 }
    }
  }

  func end(_ trial: Trial) {
    shared.withLock {
      $0.done += 1
      if trial.status == .failed { $0.failed += 1 }
      if trial.score.passed == false { $0.notPassed += 1 }
    }
  }
}
