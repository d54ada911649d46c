import EvalCore

@testable import EvalAnalysis
@testable import EvalReports

/// A small recorded world with everything that a report of a replay has to say.
enum SampleReplay {
  /// Short inputs near, the rest far; the other arm after an error.
  struct Threshold: Policy {
    var name: String
    var limit: Int
    /// Private content stays near.
    var isCareful: Bool

    var arms: [String] { ["on-device", "cloud"] }
    var decidesRetries: Bool { true }

    func next(_ facts: RoutingFacts) -> RoutingStep {
      guard let last = facts.attempts.last else {
        let tokens = facts.arms["on-device"]?.tokensIn?.tokens ?? .max
        let staysNear = tokens <= limit || isCareful && facts.signals["sensitivity"] == "private"
        return .call(profile: staysNear ? "on-device" : "cloud", cause: .first, decision: nil)
      }
      guard case .failed(let kind) = last.end, facts.attempts.count == 1 else {
        return .serve(attempt: facts.attempts.count - 1, decision: nil)
      }
      if isCareful, last.profile == "on-device", facts.signals["sensitivity"] == "private" {
        return .block(reason: "no arm may have it", decision: nil)
      }
      return .call(
        profile: last.profile == "cloud" ? "on-device" : "cloud", cause: .fallback(kind), decision: nil)
    }
  }

  static let profiles: [Profile] = {
    var near = Profile(name: "on-device", provider: "openai-chat", model: "small")
    near.boundary = .device
    near.contextSize = .auto
    near.price = .free
    var far = Profile(name: "cloud", provider: "openai-chat", model: "large")
    far.boundary = .thirdParty
    far.price = Price(input: 1, output: 2)
    return [near, far]
  }()

  static var run: RunInfo {
    var run = SampleRun.live().run
    run.targets = profiles.map {
      RunInfo.TargetInfo(name: $0.name, kind: "profile", hash: $0.hash, content: .object($0.contentObject))
    }
    run.name = "nightly"
    run.privacy = .standard
    return run
  }

  /// 40 cases of 100, 200, … tokens: the near arm is right on the short ones, the far arm on most.
  static var table: ReplayTable {
    let cases = (0..<40).map { number in
      let signals: JSONObject = [
        "sensitivity": number % 8 == 7 ? "private" : "public", "consent": true,
      ]
      let count = InputCount.counted(100 * (number + 1))
      return ReplayCase(
        id: "case-\(number)", hash: ContentHash(of: .integer(Int64(number)), kind: "test"), signals: signals,
        facts: [profiles.map { _ in ArmFacts(tokensIn: count) }])
    }
    let arms = profiles.map { ReplayArm(name: $0.name, boundary: $0.boundary, price: $0.price) }
    var table = ReplayTable(cases: cases, arms: arms, repeats: 2)
    for number in cases.indices {
      for index in 0..<2 {
        table[case: number, arm: 0, repeat: index] = near(number, index)
        table[case: number, arm: 1, repeat: index] = far(number, index)
      }
    }
    table[case: 39, arm: 0, repeat: 1] = nil
    return table
  }

  private static func near(_ number: Int, _ index: Int) -> ReplayCell {
    if number == 30 {
      return failed(.contextSizeExceeded)
    }
    return answer(right: number < 18 && number != 5, milliseconds: 200 + 10 * number, dollars: 0)
  }

  private static func far(_ number: Int, _ index: Int) -> ReplayCell {
    if number == 20, index == 1 { return failed(.rateLimited) }
    return answer(
      right: number % 10 != 3, milliseconds: 900 + 5 * number, dollars: 0.0001 * Double(number + 1))
  }

  private static func answer(right: Bool, milliseconds: Int, dollars: Double) -> ReplayCell {
    let attempt = ReplayAttempt(
      end: .ok, cost: Cost(dollars: dollars), latency: Int64(milliseconds) * 1_000_000,
      usage: Usage(input: 100, output: 20), bytesSent: 900)
    return ReplayCell(turns: [ReplayTurn(attempts: [attempt])], status: .ok, quality: right ? 1 : 0)
  }

  private static func failed(_ kind: ErrorClass) -> ReplayCell {
    let attempt = ReplayAttempt(
      end: .failed(kind), hasVisibleOutput: false, latency: 50_000_000, bytesSent: 900)
    return ReplayCell(turns: [ReplayTurn(attempts: [attempt])], status: .failed, quality: nil)
  }

  static var recorded: RecordedRun {
    RecordedRun(
      run: run, table: table, profiles: profiles, unfinished: ["on-device": 1], retryLimit: 2,
      routingNanoseconds: nil, tokenSources: [.counted: 70, .estimated: 10])
  }

  static func replay(_ scenario: Scenario = .none, floor: Double = ReplayCoverage.floor) -> ReplayReport {
    let recorded = recorded
    let replayer = Replayer(recorded.table, scenario: scenario, settings: recorded.settings)
    let contenders = [
      Threshold(name: "careful", limit: 1800, isCareful: true),
      Threshold(name: "naive", limit: 0, isCareful: false),
    ].map { Contender(policy: $0) }
    var settings = ComparisonSettings()
    settings.floor = floor
    settings.resamples = 1000
    let comparison = RoutingComparison.make(replayer, policies: contenders, settings: settings)
    return ReplayReport(
      recorded: recorded, comparison: comparison, gaps: comparison.gaps(replayer, policies: contenders),
      sources: [
        .init(name: "careful", origin: "careful.json", hash: run.suiteHash, unprotected: nil),
        .init(name: "naive", origin: "naive.json", hash: run.planHash, unprotected: "what everybody does"),
      ])
  }

  static func sweep(limits: String, limit: ClosedRange<Int> = 0...40) async throws -> SweepReport {
    let recorded = recorded
    let replayer = Replayer(recorded.table, settings: recorded.settings)
    let thresholds = limit.map { $0 * 100 }
    let sweep = PolicySweep(replayer)
    let choice = await sweep.choose(
      thresholds.map { Contender(policy: Threshold(name: "p", limit: $0, isCareful: true)) },
      SweepObjective(.quality), subjectTo: try SweepOptions.constraints(limits), resamples: 1000)
    let tuning = Replayer(
      recorded.table.selecting(choice.split.tuning), settings: recorded.settings)
    var report = SweepReport(
      recorded: recorded, scenario: [], policy: "careful", origin: "careful.json",
      axes: [.init(path: "rules[0].when.tokensIn.atMost", values: thresholds.count)], refused: 3,
      refusal: [Problem(.error, "this rule is never reached", path: "rules[1]")], choice: choice,
      frontier: SweepFrontier(choice.scores, gain: .quality),
      curve: SweepCurve.make(tuning, choice.scores, settings: ComparisonSettings()),
      values: { [.integer(Int64(thresholds[$0]))] })
    report.chosenHash = run.suiteHash
    report.written = "best.json"
    return report
  }
}
