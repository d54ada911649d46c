import EvalCore

@testable import EvalRouting

/// Draws arms, policies, cases and ends of calls, the odd ones more often than life does.
struct RandomWorld {
  var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }
  mutating func chance(_ share: Double) -> Bool { random.unit() < share }

  mutating func arms() -> [ArmTraits] {
    let names = ["near", "middle", "far", "spare"].prefix(2 + random.below(3))
    return names.map { name in
      var arm = ArmTraits(name: name)
      if !chance(0.1) { arm.boundary = pick(Boundary.allCases) }
      if chance(0.7) { arm.window = .tokens(pick([500, 2000, 8000])) }
      if chance(0.4) { arm.maxOutputTokens = pick([50, 200]) }
      if chance(0.9) { arm.capabilities = chance(0.5) ? [.tools] : [.tools, .images] }
      if chance(0.8) {
        arm.price = chance(0.4) ? .free : Price(input: pick([1, 10]), output: pick([2, 50]))
      }
      return arm
    }
  }

  mutating func privacy() -> PrivacyRules {
    if chance(0.4) { return .standard }
    var limits: [Sensitivity: Boundary] = [:]
    for sensitivity in Sensitivity.allCases { limits[sensitivity] = pick(Boundary.allCases) }
    let required = Boundary.allCases.filter { _ in chance(0.3) }
    return PrivacyRules(maxBoundary: limits, consentRequired: Set(required))
  }

  // MARK: Policies

  mutating func policy(_ arms: [ArmTraits]) -> JSONValue {
    var rules: [JSONValue] = []
    for _ in 0..<random.below(4) {
      rules.append(["when": condition(2, arms), "use": use(arms, pinned: 0.15)])
    }
    if rules.isEmpty || chance(0.8) { rules.append(["else": true, "use": use(arms, pinned: 0)]) }
    var policy: JSONObject = ["policy": "random", "version": 1, "rules": .array(rules)]
    policy["onError"] = .object(errors())
    if chance(0.5) { policy["constraints"] = .object(constraints()) }
    if chance(0.3) { policy["accept"] = ["when": ["check.good": ["atLeast": 0.5]]] }
    return .object(policy)
  }

  /// The same policy with other conditions: its rules take other cases and treat them alike.
  mutating func reworded(_ policy: JSONValue, _ arms: [ArmTraits]) -> JSONValue {
    guard var object = policy.objectValue, let rules = object["rules"]?.arrayValue else { return policy }
    object["rules"] = .array(
      rules.map { rule in
        guard var changed = rule.objectValue, changed["when"] != nil else { return rule }
        changed["when"] = condition(2, arms)
        return .object(changed)
      })
    return .object(object)
  }

  private mutating func use(_ arms: [ArmTraits], pinned: Double) -> JSONValue {
    var names = arms.map(\.name)
    random.shuffle(&names)
    names = Array(names.prefix(1 + random.below(names.count)))
    if chance(pinned) { names.insert("$pinned", at: 0) }
    return .array(names.map { .string($0) })
  }

  private mutating func errors() -> JSONObject {
    var errors: JSONObject = [:]
    for error in RouteError.allCases where chance(0.8) {
      var action = pick(["stop", "next", "next", "nextSameBoundary", "nextLarger"])
      if [.guardrail, .refusal].contains(error) {
        action = chance(0.1) ? "next" : pick(["stop", "nextSameBoundary"])
      }
      let retries = chance(0.3) && error.canRetry
      errors[error.rawValue] =
        retries ? ["retry": .integer(Int64(1 + random.below(2))), "then": .string(action)] : .string(action)
    }
    return errors
  }

  private mutating func constraints() -> JSONObject {
    var constraints: JSONObject = [:]
    if chance(0.5) {
      var limits: JSONObject = [:]
      for sensitivity in Sensitivity.allCases where chance(0.4) {
        limits[sensitivity.rawValue] = .string(pick(Boundary.allCases).rawValue)
      }
      constraints["maxBoundary"] = .object(limits)
    }
    if chance(0.2) { constraints["consentRequired"] = ["privateCloud", "thirdParty"] }
    if chance(0.3) { constraints["reserveOutput"] = .integer(Int64(random.below(500))) }
    if chance(0.3) { constraints["windowMargin"] = .number(pick([0, 0.1, 0.5])) }
    if chance(0.3) { constraints["maxAttempts"] = .integer(Int64(1 + random.below(5))) }
    if chance(0.2) { constraints["maxCostPerCase"] = .number(pick([0.001, 0.02])) }
    if chance(0.2) { constraints["maxCostPerRun"] = .number(pick([0.01, 0.1])) }
    return constraints
  }

  mutating func condition(_ depth: Int, _ arms: [ArmTraits]) -> JSONValue {
    if depth > 0, chance(0.4) {
      let parts = (0..<1 + random.below(3)).map { _ in condition(depth - 1, arms) }
      return pick([["all": .array(parts)], ["any": .array(parts)], ["not": parts[0]]])
    }
    let bound: JSONValue = .integer(Int64(random.below(4000)))
    return pick([
      ["network": .string(pick(["online", "constrained", "offline"]))],
      ["lowPower": .bool(chance(0.5))],
      ["thermal": [pick(["atMost", "atLeast", "lessThan", "moreThan"]): "serious"]],
      ["sensitivity": [pick(["is", "atMost", "not"]): .string(pick(["public", "internal", "private"]))]],
      ["consent": true], ["consent": ["contains": "privateCloud"]],
      ["task": ["in": ["rewrite", "classify"]]], ["task": ["not": "rewrite"]],
      ["needs": ["contains": "tools"]], ["pinned": true], ["turn": 0], ["fits": .bool(chance(0.5))],
      ["tokensIn": [pick(["atMost", "atLeast", "lessThan", "moreThan"]): bound]],
      [.init("tokensIn.\(pick(arms).name)"): ["atMost": bound]],
      ["latencyTarget": ["lessThan": "2s"]], ["budget.case": ["atLeast": .number(pick([0.001, 0.01]))]],
      ["budget.run": ["lessThan": 0.05]], ["custom.tier": "gold"], ["custom.tier": ["atLeast": 2]],
    ])
  }

  // MARK: Cases

  mutating func signals(_ arms: [ArmTraits]) -> JSONObject {
    var signals: JSONObject = [:]
    if !chance(0.2) { signals["sensitivity"] = .string(pick(Sensitivity.allCases).rawValue) }
    if !chance(0.3) {
      signals["consent"] = pick([true, false, ["privateCloud"], ["privateCloud", "thirdParty"]])
    }
    if chance(0.6) { signals["network"] = .string(pick(["online", "constrained", "offline"])) }
    if chance(0.5) { signals["lowPower"] = .bool(chance(0.5)) }
    if chance(0.5) { signals["thermal"] = .string(pick(["nominal", "fair", "serious", "critical"])) }
    if chance(0.5) { signals["task"] = .string(pick(["rewrite", "classify", "plan"])) }
    if chance(0.3) { signals["needs"] = pick([["tools"], ["images"], ["tools", "images"], []]) }
    if chance(0.15) { signals["pinned"] = .string(pick(arms).name) }
    if chance(0.3) { signals["latencyTarget"] = pick(["500ms", "5s"]) }
    if chance(0.3) { signals["custom"] = ["tier": pick(["gold", 1, 2, 3, ["gold"]])] }
    if chance(0.3) {
      signals["budget"] = .object([pick(["case", "run", "month"]): .number(pick([0, 0.001, 0.01, 1]))])
    }
    return signals
  }

  mutating func facts(_ arms: [ArmTraits]) -> RoutingFacts {
    var known: [String: ArmFacts] = [:]
    for arm in arms where !chance(0.1) {
      let tokens = random.below(4000)
      let count =
        chance(0.5)
        ? InputCount.counted(tokens)
        : InputCount(
          tokens: tokens, low: tokens / 2, high: tokens * 2, most: nil, source: .estimate)
      let window =
        chance(0.2) ? ContextWindow(tokens: pick([300, 1000, 9000]), holdsOutput: chance(0.7)) : nil
      known[arm.name] = ArmFacts(tokensIn: chance(0.9) ? count : nil, window: window)
    }
    let spent = Spending(
      trial: chance(0.9) ? pick([0, 0.0005, 0.01]) : nil, run: chance(0.9) ? pick([0, 0.05]) : nil)
    return RoutingFacts(
      caseID: "c", signals: signals(arms), turn: random.below(2), arms: known, spent: spent,
      refusedWithin: chance(0.1) ? pick(Boundary.allCases) : nil)
  }

  mutating func end(of arm: String, _ cause: AttemptCause) -> RoutedAttempt {
    var attempt = RoutedAttempt(
      profile: arm, cause: cause, end: .ok, dollars: chance(0.9) ? pick([0, 0.0004]) : nil)
    switch random.below(10) {
    case 0: attempt.end = .refused
    case 1: attempt.end = .empty
    case 2: attempt.answer = ["check.good": .number(pick([0, 1]))]
    default: attempt.end = .failed(pick(ErrorClass.allCases))
    }
    if case .failed(let kind) = attempt.end { attempt.isRetryable = kind.isRetryable && !chance(0.1) }
    attempt.hasVisibleOutput = chance(0.1)
    return attempt
  }
}
