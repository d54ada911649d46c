package import EvalCore

/// Makes the policies of a grid, each read as if it stood in a file.
package struct PolicyVariants {
  /// What became of the combinations.
  package struct Made: Sendable {
    /// The policies that read well, with their combinations, in the grid's order.
    package var policies: [(index: Int, policy: RoutePolicy)] = []
    /// How many combinations are no right policy.
    package var refused = 0
    /// The first of them, with everything that is wrong with it.
    package var firstRefusal: (index: Int, problems: [Problem])?
  }

  package let grid: PolicyGrid
  private let reader: PolicyReader
  private let name: String?

  /// - Parameters:
  ///   - reader: as for the grid's own policy.
  ///   - name: how a policy is called that does not say so itself.
  package init(_ grid: PolicyGrid, reader: PolicyReader, name: String? = nil) {
    self.grid = grid
    self.name = name
    var reader = reader
    reader.cases = reader.cases.map { PolicyVariants.distinct($0) }
    self.reader = reader
  }

  /// Cases that the checks of a policy can tell apart: they look at sensitivity and consent alone.
  private static func distinct(_ cases: any Sequence<JSONObject>) -> [JSONObject] {
    var found: [JSONObject] = []
    var seen: Set<JSONObject> = []
    for signals in cases {
      var part: JSONObject = [:]
      for key in ["sensitivity", "consent"] { part[key] = signals[key] }
      if seen.insert(part).inserted { found.append(part) }
    }
    return found
  }

  /// Makes every policy of the grid.
  package func make() -> Made {
    var made = Made()
    made.policies.reserveCapacity(grid.count)
    for index in 0..<grid.count {
      let (policy, problems) = reader.read(PolicySource(grid.policy(at: index)), name: name)
      if let policy {
        made.policies.append((index, policy))
      } else {
        made.refused += 1
        if made.firstRefusal == nil { made.firstRefusal = (index, problems) }
      }
    }
    return made
  }
}
