package import EvalCore

/// Two sides set against each other: everything that a report says of them.
package struct Comparison: Sendable {
  package var reference: ComparisonFacts
  package var candidate: ComparisonFacts
  package var pairing: CasePairing
  /// What makes the sides incomparable, wholly or in a measure; the gravest first.
  package var cautions: [Finding]
  /// What is not the same in the two targets' own content.
  package var targetChanges: [TargetChange]
  /// Score and pass rate first; a measure that neither side has a value for is left out.
  package var differences: [PairedDifference]
  /// The headline measure over the cases of each tag; the largest first.
  package var slices: [Slice]
  /// Cases that changed, those that fell first, the greatest change first.
  package var flips: [Flip]
  /// `nil` when nothing cost anything or a side has no success.
  package var costPerSuccess: CostPerSuccess?
  package var referenceCost: CostLedger
  package var candidateCost: CostLedger
  /// Tests in the family that Holm's correction was over.
  package var familySize: Int

  /// The measure over the cases of one tag.
  package struct Slice: Sendable, Hashable {
    package var tag: String
    package var difference: PairedDifference
  }

  /// What a side's finished trials cost.
  package struct CostLedger: Sendable, Hashable {
    /// US dollars of the trials whose cost is known.
    package var known: Double
    package var trials: Int
    /// Trials of which an attempt's cost is unknown.
    package var unknown: Int
  }

  /// Pass rate where any check gives a verdict, else the score.
  package var headline: ComparisonMeasure { pairing.anyVerdict ? .pass : .score }

  package func difference(_ measure: ComparisonMeasure) -> PairedDifference? {
    differences.first { $0.measure == measure }
  }
}

extension Comparison {
  /// At most so many slices are looked at, those with the most cases.
  static let sliceLimit = 40

  /// - Parameters:
  ///   - reference: what is compared with.
  ///   - candidate: what is compared; changes are its values against the reference's.
  ///   - seed: of the permutation tests' draws, so that the same data give the same p.
  package init(reference: ComparisonInput, candidate: ComparisonInput, seed: UInt64 = 1) {
    let pairing = CasePairing(reference: reference, candidate: candidate)
    self.reference = reference.facts
    self.candidate = candidate.facts
    self.pairing = pairing
    targetChanges = TargetChange.between(reference.facts.target, candidate.facts.target)
    referenceCost = CostLedger(reference)
    candidateCost = CostLedger(candidate)
    differences = []
    slices = []
    flips = Flip.all(pairing)
    cautions = []
    familySize = 0
    differences = measures(seed: seed)
    costPerSuccess = CostPerSuccess(pairing, seed: seed)
    slices = self.slices(seed: seed)
    cautions = ComparabilityRules(comparison: self).all()
    var alone = [self]
    Comparison.correct(&alone)
    self = alone[0]
  }

  /// Corrects the p-values of several comparisons that are reported together, slices apart from the measures.
  package static func correct(_ comparisons: inout [Comparison]) {
    let p = comparisons.flatMap { $0.differences.compactMap(\.test?.p) }
    let slices = comparisons.flatMap { $0.slices.compactMap(\.difference.test?.p) }
    var adjusted = Holm.adjusted(p)[...]
    var adjustedSlices = Holm.adjusted(slices)[...]
    for index in comparisons.indices {
      comparisons[index].familySize = p.count
      for place in comparisons[index].differences.indices
      where comparisons[index].differences[place].test != nil {
        comparisons[index].differences[place].test?.adjusted = adjusted.popFirst()
      }
      for place in comparisons[index].slices.indices
      where comparisons[index].slices[place].difference.test != nil {
        comparisons[index].slices[place].difference.test?.adjusted = adjustedSlices.popFirst()
      }
    }
  }

  private func measures(seed: UInt64) -> [PairedDifference] {
    var found: [PairedDifference] = []
    var score: PairedSample?
    for measure in order {
      let sample = PairedSample(measure, pairing)
      guard sample.cases > 0 || measure == .cost || measure == .latency else { continue }
      // A score made of nothing but verdicts is the pass rate once more.
      if measure == .score { score = sample }
      if measure == .pass, let score, score.isBinary, score.missing == sample.missing,
        score.differences.values == sample.differences.values
      {
        found.removeAll { $0.measure == .score }
      }
      var difference = PairedDifference(measure, sample, seed: seed)
      if !isTested(measure) { difference.test = nil }
      found.append(difference)
    }
    return found
  }

  /// Conditional readings stand beside the strict ones only where they can differ.
  private var order: [ComparisonMeasure] {
    let hasGaps = pairing.pairs.contains { pair in
      pair.reference.trials.contains(where: \.hasNoAnswer)
        || pair.candidate.trials.contains(where: \.hasNoAnswer)
    }
    // Where a profile's requests go is no chance: its boundary says it.
    let hasRoute = reference.target.kind == "route" || candidate.target.kind == "route"
    return [.score, .pass] + (hasGaps ? [pairing.anyVerdict ? .passConditional : .scoreConditional] : [])
      + [.latency, .firstToken, .cost] + (hasRoute ? [.cloudShare] : [])
  }

  /// A conditional reading is a second look at the same question.
  private func isTested(_ measure: ComparisonMeasure) -> Bool {
    measure != .scoreConditional && measure != .passConditional
  }

  private func slices(seed: UInt64) -> [Slice] {
    var places: [String: [Int]] = [:]
    for (place, pair) in pairing.pairs.enumerated() {
      for tag in Set(pair.reference.tags) { places[tag, default: []].append(place) }
    }
    // A tag that every case has is the whole.
    return places.filter { $0.value.count >= 2 && $0.value.count < pairing.pairs.count }
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      .prefix(Comparison.sliceLimit)
      .map { tag, places in
        let sample = PairedSample(
          headline, places.lazy.map { pairing.pairs[$0] }, anyVerdict: pairing.anyVerdict)
        return Slice(tag: tag, difference: PairedDifference(headline, sample, seed: seed))
      }
      .filter { $0.difference.cases >= 2 }
  }
}

extension Comparison.CostLedger {
  init(_ input: ComparisonInput) {
    self.init(known: 0, trials: 0, unknown: 0)
    for trial in input.cases.lazy.flatMap(\.trials) {
      trials += 1
      if let dollars = trial.dollars { known += dollars } else { unknown += 1 }
    }
  }
}
