import EvalCore

/// One side's means of a case, its repeats averaged.
struct CaseMeans: Sendable, Hashable {
  /// In 0…1.
  var quality: Double
  /// US dollars; NaN when unknown for one repeat.
  var dollars: Double
  /// NaN when not measured for one repeat.
  var seconds: Double
  /// The share of its trials that called the strong arm.
  var strongShare: Double

  init(quality: Double, dollars: Double, seconds: Double, strongShare: Double = 0) {
    self.quality = quality
    self.dollars = dollars
    self.seconds = seconds
    self.strongShare = strongShare
  }

  /// - Returns: `nil` without a trial.
  init?(_ outcomes: [TraceOutcome]) {
    guard !outcomes.isEmpty else { return nil }
    let n = Double(outcomes.count)
    quality = outcomes.reduce(0) { $0 + $1.quality } / n
    dollars = outcomes.reduce(0) { $0 + $1.dollars } / n
    seconds = outcomes.reduce(0) { $0 + $1.seconds } / n
    strongShare = Double(outcomes.count { $0.flags.contains(.calledStrong) }) / n
  }
}

/// The trials that every compared side has a quality for, and the cases they belong to.
struct PairedTrials: Sendable {
  let caseCount: Int
  let repeats: Int
  /// By repeat × case, as outcomes are.
  let isPaired: [Bool]
  /// Cases with a paired trial, and for each of them its paired repeats.
  let cases: [Int]
  let repeatsOf: [[Int]]

  /// - Parameter columns: the outcomes of each side, repeat by repeat over all cases.
  init(_ columns: [[TraceOutcome]], cases caseCount: Int, repeats: Int) {
    self.caseCount = caseCount
    self.repeats = repeats
    var paired = [Bool](repeating: true, count: caseCount * repeats)
    for column in columns {
      for index in paired.indices where !column[index].isScored { paired[index] = false }
    }
    isPaired = paired
    var cases: [Int] = []
    var repeatsOf: [[Int]] = []
    for index in 0..<caseCount {
      let found = (0..<repeats).filter { paired[$0 * caseCount + index] }
      guard !found.isEmpty else { continue }
      cases.append(index)
      repeatsOf.append(found)
    }
    self.cases = cases
    self.repeatsOf = repeatsOf
  }

  var count: Int { repeatsOf.reduce(0) { $0 + $1.count } }

  /// The outcomes of one paired case, by its place in `cases`.
  func outcomes(_ column: [TraceOutcome], at place: Int, in repeats: [Int]? = nil) -> [TraceOutcome] {
    (repeats ?? repeatsOf[place]).map { column[$0 * caseCount + cases[place]] }
  }

  func means(_ column: [TraceOutcome]) -> [CaseMeans] {
    cases.indices.compactMap { CaseMeans(outcomes(column, at: $0)) }
  }

  /// A share of each case's paired trials, as `Mean.ofScores` takes it.
  func shares(
    of flag: TraceOutcome.Flags, in column: [TraceOutcome], clusters: [Int?]
  ) -> CaseValues {
    var values = CaseValues()
    for place in cases.indices {
      let outcomes = outcomes(column, at: place)
      let hits = outcomes.count { !$0.flags.isDisjoint(with: flag) }
      values.append(
        Double(hits) / Double(outcomes.count), trials: outcomes.count, cluster: clusters[cases[place]])
    }
    return values
  }
}

/// Case by case values of every side, resampled together.
struct PairedCases: Sendable {
  /// By case.
  let weights: [Double]
  /// By case, from 0.
  private let unitOf: [Int]
  /// Clusters, cases that stand alone included.
  let units: Int
  /// By side, then by case.
  private(set) var sides: [[CaseMeans]] = []

  /// - Parameters:
  ///   - cases: the compared ones.
  ///   - weights: their shares in quality.
  init(_ cases: [ReplayCase]) {
    weights = cases.map(\.weight)
    var known: [String: Int] = [:]
    var next = 0
    unitOf = cases.map { one in
      if let cluster = one.cluster, let unit = known[cluster] { return unit }
      if let cluster = one.cluster { known[cluster] = next }
      next += 1
      return next - 1
    }
    units = next
  }

  /// Adds a side with a value for every case.
  /// - Returns: its number.
  @discardableResult mutating func add(_ side: [CaseMeans]) -> Int {
    sides.append(side)
    return sides.count - 1
  }

  /// `Σ w·q / Σ w` and the plain means of cost and time; NaN is unknown.
  func means(of side: Int) -> CaseMeans {
    let values = sides[side]
    let n = Double(values.count)
    var sums = CaseMeans(quality: 0, dollars: 0, seconds: 0)
    for (value, weight) in zip(values, weights) {
      sums.quality += weight * value.quality
      sums.dollars += value.dollars
      sums.seconds += value.seconds
      sums.strongShare += value.strongShare
    }
    return CaseMeans(
      quality: sums.quality / weights.reduce(0, +), dollars: sums.dollars / n, seconds: sums.seconds / n,
      strongShare: sums.strongShare / n)
  }

  /// By cluster, the sum of what the first side's quality has more than the second's, weighted.
  func unitDifferences(_ left: Int, _ right: Int) -> [Double] {
    var sums = [Double](repeating: 0, count: units)
    for (place, unit) in unitOf.enumerated() {
      sums[unit] += weights[place] * (sides[left][place].quality - sides[right][place].quality)
    }
    return sums
  }

  /// The means of every side in each of `count` resamples of whole clusters, the same draws for all sides.
  ///
  /// Efron and Tibshirani, *An Introduction to the Bootstrap* (1993), section 8.3; clusters as in `Docs/Statistics.md`.
  func resampled(_ count: Int, seed: UInt64) -> ResampledMeans {
    var random = SeededRandom(seed: seed)
    let sums = unitSums()
    var means = Array(
      repeating: [CaseMeans](), count: sides.count)
    for side in means.indices { means[side].reserveCapacity(count) }
    var draws = [Double](repeating: 0, count: units)
    for _ in 0..<count {
      for unit in draws.indices { draws[unit] = 0 }
      for _ in 0..<units { draws[random.below(units)] += 1 }
      let weight = PairedCases.dot(draws, sums.weights)
      let cases = PairedCases.dot(draws, sums.cases)
      for side in means.indices {
        means[side].append(
          CaseMeans(
            quality: PairedCases.dot(draws, sums.quality[side]) / weight,
            dollars: PairedCases.dot(draws, sums.dollars[side]) / cases,
            seconds: PairedCases.dot(draws, sums.seconds[side]) / cases,
            strongShare: PairedCases.dot(draws, sums.strongShare[side]) / cases))
      }
    }
    return ResampledMeans(means: means, units: units, seed: seed)
  }

  private struct UnitSums {
    var weights: [Double]
    var cases: [Double]
    var quality: [[Double]]
    var dollars: [[Double]]
    var seconds: [[Double]]
    var strongShare: [[Double]]
  }

  private func unitSums() -> UnitSums {
    let zeros = [Double](repeating: 0, count: units)
    let all = Array(repeating: zeros, count: sides.count)
    var sums = UnitSums(
      weights: zeros, cases: zeros, quality: all, dollars: all, seconds: all, strongShare: all)
    for (place, unit) in unitOf.enumerated() {
      sums.weights[unit] += weights[place]
      sums.cases[unit] += 1
      for side in sides.indices {
        sums.quality[side][unit] += weights[place] * sides[side][place].quality
        sums.dollars[side][unit] += sides[side][place].dollars
        sums.seconds[side][unit] += sides[side][place].seconds
        sums.strongShare[side][unit] += sides[side][place].strongShare
      }
    }
    return sums
  }

  private static func dot(_ left: [Double], _ right: [Double]) -> Double {
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in
        // Four sums that do not wait for each other.
        var (a, b, c, d) = (0.0, 0.0, 0.0, 0.0)
        let whole = left.count / 4 * 4
        for index in stride(from: 0, to: whole, by: 4) {
          a += left[index] * right[index]
          b += left[index + 1] * right[index + 1]
          c += left[index + 2] * right[index + 2]
          d += left[index + 3] * right[index + 3]
        }
        return (whole..<left.count).reduce(a + b + (c + d)) { $0 + left[$1] * right[$1] }
      }
    }
  }
}

/// The means of every side in every resample.
struct ResampledMeans: Sendable {
  /// By side, then by resample.
  let means: [[CaseMeans]]
  let units: Int
  let seed: UInt64

  /// The 95 % interval of a value that is worked out anew in each resample.
  ///
  /// - Returns: `nil` with fewer than two units, or when more than one resample in twenty has no value.
  func interval(_ value: (_ resample: Int) -> Double?) -> ClosedRange<Double>? {
    guard units >= 2, let count = means.first?.count, count > 0 else { return nil }
    var values = (0..<count).compactMap(value).filter(\.isFinite)
    guard values.count * 20 >= count * 19 else { return nil }
    values.sort()
    let (low, high) = Resamples.bounds(values, units: units)
    return low...high
  }

  /// The interval of `left − right` in one value.
  func difference(
    _ left: Int, _ right: Int, of value: KeyPath<CaseMeans, Double>
  ) -> ClosedRange<Double>? {
    interval { means[left][$0][keyPath: value] - means[right][$0][keyPath: value] }
  }
}
