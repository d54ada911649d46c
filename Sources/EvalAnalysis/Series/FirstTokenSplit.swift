import EvalCore

/// What the time until the first token was spent on: the parts of the typical call under one condition.
///
/// The mean over the middle half of the calls in the order of their time, so that the parts add up to a whole and a few
/// slow calls do not speak for all (the midmean: Tukey, *Exploratory Data Analysis*, 1977).
package struct FirstTokenSplit: Sendable, Hashable {
  /// Milliseconds until the connection could carry the request: `connectionReady − start`, 0 without a connection.
  package var connect: Double
  /// Milliseconds until the first byte came: `start − scheduled` and `firstByte − connectionReady`.
  package var wait: Double
  /// Milliseconds from the first byte to the first token.
  package var model: Double
  /// Calls with all stamps, the slow and fast quarters included.
  package var n: Int
  /// Whole answers that lack a stamp: in one piece, or from a provider that does not tell.
  package var missing: Int
  /// True when the prompts were reported as cached, at least in part.
  package var isCached: Bool

  /// Milliseconds; the time to the first token and the queue before it.
  package var whole: Double { connect + wait + model }
}

/// The parts of calls, up to a number of them whatever the run's size.
struct FirstTokenSample {
  /// Connect, wait and model in milliseconds.
  private var parts: [SIMD3<Double>] = []
  private var random = SeededRandom(seed: 0x51_7A_11)
  private(set) var n = 0
  private(set) var missing = 0

  /// Beyond it each call stands for several: a uniform sample.
  static let limit = 2048

  /// Algorithm R (Vitter, *Random Sampling with a Reservoir*, ACM Transactions on Mathematical Software 11, 1985), with
  /// a fixed seed so that the same run gives the same sample.
  mutating func add(_ timeline: Timeline) {
    guard let next = FirstTokenSample.parts(timeline) else {
      missing += 1
      return
    }
    n += 1
    if parts.count < FirstTokenSample.limit {
      parts.append(next)
    } else {
      let place = random.below(n)
      if place < FirstTokenSample.limit { parts[place] = next }
    }
  }

  /// - Returns: `nil` when a stamp is missing, or two are not in order.
  private static func parts(_ timeline: Timeline) -> SIMD3<Double>? {
    guard let start = timeline.start, let byte = timeline.firstByte, let token = timeline.firstToken else {
      return nil
    }
    let ready = timeline.connectionReady ?? start
    let queue = timeline.scheduled.map { start - $0 } ?? 0
    let parts = SIMD3(ready - start, queue + byte - ready, token - byte)
    guard parts.min() >= 0 else { return nil }
    return SIMD3(milliseconds(parts.x), milliseconds(parts.y), milliseconds(parts.z))
  }

  /// `nil` without a call.
  func split(isCached: Bool) -> FirstTokenSplit? {
    guard !parts.isEmpty else { return nil }
    let ordered = parts.sorted { $0.sum() < $1.sum() }
    let quarter = ordered.count / 4
    let middle = ordered[quarter..<(ordered.count - quarter)]
    let mean = middle.reduce(SIMD3<Double>.zero, +) / Double(middle.count)
    return FirstTokenSplit(
      connect: mean.x, wait: mean.y, model: mean.z, n: n, missing: missing, isCached: isCached)
  }
}
