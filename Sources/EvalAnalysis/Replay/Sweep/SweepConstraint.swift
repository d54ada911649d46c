package import EvalCore

/// A limit that a policy must keep, such as `costPerCase<=0.002`.
package struct SweepConstraint: Sendable, Hashable {
  package enum Relation: String, Sendable, Hashable, CaseIterable {
    case atMost = "<="
    case atLeast = ">="
    case lessThan = "<"
    case moreThan = ">"
    case equal = "="
  }

  package var metric: SweepMetric
  package var relation: Relation
  package var bound: Double

  package init(_ metric: SweepMetric, _ relation: Relation, _ bound: Double) {
    self.metric = metric
    self.relation = relation
    self.bound = bound
  }

  /// Whether it is kept; never by a number that is unknown.
  package func isKept(by score: SweepScore) -> Bool {
    guard let value = score[metric] else { return false }
    return switch relation {
    case .atMost: value <= bound
    case .atLeast: value >= bound
    case .lessThan: value < bound
    case .moreThan: value > bound
    case .equal: value == bound
    }
  }

  package var text: String {
    // 0.0 is written 0.
    let number = bound == bound.rounded() && abs(bound) < 1e15 ? "\(Int64(bound))" : "\(bound)"
    return "\(metric.rawValue)\(relation.rawValue)\(number)"
  }
}

/// What a search makes as good as it can, such as `quality`: more of what one wants, less of what one does not.
package struct SweepObjective: Sendable, Hashable {
  package var metric: SweepMetric
  package var isHigherBetter: Bool

  package init(_ metric: SweepMetric) {
    self.metric = metric
    isHigherBetter = metric.isHigherBetter
  }
}

/// Reads constraints and objectives from the command line.
package enum SweepOptions {
  /// Reads `costPerCase<=0.002, cloudShare<=0.4, leaks=0`.
  ///
  /// - Throws: everything that is wrong, each with its place.
  package static func constraints(
    _ text: String, option: String = "--subject-to"
  ) throws(Problems) -> [SweepConstraint] {
    var constraints: [SweepConstraint] = []
    var problems: [Problem] = []
    for part in OptionText(text, option: option).split(",") where !part.isEmpty {
      do throws(Problem) { constraints.append(try constraint(part)) } catch { problems.append(error) }
    }
    guard problems.isEmpty else { throw Problems(problems) }
    return constraints
  }

  /// Reads the name of a metric.
  ///
  /// - Throws: when there is no such metric, or one that cannot be wished for.
  package static func objective(
    _ text: String, option: String = "--optimize"
  ) throws(Problems) -> SweepObjective {
    do throws(Problem) { return SweepObjective(try metric(OptionText(text, option: option).trimmed)) } catch {
      throw Problems([error])
    }
  }

  private static func constraint(_ part: OptionText) throws(Problem) -> SweepConstraint {
    guard let (name, run, value) = part.cut(atRunOf: ["<", ">", "="]) else {
      throw part.problem("expected METRIC<=NUMBER, such as costPerCase<=0.002, found '\(part.text)'")
    }
    let metric = try metric(name)
    guard let relation = SweepConstraint.Relation(rawValue: run.text == "==" ? "=" : run.text) else {
      throw run.problem("expected <=, >=, <, > or =, found '\(run.text)'")
    }
    guard let bound = number(value.text) else {
      throw value.problem("expected a number, found '\(value.text)'")
    }
    return SweepConstraint(metric, relation, bound)
  }

  private static func metric(_ name: OptionText) throws(Problem) -> SweepMetric {
    if let metric = SweepMetric(rawValue: name.text) { return metric }
    let known = SweepMetric.allCases.map(\.rawValue)
    throw name.problem(
      "there is no metric '\(name.text)'",
      advice: suggestion(for: name.text, among: known) ?? "one of \(known.joined(separator: ", "))")
  }

  /// A finite number, or a share in percent.
  private static func number(_ text: String) -> Double? {
    let isPercent = text.hasSuffix("%")
    let digits = isPercent ? String(text.dropLast()) : text
    guard let number = Double(digits), number.isFinite else { return nil }
    return isPercent ? number / 100 : number
  }
}
