import EvalCore

/// Decides what of a conversation is sent to a model whose window is known. Counts come in, messages go out.
struct HistoryFit: Sendable {
  enum Step: Sendable {
    /// Have the server count these, if it can, and call `counted`.
    case count([Message])
    case send(Fitted)
  }

  /// What is sent.
  struct Fitted: Sendable, Hashable {
    var messages: [Message]
    /// For the attempt: what was left out, and that it does not fit all the same.
    var notes: [String] = []
    var droppedTurns = 0
    /// The input and the longest answer surely do not fit together.
    var exceeds = false
  }

  private let messages: [Message]
  private let estimate: TokenEstimate.Input
  private let window: ContextWindow
  private let outputLimit: Int
  private let trims: Bool
  /// What is left for the input; not positive when the answer alone takes the window.
  private let room: Int
  /// The turns before the last one, oldest first, as indices of messages.
  private let oldTurns: [[Int]]
  private var droppedTurns = 0

  /// - Parameters:
  ///   - messages: the whole conversation, the new user message last or with the tool calls that followed it.
  ///   - outputLimit: the most tokens of the answer; `nil` leaves it room for one.
  init(
    messages: [Message], estimate: TokenEstimate.Input, window: ContextWindow, outputLimit: Int?, trims: Bool
  ) {
    self.messages = messages
    self.estimate = estimate
    self.window = window
    self.outputLimit = window.holdsOutput ? outputLimit ?? 1 : 0
    self.trims = trims
    room = window.tokens - self.outputLimit
    oldTurns = HistoryFit.oldTurns(of: messages)
  }

  /// A text takes no more tokens than it has bytes: what fits by its bytes needs no count.
  func begin() -> Step {
    if let most = estimate.total.most, most <= room { return .send(Fitted(messages: messages)) }
    return .count(messages)
  }

  /// - Parameter server: the server's count of what `count` had; `nil` where it gives none, and the estimate decides.
  mutating func counted(_ server: InputCount?) -> Step {
    let count = server ?? estimateOfKept
    // What may be left out is left out until the rest fits for certain, what may not is sent in doubt.
    let isOver = (trims ? count.high : count.low) > room
    guard isOver else { return .send(fitted(count)) }
    guard trims, dropTurns(count) else { return .send(fitted(count)) }
    return count.source == .server ? .count(kept) : .send(fitted(estimateOfKept))
  }
}

// MARK: - Turns

extension HistoryFit {
  /// Groups messages into turns, each from a user message to the next; what stands before the first is one too. System
  /// messages belong to none.
  static func oldTurns(of messages: [Message]) -> [[Int]] {
    var turns: [[Int]] = [[]]
    for (index, message) in messages.enumerated() where message.role != .system {
      if message.role == .user, turns[turns.count - 1] != [] { turns.append([]) }
      turns[turns.count - 1].append(index)
    }
    return turns.dropLast()
  }

  private var dropped: Set<Int> { Set(oldTurns.prefix(droppedTurns).joined()) }

  private var kept: [Message] {
    let dropped = dropped
    return messages.indices.filter { !dropped.contains($0) }.map { messages[$0] }
  }

  private var estimateOfKept: InputCount {
    let dropped = dropped
    return messages.indices.filter { !dropped.contains($0) }.reduce(estimate.fixed) {
      $0 + estimate.messages[$1]
    }
  }

  /// Drops turns until the rest should fit: by the estimate's upper bound, or by the estimate set right by the server's
  /// count of the whole.
  ///
  /// - Returns: false when there is no turn to drop.
  private mutating func dropTurns(_ count: InputCount) -> Bool {
    guard droppedTurns < oldTurns.count else { return false }
    let before = max(1, estimateOfKept.tokens)
    repeat {
      droppedTurns += 1
      let now = estimateOfKept
      let likely =
        count.source == .server
        ? Double(now.tokens) * Double(count.tokens) / Double(before) : Double(now.high)
      if likely <= Double(room) { break }
    } while droppedTurns < oldTurns.count
    return true
  }
}

// MARK: - Words

extension HistoryFit {
  private func fitted(_ count: InputCount) -> Fitted {
    var fitted = Fitted(messages: kept, droppedTurns: droppedTurns, exceeds: count.low > room)
    if droppedTurns > 0 {
      let turns = droppedTurns == 1 ? "turn" : "\(droppedTurns) turns"
      fitted.notes.append(
        "left out of the history: the oldest \(turns) (\(dropped.count) messages); \(words(count)) are sent")
    }
    if fitted.exceeds {
      fitted.notes.append(
        "\(words(count)) and an answer of \(outputLimit) exceed the window of \(window.tokens)")
    }
    return fitted
  }

  private func words(_ count: InputCount) -> String {
    switch count.source {
    case .server: "\(count.tokens) input tokens by the server's count"
    case .estimate: "about \(count.tokens) input tokens (estimate, \(count.low) to \(count.high))"
    }
  }
}
