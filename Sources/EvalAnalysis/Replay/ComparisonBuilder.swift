import EvalCore

extension RoutingComparison {
  /// Replays policies and the arms alone, and scores them over the trials that all of them have.
  ///
  /// A side with a quality for less than `settings.floor` of its trials is shown by itself and compared with nothing.
  package static func make(
    _ replayer: Replayer, policies: [Contender], settings: ComparisonSettings = ComparisonSettings()
  ) -> RoutingComparison {
    let ground = ComparisonGround(replayer, policies: policies, settings: settings)
    return ComparisonBuilder(ground).comparison()
  }
}

/// Everything that is compared, replayed: arms first, then policies.
struct ComparisonGround: Sendable {
  struct Side: Sendable {
    var name: String
    var isArm: Bool
    var traces: [PolicyTrace]
    var outcomes: [TraceOutcome]
    /// Its number among the compared sides; `nil` below the coverage floor.
    var place: Int?
  }

  let replayer: Replayer
  let settings: ComparisonSettings
  let weak: String?
  let strong: String?
  let sides: [Side]
  let trials: PairedTrials
  /// By case of the table; `nil` stands alone.
  let clusters: [Int?]

  init(_ replayer: Replayer, policies: [Contender], settings: ComparisonSettings) {
    self.replayer = replayer
    self.settings = settings
    let table = replayer.table
    let ends = ComparisonGround.ends(table, settings)
    (weak, strong) = ends
    let arms = ComparisonGround.arms(table, policies, settings, ends)
    var next = 0
    sides = (arms.map { Contender(policy: ArmAlone($0)) } + policies).enumerated().map { index, contender in
      let traces = replayer.traces(of: contender.policy, constraints: contender.constraints)
      let outcomes = traces.map { TraceOutcome($0, strong: ends.strong) }
      let isCompared = ReplayCoverage(outcomes).share >= settings.floor && !outcomes.isEmpty
      if isCompared { next += 1 }
      return Side(
        name: contender.name, isArm: index < arms.count, traces: traces, outcomes: outcomes,
        place: isCompared ? next - 1 : nil)
    }
    trials = PairedTrials(
      sides.filter { $0.place != nil }.map(\.outcomes), cases: table.cases.count, repeats: table.repeats)
    clusters = ComparisonGround.clusters(table.cases)
  }

  /// The weak and the strong arm, by what was known before any answer.
  static func ends(_ table: ReplayTable, _ settings: ComparisonSettings) -> (weak: String?, strong: String?) {
    let names = settings.arms.map { Set($0) }
    let arms = table.arms.filter { names?.contains($0.name) ?? true }
    let near = arms.map(\.reach).min()
    let far = arms.map(\.reach).max()
    let weak = settings.weak ?? arms.first { $0.reach == near }?.name
    let strong = settings.strong ?? arms.last { $0.reach == far }?.name
    return weak == strong ? (nil, nil) : (weak, strong)
  }

  private static func arms(
    _ table: ReplayTable, _ policies: [Contender], _ settings: ComparisonSettings,
    _ ends: (weak: String?, strong: String?)
  ) -> [String] {
    var wanted = Set(settings.arms ?? policies.flatMap(\.policy.arms))
    wanted.formUnion([ends.weak, ends.strong].compactMap(\.self))
    return table.arms.map(\.name).filter(wanted.contains)
  }

  static func clusters(_ cases: [ReplayCase]) -> [Int?] {
    var known: [String: Int] = [:]
    return cases.map { one in
      one.cluster.map { name in
        let number = known[name] ?? known.count
        known[name] = number
        return number
      }
    }
  }
}

/// Works out a comparison from what was replayed.
struct ComparisonBuilder {
  let ground: ComparisonGround
  let paired: PairedCases
  let resampled: ResampledMeans
  let oracle: RouteOracle?
  let oraclePlace: Int?
  let utilityPlace: Int?
  let worth: RouteOracle.Worth?

  init(_ ground: ComparisonGround) {
    self.ground = ground
    let table = ground.replayer.table
    var paired = PairedCases(ground.trials.cases.map { table.cases[$0] })
    for side in ground.sides where side.place != nil { paired.add(ground.trials.means(side.outcomes)) }
    let arms = ground.sides.filter { $0.isArm && $0.place != nil }
    let permitted = RouteOracle.permitted(table, arms: arms.compactMap { table.place(ofArm: $0.name) })
    func oracle(_ worth: RouteOracle.Worth) -> RouteOracle? {
      guard !arms.isEmpty else { return nil }
      return RouteOracle(
        arms: arms.map(\.outcomes), permitted: permitted, trials: ground.trials, cases: table.cases,
        worth: worth)
    }
    self.oracle = oracle(RouteOracle.Worth())
    oraclePlace = self.oracle.map { paired.add($0.values) }
    worth = ground.settings.worth
    utilityPlace = worth.flatMap(oracle).map { paired.add($0.values) }
    self.paired = paired
    resampled = paired.resampled(
      paired.weights.isEmpty ? 0 : ground.settings.resamples, seed: ground.settings.seed)
  }

  func comparison() -> RoutingComparison {
    let table = ground.replayer.table
    let relative = RelativeBuilder(self)
    let scores = ground.sides.map { side in
      var score = score(of: side)
      score.relative = side.place.map { relative.score(of: $0) }
      return score
    }
    var comparison = RoutingComparison(
      settings: ground.settings, scenario: ground.replayer.scenario.statement, cases: table.cases.count,
      repeats: table.repeats, pairedTrials: ground.trials.count, pairedCases: ground.trials.cases.count,
      units: paired.units, weak: ground.weak, strong: ground.strong, gap: relative.gap,
      quadrants: quadrants(), arms: scores.filter(\.isArm), policies: scores.filter { !$0.isArm },
      oracle: oracleScore(), zeroRouter: relative.zeroRouter?.hull ?? [],
      pareto: scores.filter { $0.relative?.dominatedBy.isEmpty == true && $0.cost.value != nil }.map(\.name),
      ranking: nil)
    if comparison.pairedShare >= ground.settings.floor {
      comparison.ranking = scores.filter(\.isCompared).sorted(by: ComparisonBuilder.isBetter).map(\.name)
    }
    return comparison
  }

  private static func isBetter(_ left: PolicyScore, _ right: PolicyScore) -> Bool {
    func order(_ score: PolicyScore) -> (Double, Double) {
      (-(score.quality.value ?? -1), score.cost.value ?? .infinity)
    }
    return order(left) < order(right)
  }

  // MARK: One side

  private func score(of side: ComparisonGround.Side) -> PolicyScore {
    let table = ground.replayer.table
    let own =
      side.place == nil
      ? PairedTrials([side.outcomes], cases: table.cases.count, repeats: table.repeats) : ground.trials
    let tally = TraceTally(
      traces: side.traces, outcomes: side.outcomes, trials: own, cases: table.cases,
      clusters: ground.clusters, seed: ground.settings.seed)
    let means = own.means(side.outcomes)
    let place = side.place
    return tally.score(
      name: side.name, isArm: side.isArm, isCompared: place != nil,
      quality: quality(means, own, place: place), cost: cost(means, own, place: place))
  }

  /// By the bootstrap where cases have weights or the side is compared and its scores are spread, else as every mean score
  /// of a report: an interval of width 0 would claim too much.
  private func quality(_ means: [CaseMeans], _ trials: PairedTrials, place: Int?) -> Estimate {
    var values = CaseValues()
    values.isBinary = means.allSatisfy { $0.quality == 0 || $0.quality == 1 }
    for (index, mean) in means.enumerated() {
      values.append(
        mean.quality, trials: trials.repeatsOf[index].count, cluster: ground.clusters[trials.cases[index]])
    }
    let missing = trials.caseCount * trials.repeats - trials.count
    let cases = trials.cases.map { ground.replayer.table.cases[$0] }
    guard cases.contains(where: { $0.weight != cases[0].weight }) else {
      return Mean.ofScores(values, missing: missing)
    }
    let weights = cases.reduce(0) { $0 + $1.weight }
    let sum = zip(means, cases).reduce(0) { $0 + $1.0.quality * $1.1.weight }
    return Estimate(
      value: sum / weights,
      interval: place.flatMap { place in resampled.interval { resampled.means[place][$0].quality } },
      n: trials.count, missing: missing, units: paired.units, method: .clusterBootstrap)
  }

  private func cost(_ means: [CaseMeans], _ trials: PairedTrials, place: Int?) -> Estimate {
    let sum = means.reduce(0) { $0 + $1.dollars }
    let unknown = means.count { $0.dollars.isNaN }
    return Estimate(
      value: sum.isNaN || means.isEmpty ? nil : sum / Double(means.count),
      interval: place.flatMap { place in resampled.interval { resampled.means[place][$0].dollars } },
      n: means.count - unknown, missing: unknown, units: paired.units, method: .clusterBootstrap)
  }

  // MARK: The others

  private func oracleScore() -> OracleScore? {
    guard let oracle, let oraclePlace, !paired.weights.isEmpty else { return nil }
    let means = paired.means(of: oraclePlace)
    func estimate(_ value: KeyPath<CaseMeans, Double>) -> Estimate {
      Estimate(
        value: means[keyPath: value].isNaN ? nil : means[keyPath: value],
        interval: resampled.interval { resampled.means[oraclePlace][$0][keyPath: value] },
        n: ground.trials.count, units: paired.units, method: .clusterBootstrap)
    }
    return OracleScore(
      quality: estimate(\.quality), cost: estimate(\.dollars),
      meanSeconds: means.seconds.isNaN ? nil : means.seconds, isBiased: oracle.isBiased,
      unpermitted: oracle.unpermitted)
  }

  private func quadrants() -> RouteQuadrants? {
    let arms = ground.sides.filter { $0.isArm && $0.place != nil }
    guard let weak = arms.first(where: { $0.name == ground.weak })?.place,
      let strong = arms.first(where: { $0.name == ground.strong })?.place
    else { return nil }
    var quadrants = RouteQuadrants()
    for (place, index) in ground.trials.cases.enumerated() {
      let id = ground.replayer.table.cases[index].id
      let isWeakRight = paired.sides[weak][place].quality >= ground.settings.rightAt
      switch (isWeakRight, paired.sides[strong][place].quality >= ground.settings.rightAt) {
      case (false, true): quadrants.rescue.append(id)
      case (true, false): quadrants.loss.append(id)
      case (true, true): quadrants.safe.append(id)
      case (false, false): quadrants.hard.append(id)
      }
    }
    return quadrants
  }
}

extension ComparisonSettings {
  var worth: RouteOracle.Worth? {
    if dollarWorth == nil, secondWorth == nil { return nil }
    return RouteOracle.Worth(dollar: dollarWorth ?? 0, second: secondWorth ?? 0)
  }
}
