package import EvalAnalysis
package import EvalCore

extension CIAnnotation {
  /// What deserves a remark at a line: gates that did not pass, cases that they fail for, and cases that fell against the
  /// baseline.
  ///
  /// - Parameters:
  ///   - comparisons: with the baseline; empty without one.
  ///   - place: where a case of this id stands; `nil` when nobody knows.
  /// - Returns: the gravest first: gates, cases that fail one, then cases by how far they fell.
  package static func all(
    _ summary: RunSummary, comparisons: [Comparison], place: (String) -> SourceLocation?
  ) -> [CIAnnotation] {
    let results = summary.verdict?.results.filter { $0.outcome != .pass } ?? []
    let leaning = summary.verdict?.settings.inconclusive
    var annotations = results.map { gate($0, leaning) }
    var named: Set<String> = []
    for result in results where result.outcome == .fail {
      for id in result.failingCases where named.insert(id).inserted {
        annotations.append(
          CIAnnotation(.error, "\(id) fails", "\(GateWords(result).name): it does not pass", at: place(id)))
      }
    }
    for comparison in comparisons {
      let target = comparison.candidate.target.name
      for flip in comparison.flips where flip.change < 0 && !named.contains(flip.caseID) {
        annotations.append(
          CIAnnotation(
            .warning, "\(flip.caseID) fell (\(target))",
            "\(words(flip.reference)) in \(comparison.reference.label), \(words(flip.candidate)) now",
            at: place(flip.caseID)))
      }
    }
    return annotations
  }

  private static func gate(_ result: GateResult, _ leaning: GateSettings.Leaning?) -> CIAnnotation {
    let level: Level =
      switch (result.outcome, leaning) {
      case (.fail, _), (.invalid, _), (.inconclusive, .fail?): .error
      case (.inconclusive, .pass?): .notice
      default: .warning
      }
    let words = GateWords(result)
    return CIAnnotation(level, "gate \(words.outcome): \(words.name)", words.reason, at: result.gate.location)
  }

  private static func words(_ side: Flip.Side) -> String {
    if side.verdicts > 0 {
      return side.verdicts == 1
        ? side.passes == 1 ? "passed" : "did not pass" : "passed \(side.passes) of \(side.verdicts)"
    }
    return side.score.map { "score \(Quantity.score.text($0))" } ?? "no score"
  }
}
