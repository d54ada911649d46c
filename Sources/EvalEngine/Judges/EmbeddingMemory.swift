import EvalCore
import Synchronization

/// The vectors that this process has seen, and the texts that somebody is asking for: each is asked for once.
final class EmbeddingMemory: Sendable {
  enum Claim {
    case known([Float])
    /// Whoever claimed asks, and settles.
    case mine
    /// Another one asks: `wait` for it.
    case theirs
  }

  private struct State {
    var known: [ContentHash: [Float]] = [:]
    /// Numbers held in `known`.
    var size = 0
    /// Those who wait, by what is being asked for.
    var asked: [ContentHash: [CheckedContinuation<Void, Never>]] = [:]
  }

  /// 16 million numbers are 64 MB. Beyond, all is forgotten: what repeats comes back.
  private let capacity: Int
  private let state = Mutex(State())

  init(capacity: Int = 1 << 24) { self.capacity = capacity }

  func claim(_ key: ContentHash) -> Claim {
    state.withLock { state in
      if let vector = state.known[key] { return .known(vector) }
      if state.asked[key] != nil { return .theirs }
      state.asked[key] = []
      return .mine
    }
  }

  /// Returns when nobody asks for this any longer.
  func wait(for key: ContentHash) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isOver = state.withLock { state in
        guard state.asked[key] != nil else { return true }
        state.asked[key]?.append(continuation)
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  /// Ends a claim.
  /// - Parameter vector: `nil` when it could not be had; those who wait may try for themselves.
  func settle(_ key: ContentHash, _ vector: [Float]?) {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      if let vector {
        if state.size + vector.count > capacity { (state.known, state.size) = ([:], 0) }
        if state.known.updateValue(vector, forKey: key) == nil { state.size += vector.count }
      }
      return state.asked.removeValue(forKey: key) ?? []
    }
    for continuation in waiting { continuation.resume() }
  }
}
