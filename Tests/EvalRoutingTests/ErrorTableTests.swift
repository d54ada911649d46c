import EvalCore
import Testing

@testable import EvalRouting

/// Every class of error against the default table of the documentation.
struct ErrorTableTests {
  static let defaults = """
    {"unavailable": "next", "contextOverflow": "nextLarger", "rateLimited": {"retry": 1, "then": "next"},
     "quota": "next", "network": "next", "service": "next", "firstTokenTimeout": "next", "unsupported": "next",
     "parseFailure": {"retry": 1, "then": "next"}, "guardrail": "stop", "refusal": "stop"}
    """

  @Test(
    arguments: [
      (.unavailable, "call private fallback:unavailable"),
      (.contextSizeExceeded, "call private fallback:contextSizeExceeded"),
      (.requestTooLarge, "call private fallback:requestTooLarge"),
      (.rateLimited, "call device retry:rateLimited"),
      (.quotaExceeded, "call private fallback:quotaExceeded"),
      (.network, "call private fallback:network"),
      (.connectTimeout, "call private fallback:connectTimeout"),
      (.overloaded, "call private fallback:overloaded"),
      (.serverError, "call private fallback:serverError"),
      (.serverTimeout, "call private fallback:serverTimeout"),
      (.totalTimeout, "call private fallback:totalTimeout"),
      (.stallTimeout, "call private fallback:stallTimeout"),
      (.truncated, "call private fallback:truncated"),
      (.firstTokenTimeout, "call private fallback:firstTokenTimeout"),
      (.unsupportedCapability, "call private fallback:unsupportedCapability"),
      (.malformedResponse, "call device retry:malformedResponse"),
      (.contentFiltered, "serve 0"), (.refusal, "serve 0"), (.authentication, "serve 0"),
      (.permission, "serve 0"),
      (.notFound, "serve 0"), (.invalidRequest, "serve 0"), (.redirect, "serve 0"), (.cancelled, "serve 0"),
      (.notRecorded, "serve 0"), (.unknown, "serve 0"),
    ] as [(ErrorClass, String)])
  func everyClassDoesWhatTheTableSays(kind: ErrorClass, expected: String) throws {
    let policy = try policy(chain(#"["device", "private", "cloud"]"#, onError: Self.defaults))
    #expect(words(policy.next(facts(attempts: [failure("device", kind)]))) == expected)
  }

  @Test func everyClassIsInTheTableAbove() {
    #expect(
      RouteError.allCases.flatMap(\.classes).count + RouteError.alwaysStops.count == ErrorClass.allCases.count
    )
  }

  @Test(arguments: ErrorClass.allCases) func whatIsNotListedStops(kind: ErrorClass) throws {
    let policy = try policy(chain(#"["device", "cloud"]"#))
    let step = policy.next(facts(attempts: [failure("device", kind)]))
    #expect(words(step) == "serve 0")
    #expect(decision(step)?["reason"]?.stringValue?.isEmpty == false)
  }

  @Test func retriesAreCountedByArmAndError() throws {
    let policy = try policy(
      chain(
        #"["device", "cloud"]"#,
        onError: #"{"rateLimited": {"retry": 2, "then": "next"}, "network": "next"}"#,
        more: #", "constraints": {"maxAttempts": 9}"#))
    var attempts = [failure("device", .rateLimited)]
    for _ in 0..<2 {
      #expect(words(policy.next(facts(attempts: attempts))) == "call device retry:rateLimited")
      attempts.append(failure("device", .rateLimited, cause: .retry(.rateLimited)))
    }
    #expect(words(policy.next(facts(attempts: attempts))) == "call cloud fallback:rateLimited")
    // A server that says a retry will not help is believed.
    let final = failure("device", .rateLimited, retryable: false)
    #expect(words(policy.next(facts(attempts: [final]))) == "call cloud fallback:rateLimited")
  }

  @Test func theNumberOfCallsIsLimited() throws {
    let policy = try policy(
      chain(
        #"["device", "private", "cloud"]"#, onError: #"{"network": "next"}"#,
        more: #", "constraints": {"maxAttempts": 2}"#))
    let attempts = [failure("device", .network), failure("private", .network, cause: .fallback(.network))]
    let step = policy.next(facts(attempts: attempts))
    #expect(words(step) == "serve 1" && decision(step)?["reason"] == "maxAttempts is 2")
    // Rounds of a tool conversation belong to the call that began it.
    var rounds = [failure("device", .network), failure("device", .network)]
    rounds[0].end = .ok
    #expect(words(policy.next(facts(attempts: rounds))) == "call private fallback:network")
  }

  @Test func nextLargerLooksAtTheWindowsAsTheyAreKnownNow() throws {
    let policy = try policy(
      chain(#"["private", "device", "cloud"]"#, onError: #"{"contextOverflow": "nextLarger"}"#))
    let attempts = [failure("private", .contextSizeExceeded)]
    #expect(words(policy.next(facts(attempts: attempts))) == "call cloud fallback:contextSizeExceeded")
    let grown = facts(attempts: attempts, windows: ["device": 65_536])
    #expect(words(policy.next(grown)) == "call device fallback:contextSizeExceeded")
  }

  @Test func nextSameBoundarySkipsFartherArms() throws {
    let twin = threeArms + [ArmTraits(name: "twin", boundary: .privateCloud)]
    let policy = try policy(
      chain(#"["private", "cloud", "twin", "device"]"#, onError: #"{"refusal": "nextSameBoundary"}"#),
      arms: twin)
    var refused = failure("private", .refusal)
    refused.end = .refused
    let step = policy.next(facts(attempts: [refused]))
    #expect(words(step) == "call twin fallback:refusal")
    #expect(decision(step)?["candidates"]?[1]?["rejected"]?[0] == "farther: it is farther than privateCloud")
  }

  @Test func anEmptyAnswerIsServedUnlessThePolicySaysOtherwise() throws {
    var empty = failure("device", .network)
    empty.end = .empty
    #expect(words(try policy(chain(#"["device", "cloud"]"#)).next(facts(attempts: [empty]))) == "serve 0")
    let other = try policy(chain(#"["device", "cloud"]"#, onError: #"{"empty": "next"}"#))
    #expect(words(other.next(facts(attempts: [empty]))) == "call cloud escalation")
  }

  @Test func aRefusalAsTextIsARefusal() throws {
    var refused = failure("private", .network)
    refused.end = .refused
    let policy = try policy(chain(#"["private", "device"]"#, onError: #"{"refusal": "nextSameBoundary"}"#))
    #expect(words(policy.next(facts(attempts: [refused]))) == "call device fallback:refusal")
  }

  @Test func theFallbackOfAQuotaMayBeNearer() throws {
    let policy = try policy(chain(#"["private", "device"]"#, onError: #"{"quota": "next"}"#))
    #expect(
      words(policy.next(facts(attempts: [failure("private", .quotaExceeded)])))
        == "call device fallback:quotaExceeded")
  }
}

/// Answers that are not good enough, and what is served in the end.
struct AcceptTests {
  private func cascade(_ accept: String) throws -> RoutePolicy {
    try policy(
      chain(
        #"["device", "private", "cloud"]"#, onError: #"{"network": "next"}"#, more: ", \"accept\": \(accept)")
    )
  }

  private func answer(_ arm: String, _ answer: JSONObject, cause: AttemptCause = .first) -> RoutedAttempt {
    RoutedAttempt(profile: arm, cause: cause, end: .ok, hasVisibleOutput: true, dollars: 0, answer: answer)
  }

  @Test(arguments: [
    #"{"when": {"signal": "check.good", "atLeast": 0.7}}"#, #"[{"when": {"check.good": {"atLeast": 0.7}}}]"#,
  ])
  func anAnswerBelowTheThresholdEscalates(accept: String) throws {
    let policy = try cascade(accept)
    #expect(policy.acceptChecks == ["good"])
    #expect(words(policy.next(facts(attempts: [answer("device", ["check.good": 0.7])]))) == "serve 0")
    #expect(
      words(policy.next(facts(attempts: [answer("device", ["check.good": 0.69])])))
        == "call private escalation")
    #expect(
      words(policy.next(facts(attempts: [answer("device", [:])]))) == "call private escalation", "unscored")
  }

  @Test func whenTheStrongerArmFailsTheEarlierAnswerIsServed() throws {
    let policy = try cascade(#"{"arms": ["device"], "when": {"check.good": {"atLeast": 0.7}}}"#)
    let weak = answer("device", ["check.good": 0])
    let failed = failure("private", .authentication, cause: .escalation)
    #expect(words(policy.next(facts(attempts: [weak, failed]))) == "serve 0")
    let fallback = failure("private", .network, cause: .escalation)
    #expect(words(policy.next(facts(attempts: [weak, fallback]))) == "call cloud fallback:network")
    let strong = answer("private", [:], cause: .escalation)
    #expect(words(policy.next(facts(attempts: [weak, strong]))) == "serve 1", "its answers are not judged")
  }

  @Test func theLastAnswerIsServedWhenNoneIsAccepted() throws {
    let policy = try cascade(#"{"when": {"all": [{"finish": "stop"}, {"characters": {"atLeast": 10}}]}}"#)
    let cut: JSONObject = ["finish": "length", "characters": 400]
    let answers = [
      answer("device", cut), answer("private", cut, cause: .escalation),
      answer("cloud", cut, cause: .escalation),
    ]
    #expect(words(policy.next(facts(attempts: answers))) == "serve 2")
    #expect(
      words(policy.next(facts(["sensitivity": "secret"], attempts: [answer("device", cut)]))) == "serve 0")
  }

  @Test func anAnswerThatOnlyCalledToolsIsNotServedAfterAFailure() throws {
    let policy = try policy(chain(#"["device"]"#))
    let attempts = [answer("device", [:]), failure("device", .network)]
    #expect(words(policy.next(facts(attempts: attempts))) == "serve 1")
  }
}
