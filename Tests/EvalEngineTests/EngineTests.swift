import EvalCore
import Synchronization
import Testing

@testable import EvalEngine

@Suite struct EngineTests {
  @Test func `Every case is called once for every profile and repeat, graded and reported`() async {
    var bench = Bench(cases: 5)
    bench.profiles.append(Profile(name: "cloud", provider: "scripted", model: "n"))
    bench.settings.repeats = 3
    bench.settings.concurrency = 4
    let local = ScriptedProvider { call, _ in .text(call.messages.last?.text == "say 3" ? "no" : "ok") }
    let cloud = ScriptedProvider { _, _ in .text("ok") }
    bench.providers = ["local": local, "cloud": cloud]
    let outcome = await bench.run()
    #expect(outcome.isComplete && outcome.stopped == nil)
    #expect(local.calls.count == 15 && cloud.calls.count == 15)
    #expect(Set(bench.recorder.trials.map(\.key)).count == 30)
    let failed = bench.recorder.trials.filter { $0.score.passed == false }
    #expect(failed.count == 3 && failed.allSatisfy { $0.caseID == "c3" && $0.target == "local" })
    for trial in bench.recorder.trials {
      #expect(bench.recorder.order(of: trial.key) == ["attempt", "trial"])
      #expect(trial.attempts.first?.reply.timeline.scheduled != nil)
    }
  }

  @Test func `The asked width is reached and never passed`() async {
    var bench = Bench(cases: 60)
    bench.settings.concurrency = 6
    bench.blockSize = 100
    let provider = ScriptedProvider { _, _ in
      try? await Task.sleep(for: .milliseconds(5))
      return .text("ok")
    }
    bench.providers = ["local": provider]
    _ = await bench.run()
    #expect(provider.mostInFlight == 6)
    #expect(bench.recorder.attempts.map(\.inFlight).max() == 6)
  }

  @Test func `Each retry is an attempt with its wait and its cause`() async throws {
    var bench = Bench()
    let provider = ScriptedProvider { _, number in
      switch number {
      case 1: .failure(.rateLimited, retryAfter: 30)
      case 2: .failure(.overloaded, retryAfter: 10)
      default: .text("ok")
      }
    }
    bench.providers = ["local": provider]
    _ = await bench.run()
    let attempts = bench.recorder.attempts
    #expect(attempts.map(\.cause.label) == ["first", "retry:rateLimited", "retry:overloaded"])
    #expect(attempts.map(\.number) == [1, 2, 3])
    #expect(attempts[0].wait == 0)
    #expect(attempts[1].wait >= 30_000_000)
    #expect(attempts[2].wait >= 10_000_000)
    let trial = try #require(bench.recorder.trials.first)
    #expect(trial.status == .ok && trial.attempts.count == 3)
    #expect(try #require(trial.duration) >= 40_000_000)
  }

  @Test func `A failed call leaves its checks unscored and the other cases alone`() async throws {
    var bench = Bench(cases: 3)
    bench.settings.retries.limit = 0
    bench.providers = [
      "local": ScriptedProvider { call, _ in
        call.messages.last?.text == "say 1" ? .failure(.serverError) : .text("ok")
      }
    ]
    let outcome = await bench.run()
    #expect(outcome.progress.failed == 1)
    let failed = try #require(bench.recorder.trials.first { $0.status == .failed })
    #expect(failed.caseID == "c1" && failed.errorClass == .serverError)
    #expect(failed.score == TrialScore(value: nil, passed: nil, unscored: .noAnswer))
    #expect(bench.recorder.trials.filter { $0.score.passed == true }.count == 2)
  }

  @Test func `A run goes on without the trials that are done`() async {
    var bench = Bench(cases: 6)
    let plan = bench.plan
    bench.finished = Set(
      [0, 2, 5].map {
        TrialKey(caseHash: bench.cases[$0].hash, targetHash: plan.targets[0].hash, repeatIndex: 0)
      })
    let provider = ScriptedProvider { _, _ in .text("ok") }
    bench.providers = ["local": provider]
    let outcome = await bench.run()
    #expect(provider.calls.compactMap { $0.messages.last?.text }.sorted() == ["say 1", "say 3", "say 4"])
    #expect(outcome.progress.alreadyDone == 3 && outcome.isComplete)
  }

  @Test func `Draining ends calls in flight and starts no other`() async {
    var bench = Bench(cases: 50)
    let control = bench.control
    bench.settings.concurrency = 2
    let provider = ScriptedProvider { _, number in
      if number == 5 { control.drain(.interrupted) }
      try? await Task.sleep(for: .milliseconds(2))
      return .text("ok")
    }
    bench.providers = ["local": provider]
    let outcome = await bench.run()
    #expect(outcome.stopped == .interrupted && !outcome.isComplete)
    #expect(provider.calls.count <= 7)
    #expect(bench.recorder.trials.count == provider.calls.count)
  }

  @Test(.timeLimit(.minutes(1)))
  func `Aborting cancels calls in flight, and their trials are left for the next process`() async {
    var bench = Bench(cases: 10)
    let control = bench.control
    bench.settings.concurrency = 3
    bench.providers = [
      "local": ScriptedProvider { _, number in
        if number == 3 { control.abort(.interrupted) }
        try? await Task.sleep(for: .seconds(600))
        return .text("ok")
      }
    ]
    let outcome = await bench.run()
    #expect(outcome.stopped == .interrupted)
    #expect(bench.recorder.trials.isEmpty)
    #expect(bench.recorder.attempts.allSatisfy { $0.reply.outcome.error?.kind == .cancelled })
  }

  @Test(.timeLimit(.minutes(1))) func `A drain does not sit out a long Retry-After`() async {
    var bench = Bench()
    let control = bench.control
    bench.providers = [
      "local": ScriptedProvider { _, _ in
        Task {
          try? await Task.sleep(for: .milliseconds(50))
          control.drain(.interrupted)
        }
        return .failure(.rateLimited, retryAfter: 100_000)
      }
    ]
    let outcome = await bench.run()
    #expect(outcome.stopped == .interrupted)
    #expect(bench.recorder.trials.isEmpty, "the trial is not finished: its retry is still due")
  }

  @Test func `A wait for a retry lends its place to another trial`() async {
    var bench = Bench(cases: 4)
    bench.providers = [
      "local": ScriptedProvider { call, _ in
        call.messages.last?.text == "say 0" && call.attemptIndex == 0
          ? .failure(.rateLimited, retryAfter: 200) : .text("ok")
      }
    ]
    _ = await bench.run()
    let order = bench.recorder.trials.map(\.caseID)
    #expect(order.last == "c0" && order.count == 4)
  }

  @Test func `The cost limit stops before more is spent`() async {
    var bench = Bench(cases: 100)
    bench.profiles[0].price = Price(input: 1000, output: 1000)
    bench.limits.maxCost = 0.1
    bench.providers = ["local": ScriptedProvider { _, _ in .text("ok", input: 5, output: 5) }]
    let outcome = await bench.run()
    // Ten tokens at a thousandth of a dollar each: a cent a call.
    #expect(outcome.progress.dollars <= 0.1 + 1e-9)
    #expect(outcome.progress.done >= 9 && outcome.progress.done <= 10)
    guard case .maxCost = outcome.stopped else {
      Issue.record("stopped for \(String(describing: outcome.stopped))")
      return
    }
  }

  /// Where the first calls start together, their costs are known only when all are spent.
  @Test func `The cost limit holds for many calls at once, too`() async {
    var bench = Bench(cases: 100)
    bench.settings.concurrency = 32
    bench.profiles[0].price = Price(input: 1000, output: 1000)
    bench.limits.maxCost = 0.1
    let provider = ScriptedProvider { _, _ in
      try? await Task.sleep(for: .milliseconds(5))
      return .text("ok", input: 5, output: 5)
    }
    bench.providers = ["local": provider]
    let outcome = await bench.run()
    #expect(outcome.progress.dollars <= 0.1 + 1e-9 && outcome.progress.done >= 9)
    #expect(provider.mostInFlight > 1, "one goes first, the rest as far as the money lasts")

    bench.limits.maxCost = 0
    bench.control = RunControl()
    bench.progress = RunProgress()
    #expect(await bench.run().progress.calls == 0)

    var free = Bench(cases: 100)
    free.settings.concurrency = 32
    free.profiles[0].price = .free
    free.limits.maxCost = 0
    let unbound = ScriptedProvider { _, _ in
      try? await Task.sleep(for: .milliseconds(5))
      return .text("ok")
    }
    free.providers = ["local": unbound]
    #expect(await free.run().isComplete && unbound.mostInFlight > 8)
  }

  @Test func `A cost limit that cannot be held stops the run, and unknown costs count as the others`() async {
    var bench = Bench(cases: 20)
    bench.profiles[0].price = Price(input: 1000, output: 1000)
    bench.limits.maxCost = 0.1
    bench.providers = [
      "local": ScriptedProvider { _, _ in
        var reply = ProviderReply.text("ok")
        reply.usage = nil
        return reply
      }
    ]
    let outcome = await bench.run()
    #expect(outcome.stopped == .costUnknown && outcome.progress.done == 1)

    var mixed = Bench(cases: 20)
    mixed.profiles[0].price = Price(input: 1000, output: 1000)
    mixed.limits.maxCost = 0.1
    mixed.providers = [
      "local": ScriptedProvider { _, number in
        var reply = ProviderReply.text("ok", input: 5, output: 5)
        if number % 2 == 0 { reply.usage = nil }
        return reply
      }
    ]
    // A cent a call, half of them unknown: ten calls, not twenty.
    #expect(await mixed.run().progress.done == 10)
  }

  @Test func `A retry that waits for a slot waits in the queue, and a user's time holds it`() async throws {
    var bench = Bench(cases: 2)
    bench.settings.concurrency = 1
    bench.providers = [
      "local": ScriptedProvider { call, number in
        if number == 1 { return .failure(.rateLimited, retryAfter: 5) }
        if call.messages.last?.text == "say 1" { try? await Task.sleep(for: .milliseconds(500)) }
        return .text("ok")
      }
    ]
    _ = await bench.run()
    let retry = try #require(bench.recorder.attempts.first { $0.cause != .first })
    let first = try #require(bench.recorder.attempts.first)
    // The other case has the only slot for half a second from about when the first call ended, whatever the wait.
    let queue = try #require(retry.reply.timeline.queue)
    #expect(retry.wait >= 5_000_000 && retry.wait + queue >= 480_000_000)
    let ended = try #require(first.reply.timeline.done)
    let began = try #require(retry.reply.timeline.start)
    #expect(abs(began - ended - (retry.wait + queue)) < 250_000_000, "no time is lost between the two")
  }

  @Test func `A rate limit holds calls back before their clocks start`() async {
    var bench = Bench(cases: 3)
    bench.providers = [
      "local": ScriptedProvider { _, number in
        var reply = ProviderReply.text("ok")
        // Nothing is left for half a second after the first call.
        if number == 1 {
          reply.allowance = RateAllowance(
            requests: .init(limit: 10, remaining: 0, resetNanoseconds: 500_000_000), tokens: nil)
        }
        return reply
      }
    ]
    let began = Monotonic.now()
    _ = await bench.run()
    #expect(Monotonic.now() - began >= 490_000_000, "it was waited for")
    for attempt in bench.recorder.attempts {
      let timeline = attempt.reply.timeline
      #expect((timeline.done ?? 0) - (timeline.scheduled ?? 0) < 300_000_000 && attempt.wait == 0)
    }
    #expect(bench.recorder.attempts.count == 3)
  }

  @Test func `Fail-fast and the error limit stop the run`() async {
    var bench = Bench(cases: 20)
    bench.limits.failFast = true
    bench.providers = [
      "local": ScriptedProvider { call, _ in .text(call.messages.last?.text == "say 4" ? "no" : "ok") }
    ]
    let failFast = await bench.run()
    #expect(failFast.stopped == .failFast && bench.recorder.trials.count == 5)

    var errors = Bench(cases: 20)
    errors.settings.retries.limit = 0
    errors.limits.maxErrors = 3
    errors.providers = ["local": ScriptedProvider { _, _ in .failure(.network) }]
    let outcome = await errors.run()
    #expect(outcome.stopped == .maxErrors(3) && errors.recorder.trials.count == 3)
  }

  @Test func `Warm-up calls come first, use other prompts and make no trial`() async {
    var bench = Bench(cases: 2)
    bench.settings.warmup = 3
    let provider = ScriptedProvider { _, _ in .text("ok") }
    bench.providers = ["local": provider]
    _ = await bench.run()
    let phases = bench.recorder.attempts.map(\.phase)
    #expect(phases == [.warmup, .warmup, .warmup, .measured, .measured])
    #expect(bench.recorder.trials.count == 2)
    let prompts = Set(provider.calls.compactMap { $0.messages.last?.text })
    #expect(prompts.count == 5)
  }

  @Test func `An unknown price is unknown, a free one is nothing, a refused call costs nothing`() {
    let priced = Price(input: 1, output: 2)
    #expect(CallRunner.cost(of: .text("x"), price: nil) == Cost(dollars: nil))
    #expect(CallRunner.cost(of: .failure(.truncated), price: .free) == Cost(dollars: 0))
    #expect(CallRunner.cost(of: .failure(.rateLimited), price: priced) == Cost(dollars: 0))
    #expect(
      CallRunner.cost(of: .failure(.totalTimeout), price: priced) == Cost(dollars: nil, isLowerBound: true))
    #expect(CallRunner.cost(of: .text("x", input: 1_000_000, output: 1_000_000), price: priced).dollars == 3)
  }

  @Test func `A broken case file stops the run and says why`() async {
    struct Broken: CaseSource {
      let summaries = [CaseSummary(id: "a", tags: [], hash: ContentHash(of: "a", kind: "case"))]
      func load(_ index: Int) throws -> Case {
        throw Problems([
          Problem(.error, "the file changed", at: SourceLocation(file: "x", line: 1, column: 1))
        ])
      }
    }
    var bench = Bench()
    bench.providers = ["local": ScriptedProvider { _, _ in .text("ok") }]
    var parts = bench.parts
    parts.suite.cases = Broken()
    let outcome = await Engine(parts).run()
    #expect(outcome.stopped == .broken("x:1:1: the file changed"))
  }
}
