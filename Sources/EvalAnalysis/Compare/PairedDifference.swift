#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What changed in one measure from the reference to the candidate, over the pairs that both have.
package struct PairedDifference: Sendable, Hashable {
  package var measure: ComparisonMeasure
  /// The sides over the paired trials alone; geometric means of times.
  package var reference: Estimate
  package var candidate: Estimate
  /// Candidate less reference; of times the candidate's part of the reference's, 0.8 is a fifth faster.
  package var change: Estimate
  /// `nil` when there is nothing to test: no pair, or nothing but zeros.
  package var test: PairedTest?
  /// `nil` with fewer than two units.
  package var detectable: Detectable?
  /// Paired cases with a value on both sides.
  package var cases: Int
  /// Cases in favour of the candidate and of the reference, whatever is better.
  package var risen: Int
  package var fallen: Int
  /// Trial pairs that a side has no value for.
  package var missing: Int
  /// Trial pairs left out because their times were taken cold and warm, or live and recorded.
  package var unlike: Int

  /// True when the candidate's value is better, whatever the doubt; `nil` when it is equal or unknown.
  package var isBetter: Bool? {
    guard let value = change.value else { return nil }
    let neutral: Double = measure.scale == .ratio ? 1 : 0
    return value == neutral ? nil : (value > neutral) == measure.isHigherBetter
  }

  /// True when the test sees a difference at 5 %, after Holm's correction where there is one.
  package var isSure: Bool { (test.map { $0.adjusted ?? $0.p } ?? 1) <= 0.05 }
}

/// The test behind a difference.
package struct PairedTest: Sendable, Hashable {
  package enum Method: String, Sendable, Hashable {
    case mcNemar = "mcnemar-exact"
    case signFlip = "sign-flip-exact"
    /// 10,000 seeded draws of signs.
    case signFlipDrawn = "sign-flip"
  }

  package var method: Method
  /// Two-sided.
  package var p: Double
  /// After Holm's correction over the family; `nil` for a test that is in none.
  package var adjusted: Double?
  /// Units (cases, or clusters) that differ at all.
  package var differing: Int

  /// False when even all of the differing units on one side would give p > 0.05: five or fewer.
  package var canBeSignificant: Bool { differing >= 6 }
}

/// The smallest difference that the comparison could have seen in four of five repetitions of it.
package struct Detectable: Sendable, Hashable {
  /// In the measure's unit; of times a factor above 1.
  package var difference: Double
  /// Independent units that it rests on: cases, or clusters of cases.
  package var units: Int
  package var isClustered: Bool
  /// The variance of one unit's difference; of times that of the logarithm.
  package var variance: Double
  /// How many units it would take to see the difference that was observed; `nil` when there was none, or beyond a
  /// billion.
  package var unitsForObserved: Int?

  /// How many units it takes to see a difference, which for times is a factor; `nil` for none, or beyond a billion.
  package func units(toSee difference: Double, _ scale: ComparisonMeasure.Scale) -> Int? {
    let size = scale == .ratio ? log(difference) : difference
    return size == 0 || !size.isFinite ? nil : Power.units(toSee: size, variance: variance)
  }
}

extension PairedDifference {
  /// - Parameters:
  ///   - confidence: of the change's interval; 0.9 gives the bounds of a one-sided test at 5 %.
  ///   - seed: of the permutation test's draws.
  package init(
    _ measure: ComparisonMeasure, _ sample: PairedSample, confidence: Double = 0.95, seed: UInt64
  ) {
    self.measure = measure
    cases = sample.cases
    risen = sample.differences.values.count { $0 > 0 }
    fallen = sample.differences.values.count { $0 < 0 }
    missing = sample.missing
    unlike = sample.unlike
    reference = PairedDifference.side(sample.reference, measure, missing: sample.missing)
    candidate = PairedDifference.side(sample.candidate, measure, missing: sample.missing)
    let estimate = PairedDifference.mean(sample, measure, confidence: confidence)
    change = measure.scale == .ratio ? PairedDifference.exponential(estimate) : estimate
    // Nothing but zeros, as for models that are free: nothing to test.
    guard estimate.method != .exact else { return }
    test = PairedDifference.test(sample, measure, seed: seed)
    detectable = PairedDifference.detectable(sample, measure, estimate, confidence: confidence)
  }

  /// Reads a measure of the pairs, or of those with a tag.
  package init(
    _ measure: ComparisonMeasure, _ pairing: CasePairing, tag: String? = nil, confidence: Double = 0.95,
    seed: UInt64
  ) {
    self.init(
      measure, PairedSample(measure, pairing, tag: tag), confidence: confidence, seed: seed)
  }

  private static func side(_ values: CaseValues, _ measure: ComparisonMeasure, missing: Int) -> Estimate {
    if measure.bounds != nil { return Mean.ofScores(values, missing: missing) }
    if measure.scale == .ratio { return exponential(Mean.estimate(values, missing: missing)) }
    return Mean.estimate(values, missing: missing, bounds: 0...Double.greatestFiniteMagnitude)
  }

  private static func exponential(_ estimate: Estimate) -> Estimate {
    var result = estimate
    result.value = estimate.value.map { exp($0) }
    result.interval = estimate.interval.map { exp($0.lowerBound)...exp($0.upperBound) }
    result.method = .logT
    return result
  }
}
