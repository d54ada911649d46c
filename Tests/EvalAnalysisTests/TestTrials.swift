import EvalCore

/// A run whose trials a test writes down one by one.
struct TestRun: TrialSource {
  var run: RunInfo
  var trials: [TrialRecord] = []

  init(
    _ targets: [String] = ["a"], cases: Int, repeats: Int = 1, price: JSONValue? = "free",
    model: String = "m"
  ) {
    run = RunInfo(
      id: "r", suiteName: "s", suitePath: "s.json", suiteHash: TestRun.hash("s"), planHash: TestRun.hash("p"),
      seed: 1,
      repeats: repeats, plannedTrials: cases * repeats * targets.count, caseCount: cases, startedAt: 0,
      startedMonotonic: 0,
      targets: targets.map { name in
        var content: JSONObject = ["model": .string(model)]
        content["price"] = price
        return RunInfo.TargetInfo(
          name: name, kind: "profile", hash: TestRun.hash(name), content: .object(content))
      },
      settings: .object([:]), provenance: .live, toolVersion: "0", machine: "m")
    run.status = .finished
  }

  static func hash(_ text: String) -> ContentHash { ContentHash(of: .string(text), kind: "test") }

  func forEachTrial(_ body: (TrialRecord) throws -> Void) throws {
    for trial in trials { try body(trial) }
  }

  /// Adds a trial; without attempts it makes a warm one of 100 ms.
  mutating func add(
    case id: String, target: String = "a", repeatIndex: Int = 0, status: TrialStatus = .ok,
    errorClass: ErrorClass? = nil, scores: [Judgement] = [.verdict(true)], cluster: String? = nil,
    mustPass: Bool = false, attempts: [AttemptRecord] = [TestRun.attempt()]
  ) {
    let records = scores.enumerated().map { index, judgement in
      ScoreRecord(
        check: "check \(index)", kind: "k", weight: 1, turn: nil, judgement: judgement, explanation: nil)
    }
    let total = TrialScore(records.map { Score(check: $0.check, kind: "k", judgement: $0.judgement) })
    trials.append(
      TrialRecord(
        key: TrialKey(
          caseHash: TestRun.hash(id), targetHash: TestRun.hash(target), repeatIndex: repeatIndex),
        caseID: id, tags: [], cluster: cluster, mustPass: mustPass, target: target, status: status,
        errorClass: errorClass, score: total, duration: nil, attempts: attempts, scores: records))
  }

  static func attempt(
    _ milliseconds: Int64 = 100, firstToken: Int64? = 10, outcome: String = "ok", error: ErrorClass? = nil,
    cold: Bool? = false, source: Provenance = .live, turn: Int = 0, cause: AttemptCause = .first,
    wait: Int64 = 0, queue: Int64 = 0, inFlight: Int = 1, usage: Usage? = nil, cost: Cost = Cost(dollars: 0),
    served: String? = nil
  ) -> AttemptRecord {
    var timeline = Timeline()
    timeline.scheduled = 0
    timeline.start = queue * 1_000_000
    timeline.connectionReady = timeline.start! + (cold == true ? 5_000_000 : 0)
    timeline.done = timeline.start! + milliseconds * 1_000_000
    if error == nil {
      timeline.terminal = timeline.done
      timeline.firstContent = firstToken.map { timeline.start! + $0 * 1_000_000 }
      timeline.lastToken = firstToken.map { _ in timeline.done! }
      if let first = timeline.firstContent {
        timeline.tokenReads = [TokenRead(at: first, events: 1), TokenRead(at: timeline.done!, events: 1)]
      }
    }
    var record = AttemptRecord(
      turn: turn, step: 0, number: 1, phase: .measured, profile: "a", boundary: nil, cause: cause.label,
      outcome: error?.rawValue ?? outcome, errorClass: error, provenance: source, inFlight: inFlight,
      wait: wait * 1_000_000, timeline: timeline, usage: usage, cost: cost)
    record.isCold = cold
    record.servedModel = served
    return record
  }
}
