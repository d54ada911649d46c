import EvalCore

extension FindingRules {
  func failures(of target: TargetSummary) -> [Finding] {
    let counts = target.counts
    let failed = counts.infrastructureFailures
    guard failed * 20 >= max(counts.finished, 1), failed > 0 else { return [] }
    let classes = counts.failures.filter { $0.kind.blame != .model }.prefix(3)
      .map { "\($0.kind.rawValue) \($0.count)" }.joined(separator: ", ")
    return [
      Finding(
        code: "infrastructure-errors",
        message:
          "\(failed) of \(counts.finished) trials failed for reasons that are not the model's (\(classes)); "
          + "they count 0 in the strict score",
        advice: "mend the cause and run again; the conditional score leaves them out", target: target.name)
    ]
  }

  func unscored(of target: TargetSummary) -> [Finding] {
    let counts = target.counts
    let unjudged = counts.unscored.filter { $0.reason != .noAnswer && $0.reason != nil }
    let number = unjudged.reduce(0) { $0 + $1.count }
    guard number * 20 >= max(counts.finished, 1), number > 0 else { return [] }
    let reasons = unjudged.map { "\($0.reason?.rawValue ?? "") \($0.count)" }.joined(separator: ", ")
    return [
      Finding(
        code: "unscored-high",
        message:
          "\(number) of \(counts.finished) answers could not be judged (\(reasons)); they are in no score",
        advice: "the range of the score with them is the worst-case bounds", target: target.name)
    ]
  }

  /// Repeats of a case that agree with each other more than with other cases.
  func askingAgain(of target: TargetSummary) -> [Finding] {
    guard let again = target.acceptance?.again, let p = again.pValue, p < 0.001, again.never > 0 else {
      return []
    }
    return [
      Finding(
        code: "asking-again-helps-little",
        message:
          "\(again.never) of \(again.cases) cases were never accepted, where \(FindingRules.tenths(again.neverExpected)) "
          + "would be if asking again were a new draw: what an accepted answer takes holds for the mix, and for those "
          + "cases there is none",
        advice: "look at the cases that always fail; asking again does not mend them", target: target.name)
    ]
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  func mustPass(of target: TargetSummary) -> [Finding] {
    let failed = target.score.mustPassFailures
    guard !failed.isEmpty else { return [] }
    return [
      Finding(
        code: "must-pass-failed", message: "cases that must pass did not: \(FindingRules.some(failed))",
        target: target.name)
    ]
  }

  func allPassOrFail(of target: TargetSummary) -> [Finding] {
    let score = target.score
    guard score.verdicts >= 5 else { return [] }
    if score.passes == 0 {
      return [
        Finding(
          code: "all-fail", message: "none of \(score.verdicts) judged trials passed",
          advice: "look at one case with `evalrun show` before believing it", target: target.name)
      ]
    }
    guard score.passes == score.verdicts, summary.targets.count == 1 else { return [] }
    return [
      Finding(
        code: "all-pass", message: "all \(score.verdicts) judged trials passed: the suite has no harder case",
        advice: "add cases that can fail", target: target.name)
    ]
  }

  func price(of target: TargetSummary, _ tally: TargetTally) -> [Finding] {
    guard target.cost.unknown > 0 else { return [] }
    let cost = target.cost
    let isStated = tally.info.kind != "profile" || tally.info.content["price"] != nil
    let profiles = tally.usage.unpricedProfiles.sorted().joined(separator: ", ")
    return [
      Finding(
        code: isStated ? "cost-unknown" : "price-missing",
        message: "the cost of \(cost.unknown) of \(cost.attempts) calls is unknown (\(profiles)): "
          + (isStated ? "no usage or no price" : "no price is stated"),
        advice: isStated ? nil : "state `price` in the profile, or `\"free\"`", target: target.name)
    ]
  }

  func servedModel(of target: TargetSummary) -> [Finding] {
    target.servedModels.compactMap { model in
      guard let requested = model.requested, model.served != requested else { return nil }
      // A server that names a file by its path serves what was asked when the names agree.
      let name = model.served.split(separator: "/").last.map(String.init) ?? model.served
      guard name != requested, name.split(separator: ".").dropLast().joined(separator: ".") != requested
      else {
        return nil
      }
      let isDated = model.served.hasPrefix(requested + "-")
      return Finding(
        code: isDated ? "served-model-version" : "served-model-differs",
        message: "asked for \(requested), \(model.calls) answers came from \(model.served)",
        advice: isDated
          ? "name the version in the profile so that later runs ask for the same"
          : "check the endpoint: another model may have answered", target: target.name)
    }
  }

  func coldTail(of target: TargetSummary, _ tally: TargetTally) -> [Finding] {
    guard let tail = tally.calls.coldTail(), tail.tail >= 3, tail.coldInTail * 2 >= tail.tail,
      tail.cold * 4 <= tail.calls
    else { return [] }
    return [
      Finding(
        code: "cold-starts-in-tail",
        message:
          "\(tail.coldInTail) of the \(tail.tail) slowest calls opened a connection, \(tail.cold) of all "
          + "\(tail.calls) did",
        advice: "read cold and warm apart, or set `warmup`", target: target.name)
    ]
  }

  func slowRetries(of target: TargetSummary, _ tally: TargetTally) -> [Finding] {
    let retries = target.retries
    guard retries.retries > 0, retries.totalWait > 0.2 * tally.calls.userTime, !summary.isRecorded else {
      return []
    }
    let limits: Set<ErrorClass> = [.rateLimited, .overloaded, .quotaExceeded]
    let isLoad = retries.causes.first.map { limits.contains($0.kind) } ?? false
    let count = "\(retries.retries) \(retries.retries == 1 ? "retry" : "retries")"
    return [
      Finding(
        code: "slow-retries",
        message:
          "\(count) waited \(FindingRules.time(retries.totalWait)) together, the longest "
          + "\(FindingRules.time(retries.waits.maximum ?? 0)): more than a fifth of the time users would have spent",
        advice: isLoad
          ? "lower `concurrency` or state a `rateLimit`" : "see what failed with `evalrun show`",
        target: target.name)
    ]
  }

  /// Milliseconds in words; never 0 for a time that is there.
  static func time(_ milliseconds: Double) -> String {
    if milliseconds < 1 { return "less than 1 ms" }
    return milliseconds < 1000
      ? "\(Int(milliseconds.rounded())) ms" : "\(Int((milliseconds / 1000).rounded())) s"
  }

  func usage(of target: TargetSummary, _ tally: TargetTally) -> [Finding] {
    var findings: [Finding] = []
    if target.tokens.inconsistent > 0 {
      findings.append(
        Finding(
          code: "usage-inconsistent",
          message:
            "\(target.tokens.inconsistent) of \(target.cost.attempts) calls report cached or reasoning "
            + "tokens beyond their totals",
          advice: "costs of these calls are doubtful", target: target.name))
    }
    if summary.run.repeats > 1, tally.usage.cachedPrompts > 0, !summary.isRecorded {
      findings.append(
        Finding(
          code: "cached-prompts",
          message:
            "\(tally.usage.cachedPrompts) prompts came from the server's cache, as repeats of a prompt do",
          advice: "their first-token times stand apart", target: target.name))
    }
    return findings
  }
}
