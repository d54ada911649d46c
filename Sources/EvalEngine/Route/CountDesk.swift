import EvalCore
import Synchronization

/// Asks servers how many tokens a request takes, each request once in a run, whoever wants to know.
final class CountDesk: Sendable {
  /// Requests that are remembered; beyond it all are forgotten, so that memory stays flat.
  private static let capacity = 50_000

  private struct Counts {
    var known: [ContentHash: InputCount] = [:]
    /// Under way: who wants to know the same meanwhile waits for it.
    var asked: [ContentHash: Task<InputCount?, Never>] = [:]
  }

  private let counts = Mutex(Counts())

  /// The server's count; `nil` where it cannot count, or did not this time.
  ///
  /// - Parameter profileHash: the profile's identity, so that equal requests of two profiles are told apart.
  func count(
    _ request: RequestSnapshot, of profile: Profile, profileHash: ContentHash, by provider: any Provider,
    timeouts: CallTimeouts
  ) async -> InputCount? {
    guard let counter = provider as? any TokenCounting else { return nil }
    let key = ContentHash(
      of: ["profile": .string(profileHash.hex), "request": request.json], kind: "count")
    if let count = counts.withLock({ $0.known[key] }) { return count }
    // The same words whichever repeat asks first, so that a recording has the answer for all of them.
    let call = ProviderCall(
      profile: profile, instructions: request.instructions, messages: request.messages, timeouts: timeouts,
      scheduled: Monotonic.now())
    let task = counts.withLock { counts in
      if let task = counts.asked[key] { return task }
      if let count = counts.known[key] { return Task { count } }
      let task = Task { await counter.countInput(call) }
      counts.asked[key] = task
      return task
    }
    let count = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    counts.withLock { counts in
      counts.asked[key] = nil
      guard let count else { return }
      if counts.known.count >= CountDesk.capacity { counts.known.removeAll(keepingCapacity: true) }
      counts.known[key] = count
    }
    return count
  }
}
