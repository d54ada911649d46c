import EvalCore

@testable import EvalReports

extension SampleRun {
  /// A route over two arms: answered on the device, after an error, for quality, blocked, and one leak.
  static func routed() -> SampleRun {
    var run = info(targets: [(device, "smollm2-135m", "free")], cases: 5, repeats: 1)
    run.targets.append(
      RunInfo.TargetInfo(
        name: "naive", kind: "route", hash: hash("naive", "policy"), content: ["policy": "naive"]))
    run.plannedTrials = 10
    run.privacy = .standard
    var trials: [TrialRecord] = []
    for (index, name) in ["short", "broken", "weak", "forbidden", "private-letter"].enumerated() {
      trials.append(
        routedTrial(name, run.targets[0], [RoutedCall.near], served: nil, at: index, signals: open))
      let secret = index > 2
      let calls: [RoutedCall] = [[.near], [.broken, .far], [.near, .better], [], [.broken, .far]][index]
      trials.append(
        routedTrial(
          name, run.targets[1], calls, served: calls.isEmpty ? [] : [calls.count], at: index,
          signals: secret ? ["sensitivity": "secret"] : open))
    }
    return SampleRun(run: run, trials: trials)
  }

  private static let open: JSONObject = ["sensitivity": "public", "consent": true]

  private struct RoutedCall {
    var arm: String
    var boundary: Boundary
    var cause: AttemptCause
    var error: ErrorClass?

    static let near = RoutedCall(arm: device, boundary: .device, cause: .first)
    static let broken = RoutedCall(arm: device, boundary: .device, cause: .first, error: .serverError)
    static let far = RoutedCall(arm: cloud, boundary: .thirdParty, cause: .fallback(.serverError))
    static let better = RoutedCall(arm: cloud, boundary: .thirdParty, cause: .escalation)
  }

  private static func routedTrial(
    _ name: String, _ target: RunInfo.TargetInfo, _ calls: [RoutedCall], served: [Int]?, at index: Int,
    signals: JSONObject
  ) -> TrialRecord {
    let attempts = calls.enumerated().map { place, call in
      routedAttempt(place + 1, call, isRoute: target.kind == "route", signals, at: index)
    }
    let isBlocked = calls.isEmpty
    let scores =
      isBlocked
      ? []
      : [
        ScoreRecord(
          check: "contains", kind: "contains", weight: 1, turn: nil, judgement: .verdict(index != 1),
          explanation: nil)
      ]
    var trial = TrialRecord(
      key: TrialKey(caseHash: hash(name, "case"), targetHash: target.hash, repeatIndex: 0), caseID: name,
      tags: [], cluster: nil, mustPass: false, target: target.name, status: isBlocked ? .blocked : .ok,
      errorClass: nil,
      score: TrialScore(
        value: isBlocked ? nil : index == 1 ? 0 : 1, passed: isBlocked ? nil : index != 1,
        unscored: isBlocked ? .noAnswer : nil),
      duration: 400_000_000, attempts: attempts, scores: scores)
    trial.servedNumbers = served
    trial.signals = signals
    guard target.kind == "route" else { return trial }
    trial.ending =
      isBlocked
      ? [
        "step": "block", "turn": 0, "reason": "no arm of the rule may be called",
        "decision": decision(nil, signals, rejected: "secret content stays on the device"),
      ] : ["step": "serve", "turn": 0, "attempt": .integer(Int64(calls.count))]
    return trial
  }

  private static func routedAttempt(
    _ number: Int, _ call: RoutedCall, isRoute: Bool, _ signals: JSONObject, at index: Int
  ) -> AttemptRecord {
    var timeline = Timeline()
    timeline.scheduled = Int64(index) * 1_000_000_000
    timeline.start = timeline.scheduled
    timeline.firstContent = (timeline.start ?? 0) + 20_000_000
    timeline.terminal = (timeline.start ?? 0) + Int64(100 + 10 * number) * 1_000_000
    timeline.lastToken = timeline.terminal
    timeline.done = timeline.terminal
    var record = AttemptRecord(
      turn: 0, step: 0, number: number, phase: .measured, profile: call.arm, boundary: call.boundary,
      cause: call.cause.label, outcome: call.error?.rawValue ?? "ok", errorClass: call.error,
      provenance: .live, inFlight: 1, wait: 0, timeline: timeline,
      usage: call.error == nil ? Usage(input: 40, output: 10) : nil,
      cost: Cost(dollars: call.arm == cloud ? 0.00003 : 0))
    record.bytesSent = 512
    record.isCold = false
    record.decision = isRoute ? decision(call, signals, rejected: nil) : nil
    return record
  }

  private static func decision(
    _ call: RoutedCall?, _ signals: JSONObject, rejected: String?
  ) -> JSONValue {
    var read: JSONObject = [:]
    for (name, value) in signals.members { read[name] = ["value": value, "source": "case"] }
    read["tokensIn.\(device)"] = ["value": 40, "source": "counted"]
    var object: JSONObject = [
      "policy": "1234abcd", "rule": ["index": 0, "name": "everything"], "signals": .object(read),
      "candidates": [
        ["arm": .string(device), "boundary": "device", "rejected": rejected.map { [.string($0)] } ?? []],
        ["arm": .string(cloud), "boundary": "thirdParty", "rejected": []],
      ], "nanoseconds": 42_000,
    ]
    object["arm"] = call.map { .string($0.arm) }
    object["fallbackFrom"] = call?.cause == .fallback(.serverError) ? .string(device) : nil
    return .object(object)
  }
}
