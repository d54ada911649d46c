import EvalCore

/// A run that never was, with everything that a report must show: failures, refusals, retries, an unknown price, cold
/// and warm connections, cached prompts, several turns, repeats. The same on every machine.
struct SampleRun: TrialSource {
  var run: RunInfo
  var trials: [TrialRecord]

  func forEachTrial(_ body: (TrialRecord) throws -> Void) throws {
    for trial in trials { try body(trial) }
  }

  static let device = "on-device"
  static let cloud = "cloud"
  static let unpriced = "lab|beta <b>"

  static func hash(_ text: String, _ kind: String) -> ContentHash {
    ContentHash(of: .string(text), kind: kind)
  }

  static func info(
    targets: [(name: String, model: String, price: JSONValue?)], cases: Int, repeats: Int
  ) -> RunInfo {
    var run = RunInfo(
      id: "20261130-071533-k3f9", suiteName: "support", suitePath: "Suites/support.json",
      suiteHash: hash("support", "suite"), planHash: hash("plan", "plan"), seed: 7, repeats: repeats,
      plannedTrials: cases * repeats * targets.count, caseCount: cases, startedAt: 1_796_022_933,
      startedMonotonic: 0,
      targets: targets.map { target in
        var content: JSONObject = ["provider": "openai-chat", "model": .string(target.model), "stream": true]
        content["price"] = target.price
        return RunInfo.TargetInfo(
          name: target.name, kind: "profile", hash: hash(target.name, "profile"), content: .object(content))
      },
      settings: [
        "concurrency": 2, "maxConcurrency": 4, "repeats": .integer(Int64(repeats)),
        "gates": [
          "rules": [
            ["rule": "passRate >= 0.2", "line": 12, "column": 5],
            ["rule": "score >= 0.7", "name": "good enough"],
            ["rule": "latency.p95 <= 3s for cloud"], ["rule": "costPerCase <= 0.001 for cloud"],
            ["rule": "passRate not worse than cloud by 0.1 for on-device"],
            ["rule": "passes >= 1 of 2 for cloud"],
          ]
        ],
      ],
      provenance: .live, toolVersion: "0.1.0", machine: "Linux 6.1 x86_64, 2 cores")
    run.status = .finished
    run.finishedAt = 1_796_022_999
    return run
  }

  /// 40 cases, 3 targets, 2 repeats, live.
  static func live() -> SampleRun {
    let run = info(
      targets: [
        (device, "smollm2-135m", "free"), (cloud, "gpt-5-mini", ["input": 0.25, "output": 2.0]),
        (unpriced, "lab-beta", nil),
      ], cases: 40, repeats: 2)
    var maker = Maker(seed: 42, run: run)
    var trials: [TrialRecord] = []
    for number in 0..<40 {
      for target in run.targets {
        for index in 0..<2 { trials.append(maker.trial(case: number, target: target, repeatIndex: index)) }
      }
    }
    return SampleRun(run: run, trials: trials)
  }

  /// 12 cases, 2 targets, from a recording.
  static func recorded() -> SampleRun {
    var run = info(
      targets: [
        (device, "smollm2-135m", "free"), (cloud, "qwen2.5-coder-0.5b", ["input": 0.25, "output": 2.0]),
      ],
      cases: 12, repeats: 1)
    run.provenance = .recorded
    run.recording = "llama.cpp b4567, SmolLM2-135M and Qwen2.5-Coder-0.5B, 2026-11-29"
    run.name = "quickstart"
    var maker = Maker(seed: 5, run: run)
    var trials: [TrialRecord] = []
    for number in 0..<12 {
      for target in run.targets { trials.append(maker.trial(case: number, target: target, repeatIndex: 0)) }
    }
    return SampleRun(run: run, trials: trials)
  }
}

/// Draws the trials of a sample run.
struct Maker {
  var random: SeededRandom
  let run: RunInfo
  /// Nanoseconds on the run's clock.
  var now: Int64 = 1_000_000_000

  init(seed: UInt64, run: RunInfo) {
    random = SeededRandom(seed: seed)
    self.run = run
  }

  private var isRecorded: Bool { run.provenance == .recorded }

  mutating func trial(case number: Int, target: RunInfo.TargetInfo, repeatIndex: Int) -> TrialRecord {
    let name = "case-\(number < 9 ? "0" : "")\(number + 1)"
    let isDevice = target.name == SampleRun.device
    var attempts: [AttemptRecord] = []
    var status = TrialStatus.ok
    var errorClass: ErrorClass?
    // Every eighth case talks twice.
    for turn in 0..<(number % 8 == 7 ? 2 : 1) {
      let made = call(
        turn: turn, number: attempts.count + 1, case: number, target: target, isDevice: isDevice)
      attempts += made
      let last = made[made.count - 1]
      if let kind = last.errorClass {
        (status, errorClass) = (.failed, kind)
        break
      }
      if last.outcome == Outcome.refused.label { status = .refused }
    }
    let scores = self.scores(case: number, status: status, isDevice: isDevice)
    let begin = attempts[0].timeline.scheduled ?? 0
    var trial = TrialRecord(
      key: TrialKey(
        caseHash: SampleRun.hash(name, "case"), targetHash: target.hash, repeatIndex: repeatIndex),
      caseID: name, tags: number % 2 == 0 ? ["billing"] : ["tone", "short"],
      cluster: nil, mustPass: number == 3, target: target.name, status: status, errorClass: errorClass,
      score: TrialScore(value: nil, passed: nil, unscored: nil), duration: now - begin, attempts: attempts,
      scores: scores)
    judge(&trial, number)
    trial.score = TrialScore(
      scores.map {
        Score(check: $0.check, kind: $0.kind, weight: $0.weight, judgement: $0.judgement)
      })
    now += 5_000_000
    return trial
  }

  /// Every tenth answer is judged by two judges, one of which is not always to be read.
  private mutating func judge(_ trial: inout TrialRecord, _ number: Int) {
    guard !isRecorded, let place = trial.scores.firstIndex(where: { $0.kind == "rubric" }) else { return }
    for judge in ["judge", "second"] {
      let level = number / 10 % 4
      let isUnread = judge == "second" && number % 20 == 4
      let mark = CriterionMark(
        criterion: "kind", level: judge == "judge" ? level : min(3, level + 1), levels: 4,
        label: "\(level + 1)",
        reason: "It thanks the customer | twice.")
      var call = JudgeCallRecord(
        place: JudgePlace(
          trial: trial.key, target: trial.target, check: "helpful", rubric: "helpful", turn: 0),
        judge: judge, force: judge == "judge" ? .schema : .none, number: 1, outcome: "ok", errorClass: nil,
        provenance: .live, duration: Int64(400 + number) * 1_000_000, usage: Usage(input: 900, output: 60),
        cost: Cost(dollars: judge == "judge" ? 0.00285 : nil),
        reading: isUnread ? .unread(.noVerdict, "there is no verdict in 'Nice.'") : .marks([mark]))
      call.raw = isUnread ? "Nice." : nil
      call.judgeHash = SampleRun.hash(judge, "profile")
      call.form = SampleRun.hash("helpful", "form")
      trial.judgeCalls.append(call)
      guard judge == "judge" else { continue }
      call.place.purpose = .recheck
      call.place.draw = 1
      trial.judgeCalls.append(call)
    }
    let opponents = [
      SampleRun.device: [SampleRun.cloud, SampleRun.unpriced], SampleRun.cloud: [SampleRun.unpriced],
    ]
    for opponent in opponents[trial.target] ?? [] {
      for order in 0...1 {
        var call = trial.judgeCalls[0]
        call.place = JudgePlace(
          trial: trial.key, target: trial.target, check: "better", draw: order, purpose: .compare,
          opponent: opponent)
        // Every third changes with the order; of the rest the opponent wins one in two.
        let isFirst = number / 10 % 3 == 0 ? true : (number / 10 % 3 == 1) == (order == 0)
        call.reading = .preference(isFirst ? .first : .second, reason: nil)
        trial.judgeCalls.append(call)
      }
    }
    Maker.embed(&trial, number)
    guard case .scored(let value, let passed) = trial.scores[place].judgement else { return }
    trial.scores[place].criteria = [
      CriterionScore(criterion: "kind", value: value, spread: 0.25, verdicts: 2, passed: passed)
    ]
  }

  /// Every third answer is known from an earlier run; the text that it is compared with always is.
  private static func embed(_ trial: inout TrialRecord, _ number: Int) {
    let isKnown = number % 3 == 0
    let place = JudgePlace(trial: trial.key, target: trial.target, check: "near", turn: 0, purpose: .embed)
    trial.embeddingUses = [
      EmbeddingUse(place: place, embedder: "embedder", texts: 2, fromRun: 1, fromDatabase: isKnown ? 1 : 0)
    ]
    guard !isKnown else { return }
    trial.judgeCalls.append(
      JudgeCallRecord(
        place: place, judge: "embedder", force: .none, number: 1, outcome: "ok", errorClass: nil,
        provenance: .live, duration: 20_000_000, usage: Usage(input: 40, output: 0),
        cost: Cost(dollars: 0.0000008), reading: .embedded))
  }

  private mutating func call(
    turn: Int, number: Int, case subject: Int, target: RunInfo.TargetInfo, isDevice: Bool
  ) -> [AttemptRecord] {
    var attempts: [AttemptRecord] = []
    var cause = AttemptCause.first
    while true {
      // One call in nine of the cloud is limited, one in forty breaks for good.
      let limited = !isDevice && !isRecorded && attempts.isEmpty && random.unit() < 0.11
      let broken = !isDevice && !isRecorded && random.unit() < 0.05
      let kind: ErrorClass? = limited ? .rateLimited : broken ? .stallTimeout : nil
      let refuses = kind == nil && subject == 5 && !isDevice
      let wait: Int64 = attempts.isEmpty ? 0 : 1_000_000_000 + Int64(random.below(200)) * 1_000_000
      let attempt = self.attempt(
        turn: turn, number: number + attempts.count, target: target, isDevice: isDevice, cause: cause,
        wait: wait, kind: kind, refuses: refuses)
      attempts.append(attempt)
      guard let kind, attempts.count < 3, kind == .rateLimited else { return attempts }
      cause = .retry(kind)
    }
  }

  private mutating func attempt(
    turn: Int, number: Int, target: RunInfo.TargetInfo, isDevice: Bool, cause: AttemptCause, wait: Int64,
    kind: ErrorClass?, refuses: Bool
  ) -> AttemptRecord {
    now += wait
    let outcome = kind?.rawValue ?? (refuses ? Outcome.refused.label : Outcome.ok.label)
    let usage = kind == nil ? self.usage(isDevice: isDevice, turn: turn) : nil
    let isCold = isDevice ? nil : random.unit() < 0.08
    let timeline = self.timeline(
      isDevice: isDevice, isCold: isCold ?? false, tokens: usage?.output ?? 0, kind: kind)
    var cost = Cost(dollars: 0)
    switch (target.content["price"], kind) {
    case (nil, _): cost = Cost(dollars: nil)
    case (.string?, _): break
    case (_, .stallTimeout?): cost = Cost(dollars: nil, isLowerBound: true)
    default: cost = Cost(dollars: Price(input: 0.25, output: 2).cost(of: usage) ?? 0)
    }
    var record = AttemptRecord(
      turn: turn, step: 0, number: number, phase: .measured, profile: target.name,
      boundary: isDevice ? .device : .thirdParty, cause: cause.label, outcome: outcome, errorClass: kind,
      provenance: run.provenance, inFlight: 3 + random.below(2), wait: wait, timeline: timeline,
      usage: usage, cost: cost)
    record.isCold = isCold
    record.httpVersion = isDevice ? nil : "1.1"
    record.servedModel = kind == nil ? target.content["model"]?.stringValue : nil
    record.finish = kind == nil ? .stop : nil
    if kind == .rateLimited {
      record.httpStatus = 429
      record.errorMessage = "Too many requests: wait 1 s"
    } else {
      record.httpStatus = isDevice ? nil : 200
      record.errorMessage = kind.map { _ in "=no token for 60 s, \"stalled\"" }
    }
    return record
  }

  private mutating func usage(isDevice: Bool, turn: Int) -> Usage {
    let output = 12 + random.below(60)
    return Usage(
      input: 80 + random.below(120) + turn * 90, cachedInput: isDevice ? nil : turn > 0 ? 64 : 0,
      output: output, reasoning: isDevice ? nil : output / 3)
  }

  private mutating func timeline(
    isDevice: Bool, isCold: Bool, tokens: Int, kind: ErrorClass?
  ) -> Timeline {
    var timeline = Timeline()
    timeline.scheduled = now
    now += 150_000
    timeline.start = now
    now += isCold ? 38_000_000 : 90_000
    timeline.connectionReady = isDevice ? nil : now
    now += Int64(isDevice ? 40 + random.below(90) : 180 + random.below(260)) * 1_000_000
    timeline.firstByte = now
    if kind != nil {
      now += kind == .stallTimeout ? 60_000_000_000 : 0
      timeline.done = now
      return timeline
    }
    if !isDevice {
      timeline.firstReasoning = now
      timeline.tokenReads.append(TokenRead(at: now, events: 1))
      now += 120_000_000
    }
    timeline.firstContent = now
    for _ in 1..<max(2, tokens) {
      timeline.tokenReads.append(TokenRead(at: now, events: 1))
      now += Int64(isDevice ? 22 + random.below(6) : 9 + random.below(4)) * 1_000_000
    }
    timeline.lastToken = now
    timeline.terminal = now + 300_000
    timeline.done = now + 350_000
    now += 400_000
    return timeline
  }

  private mutating func scores(case number: Int, status: TrialStatus, isDevice: Bool) -> [ScoreRecord] {
    func record(_ check: String, _ kind: String, _ judgement: Judgement, _ why: String?) -> ScoreRecord {
      ScoreRecord(check: check, kind: kind, weight: 1, turn: nil, judgement: judgement, explanation: why)
    }
    guard status == .ok else {
      let none = Judgement.unscored(.noAnswer, "the call failed")
      return [record("names the city", "contains", none, nil), record("short", "length", none, nil)]
    }
    // Case 11 is beyond everybody, the device misses more.
    let hits = number != 10 && random.unit() < (isDevice ? 0.62 : 0.93)
    var scores = [
      record(
        "names the city", "contains", .verdict(hits),
        hits ? "found 'Paris'" : "looked for 'Paris', found none of it"),
      record("short", "length", .verdict(random.unit() < 0.97), "at most 40 words"),
    ]
    if number % 10 == 4 {
      let judged = random.unit() < 0.7
      scores.append(
        record(
          "helpful", "rubric",
          judged
            ? .scored(value: 0.75, passed: true)
            : .unscored(.graderFailed, "the judge's answer was not JSON"),
          nil))
    }
    return scores
  }
}
