import EvalAnalysis
import EvalCore
import EvalStore
import Testing

/// A baseline's file says of every trial what the run itself would say in a comparison.
@Suite struct BaselineFactsTests {
  private struct Trials: TrialSource {
    var run: RunInfo
    var trials: [TrialRecord]
    func forEachTrial(_ body: (TrialRecord) throws -> Void) throws { for trial in trials { try body(trial) } }
  }

  private var random = SeededRandom(seed: 11)
  private var now: Int64 = 1_000_000_000

  /// Trials with every mixture of turns, retries, waits, boundaries, costs and ends.
  private mutating func source(_ count: Int) -> Trials {
    let hash = ContentHash(of: "t", kind: "profile")
    var run = RunInfo(
      id: "r", suiteName: "s", suitePath: "s.json", suiteHash: hash, planHash: hash, seed: 1, repeats: 2,
      plannedTrials: count * 2, caseCount: count, startedAt: 0, startedMonotonic: 0,
      targets: [.init(name: "t", kind: "profile", hash: hash, content: .null)], settings: .null,
      provenance: .live,
      toolVersion: "1", machine: "m")
    run.status = .finished
    var trials: [TrialRecord] = []
    for number in 0..<count {
      let id = "case-\(String(number + 10_000).dropFirst())"
      for index in 0..<2 {
        let key = TrialKey(
          caseHash: ContentHash(of: .string(id), kind: "case"), targetHash: hash, repeatIndex: index)
        trials.append(trial(key, id))
      }
    }
    return Trials(run: run, trials: trials)
  }

  private mutating func trial(_ key: TrialKey, _ id: String) -> TrialRecord {
    let statuses: [TrialStatus] = [.ok, .ok, .ok, .refused, .empty, .failed, .blocked]
    let status = statuses[random.below(statuses.count)]
    var attempts: [AttemptRecord] = []
    for turn in 0..<(status == .blocked ? 0 : 1 + random.below(2)) {
      let retries = random.below(3)
      for retry in 0...retries {
        let isLast = retry == retries
        attempts.append(attempt(turn, attempts.count + 1, isLast ? status : .failed))
      }
    }
    var scores = ["right", "short"].map { name in
      ScoreRecord(
        check: name, kind: "contains", weight: name == "right" ? 2 : 1, turn: nil,
        judgement: judgement(status),
        explanation: "words")
    }
    if random.below(8) == 0 { scores.removeLast() }
    return TrialRecord(
      key: key, caseID: id, tags: ["a"], cluster: random.below(2) == 0 ? nil : "c\(random.below(5))",
      mustPass: false, target: "t", status: status, errorClass: status == .failed ? .network : nil,
      score: TrialScore(
        scores.map { Score(check: $0.check, kind: $0.kind, weight: $0.weight, judgement: $0.judgement) }),
      duration: 1, attempts: attempts, scores: scores)
  }

  private mutating func judgement(_ status: TrialStatus) -> Judgement {
    guard status == .ok else { return .unscored(.noAnswer, "none") }
    switch random.below(4) {
    case 0: return .scored(value: random.unit(), passed: nil)
    case 1: return .scored(value: random.unit(), passed: random.below(2) == 0)
    case 2 where random.below(3) == 0: return .unscored(.graderFailed, "broke")
    default: return .verdict(random.below(2) == 0)
    }
  }

  private mutating func attempt(_ turn: Int, _ number: Int, _ status: TrialStatus) -> AttemptRecord {
    let kind: ErrorClass? = status == .failed ? .network : nil
    let boundaries: [Boundary?] = [.device, .device, .thirdParty, nil]
    var record = AttemptRecord(
      turn: turn, step: 0, number: number, phase: .measured, profile: "t",
      boundary: boundaries[random.below(4)], cause: "first", outcome: kind?.rawValue ?? status.rawValue,
      errorClass: kind, provenance: .live, inFlight: 1, wait: Int64(random.below(3)) * 40_000_000,
      timeline: Timeline(), usage: nil,
      cost: Cost(dollars: random.below(6) == 0 ? nil : random.unit() / 100))
    record.isCold = [nil, true, false][random.below(3)]
    record.timeline.scheduled = now
    now += Int64(random.below(2)) * 7_000_000
    record.timeline.start = now
    now += Int64(random.below(90_000_000))
    if random.below(4) > 0 { record.timeline.firstContent = now }
    now += Int64(random.below(900_000_000))
    record.timeline.terminal = kind == nil ? now : nil
    record.timeline.done = random.below(9) == 0 && kind != nil ? nil : now
    return record
  }

  @Test func whatIsComparedIsTheSameOutOfTheFile() throws {
    var maker = self
    let source = maker.source(300)
    var text = ""
    try BaselineFile.write(source, name: "main") { text += $0 }
    let file = try BaselineFile(bytes: Array(text.utf8), path: "main.json")
    let before = try #require(try ComparisonInput.read(source, label: "main").first)
    let after = try #require(try ComparisonInput.read(file, label: "main").first)
    #expect(after.cases.map(\.hash) == before.cases.map(\.hash))
    #expect(after.cases.map(\.checks) == before.cases.map(\.checks))
    #expect(after.cases.map(\.cluster) == before.cases.map(\.cluster))
    #expect(after.cases.map(\.hasChecks) == before.cases.map(\.hasChecks))
    #expect(after.cases.map(\.isUngated) == before.cases.map(\.isUngated))
    var latencies = 0
    for (old, new) in zip(before.cases.flatMap(\.trials), after.cases.flatMap(\.trials)) {
      #expect(new.repeatIndex == old.repeatIndex && new.passed == old.passed)
      #expect(
        new.hasNoAnswer == old.hasNoAnswer && new.isInfrastructureFailure == old.isInfrastructureFailure)
      #expect(new.leftDevice == old.leftDevice && new.isRecorded == old.isRecorded)
      // Cold and warm only matter where there is a time.
      if old.latency != nil { #expect(new.isCold == old.isCold) }
      #expect(near(new.score, old.score, 1e-6, relative: 0))
      #expect(near(new.dollars, old.dollars, 0, relative: 5e-4))
      #expect(near(new.latency, old.latency, 1e-6, relative: 5.1e-3))
      #expect(near(new.firstToken, old.firstToken, 1e-6, relative: 5.1e-3))
      if old.latency != nil { latencies += 1 }
    }
    #expect(latencies > 100, "the trials that were made are worth comparing")
  }

  private func near(_ left: Double?, _ right: Double?, _ distance: Double, relative: Double) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) <= distance + relative * abs(right)
  }
}
