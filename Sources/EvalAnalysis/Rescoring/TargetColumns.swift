import EvalCore

/// What is gathered of one target: its whole trials, and each check.
struct TargetColumns {
  struct Check {
    var key: ScoreSetReader.CheckKey
    var before = ScoreSetChange.Counts()
    var after = ScoreSetChange.Counts()
    var pairs = GradedPairs()
  }

  var trials = 0
  var covered = 0
  var whole = GradedPairs()
  var checks: [Check] = []
  private var places: [ScoreSetReader.CheckKey: Int] = [:]
  private var last: ContentHash?

  mutating func place(of score: ScoreRecord) -> Int {
    let key = ScoreSetReader.CheckKey(check: score.check, turn: score.turn)
    if let known = places[key] { return known }
    places[key] = checks.count
    checks.append(Check(key: key))
    return checks.count - 1
  }

  /// Trials come case by case; a new one closes the one before.
  mutating func begin(_ trial: TrialRecord, cluster: Int?) {
    guard last != trial.key.caseHash else { return }
    last = trial.key.caseHash
    whole.begin(trial, cluster: cluster)
    for place in checks.indices { checks[place].pairs.begin(trial, cluster: cluster) }
  }

  mutating func change(_ target: String, seed: UInt64) -> ScoreSetChange.TargetChange {
    ScoreSetChange.TargetChange(
      target: target, trials: trials, covered: covered,
      whole: whole.differences(seed: seed), flips: whole.orderedFlips,
      checks: checks.indices.map { place in
        ScoreSetChange.CheckChange(
          check: checks[place].key.check, turn: checks[place].key.turn, before: checks[place].before,
          after: checks[place].after,
          differences: checks[place].pairs.differences(seed: seed),
          flips: checks[place].pairs.orderedFlips)
      })
  }
}

/// The pairs of one check, or of whole trials: a case at a time into the samples.
struct GradedPairs {
  private var pair: CasePairing.Pair?
  private var cluster: Int?
  private var scores = PairedSample(.score)
  private var passes = PairedSample(.pass)
  private var hasVerdict = false
  private var flips: [Flip] = []

  mutating func begin(_ trial: TrialRecord, cluster: Int?) {
    close()
    let one = ComparedCase(
      hash: trial.key.caseHash, id: trial.caseID, tags: trial.tags, cluster: trial.cluster)
    pair = CasePairing.Pair(reference: one, candidate: one)
    self.cluster = cluster
  }

  mutating func add(_ before: ComparedTrial, _ after: ComparedTrial, isUngated: Bool, hasChecks: Bool) {
    pair?.reference.trials.append(before)
    pair?.candidate.trials.append(after)
    if isUngated { pair?.reference.isUngated = true }
    if hasChecks { pair?.reference.hasChecks = true }
    if before.passed != nil || after.passed != nil { hasVerdict = true }
  }

  private mutating func close() {
    guard let pair, !pair.reference.trials.isEmpty else { return }
    let hasVerdict = (pair.reference.trials + pair.candidate.trials).contains { $0.passed != nil }
    scores.add(pair, .score, anyVerdict: true, cluster: cluster)
    passes.add(pair, .pass, anyVerdict: true, cluster: cluster)
    if let flip = Flip(pair, anyVerdict: hasVerdict) { flips.append(flip) }
    self.pair = nil
  }

  /// The pass rate where any check gave a verdict, and the score where it is more than that.
  mutating func differences(seed: UInt64) -> [PairedDifference] {
    close()
    var found: [PairedDifference] = []
    if hasVerdict, passes.cases > 0 { found.append(PairedDifference(.pass, passes, seed: seed)) }
    let isSame =
      !found.isEmpty && scores.isBinary && scores.missing == passes.missing
      && scores.differences.values == passes.differences.values
    if scores.cases > 0, !isSame { found.append(PairedDifference(.score, scores, seed: seed)) }
    return found
  }

  /// Those that fell first, then the greatest change, then the order of the run.
  var orderedFlips: [Flip] { Flip.ordered(flips) }
}
