#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One measure over the paired cases: repeats averaged first, one entry a case.
package struct PairedSample: Sendable {
  /// Means over a case's paired repeats; logarithms of times.
  package private(set) var reference = CaseValues()
  package private(set) var candidate = CaseValues()
  /// Candidate less reference.
  package private(set) var differences = CaseValues()
  /// Discordant pairs in favour of the candidate's 1 and of the reference's, each case's share of its repeats.
  package private(set) var gained = 0.0
  package private(set) var lost = 0.0
  /// Trial pairs with both values.
  package private(set) var pairs = 0
  /// Trial pairs of which a side has no value.
  package private(set) var missing = 0
  /// Trial pairs whose times were taken under conditions that are not compared: cold and warm, live and recorded.
  package private(set) var unlike = 0

  /// - Parameters:
  ///   - pairs: the cases to take, of one pairing.
  ///   - anyVerdict: as the pairing says, so that a slice counts as the whole does.
  package init(_ measure: ComparisonMeasure, _ pairs: some Sequence<CasePairing.Pair>, anyVerdict: Bool) {
    var clusters: [String: Int] = [:]
    reference.isBinary = measure.bounds != nil
    candidate.isBinary = measure.bounds != nil
    for pair in pairs {
      let cluster = pair.cluster.map { name in
        clusters[name]
          ?? {
            clusters[name] = clusters.count
            return clusters.count - 1
          }()
      }
      add(pair, measure, anyVerdict: anyVerdict, cluster: cluster)
    }
  }

  /// An empty sample, for pairs that come one by one.
  init(_ measure: ComparisonMeasure) { self.init(measure, EmptyCollection(), anyVerdict: true) }

  /// - Parameter tag: only cases with this tag on the reference's side; `nil` takes all.
  package init(_ measure: ComparisonMeasure, _ pairing: CasePairing, tag: String? = nil) {
    guard let tag else {
      self.init(measure, pairing.pairs, anyVerdict: pairing.anyVerdict)
      return
    }
    self.init(
      measure, pairing.pairs.lazy.filter { $0.reference.tags.contains(tag) }, anyVerdict: pairing.anyVerdict)
  }

  /// Adds the trials of one case.
  /// - Parameter cluster: a number for the case's source; `nil` stands alone.
  mutating func add(
    _ pair: CasePairing.Pair, _ measure: ComparisonMeasure, anyVerdict: Bool, cluster: Int?
  ) {
    var (left, right, up, down) = (0.0, 0.0, 0.0, 0.0)
    var count = 0
    pair.forEachTrialPair { first, second in
      guard let before = pair.value(first, measure, anyVerdict: anyVerdict),
        let after = pair.value(second, measure, anyVerdict: anyVerdict)
      else {
        missing += 1
        return
      }
      if measure.scale == .ratio, !CasePairing.Pair.areAlike(first, second) {
        unlike += 1
        return
      }
      let isRatio = measure.scale == .ratio
      left += isRatio ? log(before) : before
      right += isRatio ? log(after) : after
      if after > before { up += 1 } else if after < before { down += 1 }
      if !measure.isBinary, before != 0 && before != 1 || after != 0 && after != 1 {
        reference.isBinary = false
        candidate.isBinary = false
      }
      count += 1
    }
    guard count > 0 else { return }
    let n = Double(count)
    pairs += count
    gained += up / n
    lost += down / n
    reference.append(left / n, trials: count, cluster: cluster)
    candidate.append(right / n, trials: count, cluster: cluster)
    differences.append((right - left) / n, trials: count, cluster: cluster)
  }

  /// Paired cases with a value on both sides.
  package var cases: Int { differences.count }

  /// Every trial of both sides is 0 or 1.
  package var isBinary: Bool { reference.isBinary }

  /// One difference for each independent unit: of a case, or the sum over a cluster, in the order of their numbers.
  package var units: [Double] {
    guard differences.isClustered else { return differences.values }
    var sums: [Int: Double] = [:]
    for (value, cluster) in zip(differences.values, differences.clusters) {
      sums[cluster, default: 0] += value
    }
    return sums.sorted { $0.key < $1.key }.map(\.value)
  }

  /// No case has a difference.
  var isEqual: Bool { differences.values.allSatisfy { $0 == 0 } }
}
