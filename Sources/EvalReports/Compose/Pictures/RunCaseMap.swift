import EvalAnalysis
import EvalCore

/// Which cases tell the targets apart.
extension RunPictures {
  /// `nil` with one target, and where all agree on everything.
  var caseMap: Chart? {
    guard let map = summary.caseMap, map.disagreeing > 0 else { return nil }
    let cells = Chart.CellMap(
      rowsLabel: "cases", valueLabel: "score", columns: summary.targets.map(\.name),
      rows: map.rows.map { .init($0.caseID, $0.scores) })
    let isCut = map.rows.count < map.cases
    return Chart(
      id: "case-map", title: "Score by case and target, the most disagreeing cases first", .map(cells),
      alternative: sentence(map),
      note:
        "A score is the mean over the case's repeats, 0 without an answer. Cases are ordered by the best target's "
        + "score less the worst one's, then the lower mean score first"
        + (isCut
          ? "; the first \(Numbers.count(map.rows.count)) of \(Numbers.count(map.cases)) are shown." : "."))
  }

  private func sentence(_ map: CaseMap) -> String {
    let most = map.rows.prefix(3).filter { $0.spread > 0 }.map { row in
      let scores = zip(summary.targets, row.scores).prefix(4).map { target, score in
        "\(target.name) \(score.map { Numbers.fixed($0, 2) } ?? Numbers.missing)"
      }
      return "\(row.caseID) (\(scores.joined(separator: ", "))\(row.scores.count > 4 ? ", …" : ""))"
    }
    var sentence =
      "Targets disagree on \(Numbers.part(map.disagreeing, of: map.cases)) cases"
      + "\(map.disagreeing > most.count ? ", most on" : ":") \(most.joined(separator: "; "))."
    let ends = [(map.allRight, "right"), (map.allWrong, "wrong")].filter { $0.0 > 0 }
    if !ends.isEmpty {
      let words = ends.map { "\(Numbers.count($0.0)) \($0.0 == 1 ? "is" : "are") \($0.1)" }
      sentence += " With every target \(words.joined(separator: " and "))."
    }
    return sentence
  }
}
