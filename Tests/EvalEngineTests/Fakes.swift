import EvalCore
import Synchronization

@testable import EvalEngine

/// A provider whose answers a test scripts by call number, with real waiting.
final class ScriptedProvider: Provider {
  typealias Script = @Sendable (_ call: ProviderCall, _ number: Int) async -> ProviderReply

  private struct Seen {
    var calls: [ProviderCall] = []
    var inFlight = 0
    var most = 0
  }

  let limitKey: String
  private let script: Script
  private let seen = Mutex(Seen())

  init(limitKey: String = "endpoint", _ script: @escaping Script) {
    self.limitKey = limitKey
    self.script = script
  }

  var calls: [ProviderCall] { seen.withLock { $0.calls } }
  var mostInFlight: Int { seen.withLock { $0.most } }

  func send(_ call: ProviderCall) async -> ProviderReply {
    let began = Monotonic.now()
    let number = seen.withLock { seen in
      seen.calls.append(call)
      seen.inFlight += 1
      seen.most = max(seen.most, seen.inFlight)
      return seen.calls.count
    }
    var reply = await script(call, number)
    reply.timeline.start = began
    reply.timeline.done = Monotonic.now()
    if Task.isCancelled { reply.outcome = .failed(ProviderError(.cancelled, "cancelled")) }
    seen.withLock { $0.inFlight -= 1 }
    return reply
  }
}

extension ProviderReply {
  static func text(_ text: String, input: Int = 10, output: Int = 5) -> ProviderReply {
    var reply = ProviderReply(outcome: .ok)
    reply.text = text
    reply.finish = .stop
    reply.usage = Usage(input: input, output: output)
    return reply
  }

  static func failure(_ kind: ErrorClass, retryAfter: Double? = nil) -> ProviderReply {
    ProviderReply(outcome: .failed(ProviderError(kind, "scripted", retryAfterMilliseconds: retryAfter)))
  }
}

/// Passes when the answer contains the check's argument.
struct ContainsGrader: Grader {
  let wanted: String

  func grade(_ subject: Subject) async -> Verdict {
    Verdict(.verdict(subject.answer.text.contains(wanted)))
  }
}

/// Keeps every event.
final class Recorder: RunObserver {
  private let events = Mutex<[RunEvent]>([])

  func receive(_ event: RunEvent) { events.withLock { $0.append(event) } }

  var attempts: [Attempt] {
    events.withLock { $0 }.compactMap { if case .attempt(let attempt, _, _) = $0 { attempt } else { nil } }
  }

  var trials: [Trial] {
    events.withLock { $0 }.compactMap { if case .trial(let trial, _) = $0 { trial } else { nil } }
  }

  var findings: [Finding] {
    events.withLock { $0 }.compactMap { if case .finding(let finding) = $0 { finding } else { nil } }
  }

  /// "attempt" and "trial" in the order they came, for one trial.
  func order(of key: TrialKey) -> [String] {
    events.withLock { $0 }.compactMap { event in
      switch event {
      case .attempt(_, let of, _): of == key ? "attempt" : nil
      case .trial(let trial, _): trial.key == key ? "trial" : nil
      case .finding, .pace, .judgeCall, .embedding: nil
      }
    }
  }
}

struct AlwaysFirst: Policy {
  let name: String
  var arms: [String] { [name] }

  func next(_ facts: RoutingFacts) -> RoutingStep {
    facts.attempts.isEmpty
      ? .call(profile: name, cause: .first, decision: nil)
      : .serve(attempt: facts.attempts.count - 1, decision: nil)
  }
}

/// A run of a small suite against scripted providers.
struct Bench {
  var profiles: [Profile] = [Profile(name: "local", provider: "scripted", model: "m")]
  var cases: [Case] = []
  var settings = RunSettings()
  var limits = RunLimits()
  var providers: [String: any Provider] = [:]
  var control = RunControl()
  var progress = RunProgress()
  var recorder = Recorder()
  var finished: Set<TrialKey> = []
  var blockSize = 4
  /// Routes beside the profiles, by name.
  var routes: [any Policy] = []
  /// False takes the profiles only as arms.
  var plansProfiles = true
  var privacy = PrivacyRules.standard
  var spentBefore: [String: Double?] = [:]
  var makeGrader: @Sendable (CheckSpec) throws(GraderProblem) -> any Grader = { spec in
    ContainsGrader(wanted: spec.argument.stringValue ?? "")
  }

  init(cases count: Int = 1) {
    settings.retries.baseDelay = .milliseconds(1)
    cases = (0..<count).map { index in
      Case(
        id: "c\(index)", turns: [Turn(content: [.text("say \(index)")])],
        checks: [CheckSpec(kind: "contains", argument: "ok")])
    }
  }

  var suite: Suite {
    var suite = Suite(
      name: "bench", path: "bench.json", profiles: profiles, cases: CasesInMemory(cases), settings: settings,
      hash: ContentHash(of: "bench", kind: "suite"))
    suite.privacy = privacy
    return suite
  }

  var plan: Plan {
    let targets =
      (plansProfiles ? profiles.map(Target.profile) : [])
      + routes.map { .route(RouteSpec(name: $0.name, policy: ["policy": .string($0.name)])) }
    var trials: [PlannedTrial] = []
    for index in cases.indices {
      for target in targets.indices {
        for turn in 0..<settings.repeats {
          trials.append(
            PlannedTrial(caseIndex: index, targetIndex: target, repeatIndex: turn, block: index / blockSize))
        }
      }
    }
    return Plan(
      targets: targets, trials: trials, seed: 7, caseCount: cases.count,
      hash: ContentHash(of: "bench", kind: "plan"))
  }

  var parts: EngineParts {
    var policies: [String: any Policy] = [:]
    for profile in profiles { policies[profile.name] = AlwaysFirst(name: profile.name) }
    for route in routes { policies[route.name] = route }
    var parts = EngineParts(
      suite: suite, plan: plan, settings: settings, limits: limits, providers: providers, policies: policies,
      makeGrader: makeGrader, observers: [recorder], control: control, progress: progress, finished: finished)
    parts.spentBefore = spentBefore
    return parts
  }

  func run() async -> RunOutcome { await Engine(parts).run() }
}
