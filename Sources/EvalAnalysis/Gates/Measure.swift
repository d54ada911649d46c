package import EvalCore

/// What a gate may be about, with the way to its number.
package struct Measure: Sendable {
  /// A value with the interval that a gate tests, or why there is none.
  struct Reading: Sendable {
    var estimate: Estimate
    /// Why there is nothing to test, and what to do.
    var problem: GateProblem?

    init(_ estimate: Estimate, problem: GateProblem? = nil) {
      self.estimate = estimate
      self.problem = problem
    }
  }

  enum Source: Sendable {
    /// From the summary of a target.
    case summary(@Sendable (TargetSummary, RunInfo) -> Reading)
    /// A share of the trials; `nil` leaves a trial out.
    case share(@Sendable (TrialRecord) -> Bool?)
    /// Only case by case against another target.
    case pairs
  }

  package let info: MeasureInfo
  let source: Source
  /// The comparison behind "not worse than", strict and conditional; `nil` when there is none.
  var comparison: (strict: ComparisonMeasure, conditional: ComparisonMeasure)?
  /// Tests nothing but what happened to calls, so that errors do not make it invalid.
  var countsErrors = false
  /// Rests on what checks say, so that answers that could not be judged make it invalid.
  var readsScores = false
  /// Only a route has it.
  var isOfRoutes = false
  /// The estimate keeps its promise at any confidence, which looking early needs.
  var allowsEarlyLook = false
}

extension Measure {
  /// One of the shares of trials.
  fileprivate static func share(
    _ name: String, _ summary: String, isLowerBetter: Bool = true, countsErrors: Bool = false,
    of isOne: @escaping @Sendable (TrialRecord) -> Bool?
  ) -> Measure {
    var measure = Measure(
      info: MeasureInfo(name, .share, isLowerBetter: isLowerBetter, summary), source: .share(isOne))
    measure.countsErrors = countsErrors
    measure.allowsEarlyLook = true
    return measure
  }

  /// A mean of scores; the suite says whether a missing answer counts 0.
  fileprivate static func mean(
    _ name: String, _ summary: String, strict: any KeyPath<ScoreSummary, Estimate> & Sendable,
    conditional: any KeyPath<ScoreSummary, Estimate> & Sendable,
    comparison: (ComparisonMeasure, ComparisonMeasure)
  ) -> Measure {
    var measure = Measure(
      info: MeasureInfo(name, .share, isLowerBetter: false, pairing: .difference, summary),
      source: .summary { target, run in
        Reading(target.score[keyPath: run.leadsConditional ? conditional : strict])
      })
    measure.comparison = (comparison.0, comparison.1)
    measure.readsScores = true
    measure.allowsEarlyLook = true
    return measure
  }

  fileprivate static func dollars(
    _ name: String, _ summary: String, pairing: ComparisonMeasure? = nil, isExact: Bool = false,
    of estimate: @escaping @Sendable (CostSummary) -> Estimate
  ) -> Measure {
    var measure = Measure(
      info: MeasureInfo(
        name, .dollars, isLowerBetter: true, pairing: pairing.map { _ in .difference }, isExact: isExact,
        summary),
      source: .summary { target, _ in
        let cost = target.cost
        guard cost.unknown == 0 else {
          return Reading(
            estimate(cost),
            problem: GateProblem(
              "the cost of \(cost.unknown) of \(cost.attempts) calls is unknown",
              advice: "state `price` in the profiles, or `\"free\"`"))
        }
        return Reading(estimate(cost))
      })
    measure.comparison = pairing.map { ($0, $0) }
    return measure
  }

  fileprivate static func percentile(
    _ name: String, _ summary: String, _ quantile: any KeyPath<Distribution, Percentile> & Sendable,
    unit: MeasureUnit = .time,
    of distribution: @escaping @Sendable (TargetSummary) -> (Distribution, Provenance)?
  ) -> Measure {
    Measure(
      info: MeasureInfo(name, unit, isLowerBetter: unit == .time, summary),
      source: .summary { target, _ in
        guard let (distribution, source) = distribution(target) else {
          return Reading(
            Estimate(value: nil, n: 0, method: .orderStatistics),
            problem: GateProblem("no call has it", advice: "streamed answers have first tokens and rates"))
        }
        return Reading(percentile: distribution[keyPath: quantile], source)
      })
  }

  fileprivate static func paired(
    _ name: String, _ summary: String, _ comparison: ComparisonMeasure
  ) -> Measure {
    var measure = Measure(
      info: MeasureInfo(
        name, .time, isLowerBetter: true, pairing: .ratio, takesLimit: false, summary), source: .pairs)
    measure.comparison = (comparison, comparison)
    return measure
  }
}

/// Every measure, one line each; `Docs/Gates.md` prints this table.
package enum MeasureRegistry {
  package static let all: [Measure] = [
    .mean(
      "score", "The mean score; an answer that could not be had counts 0.", strict: \.strict,
      conditional: \.conditional, comparison: (.score, .scoreConditional)),
    .mean(
      "passRate", "The share of trials whose checks all passed.", strict: \.passStrict,
      conditional: \.passConditional, comparison: (.pass, .passConditional)),
    .check,
    .percentile("latency.p50", "To the end of the answer.", \.p50) { $0.latencyForGates },
    .percentile("latency.p90", "To the end of the answer.", \.p90) { $0.latencyForGates },
    .percentile("latency.p95", "To the end of the answer.", \.p95) { $0.latencyForGates },
    .percentile("firstToken.p50", "To the first token of any channel.", \.p50) { $0.firstTokenForGates },
    .percentile("firstToken.p90", "To the first token of any channel.", \.p90) { $0.firstTokenForGates },
    .percentile("firstToken.p95", "To the first token of any channel.", \.p95) { $0.firstTokenForGates },
    .percentile("userLatency.p50", "The same with every retry and wait.", \.p50) { $0.userLatencyForGates },
    .percentile("userLatency.p90", "The same with every retry and wait.", \.p90) { $0.userLatencyForGates },
    .percentile("userLatency.p95", "The same with every retry and wait.", \.p95) { $0.userLatencyForGates },
    .percentile("tokensPerSecond.p50", "Tokens after the first, a second.", \.p50, unit: .tokensPerSecond) {
      $0.decoding.first.map { ($0.tokensPerSecond, $0.source) }
    },
    .paired("latency", "The user's wait for a case's answers, retries and waits in it.", .latency),
    .paired("firstToken", "The user's wait for the first token.", .firstToken),
    .dollars("costPerCase", "The mean cost of a trial.", pairing: .cost) { $0.perTrial },
    .dollars("costPerSuccess", "Cost over passed trials.") { $0.perSuccess },
    .perAccepted(
      "costPerAccepted", .dollars,
      "The mean cost of a trial over the share that was accepted: a user asks again.",
      \.cost),
    .perAccepted(
      "latencyPerAccepted", .time, "The user's mean wait over the share that was accepted.", \.wait),
    .dollars("cost", "What all calls cost together.", isExact: true) {
      Estimate(value: $0.known, n: $0.attempts, missing: $0.unknown, method: .exact)
    },
    .share("errorRate", "Trials that failed for reasons that are not the model's.", countsErrors: true) {
      $0.failedOfInfrastructure
    },
    .share("failureRate", "Trials without an answer, whoever is to blame.", countsErrors: true) {
      ScoreTally.hasNoAnswer($0)
    },
    .share("refusalRate", "Trials that the model declined.") { $0.status == .refused },
    .share("emptyRate", "Trials that ended properly with nothing.") { $0.status == .empty },
    .share("cutRate", "Answers that ended at the token limit.") { trial in
      trial.served.map { $0.finish == .length }
    },
    .share("retryRate", "Trials with a retry.", countsErrors: true) { $0.hasAttempt(because: "retry") },
    .share("fallbackRate", "Trials in which an arm failed and another answered.") {
      $0.hasAttempt(because: "fallback")
    },
    .share("escalationRate", "Trials whose first answer was not good enough.") {
      $0.hasAttempt(because: "escalation")
    },
    .cloudShare,
    .leaks,
  ]

  /// For those who read rules.
  package static let infos: [MeasureInfo] = all.map(\.info)
}

extension Measure {
  /// The pass rate of one check, by its name behind the dot.
  fileprivate static var check: Measure {
    var measure = Measure(
      info: MeasureInfo(
        MeasureInfo.checkName, .share, isLowerBetter: false,
        "The share that passed of one check, by its name."),
      source: .summary { _, _ in Reading(Estimate(value: nil, n: 0, method: .wilson)) })
    measure.readsScores = true
    measure.allowsEarlyLook = true
    return measure
  }

  /// Counted from the attempt log, not estimated: one is one too many.
  fileprivate static var leaks: Measure {
    var measure = Measure(
      info: MeasureInfo(
        "leaks", .count, isLowerBetter: true, isExact: true,
        "Calls of a route that went where they may not. Held at 0 for every route, with and without this gate."
      ),
      source: .summary { target, _ in
        Reading(
          Estimate(
            value: Double(target.route?.leaks.count ?? 0), n: target.counts.finished, method: .exact))
      })
    measure.isOfRoutes = true
    return measure
  }

  fileprivate static var cloudShare: Measure {
    var measure = Measure(
      info: MeasureInfo(
        "cloudShare", .share, isLowerBetter: true, pairing: .difference,
        "Trials of which anything left the device; an arm without a stated boundary counts as gone."),
      source: .share { $0.leftDevice })
    measure.comparison = (.cloudShare, .cloudShare)
    measure.allowsEarlyLook = true
    return measure
  }
}

extension Measure.Reading {
  /// A percentile whose failures count as slower than everything. Recorded times are not this run's to judge.
  init(percentile: Percentile, _ source: Provenance) {
    estimate = percentile.estimate
    if case .value(let low)? = percentile.low, percentile.high == .beyond {
      estimate.interval = low...Double.infinity
    }
    if source == .recorded {
      problem = GateProblem("recorded, not live: there is no latency to judge", advice: "run it live")
    } else if !percentile.isEstimable {
      problem = GateProblem(
        "a 95 % interval takes \(percentile.required) calls of one kind, there are \(percentile.n)",
        advice: "\(percentile.required - percentile.n) calls more would settle it: add cases or repeats")
    }
  }
}

extension RunInfo {
  /// The suite wants an answer that could not be had left out rather than counted 0.
  var leadsConditional: Bool { settings["failuresCountAsZero"]?.boolValue == false }
}

extension TargetSummary {
  /// Failures slower than every answer.
  fileprivate var latencyForGates: (Distribution, Provenance)? {
    headline.map { ($0.adjustedTotal ?? $0.total, $0.condition.source) }
  }
  fileprivate var firstTokenForGates: (Distribution, Provenance)? {
    guard let headline, let times = headline.adjustedFirstToken ?? headline.firstToken else { return nil }
    return (times, headline.condition.source)
  }
  fileprivate var userLatencyForGates: (Distribution, Provenance)? {
    headline.map { ($0.userTotal, $0.condition.source) }
  }
}

extension TrialRecord {
  fileprivate var failedOfInfrastructure: Bool {
    status == .failed && (errorClass ?? .unknown).blame != .model
  }

  fileprivate func hasAttempt(because cause: String) -> Bool {
    attempts.contains { $0.phase == .measured && $0.cause.hasPrefix(cause) }
  }

  fileprivate var leftDevice: Bool {
    attempts.contains { $0.phase == .measured && ($0.boundary ?? .thirdParty) > .device && $0.bytesSent != 0 }
  }
}
