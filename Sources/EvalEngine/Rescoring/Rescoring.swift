package import EvalCore

/// A stored trial with its new scores.
package struct RescoredTrial: Sendable {
  /// `StoredTrial.number`.
  package var number: Int64
  package var scores: [Score]

  package init(number: Int64, scores: [Score]) {
    self.number = number
    self.scores = scores
  }
}

/// Where stored answers come from and new scores go; it is asked by one task at a time.
package protocol RescoringDesk {
  /// The next trials to grade, at most so many; empty when there are none left.
  func next(_ count: Int) throws -> [StoredTrial]
  /// Keeps the scores of whole trials.
  func keep(_ trials: [RescoredTrial]) throws
}

/// Grades stored answers with the code that grades live ones, many at once.
///
/// Nothing but judges is called. Memory holds what is being graded: a few batches.
package struct Rescoring: Sendable {
  private let parts: EngineParts
  private let places: [ContentHash: Int]
  private let floor: Floor

  /// Trials that go to a core together where nobody judges.
  private static let batch = 64

  /// - Parameters:
  ///   - parts: a run with an empty plan: suite, graders, judges, limits; its observers hear of judges' calls.
  ///   - places: as `RescoredCases` pairs them.
  package init(_ parts: EngineParts, places: [ContentHash: Int]) {
    self.parts = parts
    self.places = places
    floor = Floor(parts)
  }

  /// Grades everything that the desk gives. It does not throw: what breaks the tool comes back as `StopReason.broken`.
  /// - Parameters:
  ///   - planned: trials that the set covers in the end.
  ///   - alreadyDone: of these, those that an earlier process graded.
  ///   - cores: batches to grade at once.
  package func run(
    _ desk: some RescoringDesk, planned: Int, alreadyDone: Int, cores: Int
  ) async -> RunOutcome {
    parts.progress.plan(planned, alreadyDone: alreadyDone)
    let dispatcher = Dispatcher(floor.dispatchState([]))
    parts.judges?.open(floor, dispatcher)
    parts.control.onChange { state in
      if case .aborting = state { dispatcher.close() }
    }
    floor.stopAtLimits(dispatcher)
    do {
      try await walk(desk, dispatcher, cores: cores)
    } catch {
      parts.control.abort(.broken(Rescoring.words(error)))
    }
    let snapshot = parts.progress.snapshot
    return RunOutcome(stopped: snapshot.remaining == 0 ? nil : parts.control.stopReason, progress: snapshot)
  }

  private func walk(_ desk: some RescoringDesk, _ dispatcher: Dispatcher, cores: Int) async throws {
    let asksJudges = parts.judges != nil
    let size = asksJudges ? 1 : Rescoring.batch
    try await withThrowingTaskGroup(of: [RescoredTrial].self) { group in
      var inFlight = 0
      while parts.control.isRunning {
        let trials = try desk.next(size)
        if trials.isEmpty { break }
        while inFlight >= (asksJudges ? judgedAtOnce : cores), let graded = try await group.next() {
          inFlight -= 1
          try desk.keep(graded)
        }
        guard parts.control.isRunning else { break }
        inFlight += 1
        group.addTask { try await grade(trials, dispatcher) }
      }
      while let graded = try await group.next() { try desk.keep(graded) }
    }
  }

  /// As many as keep every judge busy; while a limit on the cost holds, no more than it allows for.
  private var judgedAtOnce: Int {
    let most = floor.totalWidth * 2 + 8
    guard parts.limits.maxCost != nil, !floor.isFree else { return most }
    return min(most, parts.limits.ceiling(parts.progress.snapshot) ?? most)
  }

  private func grade(_ trials: [StoredTrial], _ dispatcher: Dispatcher) async throws -> [RescoredTrial] {
    var graded: [RescoredTrial] = []
    graded.reserveCapacity(trials.count)
    var subject: (place: Int, subject: Case)?
    for trial in trials {
      guard let place = places[trial.key.caseHash] else { continue }
      let known = subject?.place == place ? subject?.subject : nil
      let one = try known ?? parts.suite.cases.load(place)
      subject = (place, one)
      if let scores = await scores(of: trial, as: one, dispatcher) {
        graded.append(RescoredTrial(number: trial.number, scores: scores))
      }
    }
    return graded
  }

  /// - Returns: `nil` when the run stopped before a judge had answered.
  private func scores(
    of trial: StoredTrial, as subject: Case, _ dispatcher: Dispatcher
  ) async -> [Score]? {
    let asksJudges = parts.judges != nil
    if asksJudges { parts.progress.startJudging() }
    let course = TrialCourse(trial, as: subject)
    let scores = await Grading(floor: floor, target: trial.target).scores(of: course)
    let isWhole = parts.judges?.wasCut(trial.key) != true
    if isWhole { parts.progress.endGrading(wasJudged: scores.contains { $0.cost != nil }) }
    if asksJudges {
      parts.progress.endJudging()
      floor.stopAtLimits(dispatcher)
    }
    return isWhole ? scores : nil
  }

  private static func words(_ error: any Error) -> String {
    guard let problems = error as? Problems, let first = problems.all.first else { return "\(error)" }
    return first.location.map { "\($0): \(first.message)" } ?? first.message
  }
}
