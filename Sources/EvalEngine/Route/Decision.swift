import EvalCore

/// A policy's step with the time that it took.
struct TimedStep: Sendable {
  let step: RoutingStep
  /// Nanoseconds within the policy.
  let nanoseconds: Int64

  init(_ policy: any Policy, _ facts: RoutingFacts) {
    let began = Monotonic.now()
    step = policy.next(facts)
    nanoseconds = Monotonic.now() - began
  }

  /// The decision for the attempt log with its time; `nil` where the policy keeps no record.
  func record(_ decision: JSONValue?) -> JSONValue? {
    guard case .object(var object)? = decision else { return decision }
    object["nanoseconds"] = .integer(nanoseconds)
    return .object(object)
  }
}

/// Why a trial ended, for its row: the last step, and those that served earlier turns.
struct Ending: Sendable {
  private var steps: [JSONObject] = []

  /// - Parameter attempt: the number of the served attempt; `nil` for a block.
  mutating func add(
    _ step: String, turn: Int, attempt: Int? = nil, reason: String? = nil, decision: JSONValue?
  ) {
    var object: JSONObject = ["step": .string(step), "turn": .integer(Int64(turn))]
    object["attempt"] = attempt.map { .integer(Int64($0)) }
    object["reason"] = reason.map { .string($0) }
    object["decision"] = decision
    steps.append(object)
  }

  var json: JSONValue? {
    guard var last = steps.last else { return nil }
    if steps.count > 1 { last["earlier"] = .array(steps.dropLast().map { .object($0) }) }
    return .object(last)
  }
}
