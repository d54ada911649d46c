/// The scores of cases by target, those that tell targets apart first.
package struct CaseMap: Sendable, Hashable {
  package struct Row: Sendable, Hashable {
    package var caseID: String
    /// By target, in 0…1: the mean of the strict scores of the case's repeats; `nil` where nothing could be judged.
    package var scores: [Double?]
    /// The best target's score less the worst one's.
    package var spread: Double
  }

  /// By falling spread, then by rising mean score, then in the order of the run; at most `limit`.
  package var rows: [Row]
  /// Cases that at least two targets have a score of.
  package var cases: Int
  /// Of these, the ones whose scores are not all equal.
  package var disagreeing: Int
  /// Of these, cases that every target with a score got wholly right, and wholly wrong.
  package var allRight: Int
  package var allWrong: Int

  package static let limit = 120

  /// One pass over the cells, keeping no more than the rows.
  /// - Returns: `nil` when no case has the scores of two targets.
  init?(_ tallies: [ScoreTally], _ table: CaseTable) {
    guard tallies.count > 1 else { return nil }
    rows = []
    (cases, disagreeing, allRight, allWrong) = (0, 0, 0, 0)
    for number in 0..<table.count {
      let scores = tallies.map { $0.strictScore(of: number, table) }
      let known = scores.compactMap(\.self)
      guard known.count > 1, let low = known.min(), let high = known.max() else { continue }
      cases += 1
      if high > low { disagreeing += 1 }
      if low == 1 { allRight += 1 }
      if high == 0 { allWrong += 1 }
      insert(Row(caseID: table.ids[number], scores: scores, spread: high - low))
    }
    guard cases > 0 else { return nil }
  }

  private mutating func insert(_ row: Row) {
    if rows.count == CaseMap.limit, let last = rows.last, !CaseMap.isBefore(row, last) { return }
    let place = rows.firstIndex { CaseMap.isBefore(row, $0) } ?? rows.count
    rows.insert(row, at: place)
    if rows.count > CaseMap.limit { rows.removeLast() }
  }

  private static func isBefore(_ left: Row, _ right: Row) -> Bool {
    if left.spread != right.spread { return left.spread > right.spread }
    return left.mean < right.mean
  }
}

extension CaseMap.Row {
  fileprivate var mean: Double {
    let known = scores.compactMap(\.self)
    return known.reduce(0, +) / Double(max(1, known.count))
  }
}

extension ScoreTally {
  /// The mean over a case's repeats as the strict score counts them; `nil` without a value.
  func strictScore(of number: Int, _ table: CaseTable) -> Double? {
    guard number < cells.count else { return nil }
    let cell = cells[number]
    let trials = cell.scored + (table.hasChecks[number] ? cell.zeros : 0)
    return trials > 0 ? cell.sum / Double(trials) : nil
  }
}
