import EvalCore

/// Scores many policies over one recording.
///
/// A case's way is worked out once for each rule that takes it, whichever policies share that rule
/// (`RuledPolicy.identity`); a policy is then a choice of rules by case, and its scores are sums over what was worked out.
/// Policies that look at what the run has spent, and conversations of several turns, are walked one by one.
package struct PolicySweep: Sendable {
  package let replayer: Replayer
  /// The least share of scored trials that is compared.
  package var floor = ReplayCoverage.floor
  /// The arm whose share of cases is `strongShare`.
  package var strong: String?
  /// Threads to work on.
  package var width: Int

  package init(_ replayer: Replayer, strong: String? = nil, width: Int? = nil) {
    self.replayer = replayer
    self.strong = strong ?? ComparisonGround.ends(replayer.table, ComparisonSettings()).strong
    self.width = max(1, width ?? Machine.cores)
  }

  /// The scores of each policy, in the order given, over the trials that every policy above the coverage floor has.
  package func run(_ policies: [Contender]) async -> [SweepScore] {
    var scores: [SweepScore] = []
    var scored: [ScoredTrials] = []
    scores.reserveCapacity(policies.count)
    var columns = RuleColumns(self)
    for batch in batches(of: Array(policies.indices)) {
      for (score, trials) in await run(batch.map { policies[$0] }, mask: nil, &columns) {
        scores.append(score)
        scored.append(trials)
      }
    }
    for index in scores.indices { scores[index].isCompared = scores[index].coverage.share >= floor }
    // Only what all have is compared. Most often that is everything.
    let compared = scores.indices.filter { scores[$0].isCompared }
    let common = compared.reduce(into: ScoredTrials.all) { $0.formIntersection(scored[$1]) }
    guard let mask = common.mask(replayer.table.trialCount) else { return scores }
    for batch in batches(of: compared.filter { scored[$0] != common }) {
      let again = await run(batch.map { policies[$0] }, mask: mask, &columns)
      for (index, result) in zip(batch, again) { scores[index] = result.0 }
    }
    return scores
  }

  /// The scores of one policy, walked case by case: what `run` gives for it alone.
  package func walk(_ contender: Contender) -> SweepScore {
    let sums = SweepSums(replayer.table)
    var score = sums.score(OutcomeView(outcomes(of: contender), cases: sums.caseCount))
    score.isCompared = score.coverage.share >= floor
    return score
  }

  func outcomes(of contender: Contender) -> [TraceOutcome] {
    replayer.traces(of: contender.policy, constraints: contender.constraints).map {
      TraceOutcome($0, strong: strong)
    }
  }

  /// So many that every thread has some, so few that their rules fit in a few megabytes.
  private func batches(of indices: [Int]) -> [[Int]] {
    let size = 256
    return stride(from: 0, to: indices.count, by: size).map {
      Array(indices[$0..<min($0 + size, indices.count)])
    }
  }

  private func run(
    _ policies: [Contender], mask: [Bool]?, _ columns: inout RuleColumns
  ) async -> [(SweepScore, ScoredTrials)] {
    let starts = await columns.starts(of: policies)
    let known = columns.outcomes
    let sums = SweepSums(replayer.table)
    let several = columns.severalTurns
    return await Parallel.map(policies.count, width: width) { index in
      var view: OutcomeView
      if let starts = starts[index] {
        view = OutcomeView(outcomes: known, starts: starts)
        if !several.isEmpty { view = walking(several, policies[index], view) }
      } else {
        view = OutcomeView(outcomes(of: policies[index]), cases: sums.caseCount)
      }
      let score = sums.score(view, mask: mask)
      let isWhole = score.coverage.scored == score.coverage.trials
      return (score, isWhole ? .all : ScoredTrials(view, count: score.coverage.trials))
    }
  }

  /// The view with some cases walked by the policy itself.
  private func walking(_ cases: [Int], _ contender: Contender, _ view: OutcomeView) -> OutcomeView {
    let table = replayer.table
    var outcomes = (0..<table.trialCount).map { view[$0] }
    for index in cases {
      for repeatIndex in 0..<table.repeats {
        let trace = replayer.trace(
          of: contender.policy, case: index, repeat: repeatIndex, constraints: contender.constraints)
        outcomes[repeatIndex * table.cases.count + index] = TraceOutcome(trace, strong: strong)
      }
    }
    return OutcomeView(outcomes, cases: table.cases.count)
  }
}

/// Which trials have a quality, where some have none.
struct ScoredTrials: Sendable, Hashable {
  /// One bit a trial; `nil` when all have one.
  private var words: [UInt64]?

  static let all = ScoredTrials()

  private init() {}

  init(_ view: OutcomeView, count: Int) {
    var words = [UInt64](repeating: 0, count: (count + 63) / 64)
    for trial in 0..<count where view[trial].isScored { words[trial / 64] |= 1 << UInt64(trial % 64) }
    self.words = words
  }

  mutating func formIntersection(_ other: ScoredTrials) {
    guard let others = other.words else { return }
    guard let own = words else {
      words = others
      return
    }
    words = zip(own, others).map { $0 & $1 }
  }

  /// `nil` when it is all.
  func mask(_ count: Int) -> [Bool]? {
    words.map { words in (0..<count).map { words[$0 / 64] >> UInt64($0 % 64) & 1 == 1 } }
  }
}
