import EvalCore
import EvalEngine
import EvalStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Makes what grading needs of a suite: its graders and, where judges are asked, their providers. No subject has one.
struct ScoreWiring {
  let session: Session
  let suite: Suite
  let run: RunInfo

  /// The suite's settings with the command line's on top, and the run's seed, by which its own judges were asked.
  private var settings: RunSettings {
    var settings = SuiteLoading(session: session).settings(suite)
    settings.seed = run.seed
    settings.isPrivate = false
    return settings
  }

  /// A plan in which nobody is asked anything.
  private var plan: Plan {
    Plan(targets: [], trials: [], seed: run.seed, caseCount: 0, hash: run.planHash)
  }

  /// - Throws: `.usage` for a judge that cannot be called, or one without a price under `--max-cost`.
  func calls() throws(CommandFailure) -> CallWiring.Calls {
    for judge in suite.judges where judge.price == nil && session.arguments.has("max-cost") {
      throw CommandFailure(
        .usage, "--max-cost cannot be held: the profile '\(judge.name)' has no price",
        advice: "give it a \"price\", or \"free\" if it is")
    }
    let calls = try CallWiring(session: session, suite: suite, plan: plan, settings: settings).make()
    if calls.provenance == .live {
      try OpenFiles.allow(
        calls: suite.judges.reduce(0) { $0 + ($1.concurrency ?? settings.concurrency) })
    }
    return calls
  }

  func parts(
    _ calls: CallWiring.Calls, control: RunControl, progress: RunProgress, recorder: ScoreRecorder
  ) -> EngineParts {
    let graders = GraderWiring(
      suite: suite, allowsCommands: session.arguments.has("allow-commands"), judges: calls.judges)
    var limits = RunLimits()
    limits.maxCost = session.arguments.amount("max-cost")
    var parts = EngineParts(
      suite: suite, plan: plan, settings: settings, limits: limits, providers: [:], policies: [:],
      makeGrader: graders.make, observers: [recorder], control: control, progress: progress,
      judges: calls.judges)
    parts.provenance = calls.provenance
    return parts
  }

  static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}

/// Hands stored answers out and takes new scores in.
final class ScoreTray: RescoringDesk {
  private let answers: StoredAnswers
  private let recorder: ScoreRecorder

  init(answers: StoredAnswers, recorder: ScoreRecorder) {
    self.answers = answers
    self.recorder = recorder
  }

  func next(_ count: Int) throws -> [StoredTrial] { try answers.next(count) }

  func keep(_ trials: [RescoredTrial]) throws {
    try recorder.keep(trials.map { (number: $0.number, scores: $0.scores) })
  }
}
