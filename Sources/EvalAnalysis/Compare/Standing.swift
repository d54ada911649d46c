import EvalCore

/// Which of several targets is ahead in one measure, and of which others that is sure.
///
/// The leader is set against each other target over the cases that both have, as in `evalrun compare`, and every p is
/// corrected by Holm over all pairs of targets in all measures (`Docs/Statistics.md`).
package struct Standing: Sendable, Hashable {
  /// The leader against another target.
  package struct Rival: Sendable, Hashable {
    package var name: String
    /// The leader is the candidate, the other the reference.
    package var difference: PairedDifference

    package init(name: String, difference: PairedDifference) {
      self.name = name
      self.difference = difference
    }

    /// True when the test says that the leader is better.
    package var isBehind: Bool { difference.isSure && difference.isBetter == true }
  }

  package var measure: ComparisonMeasure
  /// The target with the best value, whatever the doubt; the first of equal ones.
  package var leader: String
  /// Everyone else with a value, in the order of the run; never empty.
  package var rivals: [Rival]
  /// Targets that have no value, so that nobody knows where they stand.
  package var unknown: [String]

  package init(measure: ComparisonMeasure, leader: String, rivals: [Rival], unknown: [String] = []) {
    self.measure = measure
    self.leader = leader
    self.rivals = rivals
    self.unknown = unknown
  }

  /// Those that are surely worse than the leader, and those of whom that is not shown.
  package var behind: [Rival] { rivals.filter(\.isBehind) }
  package var undecided: [Rival] { rivals.filter { !$0.isBehind } }

  /// True when the leader is surely better than every other target: only then may a report call it the best.
  package var isSettled: Bool { undecided.isEmpty && unknown.isEmpty }

  /// True when there is nothing to tell apart, as among models that are all free.
  package var isFlat: Bool { rivals.allSatisfy { $0.difference.test == nil } }
}

extension Standing {
  /// - Parameters:
  ///   - sides: the targets of one run.
  ///   - seed: of the permutation tests' draws.
  /// - Returns: score and pass rate first; measures that fewer than two targets have a value for are left out.
  package static func all(_ sides: [ComparisonInput], seed: UInt64 = 1) -> [Standing] {
    Duels.all(sides, seed: seed).standings
  }
}

/// Every target against every other in every measure.
struct Duels {
  private struct Duel {
    /// Places of the targets: the reference is the smaller.
    var reference: Int
    var candidate: Int
    var difference: PairedDifference
  }

  private let names: [String]
  private let measures: [ComparisonMeasure]
  private var duels: [Duel] = []

  /// As `Standing.all`.
  static func all(_ sides: [ComparisonInput], seed: UInt64 = 1) -> Duels {
    let hasRoute = sides.contains { $0.facts.target.kind == "route" }
    let measures: [ComparisonMeasure] =
      [.score, .pass, .latency, .firstToken, .cost] + (hasRoute ? [.cloudShare] : [])
    var duels = Duels(sides, measures, seed: seed)
    // A score made of nothing but verdicts is the pass rate once more.
    if duels.areAlike(.score, .pass) { duels.remove(.score) }
    duels.correct()
    return duels
  }

  var standings: [Standing] { measures.compactMap(standing) }

  /// What the first has more than the second in the strict score, or the pass rate where that is the same; `nil` where
  /// no case has both.
  func quality(of candidate: String, over reference: String) -> PairedDifference? {
    guard let first = names.firstIndex(of: candidate), let second = names.firstIndex(of: reference) else {
      return nil
    }
    return [ComparisonMeasure.score, .pass].lazy.compactMap { measure in
      against(first, second, in: duels.filter { $0.difference.measure == measure })
    }.first
  }

  private init(_ sides: [ComparisonInput], _ measures: [ComparisonMeasure], seed: UInt64) {
    names = sides.map(\.facts.target.name)
    self.measures = measures
    for candidate in sides.indices {
      for reference in sides.indices.prefix(candidate) {
        // One pairing at a time: it holds the values of all cases.
        let pairing = CasePairing(reference: sides[reference], candidate: sides[candidate])
        for measure in measures {
          let difference = PairedDifference(measure, pairing, seed: seed)
          guard difference.cases > 0 else { continue }
          duels.append(Duel(reference: reference, candidate: candidate, difference: difference))
        }
      }
    }
  }

  private mutating func remove(_ measure: ComparisonMeasure) {
    duels.removeAll { $0.difference.measure == measure }
  }

  private func areAlike(_ first: ComparisonMeasure, _ second: ComparisonMeasure) -> Bool {
    func values(_ measure: ComparisonMeasure) -> [PairedDifference] {
      duels.map(\.difference).filter { $0.measure == measure }.map { difference in
        var difference = difference
        difference.measure = first
        return difference
      }
    }
    return values(first) == values(second)
  }

  private mutating func correct() {
    var adjusted = Holm.adjusted(duels.compactMap(\.difference.test?.p))[...]
    for index in duels.indices where duels[index].difference.test != nil {
      duels[index].difference.test?.adjusted = adjusted.popFirst()
    }
  }

  private func standing(in measure: ComparisonMeasure) -> Standing? {
    let mine = duels.filter { $0.difference.measure == measure }
    let known = names.indices.filter { place in
      mine.contains { $0.reference == place || $0.candidate == place }
    }
    guard var leader = known.first else { return nil }
    for place in known.dropFirst() where against(place, leader, in: mine)?.isBetter == true { leader = place }
    let rivals = known.filter { $0 != leader }.compactMap { place in
      against(leader, place, in: mine).map { Standing.Rival(name: names[place], difference: $0) }
    }
    guard !rivals.isEmpty else { return nil }
    let met = Set(rivals.map(\.name) + [names[leader]])
    return Standing(
      measure: measure, leader: names[leader], rivals: rivals, unknown: names.filter { !met.contains($0) })
  }

  /// The first as the candidate.
  private func against(_ candidate: Int, _ reference: Int, in duels: [Duel]) -> PairedDifference? {
    if let duel = duels.first(where: { $0.reference == reference && $0.candidate == candidate }) {
      return duel.difference
    }
    return duels.first { $0.reference == candidate && $0.candidate == reference }?.difference.inverted
  }
}

extension PairedDifference {
  /// The same seen from the other side.
  package var inverted: PairedDifference {
    var other = self
    (other.reference, other.candidate) = (candidate, reference)
    (other.risen, other.fallen) = (fallen, risen)
    let isRatio = measure.scale == .ratio
    func turned(_ value: Double) -> Double { isRatio ? 1 / value : -value }
    other.change.value = change.value.map(turned)
    other.change.interval = change.interval.map { turned($0.upperBound)...turned($0.lowerBound) }
    return other
  }
}
