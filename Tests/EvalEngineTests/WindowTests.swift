import EvalCore
import Synchronization
import Testing

@testable import EvalEngine

/// A scripted provider that counts, a hundred tokens a message, and knows its window.
private final class CountingProvider: Provider, TokenCounting {
  let inner: ScriptedProvider
  let window: ContextWindowAnswer
  let counted = Mutex<[Int]>([])
  let asked = Mutex(0)

  init(_ window: ContextWindowAnswer, _ script: @escaping ScriptedProvider.Script) {
    inner = ScriptedProvider(script)
    self.window = window
  }

  var limitKey: String { inner.limitKey }
  func send(_ call: ProviderCall) async -> ProviderReply { await inner.send(call) }

  func countInput(_ call: ProviderCall) async -> InputCount? {
    counted.withLock { $0.append(call.messages.count) }
    return .counted(call.messages.count * 100)
  }

  func contextWindow(of profile: Profile, timeouts: CallTimeouts) async -> ContextWindowAnswer {
    asked.withLock { $0 += 1 }
    return window
  }
}

@Suite struct WindowTests {
  private func bench(_ change: (inout Profile) -> Void) -> Bench {
    var bench = Bench()
    change(&bench.profiles[0])
    bench.cases = [
      Case(
        id: "chat",
        turns: (1...4).map { Turn(content: [.text("turn \($0) " + String(repeating: "word ", count: 60))]) })
    ]
    return bench
  }

  private func findings(_ bench: Bench) -> [String] {
    bench.recorder.findings.map { "\($0.code) \($0.target ?? "")" }
  }

  @Test func `A conversation that outgrows its window goes on without its oldest turns`() async throws {
    var bench = bench {
      $0.contextSize = .auto
      $0.trimHistory = .oldestTurns
    }
    let provider = CountingProvider(.window(ContextWindow(tokens: 400))) { _, number in .text("ok \(number)")
    }
    bench.providers = ["local": provider]
    let outcome = await bench.run()
    #expect(outcome.isComplete)
    #expect(provider.asked.withLock { $0 } == 1)
    // One, three, then five messages, of which three fit, then seven.
    #expect(provider.inner.calls.map(\.messages.count) == [1, 3, 3, 3])
    #expect(provider.inner.calls[3].messages.map { $0.text.prefix(6) } == ["turn 3", "ok 3", "turn 4"])
    let attempts = bench.recorder.attempts
    #expect(attempts.map(\.reply.notes.count) == [0, 0, 1, 1])
    #expect(attempts[3].reply.notes[0].contains("the oldest 2 turns (4 messages)"))
    #expect(findings(bench) == ["history-trimmed local"])
    // The next turn starts from the whole conversation again.
    #expect(provider.counted.withLock { $0 }.suffix(2) == [7, 3])
  }

  @Test func `What does not fit is sent as it is unless the profile says otherwise`() async throws {
    var bench = bench { $0.contextSize = .tokens(400) }
    let provider = CountingProvider(.unknown("")) { _, _ in .text("ok") }
    bench.providers = ["local": provider]
    _ = await bench.run()
    #expect(provider.asked.withLock { $0 } == 0)
    #expect(provider.inner.calls.map(\.messages.count) == [1, 3, 5, 7])
    #expect(bench.recorder.attempts.map(\.reply.notes.count) == [0, 0, 1, 1])
    #expect(findings(bench) == ["window-exceeded local"])
    #expect(bench.recorder.findings[0].message.contains("2 requests"))
  }

  @Test(arguments: [true, false])
  func `A window that is not to be had is a finding, and nothing is held against it`(counts: Bool) async {
    var bench = bench {
      $0.contextSize = .auto
      $0.trimHistory = .oldestTurns
    }
    let counting = CountingProvider(.unknown("it does not say")) { _, _ in .text("ok") }
    bench.providers = ["local": counts ? counting : counting.inner]
    _ = await bench.run()
    #expect(counting.inner.calls.map(\.messages.count) == [1, 3, 5, 7])
    #expect(counting.counted.withLock { $0.isEmpty })
    #expect(findings(bench) == ["context-size-unknown local"])
    #expect(bench.recorder.findings[0].message.contains(counts ? "it does not say" : "cannot be asked"))
  }

  @Test func `Retries of a trimmed request say so too, and warm-ups are left alone`() async {
    var bench = bench {
      $0.contextSize = .tokens(150)
      $0.trimHistory = .oldestTurns
    }
    bench.settings.warmup = 1
    let provider = CountingProvider(.unknown("")) { _, number in
      number == 3 ? .failure(.overloaded) : .text("ok")
    }
    bench.providers = ["local": provider]
    _ = await bench.run()
    let attempts = bench.recorder.attempts
    #expect(attempts.map(\.reply.notes.count) == [0, 0, 1, 1, 1, 1])
    #expect(attempts[2].reply.notes == attempts[3].reply.notes)
    #expect(provider.inner.calls[1...].allSatisfy { $0.messages.count == 1 })
  }

  @Test func `A profile without a window costs no count`() async {
    var bench = bench { $0.trimHistory = .oldestTurns }
    let provider = CountingProvider(.window(ContextWindow(tokens: 10))) { _, _ in .text("ok") }
    bench.providers = ["local": provider]
    _ = await bench.run()
    #expect(provider.asked.withLock { $0 } == 0 && provider.counted.withLock { $0.isEmpty })
    #expect(bench.recorder.findings.isEmpty)
  }
}
