/// How long one target's calls took over the run: medians of equal parts of them in the order of their starts.
///
/// The calls are those that the finding `drift` looks at: live, answered, not cold, the first of their trial.
package struct DriftSeries: Sendable, Hashable {
  package struct Bin: Sendable, Hashable {
    /// The middle of the part, in 0…1 of the target's calls.
    package var place: Double
    /// Milliseconds to the end of the answer, with its 95 % interval by order statistics.
    package var median: Percentile
  }

  /// In the order of the run.
  package var bins: [Bin]
  /// Calls behind them.
  package var n: Int
  /// Medians of the halves in milliseconds where the finding `drift` holds them to be different; `nil` where not.
  package var halves: Halves?

  package struct Halves: Sendable, Hashable {
    package var first: Double
    package var second: Double
  }

  /// As few calls as the finding takes, and no part with fewer than ten.
  static let least = 40
  static let mostBins = 12
  static let leastInBin = 10
}

extension DriftTally {
  /// `nil` with fewer calls than say something.
  func series() -> DriftSeries? {
    let times = timesInOrder
    guard times.count >= DriftSeries.least else { return nil }
    let count = min(DriftSeries.mostBins, times.count / DriftSeries.leastInBin)
    let bins = (0..<count).map { bin in
      let range = (bin * times.count / count)..<((bin + 1) * times.count / count)
      return DriftSeries.Bin(
        place: Double(range.lowerBound + range.upperBound) / 2 / Double(times.count),
        median: Percentile(0.5, sorted: times[range].sorted()))
    }
    let halves = drift().latency.map { DriftSeries.Halves(first: $0.first, second: $0.second) }
    return DriftSeries(bins: bins, n: times.count, halves: halves)
  }
}
