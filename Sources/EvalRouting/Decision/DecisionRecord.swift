import EvalCore

/// Why an arm was called, or why none was: what the attempt log keeps. Equal facts make equal records.
struct DecisionRecord {
  /// The policy's hash, in short.
  var policy: String
  /// `nil` when no rule took the case.
  var rule: (index: Int, name: String?)?
  var signals: JSONObject
  var candidates: [Candidate]
  var arm: String?
  var boundary: Boundary?
  /// Of the call; `served` or `blocked` when none is made.
  var cause = ""
  var errorClass: String?
  var fallbackFrom: String?
  var reason: String?

  var json: JSONValue {
    var object: JSONObject = ["policy": .string(policy)]
    object["rule"] = rule.map { rule in
      var place: JSONObject = ["index": .integer(Int64(rule.index))]
      place["name"] = rule.name.map { .string($0) }
      return .object(place)
    }
    object["signals"] = .object(signals)
    object["candidates"] = .array(candidates.map(\.json))
    object["arm"] = arm.map { .string($0) }
    object["boundary"] = boundary.map { .string($0.rawValue) }
    object["cause"] = .string(cause)
    object["errorClass"] = errorClass.map { .string($0) }
    object["fallbackFrom"] = fallbackFrom.map { .string($0) }
    object["reason"] = reason.map { .string($0) }
    return .object(object)
  }
}

/// One arm that a decision looked at.
struct Candidate {
  let arm: String
  let boundary: Boundary?
  let tokensIn: InputCount?
  /// `nil` where tokens or window are not known.
  let fits: Bool?
  let rejections: [Rejection]

  var isAllowed: Bool { rejections.isEmpty }

  init(_ arm: String, _ terms: Terms, _ facts: RoutingFacts, rejections: [Rejection]) {
    self.arm = arm
    boundary = terms.arms[arm]?.boundary
    tokensIn = facts.arms[arm]?.tokensIn
    fits = terms.capacity.fits(arm, facts)
    self.rejections = rejections
  }

  var json: JSONValue {
    var object: JSONObject = ["arm": .string(arm)]
    object["boundary"] = boundary.map { .string($0.rawValue) }
    if let tokensIn {
      object["tokensIn"] = .integer(Int64(tokensIn.tokens))
      object["tokensFrom"] = tokensIn.source == .server ? "counted" : "estimated"
    }
    object["fits"] = fits.map { .bool($0) }
    object["rejected"] = .array(rejections.map { .string($0.text) })
    return .object(object)
  }
}

extension RoutePolicy {
  /// Every signal that a rule or protection reads, with its source; those without a value are left out.
  func signals(_ facts: RoutingFacts) -> JSONObject {
    let begin = facts.atTurnStart
    var found: JSONObject = [:]
    for use in signalUses {
      let arm = use.arm.flatMap { $0.resolved(begin) }
      guard let reading = use.reading(begin, terms) else { continue }
      found[use.name(arm: arm)] = ["value": reading.value.json, "source": .string(reading.source.rawValue)]
    }
    return found
  }
}
