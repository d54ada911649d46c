/// One answer that a person and a judge have both judged, as levels from 0, worst first.
package struct LabelledPair: Sendable, Hashable {
  /// Answers of one case are not independent.
  package var cluster: Int
  /// The group of answers that this one was drawn from.
  package var stratum: Int
  package var person: Int
  package var judge: Int

  package init(cluster: Int, stratum: Int = 0, person: Int, judge: Int) {
    self.cluster = cluster
    self.stratum = stratum
    self.person = person
    self.judge = judge
  }
}

/// Answers that were drawn by chance, each group at a rate of its own, and labelled.
///
/// An answer stands for `w = N_h/n_h` answers of its group: N_h are there, n_h are labelled (Horvitz and Thompson, *A
/// Generalization of Sampling Without Replacement From a Finite Universe*, JASA 47 (1952)). Where groups are made by the
/// judge's verdict, shares without these weights are biased: Begg and Greenes, *Assessment of Diagnostic Tests When
/// Disease Verification Is Subject to Selection Bias*, Biometrics 39 (1983).
package struct LabelledSample: Sendable {
  package private(set) var pairs: [LabelledPair]
  private let weights: [Int: Double]
  /// Answers of groups of which nobody labelled any: they are in no number.
  package let uncovered: Int

  /// - Parameter sizes: by group, how many answers it has, labelled or not; a group without an entry is its labels.
  package init(_ pairs: [LabelledPair], sizes: [Int: Int] = [:]) {
    self.pairs = pairs
    var labelled: [Int: Int] = [:]
    for pair in pairs { labelled[pair.stratum, default: 0] += 1 }
    var weights: [Int: Double] = [:]
    for (stratum, count) in labelled {
      weights[stratum] = Double(max(sizes[stratum] ?? count, count)) / Double(count)
    }
    self.weights = weights
    uncovered = sizes.reduce(0) { $0 + (labelled[$1.key] == nil ? $1.value : 0) }
  }

  func weight(_ pair: LabelledPair) -> Double { weights[pair.stratum] ?? 1 }

  /// Whether every label stands for as many answers, so that it is a simple random sample.
  var isEven: Bool {
    guard let first = weights.first?.value else { return true }
    return weights.allSatisfy { abs($0.value - first) <= 1e-9 * first }
  }

  /// Whether the judge said the same of all answers of each group, as where groups are made by its verdict.
  var isByVerdict: Bool {
    var verdicts: [Int: Int] = [:]
    for pair in pairs {
      if verdicts.updateValue(pair.judge, forKey: pair.stratum).map({ $0 != pair.judge }) == true {
        return false
      }
    }
    return true
  }

  package var clusterCount: Int { Set(pairs.map(\.cluster)).count }
}

/// How many independent observations some that hang together are worth.
enum EffectiveCount {
  /// Kish's `(Σw)²/Σw²` (*Survey Sampling*, 1965), divided by the design effect of cases with several answers,
  /// `Σ_c(Σ_{i∈c} e_i)²/Σe_i²` over the weighted residuals `e`, at least 1; without residuals, at most the cases.
  /// - Returns: at least 1.
  static func of(_ entries: [(cluster: Int, weight: Double, value: Double)]) -> Double {
    let total = entries.reduce(0) { $0 + $1.weight }
    let squares = entries.reduce(0) { $0 + $1.weight * $1.weight }
    guard squares > 0 else { return 1 }
    let kish = total * total / squares
    let mean = entries.reduce(0) { $0 + $1.weight * $1.value } / total
    var sums: [Int: Double] = [:]
    var apart = 0.0
    for entry in entries {
      let residual = entry.weight * (entry.value - mean)
      sums[entry.cluster, default: 0] += residual
      apart += residual * residual
    }
    guard apart > 1e-18 * squares else { return max(1, min(kish, Double(sums.count))) }
    // Summed in the order of the cases, since a dictionary's own order changes from run to run.
    let together = sums.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value * $1.value }
    return max(1, kish / max(1, together / apart))
  }
}
