import EvalCore
import Synchronization
import Testing

@testable import EvalEngine

@Suite struct CountDeskTests {
  @Test func `Who asks for the same count meanwhile waits for the one answer`() async throws {
    let server = SlowCounter(waitsFor: 8)
    let desk = CountDesk()
    let profile = Profile(name: "cloud", provider: "scripted", model: "n")
    let request = RequestSnapshot(instructions: nil, messages: [Message(.user, "hi")])
    let counts = await withTaskGroup(of: InputCount?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          server.arrive()
          return await desk.count(
            request, of: profile, profileHash: ContentHash(of: .string("cloud"), kind: "profile"), by: server,
            timeouts: CallTimeouts())
        }
      }
      return await group.reduce(into: [InputCount?]()) { $0.append($1) }
    }
    #expect(counts == Array(repeating: .counted(11), count: 8))
    #expect(server.counts == 1)
  }
}

/// Counts no tokens before everybody who will ask is on the way.
private final class SlowCounter: Provider, TokenCounting {
  let limitKey = "slow"
  private let all: Int
  private let state = Mutex((arrived: 0, asked: 0))

  init(waitsFor all: Int) { self.all = all }

  var counts: Int { state.withLock { $0.asked } }

  func arrive() { state.withLock { $0.arrived += 1 } }

  func send(_ call: ProviderCall) async -> ProviderReply { .text("ok") }

  func countInput(_ call: ProviderCall) async -> InputCount? {
    state.withLock { $0.asked += 1 }
    while state.withLock({ $0.arrived }) < all { await Task.yield() }
    return .counted(11)
  }

  func contextWindow(of profile: Profile, timeouts: CallTimeouts) async -> ContextWindowAnswer {
    .unknown("it is not asked")
  }
}
