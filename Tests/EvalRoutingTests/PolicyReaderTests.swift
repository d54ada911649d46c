import EvalCore
import Testing

@testable import EvalRouting

/// What is refused, where, and with which advice.
struct PolicyReaderTests {
  /// `line:column path: message (advice)`.
  private func told(_ problems: [Problem]) -> [String] {
    problems.map { problem in
      let place = problem.location.map { "\($0.line):\($0.column) " } ?? ""
      let path = problem.path.map { "\($0): " } ?? ""
      let mark = problem.severity == .warning ? "warning: " : ""
      return mark + place + path + problem.message + (problem.advice.map { " (\($0))" } ?? "")
    }
  }

  private func told(
    _ text: String, arms: [ArmTraits]? = threeArms, privacy: PrivacyRules = .standard,
    cases: [JSONObject]? = nil
  ) -> [String] {
    told(read(text, arms: arms, privacy: privacy, cases: cases).problems)
  }

  @Test func thePolicyOfTheDocumentationIsRight() throws {
    let text = """
      {
        "policy": "private-first",
        "version": 1,
        "constraints": {
          "maxBoundary": {"secret": "device", "private": "privateCloud", "internal": "privateCloud", "public": "thirdParty", "unknown": "device"},
          "consentRequired": ["thirdParty"],
          "windowMargin": 0.05, "reserveOutput": 1200, "maxAttempts": 3, "maxCostPerCase": 0.02
        },
        "rules": [
          {"when": {"pinned": true}, "use": ["$pinned"]},
          {"when": {"network": "offline"}, "use": ["device"]},
          {"when": {"all": [{"tokensIn": {"atMost": 3000}}, {"task": {"in": ["classify", "rewrite"]}}]}, "use": ["device", "private"]},
          {"when": {"lowPower": true, "sensitivity": "public"}, "use": ["cloud", "device"]},
          {"else": true, "use": ["private", "cloud", "device"]}
        ],
        "onError": \(ErrorTableTests.defaults)
      }
      """
    let (policy, problems) = read(text)
    #expect(told(problems).isEmpty)
    #expect(policy?.arms == ["device", "private", "cloud"] && policy?.name == "private-first")
    #expect(policy?.hash == ContentHash(of: try JSONValue.parse(text), kind: "policy"))
  }

  @Test func everythingThatIsWrongIsSaidAtOnce() {
    let text = """
      {"polcy": "p", "version": 1,
       "rules": [{"when": {"netwrok": "offline"}, "use": ["device"]},
                 {"when": {"network": "offlin"}, "use": ["devise"]},
                 {"els": true, "use": ["device", "device"]}],
       "onError": {"guardrail": "nxt", "unknown": "next", "overloaded": "next", "network": {"retry": 99, "then": "next"}},
       "constraints": {"windowMargin": 1, "maxAttempts": 0, "maxBoundary": {"private": "thirdparty"}}}
      """
    #expect(
      told(text) == [
        "1:1 'policy' is missing (give the policy a name)",
        "1:2 polcy: 'polcy' is not a key of a policy (did you mean 'policy'?)",
        "2:22 rules[0].when.netwrok: there is no signal 'netwrok' (did you mean 'network'?)",
        "3:33 rules[1].when.network: expected online, constrained or offline, found \"offlin\" (did you mean 'offline'?)",
        "3:52 rules[1].use[0]: there is no arm 'devise' (did you mean 'device'?)",
        "4:12 rules[2]: a rule needs 'when' or 'else' (write \"else\": true for every other case)",
        "4:13 rules[2].els: 'els' is not a key of a rule (did you mean 'else'?)",
        "4:44 rules[2].use[1]: 'device' stands here twice (an arm is tried once)",
        "5:27 onError.guardrail: expected stop, next, nextLarger or nextSameBoundary, found \"nxt\" (did you mean 'next'?)",
        "5:34 onError.unknown: 'unknown' always stops and cannot be listed (leave it out)",
        "5:53 onError.overloaded: 'overloaded' is part of 'service' (write \"service\")",
        "5:96 onError.network.retry: expected a whole number from 1 to 10, found 99",
        "6:34 constraints.windowMargin: expected a share of the window, 0 or more and below 1, found 1",
        "6:52 constraints.maxAttempts: expected a whole number from 1 to 20, found 0",
        "6:82 constraints.maxBoundary.private: expected device, privateCloud or thirdParty, found \"thirdparty\" (did you mean 'thirdParty'?)",
      ])
  }

  @Test(
    arguments: [
      (
        #"[{"else": true, "use": ["device"]}, {"when": {"turn": 1}, "use": ["device"]}]"#,
        "rules[0] takes every case"
      ),
      (
        #"[{"when": {"tokensIn": {"atMost": 3000}}, "use": ["device"]}, {"name": "small", "when": {"tokensIn": {"lessThan": 100}, "task": "a"}, "use": ["device"]}]"#,
        "is taken by rules[0]"
      ),
      (
        #"[{"name": "x", "when": {"thermal": {"atLeast": "serious"}}, "use": ["device"]}, {"when": {"thermal": "critical"}, "use": ["device"]}]"#,
        "is taken by the rule 'x'"
      ),
      (
        #"[{"when": {"network": "offline"}, "use": ["device"]}, {"when": {"network": "constrained"}, "use": ["device"]}, {"when": {"network": {"not": "online"}, "task": {"in": ["a"]}}, "use": ["device"]}]"#,
        nil
      ),
      (
        #"[{"when": {"network": "offline"}, "use": ["device"]}, {"when": {"network": "constrained"}, "use": ["device"]}, {"when": {"any": [{"network": "offline"}, {"network": "constrained", "turn": 0}]}, "use": ["device"]}]"#,
        "is taken by rules[0] or rules[1]"
      ),
      (
        #"[{"when": {"tokensIn": {"atMost": 10, "atLeast": 11}}, "use": ["device"]}]"#,
        "its conditions exclude each other"
      ),
      (
        #"[{"when": {"tokensIn": {"atMost": 3000}}, "use": ["device"]}, {"when": {"tokensIn": {"atMost": 100}}, "use": ["cloud"]}]"#,
        nil
      ),
      (
        #"[{"when": {"task": "a"}, "use": ["device"]}, {"when": {"not": {"task": {"not": "a"}}}, "use": ["device"]}]"#,
        "is taken by rules[0]"
      ),
      (
        #"[{"when": {"needs": "tools"}, "use": ["device"]}, {"when": {"needs": {"contains": ["tools", "images"]}}, "use": ["device"]}]"#,
        "is taken by rules[0]"
      ),
      (
        #"[{"when": {"needs": {"contains": ["tools", "images"]}}, "use": ["device"]}, {"when": {"needs": "tools"}, "use": ["device"]}]"#,
        nil
      ),
    ] as [(String, String?)])
  func aRuleThatNothingReachesIsRefused(rules: String, reason: String?) {
    let problems = told(#"{"policy": "p", "version": 1, "rules": \#(rules)}"#)
    guard let reason else {
      #expect(problems.isEmpty, "\(problems)")
      return
    }
    #expect(
      problems.count == 1 && problems[0].contains("this rule is never reached")
        && problems[0].contains(reason), "\(problems)")
  }

  @Test func aPolicyWiderThanTheSuiteIsRefusedWithTheRuleNamed() {
    let wide = chain(
      #"["device"]"#,
      more: #", "constraints": {"maxBoundary": {"private": "thirdParty"}, "consentRequired": []}"#)
    let problems = told(wide)
    #expect(problems.count == 2)
    #expect(
      problems[0].contains(
        "constraints.maxBoundary.private: maxBoundary.private is thirdParty, wider than the suite's privacy, which allows privateCloud"
      ))
    #expect(problems[1].contains("constraints.consentRequired: consentRequired leaves out thirdParty"))
    let unknown = chain(
      #"["device"]"#, more: #", "constraints": {"maxBoundary": {"unknown": "privateCloud"}}"#)
    #expect(told(unknown)[0].contains("may travel no farther than the strictest class: device"))
    let open = PrivacyRules(
      maxBoundary: Dictionary(uniqueKeysWithValues: Sensitivity.allCases.map { ($0, .thirdParty) }),
      consentRequired: [])
    #expect(told(wide, privacy: open).isEmpty)
  }

  @Test func anArmThatIsAlwaysForbiddenIsRefused() {
    let strict = chain(
      #"["device", "cloud"]"#, more: #", "constraints": {"maxBoundary": {"public": "privateCloud"}}"#)
    #expect(
      told(strict) == [
        "1:74 rules[0].use[1]: 'cloud' can never be called: it is thirdParty, and maxBoundary allows privateCloud at most, whatever the sensitivity"
      ])
  }

  @Test func anArmOfUnknownBoundaryIsForPublicContentOnly() {
    let arms = [threeArms[0], ArmTraits(name: "somewhere")]
    let problems = told(chain(#"["device", "somewhere"]"#), arms: arms)
    #expect(problems.count == 1 && problems[0].contains("the boundary of 'somewhere' is not known"))
    #expect(told(chain(#"["device", "somewhere"]"#), arms: arms, cases: [["sensitivity": "public"]]).isEmpty)
    #expect(
      !told(chain(#"["device", "somewhere"]"#), arms: arms, cases: [["sensitivity": "public"], [:]]).isEmpty)
    let rule =
      #"{"policy": "p", "version": 1, "rules": [{"when": {"sensitivity": {"lessThan": "internal"}, "turn": 0}, "use": ["somewhere"]}]}"#
    #expect(told(rule, arms: arms).isEmpty)
  }

  @Test(arguments: ["guardrail", "refusal"]) func sendingOnWhatWasRefusedNeedsPublicAndConsentedCases(
    error: String
  ) {
    let text = chain(#"["device", "cloud"]"#, onError: #"{"\#(error)": "next"}"#)
    #expect(
      told(text)[0].hasSuffix(
        "only for cases that are public and consented: the policy's cases are not known here (write \"stop\" or \"nextSameBoundary\")"
      ))
    #expect(told(text, cases: [openSignals]).isEmpty)
    #expect(told(text, cases: [openSignals, ["sensitivity": "public"]])[0].contains("without consent to"))
    #expect(
      told(text, cases: [openSignals, ["sensitivity": "internal", "consent": true]])[0].contains(
        "whose sensitivity is internal"))
    #expect(told(chain(#"["device", "cloud"]"#, onError: #"{"\#(error)": "nextSameBoundary"}"#)).isEmpty)
  }

  @Test func whatCanNeverHappenIsRefused() {
    let larger = chain(#"["cloud", "device"]"#, onError: #"{"contextOverflow": "nextLarger"}"#)
    #expect(told(larger)[0].contains("no rule has an arm with a larger window behind another"))
    #expect(
      told(chain(#"["device"]"#, onError: #"{"contextOverflow": {"retry": 1, "then": "stop"}}"#))[0].contains(
        "cannot be retried"))
    let arms = [threeArms[0], ArmTraits(name: "dear", boundary: .device)]
    let budget = chain(#"["device", "dear"]"#, more: #", "constraints": {"maxCostPerCase": 1}"#)
    #expect(
      told(budget, arms: arms)[0].contains(
        "'dear' can never be called: maxCostPerCase is set and its price is not known"))
    #expect(
      told(chain(#"["private"]"#, more: #", "constraints": {"maxCostPerRun": 1}"#))[0].hasPrefix("warning: "))
    #expect(
      told(#"{"policy": "p", "version": 1, "rules": [{"when": {"pinned": false}, "use": ["device"]}]}"#)[0]
        .contains("'pinned' cannot be false"))
  }

  @Test func thePolicysOwnArmsStandAloneAndMayNotContradictTheSuite() throws {
    let own = chain(
      #"["a"]"#,
      more:
        #", "arms": {"a": {"boundary": "device", "contextSize": 4096, "price": "free", "capabilities": ["tools"]}}"#
    )
    #expect(told(own, arms: nil).isEmpty)
    #expect(told(chain(#"["a"]"#), arms: nil)[0].contains("there are no arms"))
    let other = chain(
      #"["device"]"#, more: #", "arms": {"device": {"boundary": "thirdParty", "contextSize": 4096}, "b": {}}"#
    )
    let problems = told(other)
    #expect(
      problems.count == 2
        && problems[0].contains("arms.device.boundary: the suite's profile 'device' says otherwise"))
    #expect(problems[1].contains("the suite has no profile 'b'"))
  }

  @Test func aPolicyInASuiteIsToldAtItsPlaceInTheSuite() {
    let text =
      "{\n \"routes\": {\"r\": {\"version\": 1, \"rules\": [{\"else\": true, \"use\": [\"nobody\"]}]}}}"
    let source = SourceText(name: "suite.json", bytes: Array(text.utf8))
    let start = text.utf8.count - 63
    let range = text.utf8.firstIndex(of: UInt8(ascii: "r")).map { _ in start..<(start + 61) } ?? 0..<0
    let found = PolicyReader(arms: threeArms).read(
      PolicySource(PolicyText(source: source, range: range, path: "routes.r")), name: "r")
    #expect(
      told(found.problems) == [
        "2:66 routes.r.rules[0].use[0]: there is no arm 'nobody' (one of device, private, cloud)"
      ])
  }

  /// Whatever stands in a file, reading it ends with a policy or with a reason.
  @Test func brokenPoliciesNeverCrashTheReader() {
    var world = RandomWorld(seed: 5)
    for _ in 0..<3000 {
      let arms = world.arms()
      var bytes = Array(world.policy(arms).serialized().utf8)
      for _ in 0..<1 + world.random.below(4) {
        let place = world.random.below(bytes.count)
        switch world.random.below(3) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = UInt8(world.random.below(256))
        default:
          bytes.insert(
            contentsOf: Array(#"{"a": [null, -1e99]}"#.utf8).shuffled(using: &world.random), at: place)
        }
        if bytes.isEmpty { bytes = [0x7B] }
      }
      let found = PolicyReader(arms: arms).read(SourceText(name: "p", bytes: bytes))
      #expect(found.policy != nil || found.problems.contains { $0.severity == .error })
    }
  }
}
