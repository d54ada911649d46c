/// The cumulative distribution of one kind of times: at `time` milliseconds, `rank` calls had ended.
///
/// A step function over raw values, thinned to quantiles where there are many; a failure never ends, so that the curve
/// with failures ends below 1 (`Docs/Metrics.md`, "Curves").
package struct LatencyCurve: Sendable, Hashable {
  package struct Point: Sendable, Hashable {
    /// Milliseconds.
    package var time: Double
    /// Calls that took at most `time`, 1-based.
    package var rank: Int

    package init(time: Double, rank: Int) {
      self.time = time
      self.rank = rank
    }
  }

  /// By rising time and rank, at most `limit`; the first and the last call are always among them.
  package let points: [Point]
  /// Calls with a time.
  package let n: Int
  /// Calls that count as slower than every time.
  package let failures: Int

  /// How many points a curve keeps, whatever n is.
  package static let limit = 200

  /// - Parameter sorted: milliseconds in rising order.
  /// - Returns: `nil` without a value.
  init?(sorted: [Double], failures: Int) {
    guard !sorted.isEmpty else { return nil }
    n = sorted.count
    self.failures = failures
    let count = min(sorted.count, LatencyCurve.limit)
    var points: [Point] = []
    points.reserveCapacity(count)
    for step in 0..<count {
      // Evenly from the first rank to the last.
      let rank = count == 1 ? 1 : 1 + (step * (sorted.count - 1) + (count - 1) / 2) / (count - 1)
      let point = Point(time: sorted[rank - 1], rank: rank)
      // Of equal times the last rank is the height of the step.
      if points.last?.time == point.time { points.removeLast() }
      points.append(point)
    }
    self.points = points
  }

  /// The share of successes that ended by a point, in 0…1.
  package func share(_ point: Point) -> Double { Double(point.rank) / Double(n) }

  /// The share of all calls that ended by a point, failures among them as calls that never do.
  package func adjustedShare(_ point: Point) -> Double { Double(point.rank) / Double(n + failures) }

  /// Where the curve with failures ends, in 0…1.
  package var finishedShare: Double { Double(n) / Double(n + failures) }
}

/// The curves of one target under one condition.
package struct LatencyCurves: Sendable, Hashable {
  /// Prompts that were not reported as cached.
  package var firstToken: LatencyCurve?
  package var firstTokenCached: LatencyCurve?
  package var total: LatencyCurve?

  package init() {}
}
