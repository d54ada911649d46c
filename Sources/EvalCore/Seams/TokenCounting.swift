/// A model's window as its server states it.
package struct ContextWindow: Sendable, Hashable {
  package var tokens: Int
  /// Whether the answer has to fit too; false where the server limits the input alone.
  package var holdsOutput: Bool

  package init(tokens: Int, holdsOutput: Bool = true) {
    self.tokens = tokens
    self.holdsOutput = holdsOutput
  }
}

/// What a server said when it was asked for its model's window.
package enum ContextWindowAnswer: Sendable, Hashable {
  case window(ContextWindow)
  /// Why it is not known, in words that end a sentence: "the server does not say".
  case unknown(String)
}

/// Counts tokens before a call. A `Provider` may be one too; one that is not leaves the count to `TokenEstimate`.
package protocol TokenCounting: Sendable {
  /// Asks the server how many tokens the call's input takes: instructions, tools, schema, history and input.
  ///
  /// Nothing is generated. The request is none of the run's: it enters no time, no cost and no rate.
  ///
  /// - Returns: `nil` when the server cannot count, or did not this time.
  func countInput(_ call: ProviderCall) async -> InputCount?

  /// Asks the server for the window of a profile whose `contextSize` is `auto`.
  func contextWindow(of profile: Profile, timeouts: CallTimeouts) async -> ContextWindowAnswer
}
