import EvalCore

/// What becomes of each case in the hands of each rule, worked out as far as policies needed it.
struct RuleColumns {
  /// Rules with equal keys act alike.
  private struct Key: Hashable {
    var identity: String
    var constraints: PrivacyRules?
    var decidesRetries: Bool
    var readsChecks: Bool
  }

  private let sweep: PolicySweep
  private let table: FactTable
  private var places: [Key: Int] = [:]
  /// Column after column, each by repeat × case.
  private(set) var outcomes: [TraceOutcome] = []
  /// Column after column, by case: whether its outcomes are there.
  private var isKnown: [Bool] = []
  /// Cases of several turns: a policy may take another rule in each, so that one rule does not say what happens.
  let severalTurns: [Int]

  init(_ sweep: PolicySweep) {
    self.sweep = sweep
    table = sweep.replayer.factTable
    severalTurns = sweep.replayer.table.cases.indices.filter { sweep.replayer.table.cases[$0].turnCount > 1 }
  }

  /// By case, where the outcomes of the rule that takes it stand in `outcomes`, all of them worked out; `nil` for a policy
  /// that must be walked.
  mutating func starts(of policies: [Contender]) async -> [[Int]?] {
    let table = table
    let taken = await Parallel.map(policies.count, width: sweep.width) { index in
      RuleColumns.taken(policies[index].policy, table)
    }
    let columns = zip(policies, taken).map { contender, taken in
      taken?.identities.map { identity in identity.map { place(of: $0, contender) } ?? -1 }
    }
    let trials = sweep.replayer.table.trialCount
    let starts = await Parallel.map(policies.count, width: sweep.width) { policy -> [Int]? in
      guard let taken = taken[policy], let columns = columns[policy] else { return nil }
      return taken.rules.indices.map { columns[Int(taken.rules[$0])] * trials + $0 }
    }
    await fill(starts, policies)
    return starts
  }

  private struct Taken: Sendable {
    var rules: [UInt16]
    /// By rule; `nil` for one that takes no case.
    var identities: [String?]
  }

  private static func taken(_ policy: any Policy, _ table: FactTable) -> Taken? {
    guard let policy = policy as? any RuledPolicy, !policy.readsRunSpending else { return nil }
    let rules = policy.rules(taking: table)
    var isTaken = [Bool](repeating: false, count: Int(rules.max() ?? 0) + 1)
    for rule in rules { isTaken[Int(rule)] = true }
    return Taken(
      rules: rules, identities: isTaken.indices.map { isTaken[$0] ? policy.identity(ofRule: $0) : nil })
  }

  private mutating func place(of identity: String, _ contender: Contender) -> Int {
    let key = Key(
      identity: identity, constraints: contender.constraints,
      decidesRetries: contender.policy.decidesRetries, readsChecks: !contender.policy.acceptChecks.isEmpty)
    if let place = places[key] { return place }
    let table = sweep.replayer.table
    places[key] = places.count
    outcomes += Array(repeating: .unknown, count: table.trialCount)
    isKnown += Array(repeating: false, count: table.cases.count)
    return places.count - 1
  }

  /// One case that a rule has not been asked about.
  private struct Gap: Sendable {
    var column: Int
    var index: Int
    /// The policy of the batch to walk.
    var policy: Int

    static func == (left: Gap, right: Gap) -> Bool {
      left.column == right.column && left.index == right.index
    }
    func hash(into hasher: inout Hasher) {
      hasher.combine(column)
      hasher.combine(index)
    }
  }

  private mutating func fill(_ starts: [[Int]?], _ policies: [Contender]) async {
    let known = isKnown
    let table = sweep.replayer.table
    let (cases, trials) = (table.cases.count, table.trialCount)
    let isSeveral = Set(severalTurns)
    let found = await Parallel.map(starts.count, width: sweep.width) { policy -> [Gap] in
      guard let starts = starts[policy] else { return [] }
      return starts.indices.compactMap { index in
        let column = starts[index] / trials
        return known[column * cases + index] || isSeveral.contains(index)
          ? nil : Gap(column: column, index: index, policy: policy)
      }
    }
    var gaps: [Gap] = []
    for gap in found.joined() where !isKnown[gap.column * cases + gap.index] {
      isKnown[gap.column * cases + gap.index] = true
      gaps.append(gap)
    }
    let (replayer, strong, work) = (sweep.replayer, sweep.strong, gaps)
    let walked = await Parallel.map(work.count, width: sweep.width) { place -> [TraceOutcome] in
      let gap = work[place]
      let contender = policies[gap.policy]
      return (0..<table.repeats).map { repeatIndex in
        TraceOutcome(
          replayer.trace(
            of: contender.policy, case: gap.index, repeat: repeatIndex, constraints: contender.constraints),
          strong: strong)
      }
    }
    for (gap, outcomes) in zip(gaps, walked) {
      for (repeatIndex, outcome) in outcomes.enumerated() {
        self.outcomes[gap.column * trials + repeatIndex * cases + gap.index] = outcome
      }
    }
  }
}

extension TraceOutcome {
  /// Not asked yet.
  static let unknown: TraceOutcome = {
    var trace = PolicyTrace(caseIndex: 0, repeatIndex: 0)
    trace.label = .missing(reason: "not asked")
    return TraceOutcome(trace)
  }()
}
