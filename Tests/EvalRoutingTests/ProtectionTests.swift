import EvalCore
import Testing

@testable import EvalRouting

/// Each rule that protects people, with a policy that tries to break it.
struct ProtectionTests {
  private static let everything = """
    {"unavailable": "next", "contextOverflow": "next", "rateLimited": "next", "quota": "next", "network": "next",
     "service": "next", "firstTokenTimeout": "next", "parseFailure": "next", "unsupported": "next", "empty": "next",
     "guardrail": "nextSameBoundary", "refusal": "nextSameBoundary"}
    """
  private static let greedy = chain(#"["device", "private", "cloud"]"#, onError: everything)

  @Test(
    arguments: [
      ("public", true, "cloud"), ("public", false, "private"), ("internal", true, "private"),
      ("private", true, "private"), ("secret", true, "device"), ("unknown", true, "device"),
    ] as [(String, Bool, String)])
  func contentStaysWithinItsBoundary(sensitivity: String, consent: Bool, farthest: String) throws {
    let policy = try policy(chain(#"["cloud", "private", "device"]"#))
    let step = policy.next(facts(["sensitivity": .string(sensitivity), "consent": .bool(consent)]))
    #expect(words(step) == "call \(farthest) first")
  }

  @Test func whatNobodyClassifiedStaysOnTheDevice() throws {
    let policy = try policy(chain(#"["cloud", "device"]"#))
    #expect(words(policy.next(facts(["consent": true]))) == "call device first")
    #expect(words(policy.next(facts(["sensitivity": 3, "consent": true]))) == "call device first")
    #expect(words(policy.next(facts([:]))) == "call device first")
  }

  @Test func anUnknownIsNeverFreerThanTheStrictestClass() throws {
    var loose = PrivacyRules.standard
    loose.maxBoundary[.unknown] = .thirdParty
    let policy = try policy(chain(#"["cloud", "device"]"#), privacy: loose)
    #expect(words(policy.next(facts(["consent": true]))) == "call device first")
  }

  @Test func consentNamesTheBoundary() throws {
    let policy = try policy(chain(#"["cloud", "device"]"#))
    #expect(
      words(policy.next(facts(["sensitivity": "public", "consent": ["privateCloud"]]))) == "call device first"
    )
    #expect(
      words(policy.next(facts(["sensitivity": "public", "consent": ["thirdParty"]]))) == "call cloud first")
  }

  /// Firebase's iOS SDK sends a prompt that the device's guardrail stopped to the cloud.
  @Test(arguments: [ErrorClass.contentFiltered, .refusal])
  func firebaseGuardrailOnTheDeviceIsNotAskedInTheCloud(kind: ErrorClass) throws {
    let step = try policy(Self.greedy).next(facts(attempts: [failure("device", kind)]))
    #expect(words(step) == "serve 0")
    // Nor by a detour: a second device fails for another reason, and only then the cloud would follow.
    let twin = threeArms + [ArmTraits(name: "twin", boundary: .device)]
    let detour = try policy(chain(#"["device", "twin", "cloud"]"#, onError: Self.everything), arms: twin)
    let first = failure("device", kind)
    #expect(words(detour.next(facts(attempts: [first]))) == "call twin fallback:\(kind.rawValue)")
    let second = failure("twin", .network, cause: .fallback(kind))
    #expect(words(detour.next(facts(attempts: [first, second]))) == "serve 1")
  }

  @Test func aRefusalInAnEarlierTurnIsNotSentOnAsHistory() throws {
    var later = facts()
    later.turn = 1
    later.refusedWithin = .device
    let policy = try policy(chain(#"["cloud", "device"]"#))
    #expect(words(policy.next(later)) == "call device first")
  }

  /// litellm#40406: a safety error went to the fallbacks for everything.
  @Test func aRefusedAnswerIsServedAsItIs() throws {
    var refused = failure("device", .refusal)
    refused.end = .refused
    #expect(words(try policy(chain(#"["device", "cloud"]"#)).next(facts(attempts: [refused]))) == "serve 0")
  }

  /// QuillCode PR #1549: a run pinned to a private route went on at another provider.
  @Test func quillCodePinnedRunsHaveNoFallback() throws {
    var signals = openSignals
    signals["pinned"] = "device"
    for text in [Self.greedy, chain(#"["$pinned", "cloud"]"#, onError: Self.everything)] {
      let policy = try policy(text)
      #expect(words(policy.next(facts(signals))) == "call device first")
      #expect(words(policy.next(facts(signals, attempts: [failure("device", .network)]))) == "serve 0")
    }
    // A pin opens no boundary.
    signals["pinned"] = "cloud"
    signals["sensitivity"] = "private"
    #expect(words(try policy(chain(#"["$pinned"]"#)).next(facts(signals))) == "block")
  }

  /// gptme PR #3788: no endpoint within the privacy that was asked, so it tried again with the privacy relaxed.
  @Test func gptmePrivacyIsNeverRelaxedToFindAnArm() throws {
    let policy = try policy(chain(#"["private", "cloud"]"#, onError: Self.everything))
    let step = policy.next(facts(["sensitivity": "secret", "consent": true]))
    guard case .block(let reason, let decision) = step else {
      Issue.record("\(words(step))")
      return
    }
    #expect(reason == "no arm of the rule may be called")
    let candidates = decision?["candidates"]?.arrayValue ?? []
    #expect(candidates.count == 2)
    for candidate in candidates {
      #expect(candidate["rejected"]?[0]?.stringValue?.hasPrefix("boundary: ") == true)
    }
    let served = policy.next(
      facts(["sensitivity": "private", "consent": true], attempts: [failure("private", .unavailable)]))
    #expect(words(served) == "serve 0")
  }

  @Test(arguments: RouteError.alwaysStops) func anErrorThatNobodyKnowsStops(kind: ErrorClass) throws {
    #expect(words(try policy(Self.greedy).next(facts(attempts: [failure("device", kind)]))) == "serve 0")
  }

  @Test(arguments: ErrorClass.allCases) func nothingFollowsVisibleOutput(kind: ErrorClass) throws {
    let step = try policy(Self.greedy).next(facts(attempts: [failure("device", kind, visible: true)]))
    #expect(words(step) == "serve 0")
  }

  @Test func anArmWithoutBoundaryIsTheFarthest() throws {
    let arms = [ArmTraits(name: "somewhere"), threeArms[0]]
    let text = """
      {"policy": "p", "version": 1, "rules": [
        {"when": {"sensitivity": "public"}, "use": ["somewhere", "device"]}, {"else": true, "use": ["device"]}]}
      """
    let policy = try policy(text, arms: arms)
    #expect(words(policy.next(facts(["sensitivity": "public"]))) == "call device first")
    #expect(words(policy.next(facts(openSignals))) == "call somewhere first")
  }

  @Test func everyFallbackIsHeldAgainstWindowCapabilityAndBudget() throws {
    let failed = [failure("device", .network)]
    let greedy = try policy(Self.greedy)
    #expect(words(greedy.next(facts(attempts: failed))) == "call private fallback:network")
    #expect(words(greedy.next(facts(tokens: 40_000, attempts: failed))) == "call cloud fallback:network")
    #expect(words(greedy.next(facts(tokens: 400_000, attempts: failed))) == "serve 0")
    var signals = openSignals
    signals["needs"] = ["images"]
    #expect(words(greedy.next(facts(signals, attempts: failed))) == "call cloud fallback:network")
    signals["needs"] = ["reasoning"]
    #expect(words(greedy.next(facts(signals, attempts: failed))) == "serve 0")
    signals["needs"] = nil
    signals["budget"] = ["case": 0.0001]
    #expect(words(greedy.next(facts(signals, attempts: failed))) == "call private fallback:network")
    signals["budget"] = ["case": 0.00009]
    #expect(words(greedy.next(facts(signals, attempts: failed))) == "serve 0")
    #expect(words(greedy.next(facts(signals))) == "call device first", "a free arm fits any budget")
  }

  @Test func whatWasSpentCountsAgainstTheLimit() throws {
    let text = chain(
      #"["private", "device"]"#, more: #", "constraints": {"maxCostPerCase": 0.001, "reserveOutput": 100}"#)
    // 100 tokens in at 1 dollar and 100 out at 2 dollars for a million: 0.0003.
    let policy = try policy(text)
    #expect(words(policy.next(facts(spent: Spending(trial: 0.0007, run: 9)))) == "call private first")
    #expect(words(policy.next(facts(spent: Spending(trial: 0.00071, run: 0)))) == "call device first")
    #expect(words(policy.next(facts(spent: Spending(trial: nil, run: 0)))) == "call device first")
    #expect(words(policy.next(facts(tokens: nil))) == "call device first")
  }

  @Test func aPolicyUnderStudyRunsAsItIsWritten() throws {
    let naive = #"""
      {"policy": "naive", "version": 1, "unprotected": "what a careless app does",
       "rules": [{"else": true, "use": ["device", "cloud"]}],
       "onError": {"guardrail": "next", "refusal": "next", "network": "next"}}
      """#
    let policy = try policy(naive)
    let secret = facts(["sensitivity": "secret"], attempts: [failure("device", .contentFiltered)])
    #expect(words(policy.next(secret)) == "call cloud fallback:contentFiltered")
    #expect(policy.liveRefusal == "the policy is unprotected, and cloud is not on this machine")
    let limited = naive.replacing(
      #""rules""#, with: #""constraints": {"maxBoundary": {"secret": "device"}}, "rules""#)
    #expect(words(try EvalRoutingTests.policy(limited).next(secret)) == "serve 0")
  }

  /// Random policies, cases and chains of errors: no call is made that the watchman forbids, and every turn ends.
  @Test(arguments: 0..<4) func noPolicyTalksProtectionOver(seed: Int) throws {
    var world = RandomWorld(seed: UInt64(seed) &* 7919 &+ 1)
    var (policies, calls, forbidden) = (0, 0, 0)
    for _ in 0..<1000 {
      let (arms, privacy) = (world.arms(), world.privacy())
      let json = world.policy(arms)
      let cases = world.chance(0.5) ? [world.signals(arms)] : nil
      guard
        let policy = PolicyReader(arms: arms, privacy: privacy, cases: cases).read(PolicySource(json)).policy
      else { continue }
      policies += 1
      let watchman = Watchman(arms: arms, privacy: privacy, policy: json)
      for _ in 0..<40 {
        var facts = world.facts(arms)
        while case .call(let arm, let cause, _) = policy.next(facts) {
          calls += 1
          let complaints = watchman.complaints(about: arm, facts)
          #expect(complaints.isEmpty, "\(arm) \(cause.label): \(complaints) \(json.serialized()) \(facts)")
          forbidden += complaints.isEmpty ? 0 : 1
          if forbidden > 3 { return }
          let attempt = world.end(of: arm, cause)
          facts.attempts.append(attempt)
          facts.spent.trial = attempt.dollars.flatMap { cost in facts.spent.trial.map { $0 + cost } }
          facts.spent.run = attempt.dollars.flatMap { cost in facts.spent.run.map { $0 + cost } }
        }
      }
    }
    #expect(policies > 100 && calls > 1000, "too little was tried: \(policies) policies, \(calls) calls")
  }
}
