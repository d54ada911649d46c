import EvalAnalysis

extension CorrectionRefusal {
  /// Why there is no corrected rate, after "refused: ".
  var words: String {
    switch self {
    case .tooFewLabels(let passes, let fails, let needed):
      "\(Numbers.count(passes)) labels pass and \(Numbers.count(fails)) fail, \(needed) of each are needed"
    case .noBetterThanChance(let youden):
      "sensitivity + specificity − 1 is \(Numbers.fixed(youden, 2)): the verdicts say nothing of the answers"
    case .perhapsNoBetterThanChance(let low):
      "sensitivity + specificity − 1 may be 0 (from \(Numbers.fixed(low, 2))): the verdicts may say nothing"
    case .differsBetweenTargets:
      "the judge errs otherwise for one target than for others, and this one has too few labels of its own"
    case .noRate: "there is no judged rate"
    }
  }

  /// A stable word for machines.
  var code: String {
    switch self {
    case .tooFewLabels: "tooFewLabels"
    case .noBetterThanChance: "noBetterThanChance"
    case .perhapsNoBetterThanChance: "perhapsNoBetterThanChance"
    case .differsBetweenTargets: "differsBetweenTargets"
    case .noRate: "noRate"
    }
  }
}

extension ReportCell {
  /// A corrected rate, or why there is none.
  init(_ rate: TargetRate) {
    switch rate.corrected {
    case .success(let corrected):
      self.init(corrected.estimate, .share)
      var notes = [note].compactMap(\.self)
      if corrected.isCut { notes.append("cut from \(Numbers.fixed(corrected.uncut * 100, 1)) %") }
      if rate.basis == .ownLabels { notes.append("by this target's labels alone") }
      if rate.basis == .otherTargets { notes.append("by other targets' labels, none of its own") }
      note = notes.isEmpty ? nil : notes.joined(separator: " · ")
    case .failure(let refusal): self.init("refused", note: refusal.words, tone: .warning)
    }
  }

  /// Kappa with the word that a convention has for it.
  init(kappa: Estimate) {
    self.init(kappa, .score)
    if let value = kappa.value { note = "\"\(KappaWords.word(value))\"" }
  }
}
