import EvalCore

/// Makes one score of several verdicts.
enum Panel {
  /// - Parameters:
  ///   - levels: the verdicts on one criterion, as indices into its levels.
  ///   - asked: how many verdicts were asked for.
  /// - Returns: the criterion's score, or why there is none: no more than half of the verdicts are there, or there is no
  ///   majority.
  static func score(
    _ criterion: Criterion, levels: [Int], asked: Int, by reducer: VerdictReducer
  ) -> Either<CriterionScore, String> {
    guard levels.count * 2 > asked else {
      return .second("\(levels.count) of \(asked) verdicts on '\(criterion.name)' can be read")
    }
    guard let level = reduced(levels, by: reducer) else {
      return .second("no level of '\(criterion.name)' has a majority of the \(levels.count) verdicts")
    }
    let value = criterion.value(of: level)
    let spread =
      levels.count > 1 ? criterion.value(of: Double((levels.max() ?? 0) - (levels.min() ?? 0))) : nil
    return .first(
      CriterionScore(
        criterion: criterion.name, value: value, spread: spread, verdicts: levels.count,
        passed: criterion.least.map { value >= $0 }))
  }

  /// - Returns: `nil` for a majority that is not there.
  static func reduced(_ levels: [Int], by reducer: VerdictReducer) -> Double? {
    let sorted = levels.sorted()
    switch reducer {
    case .median:
      return Double(sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    case .mean:
      return Double(sorted.reduce(0, +)) / Double(sorted.count)
    case .majority:
      // Who has more than half stands in the middle.
      let middle = sorted[sorted.count / 2]
      return sorted.count(where: { $0 == middle }) * 2 > sorted.count ? Double(middle) : nil
    }
  }
}
