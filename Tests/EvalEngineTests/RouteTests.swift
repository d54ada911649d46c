import EvalCore
import Synchronization
import Testing

@testable import EvalEngine

/// A policy that a test writes as a function, and that keeps what it was shown.
final class ScriptedPolicy: Policy {
  let name: String
  let arms: [String]
  let decidesRetries: Bool
  let acceptChecks: [String]
  private let script: @Sendable (RoutingFacts) -> RoutingStep
  private let seen = Mutex<[RoutingFacts]>([])

  init(
    _ name: String = "route", arms: [String] = ["local", "cloud"], decidesRetries: Bool = true,
    acceptChecks: [String] = [], _ script: @escaping @Sendable (RoutingFacts) -> RoutingStep
  ) {
    self.name = name
    self.arms = arms
    self.decidesRetries = decidesRetries
    self.acceptChecks = acceptChecks
    self.script = script
  }

  func next(_ facts: RoutingFacts) -> RoutingStep {
    seen.withLock { $0.append(facts) }
    return script(facts)
  }

  var facts: [RoutingFacts] { seen.withLock { $0 } }

  /// Local first, the cloud after any error without visible output.
  static func fallback(_ name: String = "route") -> ScriptedPolicy {
    ScriptedPolicy(name) { facts in
      guard let last = facts.attempts.last else { return .call("local", .first) }
      if case .failed(let kind) = last.end, !last.hasVisibleOutput, last.profile == "local" {
        return .call("cloud", .fallback(kind))
      }
      return .serve(attempt: facts.attempts.count - 1, decision: ["rule": "last"])
    }
  }
}

extension RoutingStep {
  static func call(_ profile: String, _ cause: AttemptCause) -> RoutingStep {
    .call(profile: profile, cause: cause, decision: ["arm": .string(profile)])
  }
}

/// A provider that counts, and says how often it was asked.
final class TokenProvider: Provider, TokenCounting {
  let limitKey: String
  private let tokens: Int
  private let asked = Mutex(0)

  init(_ key: String, tokens: Int) {
    limitKey = key
    self.tokens = tokens
  }

  var counts: Int { asked.withLock { $0 } }

  func send(_ call: ProviderCall) async -> ProviderReply { .text("ok") }

  func countInput(_ call: ProviderCall) async -> InputCount? {
    asked.withLock { $0 += 1 }
    return .counted(tokens)
  }

  func contextWindow(of profile: Profile, timeouts: CallTimeouts) async -> ContextWindowAnswer {
    .window(ContextWindow(tokens: 4_096))
  }
}

@Suite struct RouteTests {
  private func bench(_ route: any Policy, cases: Int = 1) -> Bench {
    var bench = Bench(cases: cases)
    var cloud = Profile(name: "cloud", provider: "scripted", model: "n")
    cloud.boundary = .thirdParty
    cloud.price = Price(input: 1_000_000, output: 0)
    bench.profiles[0].boundary = .device
    bench.profiles[0].price = .free
    bench.profiles.append(cloud)
    bench.routes = [route]
    bench.plansProfiles = false
    return bench
  }

  @Test func `A failed arm is followed by another, each an attempt with its decision`() async throws {
    let policy = ScriptedPolicy.fallback()
    var bench = bench(policy)
    bench.providers = [
      "local": ScriptedProvider(limitKey: "a") { _, _ in .failure(.serverError) },
      "cloud": ScriptedProvider(limitKey: "b") { _, _ in .text("ok") },
    ]
    let outcome = await bench.run()
    #expect(outcome.isComplete)
    let trial = try #require(bench.recorder.trials.first)
    #expect(trial.attempts.map(\.cause.label) == ["first", "fallback:serverError"])
    #expect(trial.attempts.map(\.profile) == ["local", "cloud"])
    #expect(trial.attempts.map(\.number) == [1, 2])
    #expect(trial.status == .ok && trial.served == [2] && trial.score.passed == true)
    for attempt in trial.attempts {
      #expect(attempt.decision?["arm"] == .string(attempt.profile))
      #expect(try #require(attempt.decision?["nanoseconds"]?.intValue) > 0)
    }
    #expect(trial.ending?["step"] == "serve" && trial.ending?["attempt"] == 2)
    #expect(trial.ending?["decision"]?["rule"] == "last")
    #expect(trial.ending?["decision"]?["nanoseconds"] != nil)
    // The recorder heard of each attempt once, in order.
    #expect(bench.recorder.order(of: trial.key) == ["attempt", "attempt", "trial"])
  }

  @Test func `A retry that the policy asks for waits as the server says`() async throws {
    let policy = ScriptedPolicy { facts in
      switch facts.attempts.count {
      case 0: .call("local", .first)
      case 1: .call("local", .retry(.rateLimited))
      case 2: .call("cloud", .fallback(.rateLimited))
      default: .serve(attempt: 2, decision: nil)
      }
    }
    var bench = bench(policy)
    // The run would retry by itself, were it not for the policy.
    bench.settings.retries.limit = 5
    let local = ScriptedProvider(limitKey: "a") { _, _ in .failure(.rateLimited, retryAfter: 20) }
    bench.providers = ["local": local, "cloud": ScriptedProvider(limitKey: "b") { _, _ in .text("ok") }]
    _ = await bench.run()
    let trial = try #require(bench.recorder.trials.first)
    #expect(local.calls.count == 2)
    #expect(trial.attempts.map(\.cause.label) == ["first", "retry:rateLimited", "fallback:rateLimited"])
    #expect(trial.attempts[1].wait >= 20_000_000)
    #expect(trial.attempts[0].wait == 0 && trial.attempts[2].wait == 0)
  }

  @Test func `A hint that is longer than the run waits is not retryable for the policy`() async throws {
    let policy = ScriptedPolicy.fallback()
    var bench = bench(policy)
    bench.settings.retries.maxRetryAfter = .seconds(1)
    bench.providers = [
      "local": ScriptedProvider(limitKey: "a") { call, _ in
        .failure(.rateLimited, retryAfter: call.messages[0].text == "say 0" ? 60_000 : 5)
      },
      "cloud": ScriptedProvider(limitKey: "b") { _, _ in .text("ok") },
    ]
    _ = await bench.run()
    let last = try #require(policy.facts.last { $0.attempts.count == 1 })
    #expect(last.attempts[0].isRetryable == false)
    var again = bench
    again.cases = [Case(id: "x", turns: [Turn(content: [.text("say x")])])]
    _ = await again.run()
    #expect(try #require(policy.facts.last { $0.attempts.count == 1 }).attempts[0].isRetryable)
  }

  @Test func `Without retries of its own the run's settings hold`() async throws {
    let policy = ScriptedPolicy(decidesRetries: false) { facts in
      facts.attempts.isEmpty
        ? .call("local", .first) : .serve(attempt: facts.attempts.count - 1, decision: nil)
    }
    var bench = bench(policy)
    bench.settings.retries.limit = 2
    bench.providers = [
      "local": ScriptedProvider { _, number in number < 3 ? .failure(.overloaded) : .text("ok") },
      "cloud": ScriptedProvider { _, _ in .text("ok") },
    ]
    _ = await bench.run()
    let trial = try #require(bench.recorder.trials.first)
    #expect(trial.attempts.map(\.cause.label) == ["first", "retry:overloaded", "retry:overloaded"])
    #expect(trial.served == [3])
  }

  @Test func `A block ends the trial with its reason and no call`() async throws {
    let policy = ScriptedPolicy { _ in .block(reason: "nothing is allowed", decision: ["why": "secret"]) }
    var bench = bench(policy)
    let local = ScriptedProvider { _, _ in .text("ok") }
    bench.providers = ["local": local, "cloud": local]
    _ = await bench.run()
    let trial = try #require(bench.recorder.trials.first)
    #expect(trial.status == .blocked && trial.attempts.isEmpty && local.calls.isEmpty)
    #expect(trial.served == [])
    #expect(trial.ending?["reason"] == "nothing is allowed")
    #expect(trial.ending?["decision"]?["why"] == "secret")
    #expect(trial.score.unscored == .noAnswer)
  }

  @Test func `An earlier attempt may be served, and is what the checks look at`() async throws {
    let policy = ScriptedPolicy { facts in
      switch facts.attempts.count {
      case 0: .call("local", .first)
      case 1: .call("cloud", .escalation)
      default: .serve(attempt: 0, decision: nil)
      }
    }
    var bench = bench(policy)
    bench.providers = [
      "local": ScriptedProvider(limitKey: "a") { _, _ in .text("ok") },
      "cloud": ScriptedProvider(limitKey: "b") { _, _ in .failure(.overloaded) },
    ]
    _ = await bench.run()
    let trial = try #require(bench.recorder.trials.first)
    #expect(trial.attempts.map(\.cause.label) == ["first", "escalation"])
    #expect(trial.status == .ok && trial.served == [1] && trial.score.passed == true)
  }

  @Test func `An answer is looked at by the checks that are asked for, and not graded twice`() async throws {
    let graded = Mutex<[String]>([])
    let policy = ScriptedPolicy(acceptChecks: ["good", "none"]) { facts in
      guard let last = facts.attempts.last else { return .call("local", .first) }
      if last.answer["check.good"] == .number(0) { return .call("cloud", .escalation) }
      return .serve(attempt: facts.attempts.count - 1, decision: nil)
    }
    var bench = bench(policy)
    bench.cases[0].checks = [
      CheckSpec(kind: "contains", argument: "ok", name: "good"),
      CheckSpec(kind: "contains", argument: "o", name: "other"),
    ]
    bench.makeGrader = { spec in
      Noting(name: spec.name, wanted: spec.argument.stringValue ?? "") { text in
        graded.withLock { $0.append(text) }
      }
    }
    bench.providers = [
      "local": ScriptedProvider(limitKey: "a") { _, _ in .text("no", output: 3) },
      "cloud": ScriptedProvider(limitKey: "b") { _, _ in .text("ok") },
    ]
    _ = await bench.run()
    let trial = try #require(bench.recorder.trials.first)
    #expect(trial.served == [2])
    #expect(trial.scores.map(\.check) == ["good", "other"] && trial.score.value == 1)
    #expect(graded.withLock { $0 } == ["good: no", "good: ok", "other: ok"])
    let answer = try #require(policy.facts.last { $0.attempts.count == 1 }?.attempts[0].answer)
    #expect(answer == ["characters": 2, "outputTokens": 3, "finish": "stop", "check.good": 0.0])
  }

  @Test func `A case that is offline calls nobody beyond the device`() async throws {
    let policy = ScriptedPolicy { facts in
      switch facts.attempts.count {
      case 0: .call("cloud", .first)
      case 1: .call("local", .fallback(.network))
      default: .serve(attempt: 1, decision: nil)
      }
    }
    var bench = bench(policy)
    bench.cases[0].signals = ["network": "offline"]
    let cloud = ScriptedProvider(limitKey: "b") { _, _ in .text("ok") }
    bench.providers = ["local": ScriptedProvider(limitKey: "a") { _, _ in .text("ok") }, "cloud": cloud]
    _ = await bench.run()
    let trial = try #require(bench.recorder.trials.first)
    #expect(cloud.calls.isEmpty)
    let stayed = trial.attempts[0]
    #expect(stayed.reply.outcome.error?.kind == .network && stayed.reply.connection.bytesSent == 0)
    #expect(stayed.cost == Cost(dollars: 0) && stayed.reply.notes == [OfflineWorld.note])
    #expect(trial.status == .ok && trial.served == [2])
    #expect(policy.facts[1].attempts[0].isRetryable == false)
    // A profile that is a target by itself is not in that world.
    var alone = bench
    alone.plansProfiles = true
    alone.routes = []
    _ = await alone.run()
    #expect(cloud.calls.count == 1)
  }

  @Test func `Money spent is known by trial and by route, earlier processes included`() async throws {
    let policy = ScriptedPolicy { facts in
      switch facts.attempts.count {
      case 0: .call("cloud", .first)
      case 1: .call("cloud", .escalation)
      default: .serve(attempt: 1, decision: nil)
      }
    }
    var bench = bench(policy, cases: 2)
    bench.spentBefore = ["route": 100]
    bench.settings.maxConcurrency = 1
    let cloud = ScriptedProvider { _, _ in .text("ok", input: 2) }
    bench.providers = ["local": cloud, "cloud": cloud]
    _ = await bench.run()
    let spent = policy.facts.map { "\($0.spent.trial ?? -1) \($0.spent.run ?? -1)" }
    // Trials of a route wait for slots one by one; their order is not the plan's.
    #expect(spent.sorted().first == "0.0 100.0")
    #expect(policy.facts.compactMap(\.spent.run).max() == 108)
    #expect(Set(policy.facts.compactMap(\.spent.trial)) == [0, 2, 4])
  }

  @Test func `An unknown cost makes what was spent unknown`() async throws {
    let policy = ScriptedPolicy.fallback()
    var bench = bench(policy)
    bench.profiles[0].price = nil
    bench.providers = [
      "local": ScriptedProvider(limitKey: "a") { _, _ in .text("ok") },
      "cloud": ScriptedProvider(limitKey: "b") { _, _ in .text("ok") },
    ]
    _ = await bench.run()
    #expect(policy.facts.map(\.spent) == [Spending(), Spending(trial: nil, run: nil)])
  }

  @Test func `Each arm's tokens are counted once by a server that may see them, else estimated`() async throws
  {
    let policy = ScriptedPolicy.fallback()
    var bench = bench(policy, cases: 1)
    bench.settings.repeats = 3
    bench.settings.maxConcurrency = 1
    bench.profiles[0].contextSize = .tokens(9)
    bench.profiles[1].contextSize = .auto
    let local = TokenProvider("a", tokens: 7)
    let cloud = TokenProvider("b", tokens: 11)
    bench.providers = ["local": local, "cloud": cloud]
    _ = await bench.run()
    for facts in policy.facts {
      #expect(facts.arms["local"]?.tokensIn == .counted(7))
      // Nobody knows how sensitive the case is: its words do not travel to be counted.
      #expect(facts.arms["cloud"]?.tokensIn?.source == .estimate)
      #expect(facts.arms["local"]?.window == ContextWindow(tokens: 9))
      #expect(facts.arms["cloud"]?.window == ContextWindow(tokens: 4_096))
    }
    #expect(local.counts == 1 && cloud.counts == 0)
    var open = bench
    open.cases[0].signals = ["sensitivity": "public", "consent": true]
    _ = await open.run()
    #expect(cloud.counts == 1)
    #expect(policy.facts.last?.arms["cloud"]?.tokensIn == .counted(11))
    var offline = bench
    offline.cases[0].signals = ["sensitivity": "public", "consent": true, "network": "offline"]
    _ = await offline.run()
    #expect(cloud.counts == 1)
  }

  @Test func `A later turn goes on from the served answer, whoever gave it`() async throws {
    let policy = ScriptedPolicy { facts in
      if facts.turn == 1 {
        return facts.attempts.isEmpty ? .call("local", .first) : .serve(attempt: 0, decision: nil)
      }
      switch facts.attempts.count {
      case 0: return .call("local", .first)
      case 1: return .call("cloud", .escalation)
      default: return .serve(attempt: 1, decision: nil)
      }
    }
    var bench = bench(policy)
    bench.cases[0].turns = [Turn(content: [.text("one")]), Turn(content: [.text("two")])]
    let local = ScriptedProvider(limitKey: "a") { _, _ in .text("from local") }
    bench.providers = [
      "local": local, "cloud": ScriptedProvider(limitKey: "b") { _, _ in .text("from cloud") },
    ]
    _ = await bench.run()
    #expect(local.calls.last?.messages.map(\.text) == ["one", "from cloud", "two"])
    let trial = try #require(bench.recorder.trials.first)
    #expect(trial.served == [2, 3])
    #expect(trial.ending?["turn"] == 1 && trial.ending?["earlier"]?[0]?["attempt"] == 2)
  }

  @Test func `Another arm does not see the tool calls of the one before`() async throws {
    let policy = ScriptedPolicy { facts in
      guard let last = facts.attempts.last else { return .call("local", .first) }
      return last.profile == "local" && last.end == .ok
        ? .call("cloud", .escalation) : .serve(attempt: facts.attempts.count - 1, decision: nil)
    }
    var bench = bench(policy)
    bench.cases[0].turns[0].toolResults = [ScriptedToolResult(tool: "look", result: "seen")]
    let cloud = ScriptedProvider(limitKey: "b") { _, _ in .text("ok") }
    bench.providers = [
      "local": ScriptedProvider(limitKey: "a") { _, number in
        var reply = ProviderReply.text("")
        if number == 1 { reply.toolCalls = [ToolCall(id: "1", name: "look", arguments: [:])] }
        return reply
      }, "cloud": cloud,
    ]
    _ = await bench.run()
    #expect(cloud.calls.first?.messages.map(\.role) == [.user])
    let trial = try #require(bench.recorder.trials.first)
    #expect(trial.attempts.map(\.step) == [0, 1, 0])
    // What a tool did is there to be seen, whatever the words were.
    #expect(policy.facts.last?.attempts[1].hasVisibleOutput == true)
  }

  @Test(arguments: [("block", TrialStatus.blocked, 1.0), ("refusal", .refused, 1.0), ("refusal", .ok, 0.0)])
  func `A case that wants a refusal or a block has one score`(
    _ word: String, _ end: TrialStatus, _ value: Double
  ) async throws {
    let policy = ScriptedPolicy { facts in
      if end == .blocked { return .block(reason: "no", decision: nil) }
      return facts.attempts.isEmpty ? .call("local", .first) : .serve(attempt: 0, decision: nil)
    }
    var bench = bench(policy)
    bench.cases[0].expects = try #require(Expectation(rawValue: word))
    let provider = ScriptedProvider { _, _ in
      var reply = ProviderReply.text("ok")
      if end == .refused { reply.outcome = .refused }
      return reply
    }
    bench.providers = ["local": provider, "cloud": provider]
    _ = await bench.run()
    let trial = try #require(bench.recorder.trials.first)
    #expect(trial.status == end)
    #expect(trial.scores.map(\.check) == ["expects"] && trial.score.value == value)
  }

  @Test func `Calls of routes keep within the width of the endpoint`() async {
    let policy = ScriptedPolicy.fallback()
    var bench = bench(policy, cases: 40)
    bench.settings.concurrency = 3
    // Else the local endpoint, which only fails, would be left alone for a while.
    bench.settings.adaptsWidth = false
    bench.blockSize = 100
    let cloud = ScriptedProvider(limitKey: "b") { _, _ in
      try? await Task.sleep(for: .milliseconds(3))
      return .text("ok")
    }
    bench.providers = [
      "local": ScriptedProvider(limitKey: "a") { _, _ in .failure(.serverError) }, "cloud": cloud,
    ]
    let outcome = await bench.run()
    #expect(outcome.isComplete && cloud.calls.count == 40)
    #expect(cloud.mostInFlight <= 3)
  }

  @Test func `A policy that names nobody or never ends is stopped`() async throws {
    let unknown = ScriptedPolicy("unknown") { _ in .call("moon", .first) }
    let endless = ScriptedPolicy("endless") { _ in .call("local", .first) }
    var bench = bench(unknown)
    bench.routes.append(endless)
    let provider = ScriptedProvider { _, _ in .text("ok") }
    bench.providers = ["local": provider, "cloud": provider]
    _ = await bench.run()
    #expect(bench.recorder.trials.count == 2 && bench.recorder.trials.allSatisfy { $0.status == .blocked })
    #expect(provider.calls.count == TrialRunner.maxCalls)
  }

  @Test func `A run that is aborted in the middle of a route leaves the trial for the next process`() async {
    let policy = ScriptedPolicy.fallback()
    var bench = bench(policy)
    let control = bench.control
    bench.providers = [
      "local": ScriptedProvider(limitKey: "a") { _, _ in .failure(.serverError) },
      "cloud": ScriptedProvider(limitKey: "b") { _, _ in
        control.abort(.interrupted)
        return .failure(.cancelled)
      },
    ]
    let outcome = await bench.run()
    #expect(!outcome.isComplete && bench.recorder.trials.isEmpty && bench.recorder.attempts.count == 2)
  }
}

/// Says which check looked at which answer.
private struct Noting: Grader {
  let name: String
  let wanted: String
  let note: @Sendable (String) -> Void

  func grade(_ subject: Subject) async -> Verdict {
    note("\(name): \(subject.answer.text)")
    return Verdict(.verdict(subject.answer.text.contains(wanted)))
  }
}
