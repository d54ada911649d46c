/// The tokens of one call, normalised so that one price formula serves every provider.
///
/// `input` is the whole prompt with cache reads and writes in it; `output` is everything generated with reasoning
/// in it. `nil` is not reported, which is never the same as 0.
package struct Usage: Sendable, Hashable {
  package var input: Int?
  /// Part of `input` that came from the provider's cache.
  package var cachedInput: Int?
  /// Part of `input` that was written to the provider's cache.
  package var cacheWrite: Int?
  package var output: Int?
  /// Part of `output` that was reasoning.
  package var reasoning: Int?

  package init(
    input: Int? = nil, cachedInput: Int? = nil, cacheWrite: Int? = nil, output: Int? = nil,
    reasoning: Int? = nil
  ) {
    self.input = input
    self.cachedInput = cachedInput
    self.cacheWrite = cacheWrite
    self.output = output
    self.reasoning = reasoning
  }

  /// True when the parts do not fit in their wholes: cached and written above input, or reasoning above output.
  package var isInconsistent: Bool {
    let cached = (cachedInput ?? 0) + (cacheWrite ?? 0)
    if let input, cached > input { return true }
    if let output, let reasoning, reasoning > output { return true }
    return false
  }
}

extension Price {
  /// What a call cost, in US dollars.
  ///
  /// `(input − cached − written)·p_in + cached·p_cached + written·p_write + output·p_out`, each price for a million
  /// tokens (`Docs/Metrics.md`, "cost").
  /// - Returns: `nil` when a count that the price needs is missing. A free profile costs 0 whatever is known.
  package func cost(of usage: Usage?) -> Double? {
    if isFree { return 0 }
    guard let usage, let input = usage.input, let output = usage.output else { return nil }
    let cached = min(usage.cachedInput ?? 0, input)
    let written = min(usage.cacheWrite ?? 0, input - cached)
    let plain = input - cached - written
    let dollars =
      Double(plain) * self.input + Double(cached) * (cachedInput ?? self.input)
      + Double(written) * (cacheWrite ?? self.input) + Double(output) * self.output
    return dollars / 1_000_000
  }
}
