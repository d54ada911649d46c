/// How many tokens an input, or a part of one, takes, how far that can be wrong, and who says so.
package struct InputCount: Sendable, Hashable {
  package enum Source: String, Sendable, Hashable {
    /// The server that holds the tokenizer.
    case server
    /// `TokenEstimate`.
    case estimate
  }

  package var tokens: Int
  /// It is surely not fewer.
  package var low: Int
  /// It is hardly more with the vocabulary of a current model (`Docs/Metrics.md`, "Token estimates").
  package var high: Int
  /// It is surely not more with any vocabulary; `nil` where nothing bounds it, as for an image.
  package var most: Int?
  package var source: Source

  package init(tokens: Int, low: Int, high: Int, most: Int?, source: Source) {
    self.tokens = tokens
    self.low = low
    self.high = high
    self.most = most
    self.source = source
  }

  /// What a server counted.
  package static func counted(_ tokens: Int) -> InputCount {
    InputCount(tokens: tokens, low: tokens, high: tokens, most: tokens, source: .server)
  }

  /// An estimate of nothing.
  package static let none = InputCount(tokens: 0, low: 0, high: 0, most: 0, source: .estimate)

  /// A sum is a server's only where both parts are.
  package static func + (left: InputCount, right: InputCount) -> InputCount {
    InputCount(
      tokens: left.tokens + right.tokens, low: left.low + right.low, high: left.high + right.high,
      most: left.most.flatMap { most in right.most.map { most + $0 } },
      source: left.source == .server && right.source == .server ? .server : .estimate)
  }

  package static func += (left: inout InputCount, right: InputCount) { left = left + right }
}
