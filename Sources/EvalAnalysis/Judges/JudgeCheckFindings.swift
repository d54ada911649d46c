import EvalCore

/// What a person should know before believing what labels say of a judge.
struct JudgeCheckFindings {
  let check: JudgeCheck

  func all() -> [Finding] {
    elsewhere() + open()
      + check.checks.flatMap { few($0) + uncovered($0) + low($0) + ($0.errors?.favours($0.check) ?? []) }
  }

  private func elsewhere() -> [Finding] {
    guard check.elsewhere > 0 else { return [] }
    return [
      Finding(
        code: "labels-elsewhere",
        message:
          "\(check.elsewhere) labels are about answers that run \(check.run.id) does not have, or whose judge "
          + "gave no score; they count nowhere",
        advice: "a label belongs to an answer's words: name the run that was labelled with --run")
    ]
  }

  private func open() -> [Finding] {
    guard check.open > 0 else { return [] }
    return [
      Finding(
        code: "labels-open", message: "\(check.open) questions of \(check.file) have no label yet",
        advice: "the same 'evalrun judge label' goes on where it stopped")
    ]
  }

  private func few(_ measured: CheckMeasurement) -> [Finding] {
    guard let rates = measured.errors?.inAll else { return [] }
    let (passes, fails) = (rates.sensitivity.n, rates.specificity.n)
    guard min(passes, fails) < RateCorrection.fewestLabels else { return [] }
    return [
      Finding(
        code: "labels-few",
        message:
          "labels of '\(measured.check)' are too few to say how its judge errs: \(passes) pass and \(fails) fail, "
          + "and \(RateCorrection.fewestLabels) of each are needed",
        advice:
          "label more answers: evalrun judge label \(check.run.id) --count \(4 * RateCorrection.fewestLabels)"
      )
    ]
  }

  private func uncovered(_ measured: CheckMeasurement) -> [Finding] {
    guard let missing = measured.errors?.inAll.uncovered, missing > 0 else { return [] }
    return [
      Finding(
        code: "labels-uncovered",
        message:
          "nobody labelled any of \(missing) answers that are a group of their own by target and verdict of "
          + "'\(measured.check)': they are in no number",
        advice: "label to the end of the file")
    ]
  }

  /// Below 0.61, to two digits, kappa is at most "moderate" in the table of Landis and Koch (Biometrics 33 (1977)).
  private func low(_ measured: CheckMeasurement) -> [Finding] {
    var kappas = measured.criteria.map {
      (name: "'\($0.criterion)' of '\(measured.check)'", kappa: $0.inAll.kappa)
    }
    if let errors = measured.errors {
      kappas.append((name: "'\(measured.check)'", kappa: errors.inAll.kappa))
    }
    return kappas.compactMap { name, kappa in
      guard let value = kappa.value, value < 0.605, kappa.n >= RateCorrection.fewestLabels else { return nil }
      let interval = kappa.interval.map {
        " (\(FindingRules.rounded($0.lowerBound)) to \(FindingRules.rounded($0.upperBound)))"
      }
      return Finding(
        code: "judge-kappa-low",
        message:
          "the judge of \(name) agrees with people at kappa \(FindingRules.rounded(value))\(interval ?? "") over "
          + "\(kappa.n) labels: '\(KappaWords.word(value))' in the table of Landis and Koch (1977)",
        advice: "describe levels more sharply, add scored examples, or take another judge")
    }
  }
}

extension JudgeErrors {
  /// A finding for each target for which the judge errs otherwise than for the others.
  func favours(_ check: String) -> [Finding] {
    differences.map { difference in
      let points = Int((abs(difference.by) * 100).rounded())
      let what =
        switch (difference.rate, difference.favours) {
        case (.sensitivity, true): "passes right answers of '\(difference.target)' more often"
        case (.sensitivity, false): "fails right answers of '\(difference.target)' more often"
        case (.specificity, true): "passes wrong answers of '\(difference.target)' more often"
        case (.specificity, false): "fails wrong answers of '\(difference.target)' more often"
        }
      return Finding(
        code: "judge-favours",
        message: "the judge of '\(check)' \(what) than those of other targets, by \(points) points: it "
          + "\(difference.favours ? "favours" : "disfavours") this target",
        advice: "do not compare targets by its raw rates; take another judge", target: difference.target)
    }
  }
}

/// What kappa is called: Landis and Koch, *The Measurement of Observer Agreement for Categorical Data*, Biometrics 33
/// (1977), page 165. The words are theirs, the limits, too; they are a convention, no proof.
package enum KappaWords {
  package static func word(_ kappa: Double) -> String {
    switch kappa {
    case ..<0: "poor"
    case ..<0.205: "slight"
    case ..<0.405: "fair"
    case ..<0.605: "moderate"
    case ..<0.805: "substantial"
    default: "almost perfect"
    }
  }
}
