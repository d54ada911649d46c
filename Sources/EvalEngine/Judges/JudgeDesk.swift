package import EvalCore
import Synchronization

/// Takes the questions of graders to the judges.
///
/// A judge's call takes a slot like any other call, so the widths and rate limits of an endpoint hold for the calls of
/// subject and judge together; what it costs and how long it takes is booked as the judge's. It is made once for a run and
/// opened when that begins.
package final class JudgeDesk: JudgeCalling {
  /// Where calls are made while the desk is open.
  struct Counter: Sendable {
    let floor: Floor
    let dispatcher: Dispatcher
  }

  /// A provider for each profile that judges, by its name.
  let providers: [String: any Provider]
  private let capabilities: [String: Set<Capability>]
  private let counter = Mutex<Counter?>(nil)
  /// What each judge's endpoint has refused.
  private let refused = Mutex<[String: Set<JudgeManner.Wish>]>([:])
  /// Trials of which a verdict is missing because the run was stopped.
  private let cut = Mutex<Set<TrialKey>>([])
  let embeddings = EmbeddingMemory()

  /// - Parameter capabilities: by profile, what its endpoint can be asked for.
  package init(providers: [String: any Provider], capabilities: [String: Set<Capability>]) {
    self.providers = providers
    self.capabilities = capabilities
  }

  func open(_ floor: Floor, _ dispatcher: Dispatcher) {
    counter.withLock { $0 = Counter(floor: floor, dispatcher: dispatcher) }
  }

  /// Opens the desk for judging alone, when answers are there already.
  ///
  /// - Parameter parts: a run with an empty plan; its observers hear of every call.
  package func open(_ parts: EngineParts) {
    let floor = Floor(parts)
    let dispatcher = Dispatcher(floor.dispatchState([]))
    parts.control.onChange { state in
      if case .aborting = state { dispatcher.close() }
    }
    open(floor, dispatcher)
  }

  var counterNow: Counter? { counter.withLock { $0 } }

  package func ask(_ question: JudgeQuestion) async -> JudgeCall {
    guard let counter = counterNow, let profile = counter.floor.indexOfProfile[question.judge] else {
      return JudgeDesk.unasked(question, .callFailed, "there is no judge '\(question.judge)' in this run")
    }
    if let why = JudgeDesk.withheld(
      question, counter.floor.profiles[profile], counter.floor.parts.suite.privacy)
    {
      return JudgeDesk.unasked(question, .withheld, why)
    }
    let call = await JudgeRunner(
      desk: self, floor: counter.floor, dispatcher: counter.dispatcher, profile: profile
    )
    .run(question)
    if call.reading.fault == .cancelled, let trial = question.place.trial {
      cut.withLock { _ = $0.insert(trial) }
    }
    return call
  }

  /// Whether a verdict on this trial is missing because the run was stopped: it is then not finished.
  func wasCut(_ trial: TrialKey) -> Bool { cut.withLock { $0.contains(trial) } }

  func manner(for profile: Profile, draw: Int, seed: UInt64) -> JudgeManner {
    JudgeManner(
      profile, capabilities[profile.name] ?? [], refused: refused.withLock { $0[profile.name] ?? [] },
      seed: seed,
      draw: draw)
  }

  /// Remembers what an endpoint does not take, for every later call.
  func leaveOut(_ wish: JudgeManner.Wish, for profile: String) {
    refused.withLock { _ = $0[profile, default: []].insert(wish) }
  }

  /// Why nobody may be shown this: the suite's privacy holds for judges and embedders as it does for routes, wherever a
  /// case says how sensitive it is.
  private static func withheld(_ question: JudgeQuestion, _ judge: Profile, _ privacy: PrivacyRules)
    -> String?
  {
    guard let sensitivity = question.signals["sensitivity"]?.stringValue,
      !privacy.allows(judge.boundary, signals: question.signals)
    else { return nil }
    let reach = judge.boundary?.rawValue ?? "thirdParty, as no 'boundary' is stated"
    return "the case is \(sensitivity) and may not go to '\(judge.name)' (\(reach)): nobody was asked"
  }

  private static func unasked(_ question: JudgeQuestion, _ fault: JudgeFault, _ why: String) -> JudgeCall {
    JudgeCall(
      place: question.place, judge: question.judge,
      judgeHash: ContentHash(of: .string(question.judge), kind: "profile"), force: .none, temperature: nil,
      seed: nil,
      number: 1, wait: 0, reply: ProviderReply(outcome: .failed(ProviderError(.unavailable, why))),
      cost: Cost(dollars: 0), reading: .unread(fault, why))
  }
}
