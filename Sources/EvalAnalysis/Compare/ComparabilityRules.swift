import EvalCore

/// What a person must know before believing a comparison: what is not equal beside the thing under test. Each rule is a
/// function of its own.
struct ComparabilityRules {
  let comparison: Comparison

  private var reference: ComparisonFacts { comparison.reference }
  private var candidate: ComparisonFacts { comparison.candidate }
  private var pairing: CasePairing { comparison.pairing }

  /// The gravest first.
  func all() -> [Finding] {
    pairs() + checks() + judging() + provenance() + unfinished() + failures() + unscored() + prices()
      + conditions() + load() + clusters() + repeats() + places()
  }

  private func pairs() -> [Finding] {
    guard !pairing.pairs.isEmpty else {
      return [
        Finding(
          code: "no-common-case",
          message: "the two have no case in common: nothing can be compared",
          advice: "a case is the same when its input, reference, signals and variables are")
      ]
    }
    if pairing.trialPairs == 0 {
      return [
        Finding(
          code: "no-common-trial", message: "no trial of one side has a partner on the other",
          advice: "go on with the run that is not finished")
      ]
    }
    guard pairing.coverage < 0.9 else { return suites() }
    if let sampled = sampled() { return [sampled] + suites() }
    let all = pairing.pairs.count + pairing.onlyReference.count + pairing.onlyCandidate.count
    return [
      Finding(
        code: "few-common-cases",
        message:
          "only \(pairing.pairs.count) of \(all) cases are on both sides"
          + (reference.suiteHash == candidate.suiteHash ? "" : ", the suites are not the same")
          + ": the comparison is of those alone",
        advice: "run the same cases on both sides")
    ]
  }

  /// A draw leaves cases out on purpose: what it took has its partners.
  private func sampled() -> Finding? {
    guard let sample = SampleInfo(settings: candidate.settings),
      pairing.onlyCandidate.count * 10 <= pairing.pairs.count
    else { return nil }
    return Finding(
      code: "sampled",
      message: "the candidate is a sample, \(sample.sentence): the comparison is of the "
        + "\(pairing.pairs.count) cases that both have",
      advice: "a full run compares the others too")
  }

  /// All cases pair and yet the suites are not the same: something beside the cases was edited.
  private func suites() -> [Finding] {
    guard reference.suiteHash != candidate.suiteHash else { return [] }
    let isWhole = pairing.coverage == 1
    return [
      Finding(
        code: "suite-differs",
        message: "the suites are not the same (\(reference.suiteHash.short) and \(candidate.suiteHash.short))"
          + (isWhole ? ", though all cases are: profiles, routes or checks were edited" : ""))
    ]
  }

  private func checks() -> [Finding] {
    let edited = pairing.pairs.filter { pair in
      guard let left = pair.reference.checks, let right = pair.candidate.checks else { return false }
      return left != right
    }
    guard !edited.isEmpty else { return [] }
    return [
      Finding(
        code: "checks-differ",
        message:
          "\(edited.count) of \(pairing.pairs.count) cases were judged by other checks on the two sides: "
          + FindingRules.some(edited.map(\.reference.id)),
        advice: "their scores do not measure the same; run the older side again with the new checks")
    ]
  }

  private func judging() -> [Finding] {
    let left = reference.settings["judging"]
    let right = candidate.settings["judging"]
    guard left != right, reference.settings != .null, candidate.settings != .null else { return [] }
    var parts: [String] = []
    for (word, key) in [("judges", "judges"), ("rubrics", "rubrics")] {
      let names = ComparabilityRules.changed(left?[key], right?[key])
      if !names.isEmpty { parts.append("\(word) \(names.joined(separator: ", "))") }
    }
    if left?["promptHash"] != right?["promptHash"] { parts.append("the judge's prompt") }
    let what = parts.isEmpty ? "" : ": \(parts.joined(separator: "; "))"
    return [
      Finding(
        code: "judge-differs", message: "the answers were not judged alike on the two sides\(what)",
        advice: "score both with the same judge before comparing scores")
    ]
  }

  /// Names of entries whose hash is not the same on both sides.
  private static func changed(_ left: JSONValue?, _ right: JSONValue?) -> [String] {
    func hashes(_ list: JSONValue?) -> [String: String] {
      var hashes: [String: String] = [:]
      for entry in list?.arrayValue ?? [] {
        if let name = entry["name"]?.stringValue { hashes[name] = entry["hash"]?.stringValue ?? "" }
      }
      return hashes
    }
    let (before, after) = (hashes(left), hashes(right))
    return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
  }

  private func provenance() -> [Finding] {
    guard reference.provenance != candidate.provenance else { return [] }
    return [
      Finding(
        code: "live-and-recorded",
        message:
          "one side is live, the other recorded: their times are not compared, their costs are what a live "
          + "run would cost", advice: "run both sides live to compare times")
    ]
  }

  private func unfinished() -> [Finding] {
    let sides = reference.isSameRun(as: candidate) ? [reference] : [reference, candidate]
    return sides.filter { $0.status != .finished }.map { side in
      Finding(
        code: "run-unfinished",
        message: "\(ComparabilityRules.name(side)) is not finished: trials that are missing are in no number",
        advice: "the same command continues the run")
    }
  }

  private func failures() -> [Finding] {
    let before = count(\.reference, \.isInfrastructureFailure)
    let after = count(\.candidate, \.isInfrastructureFailure)
    guard before + after > 0 else { return [] }
    return [
      Finding(
        code: "infrastructure-failures",
        message: "trials failed for reasons that are not the model's: \(before) of the reference, "
          + "\(after) of the candidate; the strict readings count them as 0",
        advice: before == after ? nil : "read the conditional rates, or run those trials again")
    ]
  }

  /// Judged less often on one side: the scores are of different answers.
  private func unscored() -> [Finding] {
    func isUnscored(_ trial: ComparedTrial) -> Bool { trial.score == nil && !trial.hasNoAnswer }
    var counts = (before: 0, after: 0)
    for pair in pairing.pairs where pair.hasChecks {
      counts.before += pair.reference.trials.count(where: isUnscored)
      counts.after += pair.candidate.trials.count(where: isUnscored)
    }
    guard counts.before != counts.after else { return [] }
    return [
      Finding(
        code: "unscored-differ",
        message:
          "answers that could not be judged: \(counts.before) of the reference, \(counts.after) of the "
          + "candidate; those trials are in no score", advice: "see why with 'evalrun show'")
    ]
  }

  private func prices() -> [Finding] {
    var findings: [Finding] = []
    let (left, right) = (reference.target.content, candidate.target.content)
    if left["model"] == right["model"], left["provider"] == right["provider"],
      left["price"] != right["price"], left["model"] != nil
    {
      findings.append(
        Finding(
          code: "price-differs",
          message: "the same model is counted at two prices: the difference in cost is also one of prices",
          advice: "compare tokens, or run both sides with one price"))
    }
    let (before, after) = (comparison.referenceCost, comparison.candidateCost)
    if before.unknown + after.unknown > 0 {
      findings.append(
        Finding(
          code: "cost-unknown",
          message: "the cost is unknown of \(before.unknown) of \(before.trials) trials of the reference and "
            + "\(after.unknown) of \(after.trials) of the candidate; those pairs are in no cost",
          advice: "state a price for every profile"))
    }
    return findings
  }

  /// Pairs whose times were not set against each other.
  private func conditions() -> [Finding] {
    guard reference.provenance == candidate.provenance,
      let latency = comparison.difference(.latency), latency.unlike > 0
    else { return [] }
    return [
      Finding(
        code: "cold-and-warm",
        message:
          "\(latency.unlike == 1 ? "1 pair was" : "\(latency.unlike) pairs were") cold on one side and warm on the other: "
          + "their times are in no ratio",
        advice: "give both sides a warm-up")
    ]
  }

  private func load() -> [Finding] {
    let keys = ["askedConcurrency", "maxConcurrency", "endpointConcurrency"]
    guard !reference.isSameRun(as: candidate), reference.settings != .null, candidate.settings != .null,
      let key = keys.first(where: { reference.settings[$0] != candidate.settings[$0] })
    else { return [] }
    func text(_ settings: JSONValue) -> String { settings[key]?.intValue.map(String.init) ?? "no limit" }
    return [
      Finding(
        code: "load-differs",
        message: "calls in flight were not the same (\(key): \(text(reference.settings)) and "
          + "\(text(candidate.settings))): times are those of two loads")
    ]
  }

  private func clusters() -> [Finding] {
    guard let headline = comparison.difference(comparison.headline), headline.change.isClustered,
      let units = headline.change.units, units < 10
    else { return [] }
    return [
      Finding(
        code: "few-clusters",
        message: "the cases come from \(units) clusters only: intervals over so few are rough",
        advice: "add cases from other sources")
    ]
  }

  private func repeats() -> [Finding] {
    let lost = pairing.unmatchedReferenceTrials + pairing.unmatchedCandidateTrials
    guard reference.repeats != candidate.repeats, lost > 0 else { return [] }
    return [
      Finding(
        code: "repeats-differ",
        message:
          "the sides ran \(reference.repeats) and \(candidate.repeats) repeats: \(lost) trials have no partner"
      )
    ]
  }

  /// Another version or machine.
  private func places() -> [Finding] {
    var findings: [Finding] = []
    if reference.toolVersion != candidate.toolVersion {
      findings.append(
        Finding(
          code: "tool-differs",
          message: "measured by evalrun \(reference.toolVersion) and \(candidate.toolVersion)",
          advice: "the changelog says what changed between them"))
    }
    if reference.machine != candidate.machine {
      findings.append(
        Finding(
          code: "machine-differs",
          message:
            "measured on two machines (\(reference.machine); \(candidate.machine)): times are also theirs"))
    }
    return findings
  }

  private func count(
    _ side: KeyPath<CasePairing.Pair, ComparedCase>, _ isSo: (ComparedTrial) -> Bool
  ) -> Int {
    pairing.pairs.reduce(0) { $0 + $1[keyPath: side].trials.count(where: isSo) }
  }

  private static func name(_ side: ComparisonFacts) -> String { "run \(side.label)" }
}
