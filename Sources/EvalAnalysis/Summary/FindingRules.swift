import EvalCore

/// What a person should know before believing the numbers of a run. Each rule is a function of its own.
struct FindingRules {
  let summary: RunSummary
  let tallies: [TargetTally]
  let table: CaseTable
  var repeatedAnswers: [RepeatedAnswers] = []

  /// The run's own findings first, each code and target once.
  func all() -> [Finding] {
    var findings = summary.run.findings
    findings += recorded() + unfinished() + clientLimited()
    findings += tooFewForTheClaim() + tooFewForPercentiles()
    findings += sameEverywhere() + identicalRepeats()
    for (target, tally) in zip(summary.targets, tallies) {
      findings += failures(of: target) + unscored(of: target) + mustPass(of: target) + askingAgain(of: target)
      findings += allPassOrFail(of: target)
      findings += price(of: target, tally) + servedModel(of: target)
      findings += coldTail(of: target, tally) + slowRetries(of: target, tally)
      findings += usage(of: target, tally) + drift(of: target, tally)
    }
    findings += judging()
    var seen: Set<String> = []
    return findings.filter { seen.insert("\($0.code)\u{0}\($0.target ?? "")\u{0}\($0.message)").inserted }
  }

  private func recorded() -> [Finding] {
    guard summary.isRecorded else { return [] }
    let origin = summary.run.recording.map { " (\($0))" } ?? ""
    return [
      Finding(
        code: "recorded-not-live",
        message:
          "recorded, not live: the answers come from a recording\(origin); times are the recording's and "
          + "costs are what a live run would cost, this one cost nothing",
        advice: "run the suite without its recording to measure")
    ]
  }

  private func unfinished() -> [Finding] {
    let missing = summary.targets.reduce(0) { $0 + $1.counts.unfinished }
    guard missing > 0 else { return [] }
    return [
      Finding(
        code: "run-unfinished",
        message:
          "\(missing) of \(summary.planned) planned trials are missing; every rate is over those that ended",
        advice: "the same command continues the run")
    ]
  }

  private func clientLimited() -> [Finding] {
    let concurrency = summary.concurrency
    guard !summary.isRecorded, !concurrency.isHeld, let asked = concurrency.asked,
      let held = concurrency.heldMedian
    else {
      return []
    }
    return [
      Finding(
        code: "concurrency-not-held",
        message:
          "asked for \(asked) calls in flight, held \(held) in the median: latency is that of a lower load",
        advice: "look for a profile's own limit, rate limits and retries; do not compare it with other loads")
    ]
  }

  /// Says when scores are known to worse than ±10 points, and how many cases would make it ±5.
  private func tooFewForTheClaim() -> [Finding] {
    var names: [String] = []
    var wanted = 0
    for target in summary.targets {
      let estimate = target.score.strict
      let units = estimate.units ?? estimate.n
      guard let margin = estimate.margin, margin > 0.1, units > 0 else { continue }
      names.append("\(target.name) ±\(Int((margin * 100).rounded()))")
      // The margin shrinks with the square root of the units.
      wanted = max(wanted, Int((Double(units) * (margin / 0.05) * (margin / 0.05) / 10).rounded(.up)) * 10)
    }
    guard !names.isEmpty else { return [] }
    let units = summary.targets.contains { $0.score.strict.isClustered } ? "clusters of cases" : "cases"
    return [
      Finding(
        code: "too-few-cases",
        message: "scores are known only roughly, in points: \(names.joined(separator: ", "))",
        advice: "about \(wanted) \(units) would make it ±5 points")
    ]
  }

  private func tooFewForPercentiles() -> [Finding] {
    guard !summary.isRecorded else { return [] }
    let required = Percentile.required(0.95)
    let few = summary.targets.filter { $0.headline.map { $0.total.n < required } ?? false }
    guard !few.isEmpty else { return [] }
    let names = few.map { "\($0.name) n=\($0.headline?.total.n ?? 0)" }.joined(separator: ", ")
    return [
      Finding(
        code: "too-few-for-p95",
        message:
          "p95 latency is not estimable (\(names)): a 95 % interval takes \(required) calls of one kind",
        advice: "add cases or repeats; until then read p50 and the slowest call")
    ]
  }

  /// Cases that say nothing about the difference between targets.
  private func sameEverywhere() -> [Finding] {
    guard tallies.count > 1, table.count >= 5, table.anyVerdict else { return [] }
    var passed = 0
    var failed: [String] = []
    for number in 0..<table.count {
      let cells = tallies.compactMap { number < $0.scores.cells.count ? $0.scores.cells[number] : nil }
      guard cells.count == tallies.count, cells.allSatisfy({ $0.verdicts > 0 && $0.verdicts == $0.finished })
      else { continue }
      if cells.allSatisfy({ $0.passes == $0.verdicts }) { passed += 1 }
      if cells.allSatisfy({ $0.passes == 0 }) { failed.append(table.ids[number]) }
    }
    var findings: [Finding] = []
    if passed * 10 >= table.count * 9 {
      findings.append(
        Finding(
          code: "cases-all-pass",
          message: "\(passed) of \(table.count) cases pass for every target: they measure "
            + "no difference", advice: "add harder cases"))
    }
    if !failed.isEmpty {
      findings.append(
        Finding(
          code: "cases-all-fail",
          message:
            "\(failed.count) of \(table.count) cases fail for every target: \(FindingRules.some(failed))",
          advice: "see whether their checks ask for the right thing"))
    }
    return findings
  }

  /// The first five of many names.
  static func some(_ names: [String]) -> String {
    names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
  }
}
