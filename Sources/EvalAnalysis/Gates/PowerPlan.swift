import EvalCore

/// How much one case says, in parts: what repeats cannot average away, and what they can.
package struct CaseVariance: Sendable, Hashable {
  /// Over cases, of the cases' true values or differences.
  package var between: Double
  /// The mean variance of one case's repeats, of both sides together for a difference; `nil` when nothing was repeated.
  package var within: Double?

  /// Assumed.
  package init(between: Double, within: Double?) {
    self.between = between
    self.within = within
  }

  /// With so many repeats: `ω² + σ²/K` (Miller 2024, arXiv 2411.00640, section 5).
  package func of(repeats: Int) -> Double { between + (within ?? 0) / Double(repeats) }

  /// Splits the variance of units' values into its parts.
  /// - Parameters:
  ///   - values: each case's mean over its repeats.
  ///   - within: the mean variance of single repeats; `nil` with one repeat.
  /// - Returns: `nil` with fewer than two units.
  init?(_ values: CaseValues, within: Double?) {
    guard let moments = Mean.moments(values) else { return nil }
    // The variance that a unit would have for the standard error to be what it is, clusters in it.
    let total = moments.standardError * moments.standardError * Double(moments.units)
    let repeats = Double(values.trials) / Double(values.count)
    between = within.map { max(0, total - $0 / repeats) } ?? total
    self.within = within
  }
}

extension CaseVariance {
  /// Of one side's values.
  init?(_ side: ComparisonInput, _ measure: ComparisonMeasure) {
    let pairing = CasePairing(reference: side, candidate: side)
    let sample = PairedSample(measure, pairing)
    self.init(sample.reference, within: CaseVariance.within(pairing, measure, \.reference))
  }

  /// Of the paired differences between two sides.
  init?(_ reference: ComparisonInput, _ candidate: ComparisonInput, _ measure: ComparisonMeasure) {
    let pairing = CasePairing(reference: reference, candidate: candidate)
    let sample = PairedSample(measure, pairing)
    let left = CaseVariance.within(pairing, measure, \.reference)
    let right = CaseVariance.within(pairing, measure, \.candidate)
    var within: Double?
    if let left, let right { within = left + right }
    self.init(sample.differences, within: within)
  }

  /// The mean over cases of `Σ(x−x̄)²/(K−1)`; `nil` when no case has two values.
  private static func within(
    _ pairing: CasePairing, _ measure: ComparisonMeasure, _ side: KeyPath<CasePairing.Pair, ComparedCase>
  ) -> Double? {
    var sum = 0.0
    var cases = 0
    for pair in pairing.pairs {
      let values = pair[keyPath: side].trials.compactMap {
        pair.value($0, measure, anyVerdict: pairing.anyVerdict)
      }
      guard values.count >= 2 else { continue }
      let mean = values.reduce(0, +) / Double(values.count)
      sum += values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1)
      cases += 1
    }
    return cases > 0 ? sum / Double(cases) : nil
  }
}

/// What a plan of so many cases and repeats can see.
package struct PowerPlan: Sendable {
  package struct Row: Sendable, Hashable {
    package var measure: ComparisonMeasure
    package var target: String
    /// `nil` for a target against a limit.
    package var reference: String?
    package var variance: CaseVariance
    /// The smallest difference that is seen in four of five runs, in 0…1.
    package var detectable: Double
    /// Cases that it takes to see the difference asked for; `nil` beyond a billion.
    package var casesForGoal: Int?
  }

  /// Cases, or clusters of cases where a run has them.
  package var units: Int
  package var isClustered = false
  package var repeats: Int
  /// The difference asked for, in 0…1.
  package var goal: Double
  package var rows: [Row] = []
  /// False when the variances are assumed.
  package var isMeasured = false

  package init(units: Int, repeats: Int, goal: Double) {
    self.units = units
    self.repeats = repeats
    self.goal = goal
  }

  /// Adds a question.
  package mutating func ask(
    _ measure: ComparisonMeasure, _ target: String, _ reference: String?, _ variance: CaseVariance
  ) {
    var one = variance.of(repeats: repeats)
    if one == 0 {
      // All alike is no proof that none will differ: one of n + 2 is taken to (Laplace's rule of succession).
      let share = 1 / Double(units + 2)
      one = share * (1 - share)
    }
    rows.append(
      Row(
        measure: measure, target: target, reference: reference, variance: variance,
        detectable: Power.detectable(variance: one, units: Double(units)),
        casesForGoal: Power.units(toSee: goal, variance: one)))
  }

  /// Pass or fail without a run to learn from. Repeats are taken not to help, which is the careful assumption.
  /// - Parameters:
  ///   - passRate: of every target, in 0…1.
  ///   - discordance: the share of cases that only one of two sides passes, in 0…1.
  package static func assumed(
    units: Int, repeats: Int, goal: Double, passRate: Double, discordance: Double
  ) -> PowerPlan {
    var plan = PowerPlan(units: units, repeats: repeats, goal: goal)
    plan.ask(.pass, "a target", nil, CaseVariance(between: passRate * (1 - passRate), within: nil))
    plan.ask(.pass, "a target", "another, or a baseline", CaseVariance(between: discordance, within: nil))
    return plan
  }

  /// With the variances of a run's targets: each against a limit, against every other, and against itself.
  /// - Parameters:
  ///   - sides: the run's targets.
  ///   - units: cases to plan for; `nil` takes as many units as the run has.
  ///   - repeats: `nil` takes the run's.
  package static func measured(
    _ sides: [ComparisonInput], units: Int?, repeats: Int?, goal: Double
  ) -> PowerPlan {
    let clusters = Set(sides.first?.cases.compactMap(\.cluster) ?? [])
    let alone = sides.first?.cases.count { $0.cluster == nil } ?? 0
    var plan = PowerPlan(
      units: units ?? clusters.count + alone, repeats: repeats ?? sides.first?.facts.repeats ?? 1, goal: goal)
    plan.isClustered = !clusters.isEmpty
    plan.isMeasured = true
    for (place, side) in sides.enumerated() {
      let hasVerdicts = side.cases.contains { $0.trials.contains { $0.passed != nil } }
      let measure: ComparisonMeasure = hasVerdicts ? .pass : .score
      let name = side.facts.target.name
      if let alone = CaseVariance(side, measure) {
        plan.ask(measure, name, nil, alone)
        // The same again differs by the noise of both runs, and by nothing else.
        if let within = alone.within {
          plan.ask(measure, name, "itself, unchanged", CaseVariance(between: 0, within: 2 * within))
        }
      }
      for other in sides[..<place] {
        guard let pair = CaseVariance(other, side, measure) else { continue }
        plan.ask(measure, name, other.facts.target.name, pair)
      }
    }
    return plan
  }
}
