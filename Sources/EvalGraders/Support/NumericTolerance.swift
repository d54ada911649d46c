import EvalCore

/// How far a number may be from the expected one: `|x − e| ≤ max(absolute, relative·|e|)`.
struct NumericTolerance: Sendable, Equatable {
  var absolute = 0.0
  var relative = 0.0

  init(absolute: Double = 0, relative: Double = 0) {
    self.absolute = absolute
    self.relative = relative
  }

  init(_ reader: CheckReader) throws(GraderProblem) {
    absolute = try reader.nonNegative("tolerance") ?? 0
    relative = try reader.nonNegative("relativeTolerance") ?? 0
  }

  func accepts(_ value: Double, expected: Double) -> Bool {
    if value == expected { return true }
    let distance = max(absolute, relative * expected.magnitude)
    // Binary fractions: 3.15 is within 0.01 of 3.14, though the difference of the doubles is a hair more.
    let slack = max(value.magnitude, expected.magnitude).ulp * 2
    return distance > 0 && (value - expected).magnitude <= distance + slack
  }

  /// ` ± 0.01`, or nothing.
  var described: String {
    var text = ""
    if absolute > 0 { text += " ± \(Quote.number(absolute))" }
    if relative > 0 { text += " ± \(Quote.number(relative * 100)) %" }
    return text
  }
}
