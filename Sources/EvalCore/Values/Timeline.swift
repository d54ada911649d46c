/// One read from the socket that held token-bearing events.
package struct TokenRead: Sendable, Hashable {
  /// Monotonic nanoseconds, taken in the write callback before parsing.
  package var at: Int64
  /// How many token-bearing events ended in this read, at least 1.
  package var events: Int

  package init(at: Int64, events: Int) {
    self.at = at
    self.events = events
  }
}

/// The raw stamps of one call, in monotonic nanoseconds; `nil` was not reached or does not exist for the provider.
///
/// Intervals are derived (`Timeline` extensions and the database's views), so that a wrong definition can be mended
/// without a new run. Definitions: `Docs/Metrics.md`.
package struct Timeline: Sendable, Hashable {
  /// When the call was due (open loop), else when its slot was acquired.
  package var scheduled: Int64?
  /// Handed to the transport.
  package var start: Int64?
  package var connectionReady: Int64?
  /// The first byte of the response, its head included.
  package var firstByte: Int64?
  /// The first stream event of any kind.
  package var firstEvent: Int64?
  package var firstReasoning: Int64?
  /// The first visible text.
  package var firstContent: Int64?
  package var firstTool: Int64?
  package var lastToken: Int64?
  /// The end marker, or the end of the body for an answer in one piece.
  package var terminal: Int64?
  package var done: Int64?
  /// Reads that held token-bearing events, in order; empty for an answer in one piece.
  package var tokenReads: [TokenRead]

  package init() { tokenReads = [] }

  /// The first token of any channel: reasoning, visible text or a tool call.
  package var firstToken: Int64? {
    [firstReasoning, firstContent, firstTool].compactMap(\.self).min()
  }
}

extension Timeline {
  /// Nanoseconds to the first byte of the response.
  package var timeToFirstByte: Int64? { interval(start, firstByte) }
  /// Nanoseconds to the first token of any channel; `nil` when the answer did not stream.
  package var timeToFirstToken: Int64? { interval(start, firstToken) }
  /// Nanoseconds to the first visible text.
  package var timeToFirstContent: Int64? { interval(start, firstContent) }
  /// Nanoseconds until the connection could carry the request.
  package var connectTime: Int64? { interval(start, connectionReady) }
  /// Nanoseconds to the last token.
  package var endToEnd: Int64? { interval(start, lastToken) }
  /// Nanoseconds to the end of the answer.
  package var total: Int64? { interval(start, terminal ?? done) }
  /// Nanoseconds between being due and being sent.
  package var queue: Int64? { interval(scheduled, start) }

  private func interval(_ from: Int64?, _ to: Int64?) -> Int64? {
    guard let from, let to else { return nil }
    return to - from
  }

  /// The mean nanoseconds for an output token after the first read's: `(last − first)/(n_out − k1)`.
  ///
  /// `k1`, the tokens of the first token-bearing event, is not on the wire and taken as 1. `nil` without usage, with
  /// fewer than two reads, with `n_out ≤ 1`, or when the answer was buffered on the way (`Docs/Metrics.md`, "tpot").
  package func timePerOutputToken(outputTokens: Int?) -> Double? {
    guard let outputTokens, outputTokens > 1, tokenReads.count >= 2, let first = firstToken,
      let last = lastToken,
      last > first, !isBuffered(outputTokens: outputTokens)
    else { return nil }
    return Double(last - first) / Double(outputTokens - 1)
  }

  /// Whether something between model and client held the stream back: at least 16 tokens, yet they came within 2 % of
  /// the time or in at most two reads.
  package func isBuffered(outputTokens: Int?) -> Bool {
    guard let outputTokens, outputTokens >= 16, let start, let first = firstToken, let last = lastToken else {
      return false
    }
    if tokenReads.count <= 2 { return true }
    return last > start && Double(last - first) / Double(last - start) < 0.02
  }
}
