package import EvalCore

/// What labels say of one judge: how often it is wrong, and whether that depends on whose answer it judges.
package struct JudgeErrors: Sendable, Hashable {
  /// On whose labels a correction rests.
  package enum Basis: String, Sendable, Hashable {
    case allTargets, ownLabels
    /// Nobody labelled an answer of this target: it is taken to be judged as the others are.
    case otherTargets
  }

  package let labels: [VerdictLabel]
  package let inAll: VerdictRates
  /// In the order of their names.
  package let targets: [Target]
  /// Targets for which the judge errs otherwise than for all others together, with how.
  package let differences: [Difference]

  package struct Target: Sendable, Hashable {
    package var name: String
    package var rates: VerdictRates
  }

  package struct Difference: Sendable, Hashable {
    package enum Rate: String, Sendable, Hashable { case sensitivity, specificity }

    package var target: String
    package var rate: Rate
    /// The target's less that of the others.
    package var by: Double
    /// Wide enough for all targets and both rates together.
    package var interval: ClosedRange<Double>

    /// True when wrong answers pass more often, or right ones fail less often, than those of the others.
    package var favours: Bool { rate == .specificity ? by < 0 : by > 0 }
  }

  package init(_ labels: [VerdictLabel], seed: UInt64) {
    self.labels = labels
    inAll = VerdictRates(labels, seed: seed)
    targets = Dictionary(grouping: labels, by: \.target).sorted { $0.key < $1.key }.map {
      Target(name: $0.key, rates: VerdictRates($0.value, seed: seed))
    }
    differences = JudgeErrors.differences(labels, targets.map(\.name))
  }

  /// Each target against all others, both rates, by Newcombe's interval at Bonferroni's `1 − 0.05/(2·targets)`.
  private static func differences(_ labels: [VerdictLabel], _ targets: [String]) -> [Difference] {
    guard targets.count > 1 else { return [] }
    // Of two targets each is the other's other: one question for each rate.
    let questions = Double(2 * (targets.count == 2 ? 1 : targets.count))
    let confidence = 1 - 0.05 / questions
    var found: [Difference] = []
    for target in targets {
      let own = LabelledSample(verdicts: labels.filter { $0.target == target })
      let others = LabelledSample(verdicts: labels.filter { $0.target != target })
      for (rate, measure) in [
        (Difference.Rate.sensitivity, JudgeAccuracy.sensitivity), (.specificity, JudgeAccuracy.specificity),
      ] as [(Difference.Rate, (LabelledSample, Double) -> Estimate)] {
        let (mine, theirs) = (measure(own, confidence), measure(others, confidence))
        guard let a = mine.value, let b = theirs.value,
          let interval = ShareDifference.newcombe(mine, theirs), !interval.contains(0)
        else { continue }
        found.append(Difference(target: target, rate: rate, by: a - b, interval: interval))
      }
    }
    return found
  }

  /// A target's judged rate without the judge's errors: those that all labels show, or, where the judge errs otherwise
  /// for one target than for the others, those that the target's own labels show.
  package func corrected(
    _ raw: Estimate, of target: String
  ) -> (result: Result<CorrectedRate, CorrectionRefusal>, basis: Basis) {
    guard !differences.isEmpty else {
      return (
        RateCorrection.corrected(raw, sensitivity: inAll.sensitivity, specificity: inAll.specificity),
        targets.contains { $0.name == target } ? .allTargets : .otherTargets
      )
    }
    guard let own = targets.first(where: { $0.name == target })?.rates else {
      return (.failure(.differsBetweenTargets), .ownLabels)
    }
    let result = RateCorrection.corrected(raw, sensitivity: own.sensitivity, specificity: own.specificity)
    if case .failure(.tooFewLabels) = result { return (.failure(.differsBetweenTargets), .ownLabels) }
    return (result, .ownLabels)
  }

  /// The files that the labels come from, in their order.
  package var sources: [String] { Set(labels.map(\.source)).sorted() }
  package var labellers: [String] { Set(labels.compactMap(\.labelledBy)).sorted() }
  /// Runs whose answers were labelled.
  package var runs: [String] { Set(labels.map(\.run)).sorted() }
}

/// Verdicts of people and of a judge on the same answers.
package struct VerdictRates: Sendable, Hashable {
  /// Labels, not weighted.
  package var bothPass = 0
  /// People pass what the judge fails.
  package var judgeFails = 0
  /// People fail what the judge passes.
  package var judgePasses = 0
  package var bothFail = 0
  package var agreement: Estimate
  package var kappa: Estimate
  /// Of the answers that people pass, the share that the judge passes.
  package var sensitivity: Estimate
  /// Of the answers that people fail, the share that the judge fails.
  package var specificity: Estimate
  /// The share that people pass.
  package var people: Estimate
  /// Answers of groups of which nobody labelled any.
  package var uncovered: Int

  package init(_ labels: [VerdictLabel], seed: UInt64) {
    let sample = LabelledSample(verdicts: labels)
    agreement = JudgeAccuracy.agreement(sample)
    kappa = CohenKappa.estimate(sample, levels: 2, .none, seed: seed)
    sensitivity = JudgeAccuracy.sensitivity(sample)
    specificity = JudgeAccuracy.specificity(sample)
    people = JudgeAccuracy.passed(sample)
    uncovered = sample.uncovered
    for label in labels {
      switch (label.person, label.judge) {
      case (true, true): bothPass += 1
      case (true, false): judgeFails += 1
      case (false, true): judgePasses += 1
      case (false, false): bothFail += 1
      }
    }
  }

  package var n: Int { bothPass + judgeFails + judgePasses + bothFail }
}

extension LabelledSample {
  /// The labels as levels 0 and 1, in groups by the file and the stratum that they were drawn from.
  init(verdicts labels: [VerdictLabel]) {
    var groups = LabelGroups()
    let pairs = labels.map { label in
      groups.pair(
        caseHash: label.key.caseHash, source: label.source, stratum: label.stratum,
        answers: label.stratumAnswers,
        person: label.person ? 1 : 0, judge: label.judge ? 1 : 0)
    }
    self.init(pairs, sizes: groups.sizes)
  }
}

/// Numbers cases and groups as they come.
struct LabelGroups {
  private struct Name: Hashable {
    var source: String
    var stratum: Int?
  }

  private var cases: [ContentHash: Int] = [:]
  private var names: [Name: Int] = [:]
  /// By group, how many answers it has; none for labels that nobody drew.
  private(set) var sizes: [Int: Int] = [:]

  mutating func pair(
    caseHash: ContentHash, source: String, stratum: Int?, answers: Int?, person: Int, judge: Int
  ) -> LabelledPair {
    let cluster = cases[caseHash] ?? cases.count
    cases[caseHash] = cluster
    let name = Name(source: source, stratum: stratum)
    let group = names[name] ?? names.count
    names[name] = group
    if let answers, stratum != nil { sizes[group] = answers }
    return LabelledPair(cluster: cluster, stratum: group, person: person, judge: judge)
  }
}
