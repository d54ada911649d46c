import EvalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension GateJudge {
  /// A measure against a limit.
  func judgeBound(
    _ gate: GateSpec, _ target: String, _ comparison: GateSpec.Comparison, _ limit: Double
  ) -> GateResult {
    guard let measure = Measure.named(gate.measure) else {
      return undecided(gate, target, "this version has no measure '\(gate.measure)'")
    }
    guard let part = part(gate, target) else { return undecided(gate, target, "no trial of it is finished") }
    if let problem = invalidity(measure, part) {
      return undecided(gate, target, problem.message, problem.advice, .invalid)
    }
    let reading = reading(measure, gate, part)
    var result = undecided(gate, target, "")
    result.estimate = reading.estimate
    result.reason = reading.problem?.message
    result.advice = reading.problem?.advice
    if reading.problem != nil { return result }
    if let problem = tooEarly(for: gate, measure) {
      result.reason = problem.message
      result.advice = problem.advice
      return result
    }
    decide(&result, GateTest(comparison: comparison, limit: limit, isPoint: gate.isPoint))
    return result
  }

  private func reading(_ measure: Measure, _ gate: GateSpec, _ part: TargetSummary) -> Measure.Reading {
    if let name = gate.check {
      if let check = part.checks.first(where: { $0.name == name }) {
        let problem =
          check.verdicts == 0
          ? GateProblem("the check '\(name)' gives no verdict", advice: "give it a 'threshold'") : nil
        return Measure.Reading(check.passRate, problem: problem)
      }
      let advice = suggestion(for: name, among: part.checks.map(\.name))
      return Measure.Reading(
        Estimate(value: nil, n: 0, method: .wilson),
        problem: GateProblem("no check of these trials is called '\(name)'", advice: advice))
    }
    switch measure.source {
    case .summary(let read): return read(part, run)
    case .share:
      return Measure.Reading(
        tally.share(gate.measure, GateSlice(gate), part.name, confidence: confidence ?? 0.95))
    case .pairs: return Measure.Reading(Estimate(value: nil, n: 0, method: .t))
    }
  }

  /// A run that is still going decides only what a correction for looking allows.
  func tooEarly(for gate: GateSpec, _ measure: Measure) -> GateProblem? {
    guard let early else { return nil }
    let advice = "the same command goes on with the run"
    if gate.isPoint {
      return GateProblem("a gate on the point is not judged before the run is finished", advice: advice)
    }
    if !measure.allowsEarlyLook {
      return GateProblem("'\(measure.info.name)' is not judged before the run is finished", advice: advice)
    }
    if confidence == nil {
      return GateProblem(
        "too early: \(Int(early * 100)) % of the trials are there, judging begins at "
          + "\(Int(EarlyLook.least * 100)) %", advice: advice)
    }
    return nil
  }

  /// Sets the outcome by the interval, with what would settle it.
  func decide(_ result: inout GateResult, _ test: GateTest) {
    // A percentile among the failures has no value: it is slower than every answer.
    let beyond = result.estimate?.interval.map { test.isPoint ? $0.upperBound : $0.lowerBound }
    guard let estimate = result.estimate, let value = estimate.value ?? beyond else {
      result.reason = result.reason ?? "there is nothing to judge"
      return
    }
    let isExact = estimate.method == .exact
    result.falseAlarmRate = test.isPoint ? nil : isExact ? 0 : 0.025
    guard let interval = test.isPoint || isExact ? value...value : estimate.interval else {
      result.reason = "one case has no interval"
      result.advice = "add cases"
      return
    }
    result.outcome = test.outcome(interval)
    guard result.outcome == .inconclusive else { return }
    result.reason =
      early == nil
      ? "the interval lies on both sides of the limit"
      : "the interval, widened for looking early, lies on both sides of the limit"
    result.advice =
      early == nil ? test.advice(value, interval, estimate) : "the same command goes on with the run"
  }
}

/// A limit that an interval is held against.
struct GateTest {
  var comparison: GateSpec.Comparison
  var limit: Double
  var isPoint: Bool
  /// False where the interval is of logarithms.
  var isLinear = true

  /// Pass when the whole interval keeps the limit, fail when none of it does.
  func outcome(_ interval: ClosedRange<Double>) -> GateOutcome {
    // 0.7 + 0.1 keeps a limit of 0.8.
    let slack = 1e-9 * max(abs(limit), 1e-3)
    let (low, high) = (interval.lowerBound, interval.upperBound)
    switch comparison {
    case .atLeast: return low >= limit - slack ? .pass : high < limit - slack ? .fail : .inconclusive
    case .above: return low > limit + slack ? .pass : high <= limit + slack ? .fail : .inconclusive
    case .atMost: return high <= limit + slack ? .pass : low > limit + slack ? .fail : .inconclusive
    case .below: return high < limit - slack ? .pass : low >= limit - slack ? .fail : .inconclusive
    case .equal: return abs(low - limit) <= slack && low == high ? .pass : .fail
    }
  }

  /// How many more units narrow the interval to the distance between value and limit: for a share by Wilson's interval of
  /// that share, else as a margin shrinks with the square root of the units.
  func advice(_ value: Double, _ interval: ClosedRange<Double>, _ estimate: Estimate) -> String? {
    let units = Double(estimate.units ?? estimate.n)
    let distance = isLinear ? abs(value - limit) : abs(log(value / limit))
    let (low, high) = (interval.lowerBound, interval.upperBound)
    let side = value < limit ? high : low
    let half = isLinear ? abs(side - value) : abs(log(side / value))
    guard units > 0, half > 0, half.isFinite else { return "add cases" }
    let needed =
      estimate.method == .wilson && isLinear
      ? GateTest.wilsonUnits(value, limit, from: units) : units * (half / distance) * (half / distance)
    guard needed.isFinite, needed - units < 1e6 else {
      return
        "the value lies at the limit: no number of cases is sure to settle it; move the limit, or say 'point'"
    }
    let more = max(1, Int((needed - units).rounded(.up)))
    let singular =
      estimate.method == .orderStatistics ? "call" : estimate.isClustered ? "cluster of cases" : "case"
    let noun =
      estimate.method == .orderStatistics ? "calls" : estimate.isClustered ? "clusters of cases" : "cases"
    return
      "about \(GateTest.round(more)) more \(more == 1 ? singular : noun) would settle it if the value stays where it is"
  }

  /// The least number of units of which Wilson's interval of this share leaves the limit out; infinite beyond a billion.
  static func wilsonUnits(_ share: Double, _ limit: Double, from units: Double) -> Double {
    func isSettled(_ n: Double) -> Bool {
      let interval = Proportion.wilson(share: share, n: n)
      return share < limit ? interval.upperBound < limit : interval.lowerBound > limit
    }
    guard share != limit, isSettled(1e9) else { return .infinity }
    var (open, settled) = (max(1, units), 1e9)
    while settled - open > 1 {
      let middle = ((open + settled) / 2).rounded(.down)
      if isSettled(middle) { settled = middle } else { open = middle }
    }
    return settled
  }

  /// Up to two digits: it is a guess.
  static func round(_ count: Int) -> Int {
    var scale = 1
    while count / scale >= 100 { scale *= 10 }
    return (count + scale - 1) / scale * scale
  }
}
