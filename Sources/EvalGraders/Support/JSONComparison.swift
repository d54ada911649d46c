import EvalCore

/// Compares JSON by value and says where it first differs.
///
/// The order of members is ignored, `1` equals `1.0`, strings are compared by canonical equivalence.
struct JSONComparison: Sendable {
  var tolerance = NumericTolerance()
  /// Members of the answer that the expected object does not have are no difference, at any depth.
  var isSubset = false

  struct Difference: Equatable {
    /// Where, as a normalized JSONPath (RFC 9535 §2.7).
    var path: String
    var message: String
  }

  func equal(_ expected: JSONValue, _ found: JSONValue) -> Bool { difference(expected, found) == nil }

  func difference(_ expected: JSONValue, _ found: JSONValue) -> Difference? {
    var path: [JSONPathStep] = []
    return difference(expected, found, &path).map {
      Difference(path: JSONPathStep.normalized(path), message: $0)
    }
  }

  /// The message of the first difference; `path` is then where it is.
  private func difference(
    _ expected: JSONValue, _ found: JSONValue, _ path: inout [JSONPathStep]
  ) -> String? {
    switch (expected, found) {
    case (.object(let left), .object(let right)): return objects(left, right, &path)
    case (.array(let left), .array(let right)):
      if left.count != right.count {
        return "expected \(Quote.count(left.count, "element")), found \(right.count)"
      }
      for (index, pair) in zip(left, right).enumerated() {
        path.append(.index(index))
        if let message = difference(pair.0, pair.1, &path) { return message }
        path.removeLast()
      }
      return nil
    default:
      return scalarsAgree(expected, found)
        ? nil : "expected \(Quote.json(expected)), found \(Quote.json(found))"
    }
  }

  private func objects(_ left: JSONObject, _ right: JSONObject, _ path: inout [JSONPathStep]) -> String? {
    for member in left.members {
      path.append(.name(member.key))
      guard let value = right[member.key] else {
        return "expected \(Quote.json(member.value)), found nothing"
      }
      if let message = difference(member.value, value, &path) { return message }
      path.removeLast()
    }
    if !isSubset, right.count > left.count, let extra = right.members.first(where: { left[$0.key] == nil }) {
      path.append(.name(extra.key))
      return "expected nothing, found \(Quote.json(extra.value))"
    }
    return nil
  }

  private func scalarsAgree(_ expected: JSONValue, _ found: JSONValue) -> Bool {
    if case .string(let left) = expected, case .string(let right) = found { return left == right }
    if expected.jsonEquals(found) { return true }
    guard let left = expected.doubleValue, let right = found.doubleValue, tolerance != NumericTolerance()
    else {
      return false
    }
    return tolerance.accepts(right, expected: left)
  }
}
