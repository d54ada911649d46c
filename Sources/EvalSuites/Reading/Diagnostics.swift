import EvalCore

/// Collects everything that is wrong, each thing once.
final class Diagnostics {
  /// Kept problems; what comes after is counted only, so that a broken file of a million lines stays readable.
  static let limit = 500

  private var problems: [Problem] = []
  private var seen: Set<Problem> = []
  private var groups: [String: (index: Int, more: Int)] = [:]
  private var overflow = 0
  private(set) var errorCount = 0

  /// Whether more problems would only be counted.
  var isFull: Bool { overflow > 0 }

  /// - Parameter group: problems of one group are told once, with the number of the others.
  func add(_ problem: Problem, group: String? = nil) {
    if problem.severity == .error { errorCount += 1 }
    if let group, groups[group] != nil {
      groups[group]?.more += 1
      return
    }
    guard seen.count < Self.limit else {
      overflow += 1
      return
    }
    guard seen.insert(problem).inserted else { return }
    if let group { groups[group] = (problems.count, 0) }
    problems.append(problem)
  }

  func hasError(at place: SourceLocation) -> Bool {
    problems.contains { $0.severity == .error && $0.location == place }
  }

  /// Every problem, the file that was read first before the others, each file from top to bottom.
  func all(firstFile: String) -> [Problem] {
    var list = problems
    for (index, more) in groups.values where more > 0 {
      list[index].message += more == 1 ? " (and in one more case)" : " (and in \(more) more cases)"
    }
    var order: [String: Int] = [firstFile: 0]
    for file in list.compactMap(\.location?.file) where order[file] == nil { order[file] = order.count }
    let keyed = list.enumerated().map { index, problem in
      let place = problem.location
      let rank = place.flatMap { order[$0.file] } ?? 0
      return (key: (rank, place?.line ?? 0, place?.column ?? 0, index), problem: problem)
    }
    var sorted = keyed.sorted { $0.key < $1.key }.map(\.problem)
    if overflow > 0 {
      let first = problems.first { $0.severity == .error }?.severity ?? .warning
      sorted.append(Problem(first, "and \(overflow) more problems", advice: "mend the first ones"))
    }
    return sorted
  }
}
