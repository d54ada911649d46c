import EvalAnalysis

extension ReplayReport {
  /// What to take away in one sentence: who would leak, who comes first by quality and whether that is surely more than
  /// the far arm alone, and what nothing beats.
  var verdict: ReportBlock {
    let parts = [leakWords, firstWords, paretoWords].compactMap(\.self)
    let words = parts.isEmpty ? "nothing can be ranked" : parts.joined(separator: "; ")
    return .verdict(words + ".", leaks > 0 ? .bad : .plain)
  }

  private var leakWords: String? {
    let leaky = comparison.policies.filter { $0.leaks.attempts > 0 }
    guard !leaky.isEmpty else { return nil }
    return StandingWords.list(
      leaky.map {
        "\($0.name) would leak \($0.leaks.attempts == 1 ? "once" : "\(Numbers.count($0.leaks.attempts)) times")"
      })
  }

  private var firstWords: String? {
    let scores = comparison.arms + comparison.policies
    guard let name = comparison.ranking?.first, let first = scores.first(where: { $0.name == name }),
      let quality = first.quality.value
    else { return nil }
    let range = first.quality.interval.map { ", \(Quantity.score.text($0))" } ?? ""
    let cost = first.cost.value.map { value in
      value == 0 ? " at no cost" : " at \(Quantity.dollars.text(value * 1000)) for 1,000 cases"
    }
    let words = "\(name) comes first by quality (\(Quantity.score.text(quality))\(range))\(cost ?? "")"
    guard let strong = comparison.strong, strong != name, let test = first.relative?.strongTest else {
      return words
    }
    let isSure = (test.adjusted ?? test.p) <= 0.05 && (first.relative?.qualityOverStrong.value ?? 0) > 0
    return words + (isSure ? ", surely more than \(strong) alone" : ", not surely more than \(strong) alone")
  }

  private var paretoWords: String? {
    guard !comparison.pareto.isEmpty else { return nil }
    return "nothing beats \(StandingWords.list(comparison.pareto.map(named))) in quality and cost for sure"
  }

  /// An arm alone is in no policy's leaks, so it says itself what it would send too far.
  private func named(_ name: String) -> String {
    let leaks = comparison.arms.first { $0.name == name }?.leaks.attempts ?? 0
    guard leaks > 0 else { return name }
    return "\(name) (\(leaks == 1 ? "1 leak" : "\(Numbers.count(leaks)) leaks") when alone)"
  }
}
