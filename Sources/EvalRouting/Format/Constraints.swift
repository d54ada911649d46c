import EvalCore

/// The limits of a policy, as it writes them.
struct Constraints: Sendable, Hashable {
  /// Classes that are not written take the suite's.
  var maxBoundary: [Sensitivity: Boundary] = [:]
  /// `nil` takes the suite's.
  var consentRequired: Set<Boundary>?
  /// The share of a window that stays empty, 0 to below 1; `nil` takes 0.05.
  var windowMargin: Double?
  /// Tokens kept for the answer; `nil` takes the arm's own limit, else 0.
  var reserveOutput: Int?
  /// Calls in one turn, retries included.
  var maxAttempts = 3
  /// US dollars; `nil` is no limit.
  var maxCostPerCase: Double?
  var maxCostPerRun: Double?

  static let standardMargin = 0.05

  var json: JSONValue {
    var object: JSONObject = ["maxAttempts": .integer(Int64(maxAttempts))]
    object["maxBoundary"] = .object(
      JSONObject(
        maxBoundary.sorted { $0.key.rawValue < $1.key.rawValue }.map {
          (key: $0.key.rawValue, value: .string($0.value.rawValue))
        }))
    object["consentRequired"] = consentRequired.map {
      .array($0.map(\.rawValue).sorted().map { .string($0) })
    }
    object["windowMargin"] = windowMargin.map { .number($0) }
    object["reserveOutput"] = reserveOutput.map { .integer(Int64($0)) }
    object["maxCostPerCase"] = maxCostPerCase.map { .number($0) }
    object["maxCostPerRun"] = maxCostPerRun.map { .number($0) }
    return .object(object)
  }
}
