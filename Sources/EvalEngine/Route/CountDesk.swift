import EvalCore
import Synchronization

/// Asks servers how many tokens a request takes, each request once in a run, whoever wants to know.
final class CountDesk: Sendable {
  /// Requests that are remembered; beyond it all are forgotten, so that memory stays flat.
  private static let capacity = 50_000

  private let known = Mutex<[ContentHash: InputCount]>([:])

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
    if let count = known.withLock({ $0[key] }) { return count }
    // The same words whichever repeat asks first, so that a recording has the answer for all of them.
    let call = ProviderCall(
      profile: profile, instructions: request.instructions, messages: request.messages, timeouts: timeouts,
      scheduled: Monotonic.now())
    guard let count = await counter.countInput(call) else { return nil }
    known.withLock { known in
      if known.count >= CountDesk.capacity { known.removeAll(keepingCapacity: true) }
      known[key] = count
    }
    return count
  }
}
