package import EvalCore

/// A case that changed between two sides.
package struct Flip: Sendable, Hashable {
  /// What one side made of the case, over the repeats that both have.
  package struct Side: Sendable, Hashable {
    package var passes = 0
    /// Trials with a verdict; those without an answer count as not passed.
    package var verdicts = 0
    /// The mean strict score in 0…1; `nil` without one.
    package var score: Double?
    /// Trials without an answer.
    package var unanswered = 0

    /// The share that passed; the mean score where no check gives a verdict.
    var level: Double? { verdicts > 0 ? Double(passes) / Double(verdicts) : score }
  }

  package var hash: ContentHash
  package var caseID: String
  package var tags: [String]
  package var reference: Side
  package var candidate: Side
  /// The first repeat, 0-based, in which the two differ.
  package var repeatIndex: Int

  /// Candidate less reference, in −1…1.
  package var change: Double { (candidate.level ?? 0) - (reference.level ?? 0) }
}

extension Flip {
  /// All cases whose share of passed repeats changed, or whose score did where no check gives verdicts: those that fell
  /// first, then the greatest change, then the order of the reference.
  static func all(_ pairing: CasePairing) -> [Flip] {
    ordered(pairing.pairs.compactMap { Flip($0, anyVerdict: pairing.anyVerdict) })
  }

  /// Those that fell first, then the greatest change, then their own order.
  static func ordered(_ flips: [Flip]) -> [Flip] {
    func isBefore(_ left: Flip, _ right: Flip) -> Bool {
      (left.change < 0 ? 0 : 1, -abs(left.change)) < (right.change < 0 ? 0 : 1, -abs(right.change))
    }
    return flips.enumerated().sorted { left, right in
      isBefore(left.element, right.element)
        || !isBefore(right.element, left.element) && left.offset < right.offset
    }.map(\.element)
  }

  /// `nil` when the case did not change or cannot be judged on a side.
  init?(_ pair: CasePairing.Pair, anyVerdict: Bool) {
    var tallies = (reference: SideTally(), candidate: SideTally())
    var place: Int?
    pair.forEachTrialPair { left, right in
      let measure: ComparisonMeasure = anyVerdict ? .pass : .score
      let before = pair.value(left, measure, anyVerdict: anyVerdict)
      let after = pair.value(right, measure, anyVerdict: anyVerdict)
      guard let before, let after else { return }
      tallies.reference.add(left, pair, passed: anyVerdict ? before == 1 : nil)
      tallies.candidate.add(right, pair, passed: anyVerdict ? after == 1 : nil)
      if before != after, place == nil { place = left.repeatIndex }
    }
    let (reference, candidate) = (tallies.reference.side, tallies.candidate.side)
    guard let place, let before = reference.level, let after = candidate.level, before != after else {
      return nil
    }
    self.init(
      hash: pair.reference.hash, caseID: pair.reference.id, tags: pair.reference.tags, reference: reference,
      candidate: candidate, repeatIndex: place)
  }
}

private struct SideTally {
  private var counts = Flip.Side()
  private var sum = 0.0
  private var scored = 0

  mutating func add(_ trial: ComparedTrial, _ pair: CasePairing.Pair, passed: Bool?) {
    if trial.hasNoAnswer { counts.unanswered += 1 }
    if let passed {
      counts.verdicts += 1
      if passed { counts.passes += 1 }
    }
    if let score = pair.value(trial, .score, anyVerdict: true) {
      sum += score
      scored += 1
    }
  }

  var side: Flip.Side {
    var side = counts
    if scored > 0 { side.score = sum / Double(scored) }
    return side
  }
}
