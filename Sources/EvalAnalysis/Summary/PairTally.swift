import EvalCore

/// How often one target's answers were preferred to another's, each pair shown in both orders.
package struct PairSummary: Sendable, Hashable {
  package var comparison: String
  package var first: String
  package var second: String
  /// Pairs of answers that the first won, the second won, and neither did. Judges that differ are weighed up.
  package var wins = 0
  package var losses = 0
  package var ties = 0
  /// Pairs of which no judge's verdict in both orders is there.
  package var unscored = 0
  /// The share of the first's wins, a tie as a half.
  package var winRate: Estimate
  /// Of verdicts in both orders, those that changed with the order; they count as ties.
  package var flipRate: Estimate
}

/// The strengths of the targets of one comparison.
package struct RankingSummary: Sendable, Hashable {
  package var comparison: String
  /// Strongest first: the logarithm of the strength, whose mean is 0.
  package var targets: [RankedTarget]

  package struct RankedTarget: Sendable, Hashable {
    package var name: String
    package var strength: Estimate
  }
}

/// Gathers comparisons over the trials of a run.
struct PairTally {
  private struct Name: Hashable {
    var comparison: String
    var first: String
    var second: String
  }

  fileprivate struct Entry {
    /// One for each pair of answers: the case's number and the first's share of the win.
    var scores: [(number: Int, value: Double)] = []
    /// One for each judge and pair of answers: 1 where the order decided.
    var flips: [(number: Int, value: Double)] = []
    var unscored = 0
  }

  private var names: [Name] = []
  private var entries: [Name: Entry] = [:]

  /// - Parameter number: the case's.
  mutating func add(_ trial: TrialRecord, at number: Int) {
    var last: [Name: [String: [Int: JudgeReading]]] = [:]
    for call in trial.judgeCalls where call.place.purpose == .compare {
      guard let opponent = call.place.opponent else { continue }
      let name = Name(comparison: call.place.check, first: trial.target, second: opponent)
      last[name, default: [:]][call.judge, default: [:]][call.place.draw] = call.reading
      if entries[name] == nil {
        entries[name] = Entry()
        names.append(name)
      }
    }
    for name in names {
      guard let judges = last[name] else { continue }
      entries[name]?.add(judges.sorted { $0.key < $1.key }.map(\.value), at: number)
    }
  }

  func pairs(_ table: CaseTable) -> [PairSummary] {
    names.map { name in
      let entry = entries[name] ?? Entry()
      let scores = entry.scores.map(\.value)
      return PairSummary(
        comparison: name.comparison, first: name.first, second: name.second, wins: scores.count { $0 > 0.5 },
        losses: scores.count { $0 < 0.5 }, ties: scores.count { $0 == 0.5 }, unscored: entry.unscored,
        winRate: Mean.ofScores(
          CaseValues(byCase: entry.scores, clusters: table.clusters), missing: entry.unscored),
        flipRate: Mean.ofScores(CaseValues(byCase: entry.flips, clusters: table.clusters)))
    }
  }

  /// - Returns: of each comparison among more than two targets; not of one whose strengths are not defined.
  func rankings(seed: UInt64) -> [RankingSummary] {
    var comparisons: [String] = []
    for name in names where !comparisons.contains(name.comparison) { comparisons.append(name.comparison) }
    return comparisons.compactMap { comparison in
      let own = names.filter { $0.comparison == comparison }
      var players: [String] = []
      for name in own {
        for target in [name.first, name.second] where !players.contains(target) { players.append(target) }
      }
      guard players.count > 2 else { return nil }
      let matches = own.flatMap { name -> [BradleyTerry.Match] in
        guard let first = players.firstIndex(of: name.first), let second = players.firstIndex(of: name.second)
        else { return [] }
        return (entries[name]?.scores ?? []).map {
          BradleyTerry.Match(cluster: $0.number, first: first, second: second, score: $0.value)
        }
      }
      guard let strengths = BradleyTerry.estimates(matches, players: players.count, seed: seed) else {
        return nil
      }
      let targets = zip(players, strengths).map { RankingSummary.RankedTarget(name: $0, strength: $1) }
      return RankingSummary(
        comparison: comparison,
        targets: targets.sorted { ($0.strength.value ?? 0) > ($1.strength.value ?? 0) })
    }
  }
}

extension PairTally.Entry {
  /// - Parameter judges: each judge's readings, by whether the answers were swapped.
  fileprivate mutating func add(_ judges: [[Int: JudgeReading]], at number: Int) {
    let verdicts = judges.compactMap { readings -> (score: Double, flipped: Bool)? in
      guard case .preference(let straight, _)? = readings[0], case .preference(let swapped, _)? = readings[1]
      else { return nil }
      return PairTally.verdict(straight, swapped)
    }
    for verdict in verdicts { flips.append((number, verdict.flipped ? 1 : 0)) }
    guard !verdicts.isEmpty else {
      unscored += 1
      return
    }
    let mean = verdicts.reduce(0) { $0 + $1.score } / Double(verdicts.count)
    scores.append((number, mean > 0.5 ? 1 : mean < 0.5 ? 0 : 0.5))
  }
}

extension PairTally {
  /// The first's score by a judge that saw the pair in both orders: what it preferred both times, else a tie.
  ///
  /// - Parameters:
  ///   - straight: by place, with the first's answer shown first.
  ///   - swapped: by place, with the second's answer shown first.
  static func verdict(_ straight: Preference, _ swapped: Preference) -> (score: Double, flipped: Bool) {
    let again: Preference =
      switch swapped {
      case .first: .second
      case .second: .first
      case .tie: .tie
      }
    guard straight == again else { return (0.5, true) }
    return (straight == .first ? 1 : straight == .second ? 0 : 0.5, false)
  }
}
