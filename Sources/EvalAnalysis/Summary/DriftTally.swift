import EvalCore

/// One target's trials in the order of time, to see whether the run's end was like its beginning.
///
/// The plan's order is drawn, so that which cases come early is chance and halves may be set against each other.
struct DriftTally {
  private struct Mark {
    var start: Int64
    /// Milliseconds; NaN without a time that counts.
    var total: Double
    /// −1 without a verdict.
    var passed: Int8
  }

  private var marks: [Mark] = []

  mutating func add(_ trial: TrialRecord) {
    let first = trial.attempts.first { $0.phase == .measured }
    guard let first, let start = first.timeline.start, first.provenance == .live else { return }
    var mark = Mark(start: start, total: .nan, passed: -1)
    // A cold call is slow for a reason of its own, and most of them are early.
    if first.isOK, first.isCold != true, let total = first.timeline.total { mark.total = milliseconds(total) }
    if trial.status == .ok, let passed = trial.score.passed { mark.passed = passed ? 1 : 0 }
    marks.append(mark)
  }

  /// What changed from the first half to the second; `nil` for what did not.
  struct Drift {
    /// Medians in milliseconds.
    var latency: (first: Double, second: Double)?
    /// Pass rates in 0…1.
    var passRate: (first: Double, second: Double)?
  }

  /// Fewer in a half say nothing.
  private static let least = 20
  /// Two-sided p = 0.001: a look at every target of every run must not cry wolf.
  private static let z = 3.2905

  private var ordered: [Mark] { marks.sorted { $0.start < $1.start } }

  /// Milliseconds to the end of the answer, of calls that have them, in the order of their starts.
  var timesInOrder: [Double] { ordered.map(\.total).filter { !$0.isNaN } }

  func drift() -> Drift {
    let ordered = ordered
    let (first, second) = (ordered[..<(ordered.count / 2)], ordered[(ordered.count / 2)...])
    return Drift(
      latency: DriftTally.latency(
        first.map(\.total).filter { !$0.isNaN }, second.map(\.total).filter { !$0.isNaN }),
      passRate: DriftTally.passRate(
        first.filter { $0.passed >= 0 }.map { $0.passed == 1 },
        second.filter { $0.passed >= 0 }.map { $0.passed == 1 }))
  }

  /// A fifth and more between medians, and Mann and Whitney's test (Annals of Mathematical Statistics 18, 1947) in its
  /// normal form: `z = (U − mn/2)/√(mn(m+n+1)/12)`.
  private static func latency(_ first: [Double], _ second: [Double]) -> (first: Double, second: Double)? {
    guard first.count >= least, second.count >= least else { return nil }
    let (left, right) = (first.sorted(), second.sorted())
    let (m, n) = (Double(left.count), Double(right.count))
    // U counts the pairs in which the second half's is slower, ties for a half.
    var pairs = 0.0
    var (below, upTo) = (0, 0)
    for value in right {
      while below < left.count, left[below] < value { below += 1 }
      upTo = max(upTo, below)
      while upTo < left.count, left[upTo] <= value { upTo += 1 }
      pairs += Double(below) + Double(upTo - below) / 2
    }
    let score = (pairs - m * n / 2) / (m * n * (m + n + 1) / 12).squareRoot()
    let medians = (first: left[(left.count - 1) / 2], second: right[(right.count - 1) / 2])
    let (low, high) = (min(medians.first, medians.second), max(medians.first, medians.second))
    return abs(score) > z && high >= 1.2 * low ? medians : nil
  }

  /// Ten points and more, and the test of two shares with their common one: `z = (p₁ − p₂)/√(p(1−p)(1/m + 1/n))`.
  private static func passRate(_ first: [Bool], _ second: [Bool]) -> (first: Double, second: Double)? {
    guard first.count >= least, second.count >= least else { return nil }
    let (m, n) = (Double(first.count), Double(second.count))
    let left = Double(first.count { $0 }) / m
    let right = Double(second.count { $0 }) / n
    let common = (left * m + right * n) / (m + n)
    let error = (common * (1 - common) * (1 / m + 1 / n)).squareRoot()
    return error > 0 && abs(left - right) > z * error && abs(left - right) >= 0.1 ? (left, right) : nil
  }
}
