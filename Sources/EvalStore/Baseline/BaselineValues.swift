import EvalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How values are written in a baseline, and read again.
enum BaselineValues {
  /// A score, to six decimals: a third is off by less than a millionth, far below any margin.
  static func score(_ value: Double) -> JSONValue { number((value * 1e6).rounded() / 1e6) }

  /// Nanoseconds as milliseconds with three significant digits: off by at most 0.5 %, either way.
  static func milliseconds(_ nanoseconds: Int64?) -> JSONValue {
    nanoseconds.map { number(rounded(Double($0) / 1e6, digits: 3)) } ?? .null
  }

  /// Dollars with four significant digits: off by at most 0.05 %. `">=0.01"` for a lower bound.
  static func dollars(_ cost: Cost) -> JSONValue {
    guard let dollars = cost.dollars else { return .null }
    let value = number(rounded(dollars, digits: 4))
    return cost.isLowerBound ? .string(">=\(value.serialized())") : value
  }

  /// A verdict as true or false, a value without one as a number, both as `"0.75 pass"`, a reason by its word.
  static func judgement(_ judgement: Judgement) -> JSONValue {
    switch judgement {
    case .scored(let value, let passed?) where value == (passed ? 1 : 0): .bool(passed)
    case .scored(let value, nil): score(value)
    case .scored(let value, let passed?):
      .string("\(score(value).serialized()) \(passed ? "pass" : "fail")")
    case .unscored(let reason, _): .string(reason.rawValue)
    }
  }

  static func judgement(_ view: JSONView) -> Judgement? {
    if let verdict = view.bool { return .verdict(verdict) }
    if let value = view.double { return (0...1).contains(value) ? .scored(value: value, passed: nil) : nil }
    guard let text = view.string else { return nil }
    if let reason = UnscoredReason(rawValue: text) { return .unscored(reason, "") }
    let parts = text.split(separator: " ")
    guard parts.count == 2, let value = Double(parts[0]), (0...1).contains(value),
      parts[1] == "pass" || parts[1] == "fail"
    else { return nil }
    return .scored(value: value, passed: parts[1] == "pass")
  }

  static func dollars(_ view: JSONView) -> Cost? {
    if let dollars = view.double { return dollars >= 0 ? Cost(dollars: dollars) : nil }
    guard let text = view.string, text.hasPrefix(">="), let dollars = Double(text.dropFirst(2)), dollars >= 0,
      dollars.isFinite
    else { return nil }
    return Cost(dollars: dollars, isLowerBound: true)
  }

  /// The status of a trial, of a failed one with its class: `failed:network`.
  static func status(_ trial: TrialRecord) -> JSONValue {
    guard trial.status == .failed, let kind = trial.errorClass else { return .string(trial.status.rawValue) }
    return .string("failed:\(kind.rawValue)")
  }

  static func status(_ text: String) -> (TrialStatus, ErrorClass?)? {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard let first = parts.first, let status = TrialStatus(rawValue: String(first)) else { return nil }
    guard parts.count == 2 else { return (status, nil) }
    guard status == .failed, let kind = ErrorClass(rawValue: String(parts[1])) else { return nil }
    return (status, kind)
  }

  /// One value for each repeat, or the one that all of them have.
  static func collapsed(_ values: [JSONValue]) -> JSONValue {
    guard let first = values.first else { return .null }
    return values.allSatisfy { $0 == first } ? first : .array(values)
  }

  /// A whole number without a point.
  private static func number(_ value: Double) -> JSONValue {
    value == value.rounded() && abs(value) < 1e15 ? .integer(Int64(value)) : .number(value)
  }

  private static func rounded(_ value: Double, digits: Int) -> Double {
    guard value != 0, value.isFinite else { return 0 }
    let decimals = digits - 1 - Int(log10(abs(value)).rounded(.down))
    guard abs(decimals) <= 300 else { return 0 }
    let scale = pow(10, Double(abs(decimals)))
    return decimals >= 0 ? (value * scale).rounded() / scale : (value / scale).rounded() * scale
  }
}
