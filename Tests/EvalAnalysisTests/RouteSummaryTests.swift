import EvalCore
import Testing

@testable import EvalAnalysis

/// Worked by hand: what a route's trials come to.
@Suite struct RouteSummaryTests {
  private static func attempt(
    _ number: Int, _ profile: String, _ boundary: Boundary?, cause: AttemptCause = .first,
    error: ErrorClass? = nil, outcome: String? = nil, milliseconds: Int64 = 100, bytes: Int? = 50,
    tokens: Int? = 10, dollars: Double? = 0, step: Int = 0
  ) -> AttemptRecord {
    var timeline = Timeline()
    timeline.start = 0
    timeline.done = milliseconds * 1_000_000
    var record = AttemptRecord(
      turn: 0, step: step, number: number, phase: .measured, profile: profile, boundary: boundary,
      cause: cause.label, outcome: outcome ?? error?.rawValue ?? "ok", errorClass: error, provenance: .live,
      inFlight: 1, wait: 0, timeline: timeline,
      usage: tokens.map { Usage(input: $0, output: 0) }, cost: Cost(dollars: dollars))
    record.bytesSent = bytes
    record.decision = ["policy": "p", "nanoseconds": 2_000_000]
    return record
  }

  private static func trial(
    _ id: String, _ attempts: [AttemptRecord], served: Int?, status: TrialStatus = .ok,
    signals: JSONObject = ["sensitivity": "public", "consent": true], cluster: String? = nil,
    repeatIndex: Int = 0
  ) -> TrialRecord {
    var record = TrialRecord(
      key: TrialKey(
        caseHash: TestRun.hash(id), targetHash: TestRun.hash("r"), repeatIndex: repeatIndex),
      caseID: id, tags: [], cluster: cluster, mustPass: false, target: "r", status: status, errorClass: nil,
      score: TrialScore(value: 1, passed: true, unscored: nil), duration: nil, attempts: attempts, scores: [])
    record.servedNumbers = served.map { [$0] } ?? []
    record.signals = signals
    return record
  }

  private static func run(_ trials: [TrialRecord], policy: JSONValue = ["policy": "r"]) -> TestRun {
    var run = TestRun([], cases: trials.count)
    run.run.targets = [
      RunInfo.TargetInfo(name: "r", kind: "route", hash: TestRun.hash("r"), content: policy)
    ]
    run.run.plannedTrials = trials.count
    run.trials = trials
    return run
  }

  private static func summary(_ trials: [TrialRecord], policy: JSONValue = ["policy": "r"]) throws
    -> RouteSummary
  {
    let summary = try RunSummary.make(from: run(trials, policy: policy))
    return try #require(summary.targets.first?.route)
  }

  /// Four cases: the device answers; an error is followed by a third party; an answer is not good enough and a private
  /// cloud gives another; the policy blocks.
  private static let four = [
    trial("a", [attempt(1, "near", .device)], served: 1),
    trial(
      "b",
      [
        attempt(1, "near", .device, error: .serverError, milliseconds: 40, tokens: nil),
        attempt(2, "far", .thirdParty, cause: .fallback(.serverError), tokens: 30, dollars: 0.2),
      ], served: 2),
    trial(
      "c",
      [
        attempt(1, "near", .device, milliseconds: 60, tokens: 20, dollars: 0.04),
        attempt(2, "mid", .privateCloud, cause: .escalation, tokens: 40, dollars: 0.1),
      ], served: 2),
    trial("d", [], served: nil, status: .blocked),
  ]

  @Test func `Four cases come to the numbers that a person gets`() throws {
    let route = try Self.summary(Self.four)
    #expect(route.trials == 4)
    #expect(route.cloud.any.value == 0.5 && route.cloud.any.n == 4)
    #expect(route.cloud.privateCloud.value == 0.25 && route.cloud.thirdParty.value == 0.25)
    #expect(route.cloud.served.value == 0.5)
    #expect(route.servedFrom.map(\.share.value) == [0.25, 0.25, 0.25])
    // (30 + 40) of (10 + 30 + 20 + 40); the failed attempt reported none.
    #expect(route.cloud.tokens.value == 0.7 && route.cloud.tokens.n == 4 && route.cloud.tokens.missing == 1)
    #expect(route.fallbacks.rate.value == 0.25)
    #expect(route.fallbacks.classes == [.init(kind: .serverError, trials: 1)])
    #expect(route.fallbacks.recovery.value == 1 && route.fallbacks.recovery.n == 1)
    #expect(route.fallbacks.escalation.value == 0.25 && route.fallbacks.blocked.value == 0.25)
    // 40 ms failed and 60 ms were not good enough, over four trials; all of it on the device.
    #expect(route.waste.attempts == 2)
    #expect(route.waste.time.value == 25 && route.waste.deviceTime.value == 25)
    #expect(abs(try #require(route.waste.dollars.value) - 0.01) < 1e-12)
    #expect(route.leaks.isEmpty && route.decisions?.n == 5 && route.decisions?.maximum == 2)
    // Wilson's interval of 2 in 4, as R's binom.wilson has it.
    let interval = try #require(route.cloud.any.interval)
    #expect(abs(interval.lowerBound - 0.150039) < 1e-6 && abs(interval.upperBound - 0.849961) < 1e-6)
  }

  @Test func `Cases of one cluster are one unit`() throws {
    var trials = Self.four
    for index in trials.indices { trials[index].cluster = index < 2 ? "x" : "y" }
    let route = try Self.summary(trials)
    #expect(route.cloud.any.isClustered && route.cloud.any.units == 2 && route.cloud.any.value == 0.5)
  }

  @Test func `What sent nothing did not leave, and what nobody counted did`() throws {
    let route = try Self.summary([
      Self.trial(
        "a",
        [
          Self.attempt(1, "far", .thirdParty, error: .network, bytes: 0, tokens: nil),
          Self.attempt(2, "near", .device, cause: .fallback(.network)),
        ], served: 2),
      Self.trial("b", [Self.attempt(1, "odd", nil, bytes: nil)], served: 1),
    ])
    #expect(route.cloud.any.value == 0.5 && route.cloud.thirdParty.value == 0.5)
  }

  @Test func `Without a fallback there is no rate of recovery, and unknown costs are missing`() throws {
    let route = try Self.summary([
      Self.trial(
        "a",
        [
          Self.attempt(1, "near", .device, dollars: nil),
          Self.attempt(2, "far", .thirdParty, cause: .escalation),
        ], served: 2),
      Self.trial("b", [Self.attempt(1, "near", .device)], served: 1),
    ])
    #expect(route.fallbacks.recovery.value == nil && route.fallbacks.recovery.n == 0)
    #expect(route.waste.dollars.value == 0 && route.waste.dollars.n == 1 && route.waste.dollars.missing == 1)
  }

  @Test func `A step that called the tools for a served answer is not wasted`() throws {
    let route = try Self.summary([
      Self.trial(
        "a", [Self.attempt(1, "near", .device), Self.attempt(2, "near", .device, step: 1)], served: 2)
    ])
    #expect(route.waste.attempts == 0)
  }

  @Test func `Each leak is told with its case, attempt and broken rules`() throws {
    let secret: JSONObject = ["sensitivity": "secret"]
    let refused = Self.attempt(1, "near", .device, outcome: "refused")
    let trials = [
      Self.trial("secret", [Self.attempt(1, "far", .thirdParty)], served: 1, signals: secret),
      Self.trial(
        "refused", [refused, Self.attempt(2, "mid", .privateCloud)], served: 2,
        signals: ["sensitivity": "public", "consent": true]),
      Self.trial("unsaid", [Self.attempt(1, "mid", .privateCloud)], served: 1, signals: [:]),
      Self.trial("stayed", [Self.attempt(1, "far", .thirdParty, bytes: 0)], served: nil, signals: secret),
      Self.trial("right", [Self.attempt(1, "far", .thirdParty)], served: 1),
    ]
    let leaks = try Self.summary(trials).leaks.sorted { $0.caseID < $1.caseID }
    #expect(leaks.map(\.caseID) == ["refused", "secret", "unsaid"])
    #expect(leaks.map(\.rules) == [[.afterStop], [.boundary, .consent], [.boundary]])
    #expect(leaks.map(\.attempt) == [2, 1, 1] && leaks[1].arm == "far" && leaks[2].sensitivity == nil)
  }

  @Test func `A policy's own limits count where they are stricter`() throws {
    let trial = Self.trial("a", [Self.attempt(1, "far", .thirdParty)], served: 1)
    let own: JSONValue = ["policy": "r", "constraints": ["maxBoundary": ["public": "privateCloud"]]]
    #expect(try Self.summary([trial]).leaks.isEmpty)
    #expect(try Self.summary([trial], policy: own).leaks.map(\.rules) == [[.boundary]])
    var lax = Self.run([trial])
    lax.run.privacy = PrivacyRules(maxBoundary: [:], consentRequired: [])
    #expect(try RunSummary.make(from: lax).leaks.count == 1)
  }

  @Test func `A run without a route says nothing of routes`() throws {
    var run = TestRun(cases: 1)
    run.add(case: "a")
    #expect(try RunSummary.make(from: run).targets.first?.route == nil)
  }
}
