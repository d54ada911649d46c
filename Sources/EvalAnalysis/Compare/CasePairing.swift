import EvalCore

/// Which cases and trials of two sides belong together: the same content and, within it, the same repeat.
package struct CasePairing: Sendable {
  /// Two sides' trials of one case.
  package struct Pair: Sendable {
    package var reference: ComparedCase
    package var candidate: ComparedCase

    /// The reference's cluster; the sides can differ only when a suite was edited.
    package var cluster: String? { reference.cluster ?? candidate.cluster }
    var hasChecks: Bool { reference.hasChecks || candidate.hasChecks }
    var isUngated: Bool { reference.isUngated || candidate.isUngated }

    /// Visits the trials that have a partner of the same repeat.
    func forEachTrialPair(_ body: (ComparedTrial, ComparedTrial) -> Void) {
      let (left, right) = (reference.trials, candidate.trials)
      var (i, j) = (0, 0)
      while i < left.count, j < right.count {
        if left[i].repeatIndex < right[j].repeatIndex {
          i += 1
        } else if left[i].repeatIndex > right[j].repeatIndex {
          j += 1
        } else {
          body(left[i], right[j])
          i += 1
          j += 1
        }
      }
    }
  }

  /// In the order of the reference.
  package var pairs: [Pair]
  /// Ids of cases that only one side has, in its order.
  package var onlyReference: [String]
  package var onlyCandidate: [String]
  /// Trials with a partner.
  package var trialPairs: Int
  /// Trials of paired cases without a partner: the other side ran fewer repeats, or lost them.
  package var unmatchedReferenceTrials: Int
  package var unmatchedCandidateTrials: Int
  /// Some check gave a verdict on either side.
  package var anyVerdict: Bool

  /// - Parameters:
  ///   - reference: what is compared with; its trials must rise by repeat, as in `ComparedCase`.
  ///   - candidate: what is compared.
  package init(reference: ComparisonInput, candidate: ComparisonInput) {
    var places: [ContentHash: Int] = [:]
    for (place, one) in candidate.cases.enumerated() { places[one.hash] = place }
    pairs = []
    onlyReference = []
    trialPairs = 0
    unmatchedReferenceTrials = 0
    unmatchedCandidateTrials = 0
    anyVerdict = false
    for one in reference.cases {
      guard let place = places.removeValue(forKey: one.hash) else {
        onlyReference.append(one.id)
        continue
      }
      pairs.append(Pair(reference: one, candidate: candidate.cases[place]))
    }
    onlyCandidate = candidate.cases.filter { places[$0.hash] != nil }.map(\.id)
    for pair in pairs { count(pair) }
  }

  private mutating func count(_ pair: Pair) {
    var common = 0
    pair.forEachTrialPair { left, right in
      common += 1
      if left.passed != nil || right.passed != nil { anyVerdict = true }
    }
    trialPairs += common
    unmatchedReferenceTrials += pair.reference.trials.count - common
    unmatchedCandidateTrials += pair.candidate.trials.count - common
  }

  /// The share of all cases of both sides that are paired, in 0…1; 0 without any case.
  package var coverage: Double {
    let all = pairs.count + onlyReference.count + onlyCandidate.count
    return all > 0 ? Double(pairs.count) / Double(all) : 0
  }
}

extension CasePairing.Pair {
  /// A trial's value where a missing answer counts as the measure says; `nil` is missing.
  func value(_ trial: ComparedTrial, _ measure: ComparisonMeasure, anyVerdict: Bool) -> Double? {
    let value = trial.value(measure)
    switch measure {
    case .score where trial.hasNoAnswer: return value ?? (hasChecks ? 0 : nil)
    case .pass where trial.hasNoAnswer: return value ?? (hasChecks && !isUngated && anyVerdict ? 0 : nil)
    case .latency, .firstToken: return value.flatMap { $0 > 0 ? $0 : nil }
    default: return value
    }
  }

  /// Times are set against each other only where both are live or both recorded, and both cold or both warm.
  static func areAlike(_ left: ComparedTrial, _ right: ComparedTrial) -> Bool {
    left.isRecorded == right.isRecorded
      && (left.isCold == nil || right.isCold == nil || left.isCold == right.isCold)
  }
}
