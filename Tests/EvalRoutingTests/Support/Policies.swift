import EvalCore

@testable import EvalRouting

/// The three arms of the tests: small and free, larger and private, large and dear.
let threeArms = [
  ArmTraits(
    name: "device", boundary: .device, window: .tokens(4096), capabilities: [.history, .instructions],
    price: .free, isLocalEndpoint: true),
  ArmTraits(
    name: "private", boundary: .privateCloud, window: .tokens(32_768), capabilities: [.history, .tools],
    price: Price(input: 1, output: 2)),
  ArmTraits(
    name: "cloud", boundary: .thirdParty, window: .tokens(200_000),
    capabilities: [.history, .tools, .images],
    price: Price(input: 3, output: 15)),
]

/// Content that may travel anywhere.
let openSignals: JSONObject = ["sensitivity": "public", "consent": true]

func read(
  _ text: String, arms: [ArmTraits]? = threeArms, privacy: PrivacyRules = .standard,
  cases: [JSONObject]? = nil
) -> (policy: RoutePolicy?, problems: [Problem]) {
  PolicyReader(arms: arms, privacy: privacy, cases: cases).read(
    SourceText(name: "policy.json", bytes: Array(text.utf8)))
}

/// A policy that is right, or a test that fails for want of it.
func policy(
  _ text: String, arms: [ArmTraits]? = threeArms, privacy: PrivacyRules = .standard,
  cases: [JSONObject]? = nil
) throws -> RoutePolicy {
  let (policy, problems) = read(text, arms: arms, privacy: privacy, cases: cases)
  guard let policy else { throw Problems(problems) }
  return policy
}

/// A policy with one rule for every case.
func chain(_ arms: String, onError: String = "{}", more: String = "") -> String {
  """
  {"policy": "p", "version": 1, "rules": [{"else": true, "use": \(arms)}], "onError": \(onError)\(more)}
  """
}

func facts(
  _ signals: JSONObject = openSignals, tokens: Int? = 100, attempts: [RoutedAttempt] = [],
  spent: Spending = Spending(), windows: [String: Int] = [:]
) -> RoutingFacts {
  var arms: [String: ArmFacts] = [:]
  for arm in threeArms {
    arms[arm.name] = ArmFacts(
      tokensIn: tokens.map { InputCount(tokens: $0, low: $0, high: $0, most: $0, source: .estimate) },
      window: windows[arm.name].map { ContextWindow(tokens: $0) })
  }
  return RoutingFacts(caseID: "c", signals: signals, arms: arms, spent: spent, attempts: attempts)
}

func failure(
  _ arm: String, _ kind: ErrorClass, cause: AttemptCause = .first, retryable: Bool? = nil,
  visible: Bool = false,
  dollars: Double? = 0
) -> RoutedAttempt {
  RoutedAttempt(
    profile: arm, cause: cause, end: .failed(kind), isRetryable: retryable ?? kind.isRetryable,
    hasVisibleOutput: visible, dollars: dollars)
}

/// A step in few words: `call cloud fallback:network`, `serve 0`, `block`.
func words(_ step: RoutingStep) -> String {
  switch step {
  case .call(let arm, let cause, _): "call \(arm) \(cause.label)"
  case .serve(let index, _): "serve \(index)"
  case .block: "block"
  }
}

func decision(_ step: RoutingStep) -> JSONValue? {
  switch step {
  case .call(_, _, let decision), .serve(_, let decision), .block(_, let decision): decision
  }
}
