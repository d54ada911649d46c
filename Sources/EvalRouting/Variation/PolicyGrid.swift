package import EvalCore

/// Every combination of the values that a sweep tries, over one policy. A combination is made when it is asked for.
package struct PolicyGrid: Sendable {
  /// One changed place with its values.
  package struct Axis: Sendable {
    package let steps: [PolicyPath.Step]
    package let values: [JSONValue]

    /// The place in full, for instance `rules[2].when.all[0].tokensIn.atMost`.
    package var path: String { PolicyPath.text(of: steps) }
  }

  /// The policy that is varied.
  package let policy: JSONValue
  package let axes: [Axis]
  /// How many combinations there are, at least 1.
  package let count: Int

  /// The most combinations of one sweep.
  package static let limit = 1_000_000

  /// - Throws: every variation whose place is not in the policy, or too many combinations.
  package init(_ variations: [PolicyVariation], over policy: JSONValue) throws(Problems) {
    self.policy = policy
    var problems: [Problem] = []
    var axes: [Axis] = []
    for variation in variations {
      do throws(Problem) {
        let steps = try variation.path.steps(in: policy)
        if let other = axes.first(where: { $0.steps.starts(with: steps) || steps.starts(with: $0.steps) }) {
          throw variation.path.text.problem(
            "'\(PolicyPath.text(of: steps))' and '\(other.path)' change the same place",
            advice: "give both lists of values in one --vary")
        }
        axes.append(Axis(steps: steps, values: variation.values))
      } catch { problems.append(error) }
    }
    var count = 1
    for axis in axes {
      let (product, overflow) = count.multipliedReportingOverflow(by: axis.values.count)
      count = overflow ? .max : product
    }
    if count > PolicyGrid.limit, let last = variations.last {
      let sizes = axes.map { String($0.values.count) }.joined(separator: " × ")
      problems.append(
        last.path.text.problem(
          "\(sizes) values make more than \(PolicyGrid.limit) policies", advice: "take larger steps"))
    }
    guard problems.isEmpty else { throw Problems(problems) }
    self.axes = axes
    self.count = count
  }

  /// Which value of each axis a combination takes; the last axis changes fastest.
  package func places(at index: Int) -> [Int] {
    var rest = index
    var places = [Int](repeating: 0, count: axes.count)
    for axis in axes.indices.reversed() {
      places[axis] = rest % axes[axis].values.count
      rest /= axes[axis].values.count
    }
    return places
  }

  /// The combination's values, one for each axis.
  package func values(at index: Int) -> [JSONValue] {
    zip(axes, places(at: index)).map { axis, place in axis.values[place] }
  }

  /// The combination as a whole policy.
  package func policy(at index: Int) -> JSONValue {
    zip(axes, values(at: index)).reduce(policy) { policy, change in
      policy.replacing(change.0.steps[...], with: change.1)
    }
  }
}
