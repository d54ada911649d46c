package import EvalCore

/// A walk as a story that a person can follow: which rule and why, each call with what spoke against the other arms, and
/// how it ended.
package struct RouteStory: Sendable {
  /// For people, one line each.
  package private(set) var lines: [String] = []
  /// The same for machines.
  package let json: JSONValue
  private let policy: RoutePolicy

  package init(_ policy: RoutePolicy, _ facts: RoutingFacts, ends: [String: WalkEnd]) {
    self.policy = policy
    let walk = RouteWalk(policy, facts, ends: ends)
    json = RouteStory.json(policy, facts, walk)
    lines.append("policy \(policy.name) (\(policy.hash.short))")
    if let reason = policy.unprotected { lines.append("  unprotected: \(reason)") }
    tellRules(facts)
    for (index, call) in walk.calls.enumerated() { tell(call, index + 1) }
    tellEnd(walk)
  }

  // MARK: Rules

  private mutating func tellRules(_ facts: RoutingFacts) {
    let taking = policy.rule(taking: facts)
    for index in policy.rules.indices where index <= taking ?? policy.rules.count {
      let isTaking = index == taking
      lines.append("\(policy.ruleNames[index]) \(isTaking ? "takes the case" : "does not")")
      for atom in policy.rules[index].when?.atoms ?? [] { lines.append("  \(tested(atom, facts))") }
      if isTaking { lines.append("  use \(policy.rules[index].use.map(\.text).joined(separator: ", "))") }
    }
    if taking == nil { lines.append("no rule takes the case") }
  }

  /// A test with the value that it met.
  private func tested(_ atom: Atom, _ facts: RoutingFacts) -> String {
    guard let reading = atom.use.reading(facts, policy.terms) else { return "\(atom.text): not known, so no" }
    let holds = atom.holds(reading.value) == true ? "yes" : "no"
    return "\(atom.text): \(reading.value.json.serialized()) (\(reading.source.rawValue)), so \(holds)"
  }

  // MARK: Calls

  private mutating func tell(_ call: RouteWalk.Call, _ number: Int) {
    let boundary = policy.terms.arms[call.arm]?.boundary?.rawValue ?? "boundary unknown"
    lines.append("\(number). \(call.arm) (\(boundary)) is called: \(RouteStory.words(call.cause))")
    for candidate in call.decision?["candidates"]?.arrayValue ?? [] { tell(candidate, chosen: call.arm) }
    lines.append("  \(RouteStory.words(call.end))")
  }

  private mutating func tell(_ candidate: JSONValue, chosen: String?) {
    let name = candidate["arm"]?.stringValue ?? ""
    var facts: [String] = []
    if let tokens = candidate["tokensIn"]?.intValue {
      facts.append("\(tokens) tokens \(candidate["tokensFrom"]?.stringValue ?? "")")
    }
    if let fits = candidate["fits"]?.boolValue { facts.append(fits ? "fits" : "does not fit") }
    let reasons = candidate["rejected"]?.arrayValue?.compactMap(\.stringValue) ?? []
    let verdict = name == chosen ? "chosen" : reasons.isEmpty ? "in reserve" : "no"
    let about = facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))"
    lines.append("  \(name)\(about): \(verdict)")
    for reason in reasons { lines.append("    \(reason)") }
  }

  private mutating func tellEnd(_ walk: RouteWalk) {
    guard let ending = walk.ending else {
      lines.append("served: the answer of \(walk.calls.last?.arm ?? "")")
      return
    }
    for candidate in walk.decision?["candidates"]?.arrayValue ?? [] { tell(candidate, chosen: nil) }
    guard let served = walk.served else {
      lines.append("blocked: \(ending)")
      return
    }
    lines.append("stopped: \(ending)")
    let call = walk.calls[served]
    let what = call.end == .notAccepted ? "answer" : "failure"
    lines.append("served: the \(what) of \(call.arm)")
  }

  // MARK: Words

  private static func words(_ cause: AttemptCause) -> String {
    switch cause {
    case .first: "the first arm that may answer"
    case .retry(let kind): "again after \(kind.rawValue)"
    case .fallback(let kind): "instead, after \(kind.rawValue)"
    case .escalation: "because the answer before was not good enough"
    }
  }

  private static func words(_ end: WalkEnd?) -> String {
    switch end {
    case nil: "it answers"
    case .notAccepted: "it answers, but the answer is not accepted"
    case .failed(.refused): "it refuses"
    case .failed(.empty): "its answer is empty"
    case .failed(.ok): "it answers"
    case .failed(.failed(let kind)): "it fails: \(kind.rawValue)"
    }
  }

  private static func json(_ policy: RoutePolicy, _ facts: RoutingFacts, _ walk: RouteWalk) -> JSONValue {
    var object: JSONObject = ["policy": .string(policy.name), "hash": .string(policy.hash.hex)]
    object["unprotected"] = policy.unprotected.map { .string($0) }
    object["rule"] = policy.rule(taking: facts).map { .integer(Int64($0)) }
    object["calls"] = .array(
      walk.calls.map { call in
        ["arm": .string(call.arm), "cause": .string(call.cause.label), "decision": call.decision ?? .null]
      })
    object["end"] = walk.served == nil ? "blocked" : "served"
    object["served"] = walk.served.map { .string(walk.calls[$0].arm) }
    object["reason"] = walk.ending.map { .string($0) }
    object["decision"] = walk.decision
    return .object(object)
  }
}
