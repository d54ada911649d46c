import EvalCore

extension FindingRules {
  /// The end of the run was not like its beginning.
  func drift(of target: TargetSummary, _ tally: TargetTally) -> [Finding] {
    let drift = tally.drift.drift()
    var changes: [String] = []
    if let (first, second) = drift.latency {
      changes.append(
        "the median latency went from \(FindingRules.time(first)) in the first half to \(FindingRules.time(second)) in the second"
      )
    }
    if let (first, second) = drift.passRate {
      changes.append(
        "the pass rate went from \(Int((first * 100).rounded())) % in the first half to "
          + "\(Int((second * 100).rounded())) % in the second")
    }
    guard !changes.isEmpty else { return [] }
    return [
      Finding(
        code: "drift", message: changes.joined(separator: ", and "),
        advice:
          "targets took turns, so comparing them within this run stands; do not set it against other runs",
        target: target.name)
    ]
  }

  /// Repeats that are copies show no noise, however many there are.
  func identicalRepeats() -> [Finding] {
    repeatedAnswers.compactMap { repeated in
      guard repeated.cases >= 3, repeated.identical == repeated.cases,
        let target = summary.run.targets.first(where: { $0.name == repeated.target }),
        let temperature = target.content["parameters"]?["temperature"]?.doubleValue, temperature > 0
      else { return nil }
      let advice: String
      if summary.isRecorded {
        advice = "the recording has one answer for each case; record with the repeats, or run live"
      } else if target.content["parameters"]?["seed"] != nil {
        advice = "take `seed` out of the profile, or the repeats"
      } else {
        advice = "look for a cache between here and the model, or leave the repeats out"
      }
      return Finding(
        code: "repeats-identical",
        message:
          "all repeats of all \(repeated.cases) cases gave the same answer at temperature \(temperature): they measure no noise",
        advice: advice, target: repeated.target)
    }
  }
}
